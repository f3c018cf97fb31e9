package extract

import (
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/lexicon"
)

// gradeByTextAfter grades a mark by what stands behind it: the punctuation that makes a
// letter a label, the option's own text, and what is said of the letter.
func (a *answerText) gradeByTextAfter(m *mark) {
	s := a.text
	i := m.at + 1
	brackets := false
	for i < len(s) {
		n := closingMarkLen(s[i:])
		if n == 0 {
			break
		}
		brackets = brackets || strings.IndexByte(")]}", s[i+n-1]) >= 0
		i += n
	}
	m.to = i
	m.delimited = i > m.at+1 || a.isLabelEnd(m, i)
	if brackets && m.from < m.at && m.grade < mention {
		m.grade = mention
	}
	m.end = m.to
	if end := a.findOwnTextAfter(m); end > 0 {
		i, m.end = end, end
	} else if a.hasOwnTextBefore(m) {
		m.own = true
	}
	if m.own && m.grade < mention {
		m.grade = mention
	}
	if !m.delimited && i < len(s) && s[i] != ' ' && s[i] != '\t' {
		m.grade = idle // part of something: "C#", "A-"
	} else if m.letter == 'I' && a.isPronounI(m, i) {
		m.grade = idle
	} else {
		a.gradeByWordsAfter(m, i)
	}
	a.adjustByBothSides(m)
}

// isRightAngle reports whether the word is "right" and what follows has a right one.
func isRightAngle(s, w string, next int) bool {
	of, _ := nextWord(s, next)
	return w == "right" && (of == "angle" || of == "triangle" || of == "side" || of == "hand")
}

// isPronounI reports whether the letter I, behind which i is, is no option's.
func (a *answerText) isPronounI(m *mark, i int) bool {
	w, _ := nextWord(a.text, i)
	return !m.delimited && !m.own && w != "is"
}

// closingMarkLen is the length of a mark at the start of s that closes what stands
// around a letter: emphasis, a quote, a bracket, also behind a space.
func closingMarkLen(s string) int {
	rest := strings.TrimPrefix(s, " ")
	if len(rest) > 1 && rest[0] == '\\' && (rest[1] == ')' || rest[1] == ']') {
		return len(s) - len(rest) + 2
	}
	switch {
	case rest == "" || chars.Kind[rest[0]]&chars.Wrap == 0 || strings.IndexByte("([{", rest[0]) >= 0:
		return 0
	case len(rest) < len(s) && strings.IndexByte(")]}", rest[0]) < 0:
		return 0
	}
	return len(s) - len(rest) + 1
}

func (a *answerText) isLabelEnd(m *mark, i int) bool {
	s := a.text
	if i >= len(s) {
		return true
	}
	switch s[i] {
	case ',', ':', ';', '!', '?', '\n', '\r', '<', '>', '|', '/':
		return true
	case '.':
		// "B.C" are initials, "B.text" is a label where one can stand.
		return i+1 >= len(s) || chars.Kind[s[i+1]]&chars.Word == 0 || m.grade >= opening || m.line
	case ' ', '\t':
		j := i
		for j < len(s) && (s[j] == ' ' || s[j] == '\t') {
			j++
		}
		return j == len(s) || s[j] == '\n' || s[j] == '\r' || s[j] == '-' || s[j] == ':' || s[j] == '(' || s[j] == '['
	case '-':
		return i+1 < len(s) && s[i+1] == ' '
	}
	return chars.Kind[s[i]]&chars.Wide != 0
}

