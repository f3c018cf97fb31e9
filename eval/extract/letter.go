package extract

import (
	"strings"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/lexicon"
	"concord/eval/extract/reading"
)

// strong decides by letters that are said to be the answer.
func (p *page) strong() (reading.Reading, bool) {
	m, e, ok := p.said()
	switch {
	case m == nil || e.Status != eval.Found:
		return e, ok
	case p.answer.leftOpen(m):
		return p.answer.undecided("left-open")
	case p.against(m):
		return p.answer.undecided("letter-against-content")
	}
	return e, ok
}

// said is the letter that is said to be the answer, and what that comes to.
func (p *page) said() (*mark, reading.Reading, bool) {
	undecided := func(method string) (*mark, reading.Reading, bool) {
		e, ok := p.answer.undecided(method)
		return nil, e, ok
	}
	chosen := func(m *mark, method string) (*mark, reading.Reading, bool) {
		return m, p.answer.choose(m, method), true
	}
	if m := p.last(boxed); m != nil {
		if m.grouped {
			return undecided("several-boxed")
		}
		return nil, p.answer.choose(m, "boxed"), true
	}
	final, conflict := p.final()
	open := p.opening()
	switch {
	case open != nil && final != nil && open.letter != final.letter && !p.answer.nextQuestion(open, final):
		if final.at > open.at && !final.rival && (final.corrects || p.answer.retracts(open, final) || p.answer.contradicted(open)) {
			return chosen(final, "settled")
		}
		return undecided("opening-against-stated")
	case p.rivalled(open, final):
		return undecided("as-good")
	case open != nil && conflict:
		return undecided("opening-against-stated")
	case open != nil:
		if e, ok := p.answer.articled(open); ok {
			return nil, e, ok
		}
		return chosen(open, "opening")
	case conflict:
		return undecided("several-stated")
	case final != nil:
		if final.grade == stated {
			return chosen(final, "stated")
		}
		return chosen(final, "picked")
	}
	e, ok := p.one(lead, "lead")
	return nil, e, ok
}

// choose is the mark's letter as the choice, unless the text beside it is
// another option's: "B. dog" where A is the dog.
func (a *answer) choose(m *mark, method string) reading.Reading {
	if a.contradicted(m) {
		return reading.Abstains(eval.Ambiguous, "letter-against-text")
	}
	return reading.Chosen(a.choices.option(m.letter), method)
}

// contradicted reports whether the letter labels the whole text of another
// option and not its own.
func (a *answer) contradicted(m *mark) bool {
	s := a.text
	if m.end > m.to || !m.delimited {
		return false
	}
	i := m.to
	for i < len(s) && i-m.to < 6 && skippable(s[i]) {
		if s[i] == '\n' {
			return false
		}
		i++
	}
	if i == len(s) {
		return false
	}
	for k := range a.choices.options {
		o := &a.choices.options[k]
		if len(o.Text) >= 3 && chars.ToLower(o.Text[0]) != chars.ToLower(s[i]) && !skippable(o.Text[0]) {
			continue
		}
		if len(o.Letter) == 1 && o.Letter[0] == m.letter || len(o.Text) < 3 {
			continue
		}
		end, _, whole := samePrefix(s[i:], o.Text)
		if whole && (i+end == len(s) || strings.IndexByte(".,;:!?\n\r*(\")", s[i+end]) >= 0 || strings.HasPrefix(s[i+end:], " (")) {
			return true
		}
	}
	return false
}

// undecided is the extraction where several letters are said to be the
// answer, or several together are denied.
func (a *answer) undecided(method string) (reading.Reading, bool) {
	if e, ok := reading.Declined(a.text); ok && e.Status == eval.None {
		return e, true
	}
	return reading.Abstains(eval.Ambiguous, method), true
}

var retractions = []string{"wait", "correction", " no,", " no.", "sorry", "mistake", "i was wrong", "second thought", "reconsider", "re-evaluat", "reevaluat", "let me re", "on reflection", "first thought", "scratch that", "不对", "更正", "等等"}

// retracts reports whether what stands between two letters takes the first
// one back.
func (a *answer) retracts(m, n *mark) bool {
	return m.end <= n.from && reading.FirstOf(strings.ToLower(a.text[m.end:n.from]), retractions) >= 0
}

// nextQuestion reports whether a new question starts between two letters, as
// models that go on after their answer invent one.
func (a *answer) nextQuestion(m, n *mark) bool {
	if m.to > n.from {
		return false
	}
	return asks(a.text[m.to:n.from])
}

// asks reports whether a line of s but the first one opens with a question. It
// looks for the few bytes that stand for the word, not for the many lines.
func asks(s string) bool {
	for _, first := range []byte("qQ\xe9") {
		for i := strings.IndexByte(s, first); i >= 0; {
			if asksAt(s, i) {
				return true
			}
			next := strings.IndexByte(s[i+1:], first)
			if next < 0 {
				break
			}
			i += next + 1
		}
	}
	return false
}

// questions open a line with a new question. The word's first byte is the
// first, the third or the fifth one.
var questions = []string{"question", "**question", "### question", "q:", "问题"}

