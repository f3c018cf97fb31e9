package prompt_test

import (
	"fmt"

	"concord/eval"
	"concord/eval/prompt"
)

func ExampleAsker_BuildChat() {
	set, err := prompt.LoadSet(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := prompt.NewAsker(nil, set, eval.Settings{Prompts: set.Refs(prompt.Choice)})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := eval.Sample{
		Kind: eval.KindChoice, Question: "What is on the sofa?", Answer: "B",
		Options: []eval.Option{{Letter: "A", Text: "a cat"}, {Letter: "B", Text: "a dog"}},
	}
	run := eval.Run{Config: eval.Config{Modality: eval.WithImage}}
	chat, err := a.BuildChat(eval.Request{Run: run, Sample: s, Pass: 1, Shown: s.ShowInPass(1)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(chat.Turns[0].Text)
	// Output:
	// Question: What is on the sofa?
	// Options:
	// A. a dog
	// B. a cat
	// Answer with the letter of one option and nothing else: A or B.
}
