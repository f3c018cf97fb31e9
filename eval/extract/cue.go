package extract

import (
	"slices"
	"strings"

	"concord/eval/extract/chars"
	"concord/eval/extract/lexicon"
)

// What stands before a letter decides most: "the answer is", "I choose", "not", or the start of a line.
// Only a letter's own clause is looked at, and only maxWords of it.
const maxWords = 16

func (a *answerText) gradeByTextBefore(m *mark) {
	s := a.text
	i := a.takeMarksAround(m)
	j, newline := i, false
	for j > 0 && chars.Kind[s[j-1]]&chars.Space != 0 {
		j--
		newline = newline || s[j] == '\n'
	}
	m.line = j == 0 || newline
	switch {
	case j == 0:
		m.grade = max(m.grade, opening)
		return
	case newline && skipBullet(s, &j, m):
		return
	}
	if newline && s[j-1] != ':' && !strings.HasSuffix(strings.TrimRight(s[:j], "*_`\"' "), ":") {
		if a.isHeading(j) {
			m.grade = max(m.grade, stated)
		}
		return
	}
	a.readClauseBefore(m, j)
}

// skipBullet skips a list's bullet or number in front of a letter.
func skipBullet(s string, j *int, m *mark) bool {
	k := *j
	for k > 0 && (s[k-1] == '-' || s[k-1] == '#' || s[k-1] == '>' || s[k-1] == '*') {
		k--
	}
	if k == *j {
		return false
	}
	for k > 0 && (s[k-1] == ' ' || s[k-1] == '\t') {
		k--
	}
	if k == 0 {
		m.line, m.grade = true, max(m.grade, opening)
		return true
	}
	return false
}

// takeMarksAround takes the marks around a letter into it and returns where what
// stands before it ends. A box or a tag of an answer is the strongest cue.
func (a *answerText) takeMarksAround(m *mark) int {
	s, i := a.text, m.at
	for i > 0 {
		c := s[i-1]
		switch {
		case c == '{' && i > 1:
			name, start := latexCommandAt(s, i-1)
			if name == "boxed" || name == "fbox" || name == "framebox" {
				m.grade = boxed
			}
			i = start
			continue
		case c == '>' && i > 2:
			name, start := openingTagAt(s, i-1)
			if start < 0 {
				m.from = i
				return i
			}
			if slices.Contains(answerTags, strings.ToLower(name)) {
				m.grade = boxed
			}
			i = start
			continue
		case chars.Kind[c]&chars.Wrap != 0 && c != ')' && c != ']' && c != '}', c == '\\', c == '#', c == '<':
			i--
			continue
		case c == ' ' && i > 1 && (s[i-2] == '(' || s[i-2] == '{' || s[i-2] == '['):
			i--
			continue
		}
		break
	}
	m.from = i
	return i
}

// latexCommandAt is the name of the LaTeX command whose brace stands at i, and
// where it starts; without a command the name is empty.
func latexCommandAt(s string, i int) (string, int) {
	j := i
	for j > 0 && chars.Kind[s[j-1]]&chars.Letter != 0 {
		j--
	}
	if j > 0 && j < i && s[j-1] == '\\' {
		return s[j:i], j - 1
	}
	return "", i
}

// openingTagAt is the name of the opening tag that ends at i, and where it starts; -1 if there is none.
func openingTagAt(s string, i int) (string, int) {
	for j := i - 1; j >= 0 && i-j < 24; j-- {
		if s[j] == '<' {
			return s[j+1 : i], j
		}
		if chars.Kind[s[j]]&(chars.Word|chars.Space) == 0 && s[j] != '_' && s[j] != '-' && s[j] != '"' && s[j] != '=' {
			break
		}
	}
	return "", -1
}

var answerTags = []string{"answer", "final_answer", "final-answer", "finalanswer", "ans", "choice", "option", "result", "box"}

// isHeading reports whether the line that ends at i is a heading such as "### Final answer".
func (a *answerText) isHeading(i int) bool {
	start := strings.LastIndexByte(a.text[:i], '\n') + 1
	line := strings.Trim(a.text[start:i], " \t#*_`:")
	if len(line) > 40 {
		return false
	}
	if strings.HasSuffix(line, "答案") || strings.HasSuffix(line, "结论") {
		return true
	}
	i = strings.LastIndexByte(line, ' ') + 1
	return lexicon.ClassOfWord(line[i:])&lexicon.Answer != 0
}

