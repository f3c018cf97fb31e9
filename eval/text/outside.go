package text

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Outside is text from outside. A sink takes it by the method that is named after it.
type Outside string

// ForTerminal is the text for a terminal, in lines: control characters, escapes and what turns the
// direction of writing in a visible form, bytes that are no text as U+FFFD, tabs as a blank.
func (o Outside) ForTerminal() string {
	return o.showControls(func(b *strings.Builder) { b.WriteByte('\n') })
}

// ForLine is the text for one line of a terminal or a message: ends of lines show as a sign of their own.
func (o Outside) ForLine() string {
	return Outside(strings.TrimRight(string(o), "\r\n")).showControls(func(b *strings.Builder) { b.WriteString("⏎") })
}

// ForCell is the text as a cell of a table that people read or copy, in one line:
// every character that nobody sees has a sign.
func (o Outside) ForCell() string {
	if o.IsPlain() && !strings.Contains(string(o), "\n") {
		return string(o)
	}
	var b strings.Builder
	for _, r := range string(o) {
		if r == '\n' || r == '\t' {
			b.WriteRune('␀' + r)
			continue
		}
		sign, _ := VisibleFormOf(r)
		b.WriteString(sign)
	}
	return b.String()
}

// ForCSV is the text as a cell of CSV or TSV: a spreadsheet takes a cell that begins with = + - @, a
// tab or a line end for a formula, and an apostrophe before it keeps it text. Uncell takes that away
// again. Quoting is the writer's.
func (o Outside) ForCSV() string {
	if isSpreadsheetFormula(string(o)) || hasQuoteBeforeFormula(string(o)) {
		return "'" + string(o)
	}
	return string(o)
}

// UnescapeCSV is the text of a cell that CSV wrote.
func UnescapeCSV(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && (isSpreadsheetFormula(rest) || hasQuoteBeforeFormula(rest)) {
		return rest
	}
	return cell
}

// isSpreadsheetFormula reports what a spreadsheet would compute. A number with its sign is none.
func isSpreadsheetFormula(s string) bool {
	switch r, _ := utf8.DecodeRuneInString(s); {
	case strings.ContainsRune("＝＋－＠", r): // as spreadsheets of East Asia take them
		return true
	case s == "" || !strings.ContainsRune("=+-@\t\r\n", r):
		return false
	}
	return (s[0] != '-' && s[0] != '+') || strings.Trim(s[1:], "0123456789.") != "" || len(s) == 1
}

// hasQuoteBeforeFormula reports an apostrophe that stands before a formula already: it takes
// another, so that Uncell gives it back.
func hasQuoteBeforeFormula(s string) bool {
	rest := strings.TrimLeft(s, "'")
	return rest != s && isSpreadsheetFormula(rest)
}

var markdown = strings.NewReplacer(
	`\`, `\\`, `|`, `\|`, `*`, `\*`, `_`, `\_`, "`", "\\`",
	`<`, `&lt;`, `>`, `&gt;`, `&`, `&amp;`, `[`, `\[`, `]`, `\]`, `#`, `\#`, `~`, `\~`, `!`, `\!`,
)

// ForMarkdown is the text in one line of Markdown.
func (o Outside) ForMarkdown() string { return markdown.Replace(o.ForCell()) }

var latex = strings.NewReplacer(
	`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `#`, `\#`, `_`, `\_`, `%`, `\%`,
	`~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`, `<`, `\textless{}`, `>`, `\textgreater{}`,
)

// ForLaTeX is the text in one line of ForLaTeX.
func (o Outside) ForLaTeX() string { return latex.Replace(o.ForCell()) }

