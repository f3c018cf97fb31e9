package judge_test

import (
	"context"
	"fmt"

	"concord/eval"
	"concord/eval/judge"
	"concord/eval/prompt"
)

// A judge's reply is read strictly: one choice, and nothing to interpret.
func ExampleJudge_ReadReply() {
	set, err := prompt.LoadSet(nil)
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
	q := eval.JudgeQuestion{Sample: s, Shown: s.ShowInPass(0), Prediction: eval.Prediction{Text: "some kind of puppy"}}
	for _, text := range []string{"B", "Z", "Based on the answer, it is a dog."} {
		e := j.ReadReply(q, eval.Reply{Text: text}).Extraction
		fmt.Printf("%s %q %s\n", e.Status, e.Choice, e.Method)
	}
	// Output:
	// found "B" judge
	// none "" judge
	// missing "" unparsed
}

// A vote stands alone in the last line of a reply.
func ExampleVoter_Vote() {
	set, err := prompt.LoadSet(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := judge.NewVoter(judge.VoterOptions{
		Setup:   eval.JudgeSetup{Judge: "a judge", Prompts: set.Refs(prompt.VoteCaption)},
		Chatter: callResult("The caption speaks of a dog, and so does one of them.\n\n**Answer2**."),
		Set:     set,
		Input:   eval.SeesCaption,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := v.Vote(context.Background(), eval.VoteQuestion{
		Sample: eval.Sample{ID: "1", Kind: eval.KindOpen, Question: "Who is on the sofa?"},
		Pair:   eval.Pair{First: 1, Second: 2}, Answers: [2]string{"A cat.", "A dog."},
		Type: eval.ClosedEnded, Caption: "A dog sleeps on a sofa.",
	})
	fmt.Println(p.Vote, p.Input, err)
	// Output:
	// answer2 caption <nil>
}

type callResult string

func (s callResult) Chat(context.Context, eval.Chat) (eval.Reply, error) {
	return eval.Reply{Text: string(s)}, nil
}
