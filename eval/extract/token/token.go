package token

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"concord/eval/extract/chars"
)

// Token is a word, a number, a sign or a character of a script without
// spaces, in the form in which answers and options are compared.
type Token struct {
	Text string
	Kind tokenKind
	// glued: no space stands before it.
	Glued bool
	// starts: a clause starts with it.
	Starts bool
	// asked: a question mark stands behind it.
	Asked bool
	// stop: a sentence starts with it.
	Stop bool
	// item: a number that opens a line as that of a list, "2. ".
	Item bool
	// quoted: it stands within double quotes, behind another one that does.
	Quoted bool
}

type tokenKind uint8

// The kinds of tokens.
const (
	_ tokenKind = iota
	Word
	Number
	Sign // arithmetic: its neighbours belong to it
	Ideograph
)

// numberWords are the numbers that English words are compared by, as text, and numberNames the words of
// those.
var numberWords, numberNames = func() (numbers, names map[string]string) {
	numbers, names = map[string]string{"percent": "%"}, map[string]string{"%": "percent"}
	for i, w := range strings.Fields(`zero one two three four five six seven eight nine ten eleven twelve
		thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty`) {
		n := strconv.Itoa(i)
		numbers[w], names[n] = n, w
	}
	return numbers, names
}()

// numberOfWord is the number that an English word is compared by, whatever its case, or empty.
func numberOfWord(w string) string {
	if len(w) < 3 || len(w) > longestNumber || numberHeads[w[0]&31]>>(w[2]&31)&1 == 0 {
		return ""
	}
	return numberWords[strings.ToLower(w)]
}

// longestNumber is how many bytes a word of numberWords has at most, numberHeads are the third letters of
// those with a first letter, as bits: few other words have the two.
const longestNumber = len("seventeen")

var numberHeads = func() (bits [32]uint32) {
	for w := range numberWords {
		bits[w[0]&31] |= 1 << (w[2] & 31)
	}
	return bits
}()

// StartBit is one bit that hangs on how the token starts and how long it is: two
// tokens with other heads are not the same.
func (t *Token) StartBit() uint64 { return 1 << ((int(t.Text[0]) + 9*len(t.Text)) & 63) }

// AppendTokens appends the first tokens of a folded text in lower case to out, at
// most limit. Articles are left out.
func AppendTokens(out []Token, low string, limit int) []Token {
	first := len(out)
	t := tokenizer{out: out, starts: true, stop: true}
	for i := 0; i < len(low) && len(t.out)-first < limit; {
		c := low[i]
		switch k := chars.Kind[c]; {
		case c == ' ': // most often
			i, t.glued = i+1, false
		case k&chars.Lower != 0:
			i = t.addWord(low, i)
		case k&chars.Digit != 0:
			end, text := readNumberAt(low, i)
			t.addToken(text, Number)
			t.out[len(t.out)-1].Item = (i == 0 || low[i-1] == '\n') && end+1 < len(low) && (low[end] == '.' || low[end] == ')') && low[end+1] == ' '
			i = end
		case k&chars.Wide != 0:
			i = t.addWide(low, i)
		case k&chars.Sign != 0 && isArithmeticSign(low, i):
			t.addSign(low[i : i+1])
			i, t.glued = i+1, true
		default:
			if c == '?' && len(t.out) > first {
				t.out[len(t.out)-1].Asked = true
			}
			t.stop = t.stop || k&chars.End != 0
			if c == '"' {
				t.quoted, t.deep = !t.quoted, false
			}
			t.starts = t.starts || k&chars.End != 0 || c == '}' || c == '<' || c == ',' || c == ';' || c == ':' || c == '('
			i, t.glued = i+1, false
		}
	}
	return t.out
}

// tokenizer is where tokens is: what the next token will be.
type tokenizer struct {
	out                 []Token
	glued, starts, stop bool
	quoted, deep        bool // within quotes; and behind a token there
}

// addToken adds a token other than a sign. The next one stands at it.
func (t *tokenizer) addToken(text string, kind tokenKind) {
	t.out = append(t.out, Token{Text: text, Kind: kind, Glued: t.glued, Starts: t.starts, Stop: t.stop, Quoted: t.deep})
	t.glued, t.starts, t.stop, t.deep = true, false, false, t.quoted
}