// readClauseBefore reads the words before j backwards until the clause ends.
func (a *answerText) readClauseBefore(m *mark, j int) {
	s := a.text
	if a.gradeByChineseBefore(m, j) {
		return
	}
	c := clauseState{}
	for words := 0; words < maxWords; words++ {
		var w string
		var ok bool
		if w, j, ok = c.readWordBefore(s, j); !ok {
			break
		}
		c.takePrecedingWord(w, words)
		if c.concludes && (c.named && c.joined || words == 0) { // "A is wrong, so the answer is B", "A is wrong, so B"
			break
		}
		c.last = w
	}
	c.applyToMark(m)
}

// clauseState is what the words before a letter have said so far, read backwards.
type clauseState struct {
	joined                             bool // a copula, a colon or the like stands between
	crossed                            bool // on the line before
	linked                             bool // it is a copula
	named                              bool // the answer is named behind it
	chosen                             bool // a verb of choosing
	adjacent                           bool // "option" right before the letter
	broken                             bool // a word that no cue has between it and the letter
	negated, iffy, corrects, concludes bool
	name                               bool // a word that takes the letter as its own
	butNot                             bool // "but" before the letter: a "not" before that is another's
	paused                             bool // a comma or a dash stands before the letter
	rightly                            bool // "correct", "best" without a name
	wrongly, others                    bool
	also                               bool // as well as another one
	tentative                          bool // "first", "initially"
	voice                              bool // somebody else says so, or it is a topic: "people often choose B", "As for B"
	self                               bool // "I" or "we" say so
	turned                             bool // "but" stands between: what was first is another's
	last                               string
}

// readWordBefore reads the word before j within the clause, and where it starts.
func (c *clauseState) readWordBefore(s string, j int) (string, int, bool) {
	for j > 0 {
		b := s[j-1]
		k := chars.Kind[b]
		switch {
		case k&(chars.Word|chars.Wide) != 0 || b == '\'' && j > 1 && chars.Kind[s[j-2]]&chars.Word != 0:
			end := j
			for j > 0 && chars.InWord[s[j-1]] {
				j--
			}
			w := s[j:end]
			if w[0] == '\'' || w[len(w)-1] == '\'' {
				w = strings.Trim(w, "'")
			}
			return w, j, true
		case b == ' ': // most often
		case b == ',' || b == '-':
			c.paused = true
		case b == ':' && c.last == "":
			c.paused, c.joined = true, c.joined || !c.broken
		case b == ':' || b == '>' || b == '=' && j > 1 && s[j-2] != ' ':
			c.joined = c.joined || !c.broken
		case b == '\n':
			// A colon may stand before the line on which its object stands.
			if c.last != "" {
				return "", j, false
			}
			c.crossed = true
			if t := strings.TrimRight(s[:j], "*_`\"' \n\r\t"); !strings.HasSuffix(t, ":") {
				return "", j, false
			}
		case k&chars.End != 0 || b == ';':
			// A stop inside an enumeration or after a closed quote ends it too.
			return "", j, false
		}
		j--
	}
	return "", 0, false
}

// takePrecedingWord takes in the next word back, the n-th.
func (c *clauseState) takePrecedingWord(w string, n int) {
	k := lexicon.ClassOfWord(w)
	c.others = c.others || introducesList(w, c.last)
	if k&lexicon.Follows != 0 && w == "but" {
		c.turned = true
	}
	if n == 1 || c.butNot {
		if c.readContrast(w, k, n) {
			return
		}
	} else if c.broken && !c.joined && !c.named && k&(lexicon.Iffy|lexicon.Corrects|lexicon.Concludes|lexicon.Others|lexicon.Tentative|lexicon.Voice) == 0 {
		return // nothing that it could say counts any more: every other word
	}
	if k == lexicon.Plain && n > 0 {
		c.broken = true
		return
	}
	if c.named && n > 0 {
		switch {
		case k&lexicon.Wrong != 0:
			c.wrongly = true
		case k&lexicon.Negates != 0 && (c.last == "an" || c.last == "the" || c.last == "answer"):
			c.negated = true
		}
	}
	c.noteTone(w, k, n)
	switch {
	case k&lexicon.Wrong != 0:
		c.wrongly = c.wrongly || !c.broken
	case k&lexicon.Negates != 0:
		c.negated = c.negated || !c.broken && !c.named && (w != "out" || !c.linked) // "the odd one out is B"
	case k&lexicon.Copula != 0:
		c.joined = c.joined || !c.broken
		c.linked = c.linked || !c.broken
	case k&lexicon.Answer != 0:
		c.named = c.named || c.joined && (c.linked || !c.broken) || n == 0
		c.adjacent = c.adjacent || n == 0
	case k&lexicon.Option != 0:
		c.named = c.named || c.joined && (c.linked || n == 0 && !c.crossed)
		c.adjacent = c.adjacent || !c.broken && !c.joined
	case k&lexicon.Chooses != 0:
		c.chosen = c.chosen || !c.broken
	case k&lexicon.Right != 0:
		c.rightly = true
	case n == 0 && slices.Contains(pictured, strings.ToLower(w)): // "the answer is figure B"
		c.name = true
	case n == 0 && (k == lexicon.Plain || k&lexicon.Follows != 0 && k&(lexicon.Joins|lexicon.Filler) == 0):
		c.broken, c.name = true, !c.joined && !c.paused
	case k == lexicon.Plain || k&(lexicon.Follows|lexicon.Joins) != 0 && k&lexicon.Filler == 0:
		c.broken = true
	}
}

