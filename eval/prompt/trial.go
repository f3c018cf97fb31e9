package prompt

import (
	"slices"

	"concord/eval"
)

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
		Answer1: "first-answer", Answer2: "second-answer", Type: eval.ClosedEnded, Criteria: "criteria-text", Pictured: true,
		Caption: "caption-text", Detections: []eval.Detection{{Label: "label-text", Confidence: 0.5}}, Reference: "reference-text",
	}
	bare := full
	bare.Hint, bare.Shots, bare.Pseudo = "", nil, "NONE"
	bare.Type, bare.Criteria, bare.Pictured = eval.TypeUnset, "", false
	switch r.Name {
	case Choice, ChoiceTextOnly, ChoiceShots, ExtractChoice:
	default:
		full.Options, bare.Options = nil, nil
		full.Pseudo, bare.Pseudo = "", ""
	}
	must := required(r.Name)
	out := []trial{{item: full, must: slices.Concat(must, optional(r.Name))}}
	for _, w := range []Wrong{WrongEmpty, WrongSeveral, WrongInvalid, WrongWordy} {
		bare.Wrong = w
		out = append(out, trial{item: bare, must: must})
	}
	bare.Detections = nil // a detector may find nothing
	return append(out, trial{item: bare})
}

// required is what must show of every item.
func required(name string) []part {
	question := part{"the question", "question-text"}
	options := part{"the options", "second-text"}
	answer := part{"the answer", "answer-text"}
	compared := []part{question, {"the first answer", "first-answer"}, {"the second answer", "second-answer"}}
	caption := part{"the caption", "caption-text"}
	objects := part{"the detected objects", "label-text"}
	switch name {
	case Choice, ChoiceTextOnly, ChoiceShots:
		return []part{question, options}
	case ExtractChoice:
		return []part{question, options, answer}
	case ReadYesNo:
		return []part{question, answer}
	case Vote:
		return compared
	case VoteCaption:
		return slices.Concat(compared, []part{caption})
	case VoteDetections:
		return slices.Concat(compared, []part{objects})
	case VoteBoth:
		return slices.Concat(compared, []part{caption, objects})
	case Caption:
		return []part{{"the mark before the description", CaptionBegin}, {"the mark behind the description", CaptionEnd}}
	case Score:
		return []part{question, {"the right answer", "reference-text"}, answer}
	default:
		return []part{question}
	}
}

// optional is what must show of an item that has it.
func optional(name string) []part {
	switch name {
	case ChoiceShots:
		return []part{{"the worked examples", "shot-question"}}
	case Vote, VoteCaption, VoteDetections, VoteBoth:
		return []part{{"the criteria", "criteria-text"}}
	default:
		return nil
	}
}
