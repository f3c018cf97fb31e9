package home

import (
	"testing"

	"concord/annotate"
)

// A queue says which rules drew it, but for one of criteria, which no rule reads.
func TestOriginOfAQueue(t *testing.T) {
	for from, want := range map[annotate.From]string{
		annotate.FromUnparsable: annotate.FromUnparsable.String() + " of concord@5 on d",
		annotate.FromCriteria:   "criteria on d",
	} {
		var q Queue
		q.Rule = annotate.Rule{Dataset: "d", From: from, Rules: "concord@5"}
		if got := describeDrawnFrom(&q); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