// ForShell is the text as one word of a shell, to be copied from a screen.
func (o Outside) ForShell() string {
	word := o.ForLine()
	plain := !strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune("-_./:", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if plain && word != "" && word[0] != '-' {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// longest is how many characters of a name a file's name takes.
const longest = 80

// ForFileName is the text as a part of a file's name: letters and digits of any script
// stay, what a file system or a shell gives a meaning to becomes a hyphen.
func (o Outside) ForFileName() string {
	name := strings.Map(func(r rune) rune {
		if sign, _ := VisibleFormOf(r); strings.ContainsRune(`/\:*?"'<>|. $&;!`+"`", r) || sign != string(r) {
			return '-'
		}
		return r
	}, strings.ToValidUTF8(string(o), "-"))
	if r := []rune(name); len(r) > longest {
		name = string(r[:longest])
	}
	return name
}

// Shorten gives the text in one line of n characters at most: space of any kind
// becomes one blank, what nobody sees a sign.
func (o Outside) Shorten(n int) string {
	var b strings.Builder
	blank := false
	for _, r := range string(o) {
		if unicode.IsSpace(r) {
			blank = b.Len() > 0
			continue
		}
		if n--; n < 0 {
			b.WriteString("…")
			break
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		sign, _ := VisibleFormOf(r)
		b.WriteString(sign)
	}
	return b.String()
}

// showControls gives the text with signs for what a terminal would act on.
func (o Outside) showControls(newline func(*strings.Builder)) string {
	if o.IsPlain() && !strings.Contains(string(o), "\n") {
		return string(o)
	}
	var b strings.Builder
	b.Grow(len(o))
	rest := string(o)
	for rest != "" {
		r, n := utf8.DecodeRuneInString(rest)
		if r == '\r' && len(rest) > 1 && rest[1] == '\n' {
			r, n = '\n', 2
		}
		rest = rest[n:]
		switch sign, ends := VisibleFormOf(r); {
		case ends:
			newline(&b)
		case r == '\t':
			b.WriteByte(' ')
		default:
			b.WriteString(sign)
		}
	}
	return b.String()
}

// IsPlain reports whether the text is printable ASCII and line ends only.
func (o Outside) IsPlain() bool {
	for i := range len(o) {
		if c := o[i]; c >= 0x7f || c < 0x20 && c != '\n' {
			return false
		}
	}
	return true
}

// Terminal is the writer of a terminal: what is written is shown by Outside.ForTerminal, so that text which
// nobody cleaned does nothing there. The bytes of a character that is not whole wait for the rest of it.
type Terminal struct {
	File *os.File // the terminal itself, for what knows how to draw on it
	rest []byte
}

// Write shows p.
func (t *Terminal) Write(p []byte) (int, error) {
	all := append(t.rest, p...)
	whole := len(all) - countIncompleteBytes(all)
	_, err := io.WriteString(t.File, Outside(all[:whole]).ForTerminal())
	t.rest = append([]byte(nil), all[whole:]...)
	return len(p), err
}

// countIncompleteBytes counts how many bytes at the end of b begin a character that goes on behind it.
func countIncompleteBytes(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// VisibleFormOf shows the form in which a rune of text from outside is shown, or that it ends a line:
// control characters have signs of their own, and what turns the direction of writing, tags letters
// that nobody sees or has no form is shown by its number. U+FFFD stands for bytes that are no text.
func VisibleFormOf(r rune) (sign string, newline bool) {
	switch {
	case r == '\n', r == 0x2028, r == 0x2029:
		return "", true
	case r < 0x20:
		return string('␀' + r), false
	case r == 0x7f:
		return "␡", false
	case r == 0x200C, r == 0x200D, IsVariationSelector(r):
		return "", false // they only choose between pictures of a letter, and terminals disagree on them
	case r == 0x200B, r == 0x2060, r == 0xFEFF, r == 0xAD:
		return "·", false
	case unicode.Is(unicode.Cf, r), r >= 0x80 && r < 0xA0, isInvisible(r):
		return fmt.Sprintf("<U+%04X>", r), false
	}
	return string(r), false
}

// IsVariationSelector tells the marks that only choose between pictures of a letter.
func IsVariationSelector(r rune) bool {
	return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF || r >= 0x180B && r <= 0x180D || r == 0x180F
}

// isInvisible tells what has no form: letters that pass for blanks, marks that
// nobody sees, and what Unicode keeps free for more of these.
func isInvisible(r rune) bool {
	switch r {
	case 0x115F, 0x1160, 0x3164, 0xFFA0: // fillers of Hangul
		return true
	case 0x034F, 0x17B4, 0x17B5, 0x2065:
		return true
	}
	return r >= 0xFFF0 && r <= 0xFFF8 || r >= 0xE0000 && r <= 0xE0FFF
}