// asksAt reports whether a line opens with a question whose word is at i.
func asksAt(s string, i int) bool {
	for line := i; line >= max(1, i-4); line -= 2 {
		if s[line-1] != '\n' {
			continue
		}
		for _, w := range questions {
			if lexicon.FoldedPrefix(s[line:], w) {
				return true
			}
		}
	}
	return false
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

// bullets may stand before the letter that opens a text.
const bullets = " \n\t\r-#>*"

// opening is the letter that opens the text as a label, or nil.
func (p *page) opening() *mark {
	if p.n == 0 {
		return nil
	}
	m := &p.marks[0]
	if m.grade < opening || !m.line || m.negated || m.grouped || m.tentative || asksBack(p.answer.text, m) || m.from > 0 && strings.TrimLeft(p.answer.text[:m.from], bullets) != "" {
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
	var first, before, behind *mark // the first one, and where the letter last changed
	for i := range p.n {
		c := &p.marks[i]
		if !c.usable(g) && (!c.corrects || !c.usable(picked)) {
			continue
		}
		switch {
		case m == nil:
			first = c
		case m.letter == c.letter:
		case p.answer.nextQuestion(m, c):
			return m, false
		default:
			before, behind = m, c
		}
		m = c
	}
	switch {
	case p.groupAfter(m):
		return nil, true
	case p.pickedAfter(m):
		return m, true
	case p.committed(m):
		return m, true
	case before == nil || m.corrects || p.answer.retracts(before, behind) || p.takenBack(before):
		return m, false
	}
	return m, first.letter != m.letter && commits(p.answer.text, first) || !m.concludes && !p.answer.lastLine(m)
}

// committed reports whether the text opens with a sentence that says another
// letter, which is not taken back: "So it is B. In conclusion, it is C."
func (p *page) committed(m *mark) bool {
	for i := range p.n {
		if c := &p.marks[i]; c.at < m.at && c.grade > idle {
			return c.grade >= bare && c.grade < lead && c.delimited && !c.own && c.usable(bare) && c.letter != m.letter && c.to < len(p.answer.text) && p.answer.text[c.to] == '.' &&
				commits(p.answer.text, c) && !m.corrects && !p.answer.retracts(c, m)
		}
	}
	return false
}

// lastLine reports whether a letter's short line closes the text: "Answer: B".
func (a *answer) lastLine(m *mark) bool {
	start := strings.LastIndexByte(a.text[:m.from], '\n') + 1
	return m.grade == stated && start > 0 && m.from-start < 40 && chars.Blank(strings.Trim(a.text[m.to:], ".*_` \n"))
}

// usable reports whether the mark is at least of grade g and stands for one
// option that is neither turned down nor supposed.
func (m *mark) usable(g grade) bool {
	return m.grade >= g && !m.negated && !m.grouped && !m.iffy && !m.tentative
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
func (p *page) one(g grade, method string) (reading.Reading, bool) {
	var m *mark
	for i := range p.n {
		c := &p.marks[i]
		if c.grade < g || c.negated || c.iffy || c.tentative {
			continue
		}
		if c.grouped || m != nil && m.letter != c.letter || p.answer.examined(c) {
			return reading.Reading{}, false
		}
		m = c
	}
	if m == nil {
		return reading.Reading{}, false
	}
	return p.answer.choose(m, method), true
}

var examinations = []string{" each", " consider", " analy", " examin", " evaluat", " look at", " work through", " go through", " one by one", " let's", "逐一", "分析"}

// examined reports whether a letter heads what is said of one option among
// the others: "Let us look at each option. Option A: ...".
func (a *answer) examined(m *mark) bool {
	heads := func(i int) bool { return i < len(a.text) && strings.IndexByte(":.)", a.text[i]) >= 0 }
	if m.grade > lead || !heads(m.to) && !heads(m.end) {
		return false
	}
	return reading.FirstOf(" "+strings.ToLower(a.text[max(0, m.from-100):m.from]), examinations) >= 0
}

// weak decides by letters that merely stand there, and by the options' texts.
func (p *page) weak() (reading.Reading, bool) {
	if e, ok := reading.Declined(p.answer.text); ok {
		if e = p.answer.choices.declining(e); e.Status == eval.Found && quoted(p.found(), p.answer.choices.present) {
			return reading.Abstains(eval.Ambiguous, "listed"), true
		}
		return e, true
	}
	m, named := p.one(mention, "mention")
	if p.outside() {
		return reading.Abstains(eval.Missing, "no-such-option"), true
	}
	c := p.answer.contents()
	defer c.release()
	if e, ok := c.same(); ok {
		return e, ok
	}
	t, said := c.says()
	if !named && (!said || t.Method != "content-stated") {
		if p.listed() {
			return reading.Abstains(eval.Ambiguous, "listed"), true
		}
		for i := range p.n {
			if p.answer.examined(&p.marks[i]) {
				return reading.Abstains(eval.Missing, "unfinished"), true
			}
		}
	}
	if said && t.Method == "content-stated" && p.listed() && c.several() {
		return reading.Abstains(eval.Ambiguous, "listed"), true
	}
	switch {
	case named && said && m.Choice(p.answer.choices.options) != t.Choice(p.answer.choices.options):
		return reading.Abstains(eval.Ambiguous, "letter-against-content"), true
	case named:
		return m, true
	case said && t.Method == "contained" && severalOf(p.found()):
		return reading.Abstains(eval.Ambiguous, "letters-against-content"), true
	case said:
		return t, true
	}
	if e, ok := p.one(bare, "alone"); ok && p.nearEnd() && p.sole() && !cutOff(p.answer.text, &p.marks[p.n-1]) {
		return e, ok
	}
	return reading.Reading{}, false
}

// outside reports whether a letter that no option has is stated.
func (p *page) outside() bool {
	if p.strays == 0 {
		return false
	}
	q := pages.Get().(*page)
	defer q.release()
	q.answer = p.answer
	q.answer.choices.present = p.strays
	q.grade()
	m, _ := q.final()
	return m != nil && m.grade == stated
}

// farFromEnd is how far from a text's end a bare letter may close it.
const farFromEnd = 80

// nearEnd reports whether the last letter stands near the text's end.
func (p *page) nearEnd() bool {
	return p.n > 0 && len(p.answer.text)-p.marks[p.n-1].at <= farFromEnd
}
