package extract

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/lexicon"
	"concord/eval/extract/reading"
)

// A response may name two options and mean both: "C. Rarely or D. Often", "C for the car and D for the
// house", "C, but D is equally valid"; or it answers at its start and concludes something else at its
// end. None of these is a choice.

const (
	farApart     = 160 // bytes between two letters that are alternatives
	openingWords = 8   // within which an answer opens a text
)

// areAlternatives reports whether the second of two letters, with text beside
// them, is joined to the first: "B (dog) or D (owl)".
func (a *answerText) areAlternatives(m, n *mark) bool {
	if m.negated || n.negated || n.from <= m.end || n.from-m.end > farApart {
		return false
	}
	between, join := cutConjunction(a.text[m.end:n.from])
	w, _ := nextWord(a.text, skipBracketedAside(a.text, m.end))
	switch {
	case join == "" && (w != "or" || containsStop(a.text[m.end:n.from])):
		return false
	case join == "":
		return n.grade > idle && clauseEndsAt(a.text, n.end)
	case !isEmptyOrBracket(between) && containsStop(between):
		// Another sentence: only "Or B." takes the first one up.
		return join == "Or" && n.grade > idle && clauseEndsAt(a.text, n.end)
	case n.grade > idle && n.own, n.from < n.at && strings.IndexByte("([", a.text[n.from]) >= 0:
		return true
	case n.grade > idle && isEmptyOrBracket(between) && clauseEndsAt(a.text, n.end):
		return true
	}
	w, _ = nextWord(a.text, m.end)
	v, _ := nextWord(a.text, n.end)
	return w != "" && w == v && lexicon.ClassOfWord(w)&(lexicon.Follows|lexicon.Iffy) != 0
}

// containsStop reports whether a sentence ends within s.
func containsStop(s string) bool { return strings.ContainsAny(s, "?!\n") || strings.Contains(s, ". ") }

// cutConjunction gives the "and" or "or" that s ends with, and what stands before it.
// Other words of a list may stand behind it: "or possibly option".
func cutConjunction(s string) (before, join string) {
	for range 4 {
		s = strings.TrimRightFunc(s, func(r rune) bool { return r < 0x80 && isSkippable(byte(r)) })
		i := len(s)
		for i > 0 && chars.InWord[s[i-1]] {
			i--
		}
		w := s[i:]
		switch k := lexicon.ClassOfWord(w); {
		case w == "":
			return "", ""
		case k&lexicon.Joins != 0:
			return s[:i], w
		case k&(lexicon.Option|lexicon.Also|lexicon.Filler) == 0 && w != "even":
			return "", ""
		}
		s = s[:i]
	}
	return "", ""
}

// isEmptyOrBracket reports whether s is empty but for punctuation, or one bracket.
func isEmptyOrBracket(s string) bool {
	s = strings.Trim(s, " \n\r\t*_.,;:\"'`$")
	return strings.Trim(s, ")]}") == "" || s[0] == '(' && strings.IndexByte(s, ')') == len(s)-1
}

// clauseEndsAt reports whether a clause ends at i, or what follows in brackets.
func clauseEndsAt(s string, i int) bool {
	w, _ := nextWord(s, skipBracketedAside(s, i))
	return w == "" || lexicon.ClassOfWord(w)&lexicon.Iffy != 0 || w == "depending"
}

// hasRival reports whether another letter is said to be as good as the chosen one, behind it.
func (p *markedAnswer) hasRival(open, final *mark) bool {
	m := cmp.Or(open, final)
	return m != nil && p.hasOtherMark(m, func(r *mark) bool { return r.rival && !r.negated && !r.iffy }) ||
		m != nil && m.rival && slices.ContainsFunc(p.foundMarks(), func(c mark) bool {
			return c.letter != m.letter && !c.negated && (c.isUsable(picked) && c.at < m.at || c.from >= m.end && c.from-m.end < 40 && !containsStop(p.answer.text[m.end:c.from]))
		})
}

