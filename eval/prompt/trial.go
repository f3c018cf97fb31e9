package prompt

import "concord/eval"

// trial is an item that a template is tried on, with what must show in it.
type trial struct {
	item Item
	must []part
}

type part struct{ what, text string }

// trials are the items that template r is tried on: every field is set in one
// of them, so that a wrong one fails when the template is loaded.
func trials(r eval.PromptRef) []trial {
	options := []eval.Option{{Letter: "A", Text: "first-text"}, {Letter: "C", Text: "second-text"}}
	full := Item{
		Language: r.Language, Question: "question-text", Hint: "hint-text", Options: options,
		Shots:  []eval.Exemplar{{Question: "shot-question", Options: options, Answer: "C"}},
		Answer: "answer-text", Pseudo: "Z",
	}
	bare := full
	bare.Hint, bare.Shots, bare.Pseudo = "", nil, "NONE"
	if r.Name == YesNo || r.Name == ReadYesNo || r.Name == Open {
		full.Options, bare.Options = nil, nil
		full.Pseudo, bare.Pseudo = "", ""
	}
	must := required(r.Name)
	out := []trial{{item: full, must: must}}
	if r.Name == ChoiceShots {
		out[0].must = append(must, part{"the worked examples", "shot-question"})
	}
	for _, w := range []Wrong{WrongEmpty, WrongSeveral, WrongInvalid, WrongWordy} {
		bare.Wrong = w
		out = append(out, trial{item: bare, must: must})
	}
	return out
}

func required(name string) []part {
	question := part{"the question", "question-text"}
	options := part{"the options", "second-text"}
	answer := part{"the answer", "answer-text"}
	switch name {
	case Choice, ChoiceTextOnly, ChoiceShots:
		return []part{question, options}
	case ExtractChoice:
		return []part{question, options, answer}
	case ReadYesNo:
		return []part{question, answer}
	default:
		return []part{question}
	}
}
