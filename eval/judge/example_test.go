package judge_test

import (
	"fmt"

	"concord/eval"
	"concord/eval/judge"
	"concord/eval/prompt"
)

// A judge's reply is read strictly: one choice, and nothing to interpret.
func ExampleJudge_Read() {
	set, err := prompt.Load(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	j, err := judge.New(judge.Options{
		Setup: eval.JudgeSetup{Judge: "a judge", Prompts: set.Refs(prompt.ExtractChoice, prompt.ReadYesNo)},
		Set:   set,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := eval.Sample{
		Kind: eval.KindChoice, Question: "What is on the sofa?",
		Options: []eval.Option{{Letter: "A", Text: "a cat"}, {Letter: "B", Text: "a dog"}},
	}
	q := eval.Judging{Sample: s, Shown: s.Show(0), Prediction: eval.Prediction{Text: "some kind of puppy"}}
	for _, text := range []string{"B", "Z", "Based on the answer, it is a dog."} {
		e := j.Read(q, eval.Reply{Text: text}).Extraction
		fmt.Printf("%s %q %s\n", e.Status, e.Choice, e.Method)
	}
	// Output:
	// found "B" judge
	// none "" judge
	// missing "" unparsed
}