// hasOtherMark reports whether a mark of another letter stands behind the chosen one,
// within the same question, and nothing behind it comes back to the chosen one.
func (p *markedAnswer) hasOtherMark(m *mark, is func(*mark) bool) bool {
	found := false
	for i := range p.n {
		switch c := &p.marks[i]; {
		case c.from < m.end:
		case c.letter == m.letter:
			found = found && !c.isUsable(picked)
		case is(c):
			found = found || !p.answer.isNewQuestionBetween(m, c)
		}
	}
	return found
}

// isTakenBack reports whether the letter of a mark is turned down behind it.
func (p *markedAnswer) isTakenBack(m *mark) bool {
	return letterBits(p.foundMarks(), func(c *mark) bool { return c.at > m.at && c.letter == m.letter && c.negated }) != 0
}

// isQuestionBack reports whether the letter is a question that the text answers: "A? No, B."
func isQuestionBack(s string, m *mark) bool {
	rest := s[m.to:]
	return strings.HasPrefix(rest, "?") && !chars.IsBlank(strings.Trim(rest, "?"))
}

const sentenceEnds = ".!?;\n"

// opensWithLetter reports whether the text opens with the clause that states a letter
// and ends with it: "Answer: B."
func opensWithLetter(s string, m *mark) bool {
	head := s[:m.from]
	return len(strings.Fields(head)) <= openingWords && !strings.ContainsAny(strings.TrimSpace(head), sentenceEnds) &&
		(m.delimited || m.own) && reading.IndexOfFirst(" "+strings.ToLower(head), examinations) < 0
}

// readLetterOrArticle reads a text that opens with the option A and its text, "A cat and
// a dog": the letter may be an article.
func (a *answerText) readLetterOrArticle(m *mark) (reading.Reading, bool) {
	if m.letter != 'A' || m.delimited || !m.own {
		return reading.Reading{}, false
	}
	c := a.tokenizeContents(0)
	defer c.returnBuffers()
	e, ok := c.readStatedText()
	return e, ok && e.Status == eval.Ambiguous
}

// lastWords is how much of a text's end may take back what it says.
const lastWords = 200

// isLeftOpen reports whether what stands behind the chosen letter ends without a
// choice: "A. But then B fits as well, I cannot decide."
func (a *answerText) isLeftOpen(m *mark) bool {
	if m.grade == picked && reading.SaysUndecided(a.text[sentenceStart(a.text, m.from):m.from]) {
		return true
	}
	rest := a.text[m.end:]
	if m.own || len(rest) < len(" I give up") {
		return false
	}
	rest = rest[max(0, len(rest)-lastWords):]
	if reading.SaysUndecided(rest) {
		return true
	}
	_, declined := reading.ReadRefusal(rest)
	return declined && reading.IndexOfFirst(" "+strings.ToLower(rest), retractions) >= 0
}

// reconsiderations open what is thought of once more, affirmations come back to what was said before it.
var (
	reconsiderations = lexicon.NewPhrasebook([]string{
		"wait,", "wait.", "wait -", "wait:", "wait!", "wait…", "hmm,", "hmm.", "hmmm", "let me think again", "let me check again",
		"let me double", "let me re-", "let me rec", "let me reth", "let me rer", "on second thought",
	})
	affirmations = []string{"yes", "correct", "indeed", "confirm", "stand", "stick", "right", "still"}
)

// isReconsidered reports whether the chosen letter is thought of once more behind it, and
// the text does not come back to it: "A. Wait, the paper shines through. Hmm."
func (p *markedAnswer) isReconsidered(m *mark) bool {
	for i := range reconsiderations.FindPhrases(p.answer.text[m.end:]) {
		said := letterBits(p.foundMarks(), func(c *mark) bool { return c.at > m.end+i && c.grade > idle && !c.negated })
		if said == 0 {
			return reading.IndexOfFirst(strings.ToLower(p.answer.text[m.end+i:]), affirmations) < 0
		}
		return said>>(m.letter-'A')&1 == 0
	}
	return false
}

// sentenceStart is where the sentence starts in which i stands, or the part of it behind "but" or "so".
func sentenceStart(s string, i int) int {
	start := strings.LastIndexAny(s[:i], ".!?\n") + 1
	return start + max(strings.LastIndex(s[start:i], " but "), strings.LastIndex(s[start:i], " so ")) + 1
}

