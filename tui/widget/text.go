package widget

import (
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textarea"
	"github.com/charmbracelet/x/ansi"

	"concord/eval/text"
)

// every is how many lines lie between two marks of a Text's index.
const every = 64

// Text is a stranger's text laid out for one width, as far as was asked for:
// a text of many megabytes shows its first page at once. It keeps the place
// of every 64th line and lays out the rest anew when it is looked at.
type Text struct {
	raw   string
	width int
	marks []int // raw offset of line 64*i
	lines int   // laid out so far
	end   int   // raw offset behind them
	done  bool

	spans []Range // marked in a style
	style CachedStyle
}

// Range is a part of a text, from one byte up to another.
type Range struct{ From, To int }

// MarkRanges has parts of the text drawn in a style, and no others.
func (t *Text) MarkRanges(style CachedStyle, spans []Range) { t.style, t.spans = style, spans }

// LineOfByte is the line in which a byte stands, of those laid out.
func (t *Text) LineOfByte(offset int) int {
	i := max(0, sort.SearchInts(t.marks, offset+1)-1)
	line := i * every
	for at := t.marks[i]; line < t.lines-1; line++ {
		size, _ := measureLine(t.raw[at:], t.width)
		if at += size; at > offset {
			break
		}
	}
	return line
}

// drawMarked draws a line of the text, from one byte up to another, with what is marked:
// in a style, or between signs where the terminal has no colours.
func (t *Text) drawMarked(from, to int) string {
	var b strings.Builder
	for at := from; at < to; {
		end, in := to, false
		for _, s := range t.spans {
			if s.From > at {
				end = min(end, s.From)
			} else if at < s.To {
				end, in = min(end, s.To), true
			}
		}
		part := strings.ReplaceAll(CleanText(t.raw[at:end]), "\n", "")
		if in && part != "" {
			if styled := t.style.Render(part); styled != part {
				part = styled
			} else { // without colours
				part = "«" + part + "»"
			}
		}
		b.WriteString(part)
		at = end
	}
	return CutWidth(IsolateLine(b.String()), t.width)
}

// NewText prepares raw for a width in cells; nothing is laid out yet.
func NewText(raw string, width int) *Text { return &Text{raw: raw, width: max(width, 1)} }

// Width is the width that the text is laid out for.
func (t *Text) Width() int { return t.width }

// Len is how many lines are laid out, and whether those are all.
func (t *Text) Len() (lines int, all bool) { return t.lines, t.done }

// LayOutTo lays out lines until there are n of them, or all.
func (t *Text) LayOutTo(n int) {
	for !t.done && t.lines < n {
		t.layOutLine()
	}
}

// CloneLayout gives a copy that can be laid out further beside the original.
func (t *Text) CloneLayout() *Text {
	c := *t
	c.marks = append([]int(nil), t.marks...)
	return &c
}

// LayOutWhole gives the same text laid out to its end. It takes about a second for 50
// megabytes and leaves t alone, so that it can run beside a screen.
func (t *Text) LayOutWhole() *Text {
	w := t.CloneLayout()
	for !w.done {
		w.layOutLine()
	}
	return w
}

func (t *Text) layOutLine() {
	if t.lines%every == 0 {
		t.marks = append(t.marks, t.end)
	}
	size, more := measureLine(t.raw[t.end:], t.width)
	t.end += size
	t.lines++
	t.done = !more
}

// LinesFrom are up to n lines from the given one on, laid out, safe to show and at most Width cells wide.
func (t *Text) LinesFrom(from, n int) []string {
	n = min(n, t.lines-from)
	if from < 0 || n <= 0 {
		return nil
	}
	at := t.marks[from/every]
	for range from % every {
		size, _ := measureLine(t.raw[at:], t.width)
		at += size
	}
	out := make([]string, 0, n)
	for range n {
		line, size, _ := cutLine(t.raw[at:], t.width)
		if slices.ContainsFunc(t.spans, func(s Range) bool { return s.From < at+size && s.To > at }) {
			line = t.drawMarked(at, at+size)
		}
		out = append(out, line)
		at += size
	}
	return out
}

// WrapText lays out a short text for a width, whole.
func WrapText(s string, width int) []string {
	if len(s) <= width && text.Outside(s).IsPlain() && !strings.Contains(s, "\n") { // most texts are
		return []string{strings.TrimRight(s, " ")}
	}
	t := NewText(s, width)
	for !t.done {
		t.layOutLine()
	}
	return t.LinesFrom(0, t.lines)
}

