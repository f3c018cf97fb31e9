package extract

import (
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/lexicon"
	"concord/eval/extract/reading"
)

// readStrongLetter decides by letters that are said to be the answer.
func (p *markedAnswer) readStrongLetter() (reading.Reading, bool) {
	m, e, ok := p.findStatedLetter()
	switch {
	case m == nil || e.Status != eval.Found:
		return e, ok
	case p.answer.isLeftOpen(m), p.isReconsidered(m):
		return p.answer.readNoneOrAmbiguous("left-open")
	case !m.own && (p.contradictsText(m) || p.answer.concludesOther(m)):
		return p.answer.readNoneOrAmbiguous("letter-against-content")
	}
	return e, ok
}

// findStatedLetter finds the letter that is said to be the answer, and what that comes to.
func (p *markedAnswer) findStatedLetter() (*mark, reading.Reading, bool) {
	undecided := func(method string) (*mark, reading.Reading, bool) {
		e, ok := p.answer.readNoneOrAmbiguous(method)
		return nil, e, ok
	}
	chosen := func(m *mark, method string) (*mark, reading.Reading, bool) {
		return m, p.answer.chooseLetter(m, method), true
	}
	if m := p.lastMarkOfGrade(boxed); m != nil {
		if m.grouped {
			return undecided("several-boxed")
		}
		return nil, p.answer.chooseLetter(m, "boxed"), true
	}
	final, conflict := p.findFinalLetter()
	open := p.openingLabel()
	switch {
	case open != nil && final != nil && open.letter != final.letter && !p.answer.isNewQuestionBetween(open, final):
		if final.at > open.at && !final.rival && (final.corrects || p.answer.hasRetractionBetween(open, final) || p.answer.isContradicted(open)) {
			return chosen(final, "settled")
		}
		return undecided("opening-against-stated")
	case p.hasRival(open, final):
		return undecided("as-good")
	case open != nil && conflict:
		return undecided("opening-against-stated")
	case open != nil:
		if e, ok := p.answer.readLetterOrArticle(open); ok {
			return nil, e, ok
		}
		return chosen(open, "opening")
	case conflict:
		return undecided("several-stated")
	case final != nil:
		return chosen(final, eval.Either(final.grade == stated, "stated", "picked"))
	}
	e, ok := p.readSoleLetter(lead, "lead")
	return nil, e, ok
}

// chooseLetter chooses the mark's letter as the choice, unless the text beside it is
// another option's: "B. dog" where A is the dog.
func (a *answerText) chooseLetter(m *mark, method string) reading.Reading {
	if a.isContradicted(m) {
		return reading.NewAbstention(eval.Ambiguous, "letter-against-text")
	}
	return reading.NewChosen(a.choices.optionOfLetter(m.letter), method)
}

// isContradicted reports whether the letter labels the whole text of another option and not its own.
func (a *answerText) isContradicted(m *mark) bool {
	s := a.text
	if m.end > m.to || !m.delimited {
		return false
	}
	i := m.to
	for i < len(s) && i-m.to < 6 && isSkippable(s[i]) {
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
		if len(o.Text) < 3 || chars.ToLower(o.Text[0]) != chars.ToLower(s[i]) && !isSkippable(o.Text[0]) || len(o.Letter) == 1 && o.Letter[0] == m.letter {
			continue
		}
		end, _, whole := matchPrefix(s[i:], o.Text)
		if whole && (i+end == len(s) || strings.IndexByte(".,;:!?\n\r*(\")", s[i+end]) >= 0 || strings.HasPrefix(s[i+end:], " (")) {
			return true
		}
	}
	return false
}

// readNoneOrAmbiguous reads the extraction where several letters are said to be the
// answer, or several together are denied.
func (a *answerText) readNoneOrAmbiguous(method string) (reading.Reading, bool) {
	if e, ok := reading.ReadRefusal(a.text); ok && e.Status == eval.None {
		return e, true
	}
	return reading.NewAbstention(eval.Ambiguous, method), true
}

var retractions = []string{"wait", "correction", " no,", " no.", "sorry", "mistake", "i was wrong", "second thought", "reconsider", "re-evaluat", "reevaluat", "let me re", "on reflection", "first thought", "scratch that", "不对", "更正", "等等"}

// hasRetractionBetween reports whether what stands between two letters takes the first one back.
func (a *answerText) hasRetractionBetween(m, n *mark) bool {
	return m.end <= n.from && reading.IndexOfFirst(strings.ToLower(a.text[m.end:n.from]), retractions) >= 0
}

// isNewQuestionBetween reports whether a new question starts between two letters, as
// models that go on after their answer invent one.
func (a *answerText) isNewQuestionBetween(m, n *mark) bool {
	return m.to <= n.from && hasQuestionLine(a.text[m.to:n.from])
}

