package criteria_test

import (
	"fmt"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
)

func ExampleSet_WithAct() {
	set := criteria.NewSet("mllm-bench", 7)
	do := func(kind criteria.Kind, who annotate.Annotator, more func(*criteria.Act)) {
		act := set.NewAct(kind, who, time.Now())
		if more != nil {
			more(&act)
		}
		next, err := set.WithAct(act)
		if err != nil {
			fmt.Println(err)
			return
		}
		set = next
		fmt.Println(set.State)
	}
	do(criteria.Drafted, "ann", func(a *criteria.Act) {
		a.Criteria = []criteria.Criterion{{Type: criteria.ExactReference, Text: "Say that there are ten."}}
	})
	do(criteria.Submitted, "ann", nil)
	do(criteria.Accepted, "ann", nil)
	do(criteria.Accepted, "bob", nil)
	// Output:
	// draft
	// in_review
	// accept: ann wrote them: nobody reviews or verifies what they wrote
	// accepted
}