// gradeByWordsAfter reads what the words from i say of the letter: "is the correct
// answer", "is wrong", "can be ruled out".
func (a *answerText) gradeByWordsAfter(m *mark, i int) {
	s := a.text
	if i < len(s) && s[i] == '?' {
		m.iffy = true
	}
	m.tentative = m.tentative || strings.HasPrefix(s[i:], ", unless")
	if a.gradeByChineseAfter(m, skipBracketedAside(s, i)) {
		return
	}
	i = skipBracketedAside(s, i)
	if m.own && i < len(s) && s[i] == ',' || i+2 < len(s) && s[i] == '.' && s[i+1] == ' ' && chars.Kind[s[i+2]]&chars.Lower != 0 {
		i++
	}
	var negated, rightly, wrongly, named, also, fits, supposed, refused bool
	for n := range 9 {
		w, next := nextWord(s, i)
		if w == "" {
			break
		}
		k := lexicon.ClassOfWord(w)
		if n == 0 && k&lexicon.Copula == 0 && !isDenyingVerb(w) && !slices.Contains(modalVerbs, w) {
			a.gradeUnstatedLetter(m, w, next)
			return
		}
		supposed = supposed || w == "would" || w == "could"
		switch {
		case supposed && k&lexicon.Iffy != 0:
			m.tentative = true
		case k&lexicon.Tentative != 0 && (rightly || fits):
			m.tentative = true
		case k&lexicon.Negates != 0 && refused && strings.HasSuffix(w, "ed"):
			m.rival = true // "C cannot be ruled out"
			return
		case k&lexicon.Negates != 0:
			negated, refused = true, refused || w == "not" || isDenyingVerb(w)
		case w == "too" && n == 1:
			wrongly = true // "A is too small"
		case k&lexicon.Wrong != 0:
			wrongly = true
		case k&(lexicon.Answer|lexicon.Option) != 0:
			named = true
		}
		rightly = rightly || k&lexicon.Right != 0 && !isRightAngle(s, w, next) || w == "what" && n == 1 // "C is what the arrows show"
		also, fits = also || k&lexicon.Also != 0 || w == "as" && n < 3, fits || k&lexicon.Fits != 0
		if named || wrongly || k == lexicon.Plain && !slices.Contains(modalVerbs, w) && n > 0 && w != "a" && !rightly && !negated {
			break
		}
		i = next
	}
	m.rival = m.rival || also && !negated && !wrongly && (named || rightly || fits)
	switch {
	case negated != wrongly: // not right, or wrong; "not wrong" says nothing
		m.negated = true
	case negated:
	case named:
		m.grade = max(m.grade, stated)
	case rightly:
		m.grade = max(m.grade, picked)
	}
}

// gradeUnstatedLetter weighs a letter of which the word behind it, up to next, says nothing.
func (a *answerText) gradeUnstatedLetter(m *mark, w string, next int) {
	if w == "it" && strings.HasPrefix(a.text[next:], " is.") { // "so A it is."
		m.grade = max(m.grade, picked)
		return
	}
	m.rival = m.rival || m.grade >= bare && saysAlso(a.text, w, next)
	const goesOn = lexicon.Follows | lexicon.Joins | lexicon.Negates | lexicon.Corrects | lexicon.Concludes
	if lexicon.ClassOfWord(w)&goesOn == 0 && !m.delimited && !m.own && m.grade != mention {
		m.weighTrailingWord(w)
	}
}

// saysAlso reports whether a word behind a letter, and the next one, say that it
// is not the only one: "D as well".
func saysAlso(s, w string, next int) bool {
	if w == "as" {
		w, _ = nextWord(s, next)
	}
	return w == "too" || w == "well"
}

// weighTrailingWord weighs a word that follows a letter without a mark between: "A
// dog", "D minor". The letter is then the word's, unless a new sentence starts.
func (m *mark) weighTrailingWord(w string) {
	capital := chars.Kind[w[0]]&chars.Upper != 0
	if m.letter != 'A' && m.letter != 'I' && lexicon.ClassOfWord(w)&lexicon.Filler != 0 {
		return
	}
	if m.letter == 'A' || m.letter == 'I' || !capital || m.grade < picked {
		m.grade = idle
	}
}

// adjustByBothSides applies what only both sides together show.
func (a *answerText) adjustByBothSides(m *mark) {
	if m.grade == idle {
		return
	}
	if m.letter == 'A' && isQuestionLabel(a.text, m) {
		m.grade = idle
		return
	}
	if m.line && m.delimited && m.grade < lead {
		m.grade = lead
	}
	if m.line && m.grade < stated && a.isLastParagraph(m) {
		m.grade = stated
	}
	if m.grade == bare && m.name || m.grade == mention && m.from == m.at && m.name && !m.own && !m.delimited {
		m.grade = idle
	}
	if m.grade == 0 && !m.name && m.delimited && !isNameInitial(a.text, m) {
		m.grade = bare
	}
	if m.grade == 0 || m.grade == bare && m.letter == 'I' {
		m.grade = idle
	}
}

// isQuestionLabel reports whether a letter stands for the word answer: "Q: ... A: ...".
func isQuestionLabel(s string, m *mark) bool {
	return m.to < len(s) && s[m.to] == ':' && lexicon.HasFoldedPrefix(s, "q:") && strings.HasSuffix(strings.TrimRight(s[:m.from], " \n"), "?")
}

// isLastParagraph reports whether the letter is the text's last paragraph, without a
// stop that could be the start of a cut-off list.
func (a *answerText) isLastParagraph(m *mark) bool {
	if m.from < 2 {
		return false
	}
	before := strings.TrimRight(a.text[:m.from], " \t\r")
	return strings.HasSuffix(before, "\n\n") && !strings.ContainsAny(a.text[m.at+1:m.to], ".)") && chars.IsBlank(a.text[m.to:])
}

// isNameInitial reports whether the letter is part of a name: "Samuel B. Smith".
func isNameInitial(s string, m *mark) bool {
	i := m.at + 1
	return i+2 < len(s) && s[i] == '.' && s[i+1] == ' ' && chars.Kind[s[i+2]]&chars.Upper != 0
}

