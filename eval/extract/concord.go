package extract

import (
	"math/bits"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/reading"
)

// concord is the default rule set. It reads in this order; the first rule
// that can decide does:
//
//	letters   boxed, opening, stated, picked, lead   letter.go, strong
//	abstains  two of them, or another one as good    letter.go, rival.go
//	abstains  refused, none of them, undetermined    refusal.go
//	abstains  a letter that no option has is stated  letter.go, outside
//	content   the text is one option's               content.go, same
//	letters   mentioned alone ("option B", "(B)")    letter.go, weak
//	content   an option's text is stated, contained  content.go, says
//	letters   alone at the end of a short text       letter.go, weak
//
// Letters are found once (mark.go) and graded by what stands before them
// (cue.go, chinese.go), behind them (after.go, own.go) and between them
// (list.go); where a last line settles what they say, only its letter is
// (closing.go). What is as good as something else is an abstention: two
// letters, or a letter beside another option's text. Ways out that a
// benchmark offers as options are read as statuses (meta.go).
type concord struct{}

func (concord) Version() string { return "2" }

func (concord) Read(options []eval.Option, text string) eval.Extraction {
	text = chars.Fold(text)
	if i := only(options, text); i >= 0 {
		return reading.Chosen(i, "opening").Of(options)
	}
	if chars.Blank(text) {
		return reading.Without(eval.Missing, "empty")
	}
	r, ok := reading.Failure(text)
	if !ok {
		r = readPage(options, text)
	}
	return r.Of(options)
}

// only is the option of a text that is its letter and nothing else, or -1:
// what a model that follows the instruction says, and so worth a short way.
func only(options []eval.Option, text string) int {
	if n := len(text); n != 1 && (n != 2 || text[1] != '.') || chars.Kind[text[0]]&chars.Upper == 0 {
		return -1
	}
	return reading.OptionOf(options, text[0])
}

func readPage(options []eval.Option, text string) reading.Reading {
	p := pages.Get().(*page)
	defer p.release()
	p.answer = answer{text, choices{options: options, present: letterBits(options)}}
	p.answer.choices.distinct = bits.OnesCount32(p.answer.choices.present) == len(options)
	r, ok := p.closing()
	if !ok {
		p.grade()
		r, ok = p.strong()
	}
	if !ok {
		r, ok = p.weak()
	}
	if !ok {
		return reading.Abstains(eval.Missing, "nothing")
	}
	return r
}

// grade finds the marks and grades them.
func (p *page) grade() {
	p.scan()
	for i := range p.n {
		p.answer.before(&p.marks[i])
		p.answer.after(&p.marks[i])
	}
	p.lists()
}
