package extract

import (
	"math/bits"
	"strings"
	"sync"
	"unicode/utf8"

	"concord/eval/extract/chars"
	"concord/eval/extract/lexicon"
	"concord/eval/extract/reading"
)

// grade is how strongly a letter's surroundings say that it is the answer. The zero grade is unset.
type grade uint8

const (
	_       grade = iota
	idle          // stands somewhere, says nothing: an article, a name, a formula
	bare          // stands alone at the end of a clause
	mention       // "option B", "(B)"
	lead          // opens a line: "B. text"
	opening       // opens the whole text
	picked        // "I choose B"
	stated        // "the answer is B", "B is the correct answer"
	boxed         // \boxed{B}, <answer>B</answer>
)

// mark is a letter of an option that stands alone in the text.
type mark struct {
	letter                             byte
	grade                              grade
	at                                 int  // where the letter stands
	from, to                           int  // the letter with the marks around it
	end                                int  // where its own text behind it ends, or to
	delimited                          bool // a punctuation mark or the end follows
	line                               bool // opens a line
	negated, iffy, corrects, concludes bool
	grouped                            bool // one of a list of letters, or of a block of lines
	name                               bool // belongs to the word before it: "vitamin C"
	own                                bool // the option's own text stands beside it
	rival                              bool // said to be as good as another one: "D is equally valid"
	tentative                          bool // what was thought at first
}

// maxMarks bounds the letters that are looked at: the first and the last.
const maxMarks = 24

// answerText is a folded text and the options that it may choose. Its methods read
// what stands around one letter or between two of them.
type answerText struct {
	text    string
	choices choices
}

type markedAnswer struct {
	answer answerText
	strays uint32 // letters that stand alone and are no option's
	n      int
	marks  [maxMarks]mark
}

// pages are used again: to clear the room for marks takes longer than to read a short answer.
var pages = sync.Pool{New: func() any { return new(markedAnswer) }}

func (p *markedAnswer) returnToPool() {
	p.answer.text, p.answer.choices.options = "", nil
	pages.Put(p)
}

func (p *markedAnswer) foundMarks() []mark { return p.marks[:p.n] }

// findMarks finds the marks: words of one letter that name an option. Most lone letters and digits name
// none. They are passed over without a branch, which would be predicted wrongly for every third of them.
func (p *markedAnswer) findMarks() {
	p.n = 0
	s, names := p.answer.text, uint64(p.answer.choices.present)<<('A'&63)|uint64(p.answer.choices.present)<<('a'&63)
	word, before, seen := chars.WordMaskAt(s, 0), uint64(0), uint64(0)
	for i := 0; i < len(s); i += 64 {
		next := uint64(0)
		if i+64 < len(s) {
			next = chars.WordMaskAt(s, i+64)
		}
		var found [32]uint8
		n := 0
		for lone := word &^ (word<<1 | before) &^ (word>>1 | next<<63); lone != 0; lone &= lone - 1 {
			k := bits.TrailingZeros64(lone)
			c := s[i+k]
			letter := uint64(c >> 6) // 1 for a letter, 0 for a digit
			seen |= letter << (c & 63)
			found[n&31] = uint8(k)
			n += int(names >> (c & 63) & letter)
		}
		for _, k := range found[:n] {
			p.considerLoneLetter(i + int(k))
		}
		word, before = next, word>>63
	}
	p.strays = uint32(seen>>('A'&63)|seen>>('a'&63)) & (1<<26 - 1) &^ p.answer.choices.present
}

// considerLoneLetter looks at a letter that has no letter or digit of ASCII beside it.
func (p *markedAnswer) considerLoneLetter(i int) {
	s := p.answer.text
	if s[i] == 'a' && i+1 < len(s) && s[i+1] == ' ' && i > 0 && s[i-1] == ' ' {
		return // the article: no mark, and most lone letters
	}
	if i > 0 && s[i-1] >= utf8.RuneSelf && chars.IsWordAt(s, i-1) || i+1 < len(s) && s[i+1] >= utf8.RuneSelf && chars.IsWordAt(s, i+1) {
		return
	}
	p.addPossibleMark(i, chars.Kind[s[i]]&chars.Lower != 0)
}

// addPossibleMark adds the letter at i if it can be an option's name.
func (p *markedAnswer) addPossibleMark(i int, small bool) {
	s := p.answer.text
	if small && !isSmallMark(s, i) || isContraction(s, i) || isNoOptionLetter(s, i) {
		return
	}
	if p.n == maxMarks { // make room in the middle
		copy(p.marks[maxMarks/3:], p.marks[maxMarks/2:])
		p.n -= maxMarks/2 - maxMarks/3
	}
	m := &p.marks[p.n]
	*m = mark{letter: s[i] &^ 0x20, at: i, from: i, to: i + 1}
	p.n++
}