// pictured is what the letters of an image stand at.
var pictured = []string{"figure", "point", "image", "picture", "panel", "graph", "diagram", "tile", "plot", "shape", "object", "box"}

// readContrast reads "not A but B", "anything but B" and "instead of B". It
// reports whether the word belongs to the other side of a contrast.
func (c *clauseState) readContrast(w string, k lexicon.Class, n int) bool {
	switch {
	case c.last == "but" && n == 1 && slices.Contains(wholes, strings.ToLower(w)), c.last == "of" && n == 1 && w == "instead":
		c.negated = true
	case c.last == "but" && n == 1, n > 0 && c.butNot:
		c.butNot = true
		c.chosen = c.chosen || k&lexicon.Negates != 0
	}
	return c.butNot
}

// noteTone takes in what a word says of the whole clause.
func (c *clauseState) noteTone(w string, k lexicon.Class, n int) {
	c.also = c.also || k&lexicon.Also != 0 && !c.broken
	c.tentative = c.tentative || (k&lexicon.Tentative != 0 || w == "was" && c.last == "going") && !c.turned
	c.self = c.self || w == "I" || w == "we"
	c.voice = c.voice || (k&lexicon.Voice != 0 || w == "As" && c.last == "for") && !c.self && !c.concludes && !c.turned
	switch {
	case k&lexicon.Others != 0:
		c.others = true
	case k&lexicon.Iffy != 0:
		c.iffy = true
	case k&lexicon.Concludes != 0:
		c.concludes = true
		c.chosen = c.chosen || n == 0
	case k&lexicon.Corrects != 0:
		c.corrects = c.corrects || n < 6
		c.chosen = c.chosen || n == 0
		if n == 0 && w == "no" && !c.paused {
			c.negated = true
		}
	}
}

// introducesList reports whether a word and the next one stand before what is said of
// the options one by one: "of each option: A.", "the options are A for".
func introducesList(w, next string) bool {
	switch w {
	case "each", "every":
		return lexicon.ClassOfWord(next)&lexicon.Option != 0
	case "options", "choices":
		return next == "are"
	}
	return false
}

// wholes are words behind which "but" means except.
var wholes = []string{"anything", "none", "all", "everything", "nothing", "any"}

func (c *clauseState) applyToMark(m *mark) {
	m.negated = m.negated || c.negated || c.wrongly && (c.named || !c.joined)
	m.iffy, m.name = m.iffy || c.iffy, c.name
	m.corrects, m.concludes = c.corrects, c.concludes
	m.rival = c.also && (c.joined || c.named || c.chosen)
	m.tentative = m.tentative || c.tentative && c.chosen || c.voice && (c.chosen || !c.joined)
	switch {
	case c.others:
	case c.named && c.joined:
		m.grade = max(m.grade, stated)
	case c.chosen:
		m.grade = max(m.grade, picked)
	case c.joined && c.rightly, c.linked && c.concludes && m.from < m.at: // "Therefore, the point that matches is (C)"
		m.grade = max(m.grade, picked)
	case c.named, c.adjacent:
		m.grade = max(m.grade, mention)
	case c.joined, c.corrects && !c.broken:
		m.grade = max(m.grade, bare)
	}
}