// measureLine measures how many bytes of s the first line takes, its end included, and
// whether another line follows.
func measureLine(s string, width int) (size int, more bool) {
	col, space := 0, 0 // space: offset behind the last place to break at
	for i := 0; i < len(s); {
		g := readGlyph(s[i:], col)
		if g.newline {
			return i + g.raw, true
		}
		if col+g.width > width && (!g.space || col > width) { // one space may hang
			switch {
			case space > 0:
				return space, true
			case i == 0:
				return g.raw, g.raw < len(s) // wider than the pane
			}
			return i, true
		}
		i += g.raw
		if col += g.width; g.space || g.width > 1 {
			space = i
		}
	}
	return len(s), false
}

// cutLine gives the first line of s, its size in bytes, and whether more follows.
func cutLine(s string, width int) (line string, size int, more bool) {
	size, more = measureLine(s, width)
	line = strings.TrimRight(strings.TrimSuffix(CleanText(s[:size]), "\n"), " ")
	if ansi.StringWidth(line) > width {
		line = ansi.Truncate(line, width, "…")
	}
	return IsolateLine(line), size, more
}

// mark is the left-to-right mark: a terminal that reorders lines takes what
// stands between two of them by itself, and leaves the panes where they are.
const mark = "\u200e"

// IsolateLine keeps a line with text from right to left from reordering what stands beside it.
func IsolateLine(line string) string {
	if isRightToLeft(line) {
		return mark + line + mark
	}
	return line
}

func isRightToLeft(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r >= 0x590 && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
	})
}

// CutWidth shortens s, which may hold styles, to at most width cells, with an ellipsis for what is missing.
func CutWidth(s string, width int) string {
	if width <= 0 {
		return ""
	}
	if TextWidth(s) <= width {
		return s
	}
	return ansi.Truncate(s, width, "…")
}

// FitWidth makes s, which may hold styles, exactly width cells wide.
func FitWidth(s string, width int) string {
	w := TextWidth(s)
	if w > width {
		s = CutWidth(s, width)
		w = TextWidth(s) // a wide letter may not have fitted
	}
	if w >= width {
		return s
	}
	return s + strings.Repeat(" ", width-w)
}

// JoinEnds puts left and right at the two ends of a line of width cells; the left one gives way.
func JoinEnds(left, right string, width int) string {
	right = CutWidth(right, width)
	switch r := TextWidth(right); {
	case r == 0:
		return FitWidth(left, width)
	case r < width:
		return FitWidth(left, width-r-1) + " " + right
	}
	return right
}

// FitBox makes lines exactly width cells wide and height lines high.
func FitBox(lines []string, width, height int) []string {
	out := make([]string, height)
	copy(out, lines)
	for i := range out {
		out[i] = FitWidth(out[i], width)
	}
	return out
}

// DrawScreen draws lines in exactly the size of a screen; nothing where it has none yet.
func DrawScreen(width, height int, draw func() []string) string {
	if width <= 0 || height <= 0 {
		return ""
	}
	return strings.Join(FitBox(draw(), width, height), "\n")
}

// HeadOfText is enough of a text for one line: a response may be megabytes.
func HeadOfText(s string) string {
	const most = 1000
	return s[:min(len(s), most)]
}

// caret is where the next letter goes. It stands between letters, so that it is seen without colours.
const caret = "▏"

// LongestText is how many characters a text may have that is written here.
const LongestText = 20_000

// NewTextArea gives a text of several lines that is edited. It is drawn by Written, never by itself:
// so no style of bubbles' default renderer shows, and nobody's control characters do either.
func NewTextArea(value string) textarea.Model {
	a := textarea.New()
	a.ShowLineNumbers, a.Prompt, a.Placeholder = false, "", ""
	a.CharLimit, a.MaxHeight = LongestText, 0
	a.Cursor.SetMode(cursor.CursorStatic)
	a.SetValue(EscapeControls(value))
	return a
}

// EscapeControls makes what would be obeyed rather than shown visible, and leaves all
// else as it was written: also what joins letters, and marks of direction that override none.
func EscapeControls(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("\u200c\u200d\u200e\u200f\u061c", r) || !unicode.Is(unicode.Cf, r) && (r < 0x80 || r >= 0xA0) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// WrapWithCaret lays the text out for a width, with the caret in it, and says in which line that is.
func WrapWithCaret(a *textarea.Model, focused bool, width int) (lines []string, at int) {
	if !focused {
		return WrapText(a.Value(), width), 0
	}
	before, after := splitAtCaret(a)
	lines = WrapText(before+caret+after, width)
	for at < len(lines)-1 && !strings.Contains(lines[at], caret) {
		at++
	}
	return lines, at
}

// splitAtCaret gives the text before and behind the caret.
func splitAtCaret(a *textarea.Model) (before, after string) {
	value := a.Value()
	info := a.LineInfo()
	line, column := a.Line(), info.StartColumn+info.ColumnOffset
	at := 0
	for range line {
		n := strings.IndexByte(value[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	for i, r := range value[at:] {
		if column == 0 || r == '\n' {
			return value[:at+i], value[at+i:]
		}
		column--
	}
	return value, ""
}
