package reading

import (
	"concord/eval"
)

// Reading is what a rule makes of a text. It is an extraction in three words:
// the compiler keeps those in registers, where an eval.Extraction is copied
// through memory at every return, a tenth of the time of a short answer.
type Reading struct {
	Method string
	option int32 // which of the options was chosen, the first one of its letter, if Found
	Status eval.Status
}

// Chosen is the reading of a choice of an option, by its index.
func Chosen(option int, method string) Reading {
	return Reading{Method: method, option: int32(option), Status: eval.Found}
}

// Abstains is the reading of no choice, with the reason as a status.
func Abstains(s eval.Status, method string) Reading {
	return Reading{Method: method, Status: s}
}

// Choice is the letter of the chosen option, or empty.
func (r Reading) Choice(options []eval.Option) eval.Choice {
	if r.Status != eval.Found {
		return ""
	}
	return options[r.option].Letter
}

// Of is the reading as the extraction from an answer to a question with these
// options. A choice of a way out becomes the status that it names.
func (r Reading) Of(options []eval.Option) eval.Extraction {
	c := r.Choice(options)
	if c != "" {
		text := options[r.option].Text
		if len(c) > 1 { // no letter: taken by its first byte
			text = textOf(options, c[0])
		}
		if s := wayOut(text); s != eval.StatusUnset {
			return Without(s, "way-out")
		}
	}
	return eval.Extraction{Choice: c, Status: r.Status, Method: r.Method}
}

// OptionOf is the first option of that letter, or -1.
func OptionOf(options []eval.Option, letter byte) int {
	for i := range options {
		if l := options[i].Letter; len(l) == 1 && l[0] == letter {
			return i
		}
	}
	return -1
}

// textOf is the text of the first option of that letter, or empty.
func textOf(options []eval.Option, letter byte) string {
	if i := OptionOf(options, letter); i >= 0 {
		return options[i].Text
	}
	return ""
}

// Found is the extraction of a choice by a named rule.
func Found(c eval.Choice, method string) eval.Extraction {
	return eval.Extraction{Choice: c, Status: eval.Found, Method: method}
}

// Without is the extraction of no choice, with the reason as a status.
func Without(s eval.Status, method string) eval.Extraction {
	return eval.Extraction{Status: s, Method: method}
}

// HasLetter reports whether an option has that letter.
func HasLetter(options []eval.Option, c eval.Choice) bool {
	for i := range options {
		if options[i].Letter == c {
			return true
		}
	}
	return false
}
