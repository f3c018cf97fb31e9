package extract

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/lexicon"
)

// groupListedLetters marks the letters that stand in a list, so that none of them alone
// is taken for the answer: "B or G", and lines that each open with a letter.
func (p *markedAnswer) groupListedLetters() {
	ms := p.foundMarks()
	p.answer.groupAssessedLetters(ms)
	start := 0 // of the list that may go on
	for k := 1; k < len(ms); k++ {
		a, b := p.markBefore(k), &ms[k]
		again := hasMarkOfLetter(ms[start:k], b.letter)
		if again {
			start = k
		}
		if a.letter == b.letter {
			continue
		}
		switch {
		case again && !a.line: // "Of B and D, B is better"
		case p.answer.areEnumerated(a, b):
			a.grouped, b.grouped = true, true
			b.negated = b.negated || a.negated
			if w, _ := nextWord(p.answer.text, b.to); w == "are" { // what is said is said of both
				b.grade = max(b.grade, mention)
			}
			if b.negated && !a.negated {
				p.denyListedLetters(k)
			}
			continue
		case p.answer.areAlternatives(a, b):
			a.grouped, b.grouped = true, true
			continue
		case p.answer.areNeighbouringLines(a, b), areSideBySide(p.answer.text, a, b):
			a.grouped, b.grouped = true, true
		}
		start = k
	}
}

// groupAssessedLetters marks letters that each stand before a colon or 是: what is said of the
// options one by one, "A: possible. B: possible. C: no."
func (a *answerText) groupAssessedLetters(ms []mark) {
	of := func(m *mark) bool {
		rest := a.text[m.to:]
		return (strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "是") && !strings.HasPrefix(rest, "是正确")) && m.grade < stated && !m.own
	}
	if len(ms) < 3 || bits.OnesCount32(letterBits(ms, of)) < 3 {
		return
	}
	for i := range ms {
		if m := &ms[i]; of(m) {
			m.grouped = true
		}
	}
}

// markBefore gives the mark that a list goes on from at the k-th one: the one before,
// but no article within another one's text.
func (p *markedAnswer) markBefore(k int) *mark {
	a := &p.marks[k-1]
	for j := k - 2; j >= 0 && a.grade <= idle && a.from < p.marks[j].end; j-- {
		a = &p.marks[j]
	}
	return a
}

func hasMarkOfLetter(ms []mark, letter byte) bool {
	return letterBits(ms, func(m *mark) bool { return m.letter == letter }) != 0
}

// denyListedLetters turns down the letters of a list that ends at k and is denied: "A, B and C are wrong".
func (p *markedAnswer) denyListedLetters(k int) {
	ms := p.foundMarks()
	for ; k > 0 && p.answer.areEnumerated(&ms[k-1], &ms[k]); k-- {
		ms[k-1].negated = true
	}
}

// areEnumerated reports whether only the words of a list stand between two letters.
func (a *answerText) areEnumerated(m, n *mark) bool {
	if n.from < m.to || n.from-m.to > 28 || m.own || (n.letter == 'A' || n.letter == 'I') && n.grade <= idle && !n.delimited {
		return false
	}
	s := cutLeadingShare(a.text[m.to:n.from])
	separated := chars.IsBlank(s) && len(s) < 2 && m.from < m.at && n.from < n.at && a.text[n.from] == '('
	for i := 0; i < len(s); {
		switch {
		case strings.IndexByte(",/&;|", s[i]) >= 0:
			separated = true
			i++
		case s[i] == ' ' || s[i] == '{' || s[i] == '}' || s[i] == '(':
			i++
		case s[i] == '\\': // LaTeX: "A \text{ or } B"
			_, i = nextWord(s, i+1)
		case chars.Kind[s[i]]&chars.Letter != 0:
			w, end := nextWord(s, i)
			k := lexicon.ClassOfWord(w)
			switch {
			case k&lexicon.Joins != 0 || w == "nor" || w == "vs" || w == "well":
				separated = true
			case k&lexicon.Option != 0 || k&lexicon.Filler != 0 || w == "also" || w == "both" || w == "even":
			default:
				return false
			}
			i = end
		default:
			return slices.Contains(chineseJoins, strings.Trim(s[i:], " "))
		}
	}
	return separated
}

// cutLeadingShare is s without the share in brackets that it opens with: "A (60 %), B".
func cutLeadingShare(s string) string {
	if i := strings.IndexByte(s, '%'); i > 0 && skipBracketedAside(s, 0) == i+2 {
		return s[i+2:]
	}
	return s
}

// areSideBySide reports whether two letters with their texts stand beside each
// other: "A: dog B: cat", "A: dog, on the left; B: cat, on the right"; or letters and
// nothing else on their line: "A>B", "A. B. C.", "A C D".
func areSideBySide(s string, m, n *mark) bool {
	switch between := s[m.at+1 : max(m.at+1, n.at)]; between {
	case ">":
		return true
	case ". ":
		return strings.Count(s, ". ") > 1 && strings.Trim(s[m.at:], "ABCDEFGHIJ. \n") == ""
	case " ":
		line, _, _ := strings.Cut(s[m.at:], "\n")
		line, _, _ = strings.Cut(line, "<")
		return strings.Trim(line, "ABCDEFGHIJ .") == ""
	}
	return m.own && n.own && !m.negated && !n.negated && m.end != m.to && n.from >= m.end &&
		(n.from-m.end <= 4 || strings.HasSuffix(strings.TrimRight(s[m.end:n.from], " "), ";"))
}

// areNeighbouringLines reports whether two letters open neighbouring lines.
func (a *answerText) areNeighbouringLines(m, n *mark) bool {
	if !m.line || !n.line || !m.delimited || !n.delimited || m.negated || n.negated {
		return false
	}
	if n.from < m.to {
		return true
	}
	s := a.text[m.to:n.from]
	line := strings.IndexByte(s, '\n')
	return line < 0 || strings.TrimLeft(s[line:], " \t\r\n\v\f-*#") == ""
}

// mostMatched bounds the texts in which it is looked for what matched, in bytes: they
// are read some dozens of times.
const mostMatched = 64 << 10

// FindDecisivePart finds the part of a text, in bytes, out of which a reader reads its choice: the
// text without what can be left out at its end, then at its beginning, so that the
// same choice is read by the same method. It is empty where none is read.
func FindDecisivePart(r eval.Reader, kind eval.Kind, options []eval.Option, text string) (from, to int) {
	want := eval.ReadText(r, kind, options, text)
	if !want.IsFound() || want.Method == eval.Fallback || len(text) > mostMatched {
		return 0, 0
	}
	same := func(from, to int) bool { return eval.ReadText(r, kind, options, text[from:to]) == want }
	from, to = 0, len(text)
	for step := len(text) / 2; step > 0; step /= 2 {
		for at := nextBoundary(text, to-step); at > from && at < to && same(from, at); at = nextBoundary(text, to-step) {
			to = at
		}
	}
	for step := (to - from) / 2; step > 0; step /= 2 {
		for at := nextBoundary(text, from+step); at < to && at > from && same(at, to); at = nextBoundary(text, from+step) {
			from = at
		}
	}
	return from, to
}

// nextBoundary gives the first place from one on at which no letter is cut in two.
func nextBoundary(text string, at int) int {
	for at = max(0, at); at < len(text) && !utf8.RuneStart(text[at]); {
		at++
	}
	return at
}
