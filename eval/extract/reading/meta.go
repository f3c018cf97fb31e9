package reading

import (
	"strings"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/lexicon"
)

// Some benchmarks offer ways out beside the answers: to refuse, not to know,
// to find no answer right. Who takes such a way has chosen no answer, and
// what a model means by it ("Refused is not a good measure") takes
// understanding: it is read as the status that it names. An option that says
// something about the world ("none of the above", "cannot be determined") is
// an answer like any other.

// waysOut is read-only.
var waysOut = lexicon.NewPhrasebook(refusals, denials)

var refusals = []string{
	"refused", "refuse", "refusal", "refuse to answer", "i refuse to answer", "decline to answer",
	"i do not know", "i don't know", "i don’t know", "don't know", "do not know", "i don't know the answer",
}

var denials = []string{"no correct answer is given", "no correct answer", "no correct answer given", "no answer is correct"}

// wayOut is the status that an option's text names, or StatusUnset for an
// answer.
func wayOut(text string) eval.Status {
	if len(text) < 7 || len(text) > 48 {
		return eval.StatusUnset
	}
	switch chars.ToLower(text[0]) {
	case 'r', 'i', 'd', 'n':
		if len(waysOut.At(text)) == 0 {
			return eval.StatusUnset
		}
	case ' ':
	default:
		return eval.StatusUnset
	}
	text = strings.ToLower(strings.Trim(text, " .!"))
	for _, w := range waysOut.At(text) {
		if w.Text == text {
			return [...]eval.Status{eval.Refused, eval.None}[w.Kind]
		}
	}
	return eval.StatusUnset
}