// isSmallMark reports whether a lower-case letter is written as an option's
// name: all of the text, in brackets or before one, or after "option".
func isSmallMark(s string, i int) bool {
	before, after := byte(0), byte(0)
	if i > 0 {
		before = s[i-1]
	}
	if i+1 < len(s) {
		after = s[i+1]
	}
	if s[i] == 'a' && after == ' ' && before != 0 {
		return false // the article
	}
	if after == ')' && (before == 0 || before == '(' || chars.Kind[before]&chars.Space != 0 || before == '*') && s[i] != 'i' {
		return true
	}
	if i < 6 && after != '\'' && len(s)-i <= 3 && chars.IsBlank(strings.Trim(s[:i]+s[i+1:], ".*\"'`$()[]{}: ")) {
		return true
	}
	// Only words that name options or the answer can stand before it.
	j, colon := i, false
	for j > 0 && (s[j-1] == ' ' || s[j-1] == '*' || s[j-1] == '"' || s[j-1] == '\'' || s[j-1] == ':') {
		j--
		colon = colon || s[j] == ':'
	}
	end := j
	for j > 0 && end-j < lexicon.LongestWord && chars.Kind[s[j-1]]&chars.Letter != 0 {
		j--
	}
	ends := after == 0 || chars.Kind[after]&(chars.End|chars.Wrap) != 0 || after == ',' || after == ':'
	switch k := lexicon.ClassOfWord(s[j:end]); {
	case k&lexicon.Option != 0:
		return s[i] != 'a' || ends
	case k&lexicon.Answer != 0 || k&lexicon.Copula != 0 && end == i-1:
		return s[i] != 'i' && (s[i] != 'a' || colon) && ends && chars.IsBlank(strings.Trim(s[i+1:], ".*\"'`$)]}"))
	}
	return false
}

// isContraction reports whether the letter is the start of I'm, or the end of
// it's, or stands before a possessive s.
func isContraction(s string, i int) bool {
	return i+2 < len(s) && s[i+1] == '\'' && chars.Kind[s[i+2]]&chars.Letter != 0 ||
		i >= 2 && s[i-1] == '\'' && chars.Kind[s[i-2]]&chars.Letter != 0
}

// isNoOptionLetter reports whether the letter is a variable, an initial or a part of
// a compound, not an option's name.
func isNoOptionLetter(s string, i int) bool {
	if rest := s[i:]; strings.HasPrefix(rest, "E.g") || strings.HasPrefix(rest, "I.e") {
		return len(rest) == 3 || chars.Kind[rest[3]]&chars.Word == 0
	}
	if i >= 2 {
		switch s[i-1] {
		case '(', '[', '{':
			if chars.Kind[s[i-2]]&chars.Word != 0 && (s[i-1] != '{' || !isLatexCommand(s, i-1)) || s[i-2] == '^' || s[i-2] == '_' && s[i-1] == '{' {
				return true
			}
		case '-', '+', '.', '&':
			if chars.Kind[s[i-2]]&chars.Word != 0 && s[i-1] != '.' {
				return true
			}
			if s[i-1] == '.' && chars.Kind[s[i-2]]&chars.Upper != 0 && !chars.IsWordAt(s, i-3) { // U.S
				return true
			}
		case '<':
			return i+1 >= len(s) || s[i+1] != '>'
		case '^', '\\', '=':
			return true
		}
	} else if i == 1 && strings.IndexByte("-+^/\\", s[0]) >= 0 {
		return true
	}
	if i+1 >= len(s) {
		return false
	}
	if i+3 < len(s) && s[i+1] == '.' && chars.Kind[s[i+2]]&chars.Upper != 0 && s[i+3] == '.' { // U.S.
		return true
	}
	switch s[i+1] {
	case '=', '^', '+', '\\', '|', '@', '%':
		return s[i+1] != '\\' || i+2 >= len(s) || s[i+2] != ')' && s[i+2] != ']' && s[i+2] != 'n'
	case '/':
		return i+2 < len(s) && chars.Kind[s[i+2]]&chars.Word != 0 && (chars.Kind[s[i+2]]&chars.Upper == 0 || chars.IsWordAt(s, i+3))
	case '_', '-', '&':
		return i+2 < len(s) && (s[i+1] == '_' && s[i+2] == '{' || chars.Kind[s[i+2]]&chars.Word != 0 && (s[i+1] != '_' || i == 0 || s[i-1] != '_'))
	case '(', '[':
		return true
	case ' ':
		if i+3 < len(s) && strings.IndexByte("=+^<>|*/", s[i+2]) >= 0 && s[i+3] == ' ' {
			return true
		}
	}
	return false
}