// hasQuestionLine reports whether a line of s but the first one opens with a question. It
// looks for the few bytes that stand for the word, not for the many lines.
func hasQuestionLine(s string) bool {
	for _, first := range []byte("qQ\xe9") {
		for i := 0; ; i++ {
			n := strings.IndexByte(s[i:], first)
			if n < 0 {
				break
			}
			if i += n; isQuestionAt(s, i) {
				return true
			}
		}
	}
	return false
}

// questions open a line with a new question. The word's first byte is the
// first, the third or the fifth one.
var questions = []string{"question", "**question", "### question", "q:", "问题"}

// isQuestionAt reports whether a line opens with a question whose word is at i.
func isQuestionAt(s string, i int) bool {
	for line := i; line >= max(1, i-4); line -= 2 {
		if s[line-1] == '\n' && slices.ContainsFunc(questions, func(w string) bool { return lexicon.HasFoldedPrefix(s[line:], w) }) {
			return true
		}
	}
	return false
}

// lastMarkOfGrade is the last ungrouped mark of a grade, or nil.
func (p *markedAnswer) lastMarkOfGrade(g grade) *mark {
	for i := p.n - 1; i >= 0; i-- {
		if m := &p.marks[i]; m.grade == g && !m.negated {
			return m
		}
	}
	return nil
}

// bullets may stand before the letter that opens a text.
const bullets = " \n\t\r-#>*"

// openingLabel is the letter that opens the text as a label, or nil.
func (p *markedAnswer) openingLabel() *mark {
	if p.n == 0 {
		return nil
	}
	m := &p.marks[0]
	if m.grade < opening || !m.line || m.negated || m.grouped || m.tentative || isQuestionBack(p.answer.text, m) || m.from > 0 && strings.TrimLeft(p.answer.text[:m.from], bullets) != "" {
		return nil
	}
	return m
}

// findFinalLetter finds the letter on which the stated and picked ones settle. Several
// different ones settle on the last only if it says that it is final.
func (p *markedAnswer) findFinalLetter() (m *mark, conflict bool) {
	g := grade(0)
	for i := range p.n {
		if c := &p.marks[i]; c.isUsable(picked) && c.grade > g {
			g = c.grade
		}
	}
	if g < picked {
		return nil, p.hasLettersAfter(&mark{at: -1})
	}
	var first, before, behind *mark // the first one, and where the letter last changed
	for i := range p.n {
		c := &p.marks[i]
		if !c.isUsable(g) && (!c.corrects || !c.isUsable(picked)) {
			continue
		}
		switch {
		case m == nil:
			first = c
		case m.letter == c.letter:
		case p.answer.isNewQuestionBetween(m, c):
			return m, false
		default:
			before, behind = m, c
		}
		m = c
	}
	switch {
	case p.hasLettersAfter(m):
		return nil, true
	case p.hasOtherMark(m, func(c *mark) bool { return c.isUsable(picked) }): // called right
		return m, true
	case p.opensWithOtherLetter(m):
		return m, true
	case before == nil || m.corrects || p.answer.hasRetractionBetween(before, behind) || p.isTakenBack(before):
		return m, false
	}
	return m, first.letter != m.letter && opensWithLetter(p.answer.text, first) || !m.concludes && !isLastLine(p.answer.text, m)
}

// opensWithOtherLetter reports whether the text opens with a sentence that says another
// letter, which is not taken back: "So it is B. In conclusion, it is C."
func (p *markedAnswer) opensWithOtherLetter(m *mark) bool {
	for i := range p.n {
		if c := &p.marks[i]; c.at < m.at && c.grade > idle {
			return c.grade >= bare && c.grade < lead && c.delimited && !c.own && c.isUsable(bare) && c.letter != m.letter && c.to < len(p.answer.text) && p.answer.text[c.to] == '.' &&
				opensWithLetter(p.answer.text, c) && !m.corrects && !p.answer.hasRetractionBetween(c, m)
		}
	}
	return false
}

// isLastLine reports whether a letter's short line closes the text: "Answer: B".
func isLastLine(s string, m *mark) bool {
	start := strings.LastIndexByte(s[:m.from], '\n') + 1
	return m.grade == stated && start > 0 && m.from-start < 40 && chars.IsBlank(strings.Trim(s[m.to:], ".*_` \n"))
}

// isUsable reports whether the mark is at least of grade g and stands for one
// option that is neither turned down nor supposed.
func (m *mark) isUsable(g grade) bool {
	return m.grade >= g && !m.negated && !m.grouped && !m.iffy && !m.tentative
}