// isDenyingVerb reports whether a verb right behind a letter turns it down.
func isDenyingVerb(w string) bool {
	switch w {
	case "cannot", "never", "fails", "lacks", "contradicts":
		return true
	}
	return strings.HasSuffix(w, "n't")
}

var modalVerbs = []string{"would", "could", "can", "should", "must", "might", "may", "seems", "appears", "looks", "does", "do", "will", "has"}

// skipBracketedAside skips a bracket right behind a letter: "B (cat) is correct".
func skipBracketedAside(s string, i int) int {
	j := i
	for j < len(s) && s[j] == ' ' {
		j++
	}
	if j >= len(s) || s[j] != '(' {
		return i
	}
	if n := strings.IndexByte(s[j:min(len(s), j+120)], ')'); n >= 0 {
		return j + n + 1
	}
	return i
}

// nextWord gives the word after i within the clause, and where it ends.
func nextWord(s string, i int) (string, int) {
	for i < len(s) && (s[i] == ' ' || s[i] == '*' || s[i] == '_' || s[i] == '"') {
		i++
	}
	start := i
	for i < len(s) && chars.InWord[s[i]] {
		i++
	}
	return s[start:i], i
}

// minOwn is how many letters and digits of an option's text must stand
// beside its letter to be taken for it, when the text is longer.
const minOwn = 18

// findOwnTextAfter looks for the option's own text behind its letter and returns where it ends, or 0.
func (a *answerText) findOwnTextAfter(m *mark) int {
	s := a.text
	i := m.to
	for i < len(s) && isSkippable(s[i]) && i-m.to < 12 {
		i++
	}
	if i == len(s) {
		return 0
	}
	text := a.choices.optionText(m.letter)
	if text == "" {
		return 0
	}
	end, n, whole := matchPrefix(s[i:], text)
	if n == 0 || !whole && n < minOwn || whole && n == 1 && len(text) == 1 && chars.Kind[text[0]]&chars.Letter != 0 {
		return 0
	}
	if whole && chars.IsWordAt(s, i+end) && chars.IsWordAt(s, i+end-1) {
		return 0
	}
	m.own = true
	return eval.Either(whole, i+end, 0)
}

// hasOwnTextBefore reports whether the option's text stands before a letter in
// brackets: "the mental nerve (D)".
func (a *answerText) hasOwnTextBefore(m *mark) bool {
	s := a.text
	if m.from == m.at || s[m.from] != '(' && s[m.from] != '[' {
		return false
	}
	text := a.choices.optionText(m.letter)
	n := 0
	i, j := m.from, len(text)
	for {
		for i > 0 && isSkippable(s[i-1]) {
			i--
		}
		for j > 0 && isSkippable(text[j-1]) {
			j--
		}
		if i == 0 || j == 0 || chars.ToLower(s[i-1]) != chars.ToLower(text[j-1]) {
			break
		}
		i, j, n = i-1, j-1, n+1
	}
	return n > 0 && (j == 0 && (i == 0 || !chars.IsWordAt(s, i-1)) || n >= minOwn)
}

func isSkippable(c byte) bool { return chars.Kind[c]&(chars.Word|chars.Wide) == 0 }

// measureWords gives where the last character of a word in text ends, how many there
// are, counted up to two, and whether there is one.
func measureWords(text string) (end, n int, some bool) {
	for i := len(text) - 1; i >= 0 && n < 2; i-- {
		if chars.Kind[text[i]]&(chars.Word|chars.Wide) == 0 {
			continue
		}
		if n++; end == 0 {
			end = i + 1
		}
	}
	return end, n, n > 0
}

// matchPrefix compares s with text, passing over case, spaces and
// punctuation. It returns how far s was read, how many characters were the
// same (two stand for more where it was all), and whether that was all of text.
func matchPrefix(s, text string) (end, n int, whole bool) {
	if strings.HasPrefix(s, text) { // most often
		return measureWords(text)
	}
	i, j := 0, 0
	for {
		for i < len(s) && j < len(text) && s[i] == text[j] { // the common case
			if chars.Kind[s[i]]&(chars.Word|chars.Wide) != 0 {
				n++
				end = i + 1
			}
			i, j = i+1, j+1
		}
		for j < len(text) && isSkippable(text[j]) {
			j++
		}
		if j == len(text) {
			return end, n, n > 0
		}
		for i < len(s) && isSkippable(s[i]) {
			i++
		}
		if i == len(s) || chars.ToLower(s[i]) != chars.ToLower(text[j]) {
			return end, n, false
		}
		i, j, n = i+1, j+1, n+1
		end = i
	}
}
