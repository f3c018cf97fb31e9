package extract

import "concord/eval"

// reading is what a rule makes of a text. It is an extraction in three words:
// the compiler keeps those in registers, where an eval.Extraction is copied
// through memory at every return, a tenth of the time of a short answer.
type reading struct {
	method string
	option int32 // which of the options was chosen, the first one of its letter, if Found
	status eval.Status
}

func chosen(option int, method string) reading {
	return reading{method: method, option: int32(option), status: eval.Found}
}

// chosen is the reading of a choice of option i.
func (p *page) chosen(i int, method string) reading {
	if l := p.options[i].Letter; len(l) == 1 && !p.distinct {
		i = optionOf(p.options, l[0])
	}
	return chosen(i, method)
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
		text := options[r.option].Text
		if len(c) > 1 { // no letter: taken by its first byte
			text = textOf(options, c[0])
		}
		if s := wayOut(text); s != eval.StatusUnset {
			return without(s, "way-out")
		}
	}
	return eval.Extraction{Choice: c, Status: r.status, Method: r.method}
}

// option is the first option of that letter, or -1.
func (p *page) option(letter byte) int {
	// Nearly always they are A, B, C and so on.
	if i := int(letter - 'A'); p.distinct && i < len(p.options) && p.options[i].Letter[0] == letter {
		return i
	}
	return optionOf(p.options, letter)
}

// textOf is the text of the first option of that letter, or empty.
func (p *page) textOf(letter byte) string {
	if i := p.option(letter); i >= 0 {
		return p.options[i].Text
	}
	return ""
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