func (p *markedAnswer) hasLettersAfter(m *mark) bool {
	return letterBits(p.foundMarks(), func(c *mark) bool {
		return c.at > m.at && c.grouped && c.grade >= picked && !c.negated && !c.iffy
	}) != 0
}

// readSoleLetter reads the only letter among the marks of a grade or better.
func (p *markedAnswer) readSoleLetter(g grade, method string) (reading.Reading, bool) {
	var m *mark
	for i := range p.n {
		c := &p.marks[i]
		if c.grade < g || c.negated || c.iffy || c.tentative {
			continue
		}
		if c.grouped || m != nil && m.letter != c.letter || p.answer.isOptionHeading(c) {
			return reading.Reading{}, false
		}
		m = c
	}
	if m == nil {
		return reading.Reading{}, false
	}
	return p.answer.chooseLetter(m, method), true
}

var examinations = []string{" each", " consider ", " consider:", " considering", " analy", " examin", " evaluat", " look at", " work through", " go through", " one by one", " let's", "逐一", "分析"}

// isOptionHeading reports whether a letter heads what is said of one option among
// the others: "Let us look at each option. Option A: ...".
func (a *answerText) isOptionHeading(m *mark) bool {
	heads := func(i int) bool { return i < len(a.text) && strings.IndexByte(":.)", a.text[i]) >= 0 }
	return m.grade <= lead && (heads(m.to) || heads(m.end)) &&
		reading.IndexOfFirst(" "+strings.ToLower(a.text[max(0, m.from-100):m.from]), examinations) >= 0
}

// readWeakLetter decides by letters that merely stand there, and by the options' texts.
func (p *markedAnswer) readWeakLetter() (reading.Reading, bool) {
	if e, ok := reading.ReadRefusal(p.answer.text); ok {
		if e = p.answer.choices.chooseDecliningOption(e); e.Status == eval.Found && quotesOptions(p.foundMarks(), p.answer.choices.present) {
			return reading.NewAbstention(eval.Ambiguous, "listed"), true
		}
		return e, true
	}
	m, named := p.readSoleLetter(mention, "mention")
	if p.statesUnknownLetter() {
		return reading.NewAbstention(eval.Missing, "no-such-option"), true
	}
	c := p.answer.tokenizeContents(0)
	defer c.returnBuffers()
	if e, ok := c.matchWholeText(); ok {
		return e, ok
	}
	t, said := c.readStatedText()
	if !named && (!said || t.Method != "content-stated" && t.Method != "content-concluded") {
		if p.hasLetterList() {
			return reading.NewAbstention(eval.Ambiguous, "listed"), true
		}
		for i := range p.n {
			if p.answer.isOptionHeading(&p.marks[i]) {
				return reading.NewAbstention(eval.Missing, "unfinished"), true
			}
		}
	}
	if said && t.Method == "content-stated" && p.hasLetterList() && c.namesSeveral() {
		return reading.NewAbstention(eval.Ambiguous, "listed"), true
	}
	switch {
	case named && said && t.Method != "content-stated" && hasOwnText(p.foundMarks(), m.Choice(p.answer.choices.options)):
		return m, true
	case named && said && m.Choice(p.answer.choices.options) != t.Choice(p.answer.choices.options):
		return reading.NewAbstention(eval.Ambiguous, "letter-against-content"), true
	case named:
		return m, true
	case said && t.Method == "contained" && namesSeveralLetters(p.foundMarks()):
		return reading.NewAbstention(eval.Ambiguous, "letters-against-content"), true
	case said:
		return t, true
	}
	if e, ok := p.readSoleLetter(bare, "alone"); ok && p.hasSoleLetter() {
		last := &p.marks[p.n-1]
		return e, len(p.answer.text)-last.at <= farFromEnd && !endsWithinList(p.answer.text, last)
	}
	return reading.Reading{}, false
}

// hasOwnText reports whether the letter that was read stands before its option's whole
// text: "D. All of the above".
func hasOwnText(ms []mark, read eval.Choice) bool {
	return slices.ContainsFunc(ms, func(m mark) bool {
		return m.isUsable(mention) && m.own && m.end > m.to && read == eval.Choice(rune(m.letter))
	})
}

func (p *markedAnswer) statesUnknownLetter() bool {
	if p.strays == 0 {
		return false
	}
	q := pages.Get().(*markedAnswer)
	defer q.returnToPool()
	q.answer = p.answer
	q.answer.choices.present = p.strays
	q.findAndGradeMarks()
	m, _ := q.findFinalLetter()
	return m != nil && m.grade == stated
}

// farFromEnd is how far from a text's end a bare letter may close it.
const farFromEnd = 80
