package extract

import "concord/eval"

// reading is what a rule makes of a text. It is an extraction in three words:
// the compiler keeps those in registers, where an eval.Extraction is copied
// through memory at every return, a tenth of the time of a short answer.
type reading struct {
	method string
	option int32 // which of the options was chosen, if Found
	status eval.Status
}

func chosen(option int, method string) reading {
	return reading{method: method, option: int32(option), status: eval.Found}
}

func abstains(s eval.Status, method string) reading {
	return reading{method: method, status: s}
}

// choice is the letter of the chosen option, or empty.
func (r reading) choice(options []eval.Option) eval.Choice {
	if r.status != eval.Found {
		return ""
	}
	return options[r.option].Letter
}

// of is the reading as the extraction from an answer to a question with these
// options. A choice of a way out becomes the status that it names.
func (r reading) of(options []eval.Option) eval.Extraction {
	c := r.choice(options)
	if c != "" {
		if s := wayOut(textOf(options, c[0])); s != eval.StatusUnset {
			return without(s, "way-out")
		}
	}
	return eval.Extraction{Choice: c, Status: r.status, Method: r.method}
}

// optionOf is the first option of that letter, or -1.
func optionOf(options []eval.Option, letter byte) int {
	for i := range options {
		if l := options[i].Letter; len(l) == 1 && l[0] == letter {
			return i
		}
	}
	return -1
}

// textOf is the text of the first option of that letter, or empty.
func textOf(options []eval.Option, letter byte) string {
	if i := optionOf(options, letter); i >= 0 {
		return options[i].Text
	}
	return ""
}
