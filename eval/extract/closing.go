package extract

import (
	"strings"

	"concord/eval/extract/chars"
	"concord/eval/extract/lexicon"
	"concord/eval/extract/reading"
)

// closing reads a text by its last line where that alone decides what strong
// would: "Answer: B" below a reasoning. Most long texts end so, and to grade
// every letter of the reasoning takes ten times as long. It reports false
// wherever a letter above the line could count; what it rules out is what
// strong asks of the other letters:
//
//	boxed       a box or a tag stands around one           boxes
//	opening     one opens the text                         opensWithWord
//	final       one is stated by the first words           opensWithAnswer
//	final       a new question follows one                 asks
//	final       one is stated, too, and it is another one  lastLine
//	lists       one is in a list with the last             closer: no letter
//	            stands on its line, which it does not open
func (p *page) closing() (reading.Reading, bool) {
	m := p.closer()
	if m == nil || boxes(p.answer.text) || !opensWithWord(p.answer.text) || opensWithAnswer(above(p.answer.text, m)) || asks(p.answer.text[:m.from]) {
		return reading.Reading{}, false
	}
	return p.answer.choose(m, "stated"), true
}

// closer is the last letter of the text, graded, if its line is short, says
// that it is the answer and has no other lone letter or digit; or nil.
func (p *page) closer() *mark {
	s, i := p.answer.text, len(p.answer.text)-1
	for i >= 0 && skippable(s[i]) {
		i--
	}
	if i < 1 || chars.Kind[s[i]]&chars.Letter == 0 || chars.Kind[s[i-1]]&(chars.Word|chars.Wide) != 0 || p.answer.choices.present>>(s[i]&^0x20-'A')&1 == 0 {
		return nil
	}
	line := strings.LastIndexByte(s[max(0, i-64):i], '\n')
	if line < 0 {
		return nil
	}
	line += max(0, i-64) + 1
	word := chars.WordBits(s[:i], line)
	if word&^(word<<1)&^(word>>1) != 0 {
		return nil
	}
	p.n = 0
	p.lone(i)
	if p.n == 0 {
		return nil
	}
	m := &p.marks[0]
	p.answer.before(m)
	p.answer.after(m)
	if m.grade != stated || !m.usable(stated) || m.line || m.own || m.from < line || !p.answer.lastLine(m) {
		return nil
	}
	return m
}

// above is the text above the line of a letter.
func above(s string, m *mark) string {
	return s[:strings.LastIndexByte(s[:m.from], '\n')+1]
}

// boxes reports whether a letter may stand in a box or in a tag.
func boxes(s string) bool {
	return strings.IndexByte(s, '>') >= 0 || strings.IndexByte(s, '{') >= 0 && strings.Contains(s, "box")
}

// opensWithWord reports whether the text opens with a word of two letters or
// more, maybe behind a list's bullet: then no letter opens it.
func opensWithWord(s string) bool {
	s = strings.TrimLeft(s, bullets)
	return len(s) > 1 && chars.Kind[s[0]]&chars.Letter != 0 && chars.Kind[s[1]]&chars.Word != 0
}

// opensWithAnswer reports whether the first words of the text may state an
// answer.
func opensWithAnswer(s string) bool {
	for range openingWords {
		i := 0
		for i < len(s) && !chars.InWord[s[i]] {
			i++
		}
		w, next := nextWord(s, i)
		if w == "" {
			return s != "" && i < len(s)
		}
		if lexicon.ClassOf(w)&(lexicon.Answer|lexicon.Option) != 0 {
			return true
		}
		s = s[next:]
	}
	return false
}