// addSign adds a sign: what follows it still starts the clause.
func (t *tokenizer) addSign(text string) {
	t.out = append(t.out, Token{Text: text, Kind: Sign, Glued: t.glued, Starts: t.starts, Stop: t.stop})
}

func (t *tokenizer) addWord(low string, i int) int {
	end := findWordEnd(low, i)
	text := low[i:end]
	if text == "an" || text == "the" || text == "a" && !isNameLetter(low[end:]) {
		t.glued = true
		return end
	}
	switch n := numberOfWord(text); n {
	case "":
		t.addToken(text, Word)
	case "1": // often a pronoun
		t.addToken(n, Word)
	default:
		t.addToken(n, Number)
	}
	return end
}

// IsArticle reports whether the word of s from i to end may be an article, whatever its case.
func IsArticle(s string, i, end int) bool {
	switch end - i {
	case 1:
		return s[i]|0x20 == 'a' && end < len(s) && s[end] == ' '
	case 2, 3:
		return strings.EqualFold(s[i:end], "an") || strings.EqualFold(s[i:end], "the")
	}
	return false
}

// isNameLetter reports whether a letter is a name, "vitamin A", and no article, by what stands behind it.
func isNameLetter(rest string) bool {
	if len(rest) < 2 || rest[0] != ' ' {
		return true
	}
	switch rest = rest[1:]; rest[:findWordEnd(rest, 0)] {
	case "", "is", "was", "and", "or", "has", "in", "because", "deficiency":
		return true
	}
	return false
}

// addWide adds the character beyond ASCII at i, or the word that it starts, and returns where that ends.
func (t *tokenizer) addWide(low string, i int) int {
	r, size := utf8.DecodeRuneInString(low[i:])
	switch {
	case chars.IsUnspaced(r):
		t.addToken(low[i:i+size], Ideograph)
	case unicode.IsLetter(r):
		return t.addWord(low, i)
	default:
		if !unicode.IsSpace(r) && !unicode.IsPunct(r) && r != utf8.RuneError {
			t.addSign(low[i : i+size])
		}
		t.glued = false
	}
	return i + size
}

// isArithmeticSign reports whether the sign at i has a number beside it.
func isArithmeticSign(s string, i int) bool {
	after := i+1 < len(s) && chars.Kind[s[i+1]]&chars.Digit != 0
	before := i > 0 && chars.Kind[s[i-1]]&chars.Digit != 0
	if s[i] == '%' {
		return before
	}
	if s[i] == '-' && after { // a minus, not a dash between words
		return i == 0 || chars.Kind[s[i-1]]&chars.Word != 0 || chars.Kind[s[i-1]]&chars.Space != 0 || s[i-1] == '('
	}
	return after && (before || s[i] != ':') || before && strings.IndexByte("^/=+", s[i]) >= 0
}

// readNumberAt reads digits with their decimal point, without the separators of thousands.
func readNumberAt(s string, i int) (int, string) {
	end, commas := i, false
	for end < len(s) {
		switch c := s[end]; {
		case chars.Kind[c]&chars.Digit != 0:
		case c == '.' && end+1 < len(s) && chars.Kind[s[end+1]]&chars.Digit != 0:
		case c == ',' && end+3 < len(s) && startsWithDigitGroup(s[end+1:]):
			commas = true
		default:
			goto done
		}
		end++
	}
done:
	text := s[i:end]
	if commas {
		text = strings.ReplaceAll(text, ",", "")
	}
	if strings.IndexByte(text, '.') > 0 {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return end, text
}

// startsWithDigitGroup reports whether s begins with three digits and no fourth.
func startsWithDigitGroup(s string) bool {
	for k := range 3 {
		if chars.Kind[s[k]]&chars.Digit == 0 {
			return false
		}
	}
	return len(s) == 3 || chars.Kind[s[3]]&chars.Digit == 0
}

func findWordEnd(s string, i int) int {
	for i < len(s) && chars.Kind[s[i]]&chars.Word != 0 {
		i++
	}
	for i < len(s) {
		switch k := chars.Kind[s[i]]; {
		case k&chars.Word != 0, s[i] == '\'' && i+1 < len(s) && chars.Kind[s[i+1]]&chars.Lower != 0:
			i++
		case k&chars.Wide != 0:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !chars.IsWordRune(r) && !unicode.IsMark(r) {
				return i
			}
			i += size
		default:
			return i
		}
	}
	return i
}
