package extract

import (
	"concord/eval"
	"concord/eval/extract/reading"
)

// choices holds the options of a question, and what their letters are.
type choices struct {
	options  []eval.Option
	present  uint32 // the options' letters as bits from A
	distinct bool   // each option has a letter of its own from A to Z
}

func letterBits(options []eval.Option) uint32 {
	var bits uint32
	for i := range options {
		if l := options[i].Letter; len(l) == 1 && l[0] >= 'A' && l[0] <= 'Z' {
			bits |= 1 << (l[0] - 'A')
		}
	}
	return bits
}

// chosen is the reading of a choice of option i.
func (o *choices) chosen(i int, method string) reading.Reading {
	if l := o.options[i].Letter; len(l) == 1 && !o.distinct {
		i = reading.OptionOf(o.options, l[0])
	}
	return reading.Chosen(i, method)
}

// option is the first option of that letter, or -1.
func (o *choices) option(letter byte) int {
	// Nearly always they are A, B, C and so on.
	if i := int(letter - 'A'); o.distinct && i < len(o.options) && o.options[i].Letter[0] == letter {
		return i
	}
	return reading.OptionOf(o.options, letter)
}

// textOf is the text of the first option of that letter, or empty.
func (o *choices) textOf(letter byte) string {
	if i := o.option(letter); i >= 0 {
		return o.options[i].Text
	}
	return ""
}

func (o *choices) content(i int, method string) (reading.Reading, bool) {
	if o.options[i].Letter == "" {
		return reading.Reading{}, false
	}
	return o.chosen(i, method), true
}

// declining is the option whose text says what the model says when it
// chooses nothing, or the status e without one.
func (o *choices) declining(e reading.Reading) reading.Reading {
	at := -1
	for i, o := range o.options {
		d, ok := reading.Declined(foldOption(o.Text))
		if !ok || d != e {
			continue
		}
		if at >= 0 {
			return e
		}
		at = i
	}
	if at < 0 || o.options[at].Letter == "" {
		return e
	}
	return o.chosen(at, "content-declining")
}