// contradictsText reports whether a short text says another option's text and not that of the
// chosen letter, which does not stand behind it: "Answer: Rome. Therefore the correct choice is D."
func (p *markedAnswer) contradictsText(m *mark) bool {
	if text := strings.TrimRight(p.answer.text, " .\n"); len(text) > saysOther || m.to-m.from+minOther > len(text) || !strings.ContainsAny(text, ".,;:\n") {
		return false
	}
	// "A, because B is a cat": no letter that stands in the text says another option
	letters := letterBits(p.foundMarks(), func(*mark) bool { return true })
	if !p.answer.choices.mayBeStated(p.answer.text, letters) {
		return false
	}
	c := p.answer.tokenizeContents(letters)
	defer c.returnBuffers()
	if len(c.text) > shortText {
		return false
	}
	other := false
	for _, s := range c.findSpans() {
		o := &p.answer.choices.options[s.option]
		switch {
		case len(o.Letter) == 1 && o.Letter[0] == m.letter:
			return false
		case c.isDeniedBefore(s) || c.isCommonWord(s) || s.to < len(c.text) && !c.text[s.to].Starts:
		case len(o.Letter) == 1 && hasMarkOfLetter(p.foundMarks(), o.Letter[0]): // "A, because B is a cat"
		case s.from == 0 || lexicon.ClassOfWord(c.text[s.from-1].Text)&(lexicon.Copula|lexicon.Answer) != 0:
			other = true
		}
	}
	return other
}

// concludesOther reports whether a long text that begins with the letter concludes at its
// end that it is another option: "The answer is C. ... Therefore, the ratio is 1:3."
func (a *answerText) concludesOther(m *mark) bool {
	if text, _ := tailOfLongText(a.text); len(a.text) <= saysOther || m.from > 2*minOther || strings.Count(a.text, ".") < 3 || !mayHoldConclusion(text) {
		return false
	}
	c := a.tokenizeContents(1 << (m.letter - 'A'))
	defer c.returnBuffers()
	t, ok := c.readEndingText(c.findSpans())
	return ok && t.Method == "content-concluded" && t.Choice(a.choices.options) != eval.Choice(rune(m.letter))
}

// How many bytes of a text stand beside a letter at least, if they are to say
// another option, and how many a text has at most that may.
const (
	minOther  = 20
	saysOther = 250
)

// hasLetterList reports whether letters stand in a list that is not turned down.
func (p *markedAnswer) hasLetterList() bool {
	return letterBits(p.foundMarks(), func(m *mark) bool { return m.grouped && !m.negated && m.grade >= bare }) != 0
}

// letterBits are those of the marks that are wanted, as bits from A.
func letterBits(ms []mark, wanted func(*mark) bool) (seen uint32) {
	for i := range ms {
		if m := &ms[i]; wanted(m) {
			seen |= 1 << (m.letter - 'A')
		}
	}
	return seen
}

// quotesOptions reports whether the text repeats the question's options, each behind its letter.
func quotesOptions(ms []mark, options uint32) bool {
	return len(ms) > 1 && letterBits(ms, func(m *mark) bool { return m.grouped && m.own && m.line }) == options
}

func namesSeveralLetters(ms []mark) bool {
	return bits.OnesCount32(letterBits(ms, func(m *mark) bool { return m.grade >= mention && !m.negated && !m.iffy && !m.tentative })) > 1
}

// hasSoleLetter reports whether all marks that are not turned down are of one letter.
func (p *markedAnswer) hasSoleLetter() bool {
	return bits.OnesCount32(letterBits(p.foundMarks(), func(m *mark) bool { return !m.negated && !m.tentative })) == 1
}

// endsWithinList reports whether a text ends within a list: "Both A".
func endsWithinList(text string, last *mark) bool {
	head := strings.TrimRight(text[:last.from], " ")
	return slices.Contains([]string{"both", "either", "between"}, strings.ToLower(head[strings.LastIndexAny(head, " \n")+1:]))
}
