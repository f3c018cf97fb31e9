package extract

import (
	"concord/eval"
)

// concord is the default rule set. It reads in this order; the first rule
// that can decide does:
//
//	letters   boxed, opening, stated, picked, lead   letter.go, strong
//	abstains  refused, none of them, undetermined    refusal.go
//	abstains  a letter that no option has is stated  letter.go, outside
//	content   the text is one option's               content.go, same
//	letters   mentioned alone ("option B", "(B)")    letter.go, weak
//	content   an option's text is stated, contained  content.go, says
//	letters   alone at the end of a short text       letter.go, weak
//
// Letters are found once (mark.go) and graded by what stands before them
// (cue.go, chinese.go), behind them (after.go, own.go) and between them
// (list.go). What is as good as something else is an abstention: two
// letters, or a letter beside another option's text. Ways out that a
// benchmark offers as options are read as statuses (meta.go).
type concord struct{}

func (concord) version() string { return "1" }

func (concord) read(options []eval.Option, text string) eval.Extraction {
	text = fold(text)
	if e, ok := only(options, text); ok {
		return settle(options, e)
	}
	if blank(text) {
		return without(eval.Missing, "empty")
	}
	if e, ok := failure(text); ok {
		return e
	}
	p := pages.Get().(*page)
	defer p.release()
	p.text, p.options, p.present = text, options, letterBits(options)
	p.grade()
	e, ok := p.strong()
	if !ok {
		e, ok = p.weak()
	}
	if !ok {
		return without(eval.Missing, "nothing")
	}
	return settle(options, e)
}

// only is the choice of a text that is a letter and nothing else: what a model
// that follows the instruction says, and so worth a short way.
func only(options []eval.Option, text string) (eval.Extraction, bool) {
	if n := len(text); n != 1 && (n != 2 || text[1] != '.') {
		return eval.Extraction{}, false
	}
	if l := text[0]; l < 'A' || l > 'Z' || !hasLetter(options, eval.Choice(text[:1])) {
		return eval.Extraction{}, false
	}
	return found(eval.Choice(text[:1]), "opening"), true
}

// grade finds the marks and grades them.
func (p *page) grade() {
	p.scan()
	for i := range p.n {
		p.before(&p.marks[i])
		p.after(&p.marks[i])
	}
	p.lists()
}

// settle turns a choice of a way out into the status that it names.
func settle(options []eval.Option, e eval.Extraction) eval.Extraction {
	if e.Status != eval.Found {
		return e
	}
	if s := wayOut(optionText(options, e.Choice[0])); s != eval.StatusUnset {
		return without(s, "way-out")
	}
	return e
}