// isLatexCommand reports whether the brace at i opens a command's argument.
func isLatexCommand(s string, i int) bool {
	name, _ := latexCommandAt(s, i)
	return name != ""
}

// readLabelledText reads a text that is one option as the question has it, "B. dog", as more than a quarter
// of all are. With another letter in it that may be a mark, the text is read as any other.
func (p *markedAnswer) readLabelledText() (reading.Reading, bool) {
	s := strings.TrimLeft(p.answer.text, " ")
	if len(s) < 5 || s[1] != '.' || s[2] != ' ' || isSkippable(s[3]) || chars.Kind[s[0]]&chars.Upper == 0 {
		return reading.Reading{}, false
	}
	own := p.answer.choices.optionText(s[0])
	if rest, same := strings.CutPrefix(s[3:], own); !same || rest != "" && rest != "." || len(own) < 2 {
		return reading.Reading{}, false
	}
	p.findMarks()
	return reading.NewChosen(p.answer.choices.optionOfLetter(s[0]), "opening"), p.n == 1 && p.marks[0].at == len(p.answer.text)-len(s)
}

// readClosingLine reads a text by its last line where that alone decides what strong would: "Answer: B"
// below a reasoning. Most long texts end so, and to grade every letter of the reasoning takes ten times
// as long. It reports false wherever a letter above the line could count; what it rules out is what
// strong asks of the other letters:
//
//	boxed       a box or a tag stands around one           boxes
//	opening     one opens the text                         opensWithWord
//	final       one is stated by the first words           opensWithAnswer, and no
//	            sentence ends before the first letter
//	final       a new question follows one                 asks
//	final       one is stated, too, and it is another one  isLastLine
//	lists       one is in a list with the last             closer: no letter
//	            stands on its line, which it does not open
func (p *markedAnswer) readClosingLine() (reading.Reading, bool) {
	m := p.findClosingLetter()
	if m == nil || mayHoldBoxes(p.answer.text) || !opensWithWord(p.answer.text) || hasQuestionLine(p.answer.text[:m.from]) || p.contradictsText(m) {
		return reading.Reading{}, false
	}
	r := p.answer.chooseLetter(m, "stated")
	if above := strings.LastIndexByte(p.answer.text[:m.from], '\n') + 1; !opensWithAnswer(p.answer.text[:above]) {
		return r, true
	}
	closing := *m
	p.findMarks()
	first := p.marks[0].at
	return r, !closing.rival && (first == closing.at || strings.ContainsAny(strings.TrimSpace(p.answer.text[:first]), sentenceEnds))
}

// findClosingLetter finds the last letter of the text, graded, if its line is short, says
// that it is the answer and has no other lone letter or digit; or nil.
func (p *markedAnswer) findClosingLetter() *mark {
	s, i := p.answer.text, len(p.answer.text)-1
	for i >= 0 && isSkippable(s[i]) {
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
	word := chars.WordMaskAt(s[:i], line)
	if word&^(word<<1)&^(word>>1) != 0 {
		return nil
	}
	p.n = 0
	p.considerLoneLetter(i)
	if p.n == 0 {
		return nil
	}
	m := &p.marks[0]
	p.answer.gradeByTextBefore(m)
	p.answer.gradeByTextAfter(m)
	if m.grade != stated || !m.isUsable(stated) || m.line || m.own || m.from < line || !isLastLine(p.answer.text, m) {
		return nil
	}
	return m
}

// mayHoldBoxes reports whether a letter may stand in a box or in a tag.
func mayHoldBoxes(s string) bool {
	return strings.IndexByte(s, '>') >= 0 && strings.IndexByte(s, '<') >= 0 || strings.IndexByte(s, '{') >= 0 && strings.Contains(s, "box")
}

// opensWithWord reports whether the text opens with a word of two letters or
// more, maybe behind a list's bullet: then no letter opens it.
func opensWithWord(s string) bool {
	s = strings.TrimLeft(s, bullets)
	return len(s) > 1 && chars.Kind[s[0]]&chars.Letter != 0 && chars.Kind[s[1]]&chars.Word != 0
}

// opensWithAnswer reports whether the first words of the text may state an answer.
func opensWithAnswer(s string) bool {
	for range openingWords {
		i := 0
		for i < len(s) && !chars.InWord[s[i]] {
			i++
		}
		w, next := nextWord(s, i)
		if lexicon.ClassOfWord(w)&(lexicon.Answer|lexicon.Option) != 0 {
			return true
		}
		s = s[next:]
	}
	return false
}
