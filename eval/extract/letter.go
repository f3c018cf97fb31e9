package extract

import (
	"strings"

	"concord/eval"
)

// strong decides by letters that are said to be the answer.
func (p *page) strong() (eval.Extraction, bool) {
	if m := p.last(boxed); m != nil {
		return letter(m.letter, "boxed"), true
	}
	final, conflict := p.final()
	open := p.opening()
	switch {
	case open != nil && final != nil && open.letter != final.letter:
		if (final.corrects || final.concludes) && final.at > open.at {
			return letter(final.letter, "settled"), true
		}
		return without(eval.Ambiguous, "opening-against-stated"), true
	case open != nil && conflict:
		return without(eval.Ambiguous, "opening-against-stated"), true
	case open != nil:
		return letter(open.letter, "opening"), true
	case conflict:
		return without(eval.Ambiguous, "several-stated"), true
	case final != nil:
		if final.grade == stated {
			return letter(final.letter, "stated"), true
		}
		return letter(final.letter, "picked"), true
	}
	return p.one(lead, "lead")
}

// last is the last ungrouped mark of a grade, or nil.
func (p *page) last(g grade) *mark {
	for i := p.n - 1; i >= 0; i-- {
		if m := &p.marks[i]; m.grade == g && !m.negated {
			return m
		}
	}
	return nil
}

// opening is the letter that opens the text as a label, or nil.
func (p *page) opening() *mark {
	if p.n == 0 {
		return nil
	}
	m := &p.marks[0]
	if m.grade < opening || !m.line || m.negated || m.grouped || strings.TrimLeft(p.text[:m.from], " \n\t\r-#>*") != "" {
		return nil
	}
	return m
}

// final is the letter on which the stated and picked ones settle. Several
// different ones settle on the last only if it says that it is final.
func (p *page) final() (m *mark, conflict bool) {
	g := grade(0)
	for i := range p.n {
		if c := &p.marks[i]; c.usable(picked) && c.grade > g {
			g = c.grade
		}
	}
	if g < picked {
		return nil, p.groupStated()
	}
	several := false
	for i := range p.n {
		c := &p.marks[i]
		if !c.usable(g) {
			continue
		}
		several = several || m != nil && m.letter != c.letter
		m = c
	}
	if p.groupAfter(m) {
		return nil, true
	}
	return m, several && !m.concludes && !m.corrects
}

// usable reports whether the mark is at least of grade g and stands for one
// option that is neither turned down nor supposed.
func (m *mark) usable(g grade) bool {
	return m.grade >= g && !m.negated && !m.grouped && !m.iffy
}

// groupStated reports whether several letters together are stated.
func (p *page) groupStated() bool { return p.groupAfter(&mark{at: -1}) }

func (p *page) groupAfter(m *mark) bool {
	for i := range p.n {
		if c := &p.marks[i]; c.at > m.at && c.grouped && c.grade >= picked && !c.negated && !c.iffy {
			return true
		}
	}
	return false
}

// one is the only letter among the marks of a grade or better.
func (p *page) one(g grade, method string) (eval.Extraction, bool) {
	var m *mark
	for i := range p.n {
		c := &p.marks[i]
		if c.grade < g || c.negated || c.iffy {
			continue
		}
		if c.grouped || m != nil && m.letter != c.letter {
			return eval.Extraction{}, false
		}
		m = c
	}
	if m == nil {
		return eval.Extraction{}, false
	}
	return letter(m.letter, method), true
}

// weak decides by letters that merely stand there, and by the options' texts.
func (p *page) weak() (eval.Extraction, bool) {
	c := p.contents()
	if e, ok := p.same(c); ok {
		return e, ok
	}
	if e, ok := declined(p.text); ok {
		return p.declining(e), true
	}
	m, named := p.one(mention, "mention")
	t, said := p.says(c)
	switch {
	case named && said && m.Choice != t.Choice:
		return without(eval.Ambiguous, "letter-against-content"), true
	case named:
		return m, true
	case said:
		return t, true
	}
	if e, ok := p.one(bare, "alone"); ok && p.closing() {
		return e, ok
	}
	for i := range p.n {
		if m := &p.marks[i]; m.grouped && !m.negated && m.grade >= bare {
			return without(eval.Ambiguous, "listed"), true
		}
	}
	return eval.Extraction{}, false
}

// declining is the option whose text says what the model says when it
// chooses nothing, or the status e without one.
func (p *page) declining(e eval.Extraction) eval.Extraction {
	at := -1
	for i, o := range p.options {
		d, ok := declined(foldOption(o.Text))
		if !ok || d != e {
			continue
		}
		if at >= 0 {
			return e
		}
		at = i
	}
	if at < 0 || p.options[at].Letter == "" {
		return e
	}
	return found(p.options[at].Letter, "content-declining")
}

// farFromEnd is how far from a text's end a bare letter may close it.
const farFromEnd = 80

// closing reports whether the last letter stands near the text's end.
func (p *page) closing() bool {
	return p.n > 0 && len(p.text)-p.marks[p.n-1].at <= farFromEnd
}
