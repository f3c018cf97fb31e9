package widget

import (
	"math"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"
)

// MostBar is how wide a bar is useful: a longer one tells no more, and leads the eye away from its number.
const MostBar = 40

// drawBarCells draws share of width cells to half a cell, thinner than a row, so
// that the bars of neighbouring rows stay apart. A share that is not nothing
// shows at least half a cell, and one that is not all leaves as much.
func drawBarCells(width int, share float64) (bar string, cells int) {
	if width <= 0 {
		return "", 0
	}
	n := int(math.Round(clampShare(share) * float64(width*2)))
	switch {
	case n == 0 && share > 0:
		n = 1
	case n == width*2 && share < 1:
		n--
	}
	return strings.Repeat("━", n/2) + strings.Repeat("╸", n%2), n/2 + n%2
}

func clampShare(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return max(0, min(1, f))
}

// DrawBar draws how much of something is done, in width cells.
func (t *Theme) DrawBar(width int, share float64) string {
	return t.DrawStyledBar(t.BarFull, width, share)
}

// DrawStyledBar draws Bar in a style of its own.
func (t *Theme) DrawStyledBar(style CachedStyle, width int, share float64) string {
	width = max(width, 0)
	bar, n := drawBarCells(width, share)
	if n < width { // the other half of the last cell is of what is empty
		bar = strings.Replace(bar, "╸", "╾", 1)
	}
	return style.Render(bar) + t.BarEmpty.Render(strings.Repeat("─", width-n))
}

// DrawInterval draws a value between 0 and 1 with its interval in width cells: a
// bar up to the interval, which stands in brackets as in its number.
func (t *Theme) DrawInterval(width int, low, value, high float64) string {
	if width <= 0 {
		return ""
	}
	at := func(f float64) int { return min(width-1, int(clampShare(f)*float64(width))) }
	l, v, h := at(low), at(value), at(high)
	var b strings.Builder
	for i := l; i <= h; i++ {
		b.WriteString(intervalMark(i, l, v, h))
	}
	return t.BarFull.Render(strings.Repeat("━", l)) + t.Strong.Render(b.String()) + t.BarEmpty.Render(strings.Repeat("·", max(0, width-h-1)))
}

func intervalMark(i, l, v, h int) string {
	switch i {
	case v:
		return "●"
	case l:
		return "["
	case h:
		return "]"
	}
	return "─"
}

// DrawAxis draws the scale under or over intervals that are width cells wide.
func (t *Theme) DrawAxis(width int) string {
	const half, full = "50 %", "100 %"
	switch {
	case width < 8:
		return strings.Repeat(" ", max(0, width))
	case width < 24:
		return t.Faint.Render("0" + strings.Repeat(" ", width-1-len(full)) + full)
	}
	left := width/2 - 1 - len(half)/2
	return t.Faint.Render("0" + strings.Repeat(" ", left) + half +
		strings.Repeat(" ", width-1-left-len(half)-len(full)) + full)
}

func stripStyles(s string) string { return ansi.Strip(s) }

// Halves are the rooms of a list and of the detail of its selected row. They stand side by side where that
// leaves both readable, else below each other; a list that fills a small screen is followed by no detail.
type Halves struct {
	List, Detail struct{ Width, Height int }
	beside       bool
}

// SplitListAndDetail shares width by height cells out; the list needs so many lines to show all of its rows.
func SplitListAndDetail(width, height, needs int) (h Halves) {
	const (
		wide  = 140 // from here they stand side by side
		tall  = 30  // from here a detail stands below a longer list, too
		least = 4   // lines of a detail that says something
		rule  = 3
	)
	h.List.Width, h.List.Height = width, height
	if width >= wide {
		h.beside = true
		h.List.Width = width * 58 / 100
		h.Detail.Width, h.Detail.Height = width-h.List.Width-rule, height
		return h
	}
	below := height - needs - 1
	if height >= tall {
		below = max(below, height/3)
	}
	if below >= least {
		h.List.Height = height - below
		h.Detail.Width, h.Detail.Height = width, below
	}
	return h
}

// WidenList gives a list of long rows so many cells more of a detail beside it.
func (h Halves) WidenList(by int) Halves {
	if h.beside {
		h.List.Width, h.Detail.Width = h.List.Width+by, h.Detail.Width-by
	}
	return h
}

// DrawHalves draw a list and a detail in their rooms.
func (t *Theme) DrawHalves(h Halves, list, detail []string) []string {
	if h.beside {
		list = t.AddLegendBelow(list, h.List.Width, h.List.Height)
		return t.DrawBeside(list, detail, h.List.Width, h.List.Width+h.Detail.Width+3, h.List.Height)
	}
	return append(FitBox(list, h.List.Width, h.List.Height), FitBox(detail, h.List.Width, h.Detail.Height)...)
}

// DrawWarning colours a note that there may not be.
func (t *Theme) DrawWarning(note string) string {
	if note == "" {
		return ""
	}
	return t.Warn.Render(note)
}

// DrawField draws a name and its value, with the name at a fixed width.
func (t *Theme) DrawField(name, value string, wide int) string {
	return t.Faint.Render(FitWidth(name, wide)) + " " + value
}

// MarkActivePane ends a line with the mark of the pane that keys act in, which the line heads:
// a long line is cut for it.
func (t *Theme) MarkActivePane(line string, width int) string {
	line = CutWidth(line, max(1, width-3))
	return line + t.Border.Render(" "+strings.Repeat("═", max(0, width-TextWidth(line)-1)))
}

// AddKeysBelow adds lines with the keys that work now below them, where a height
// leaves room for these; spell writes a key.
func (t *Theme) AddKeysBelow(lines []string, width, height int, spell func(string) string, keys []key.Binding) []string {
	const least = 4
	var on []key.Binding
	for _, k := range keys {
		if k.Enabled() && len(k.Keys()) == 1 {
			k.SetHelp(spell(k.Keys()[0]), k.Help().Desc)
		}
		if k.Enabled() {
			on = append(on, k)
		}
	}
	room := height - len(lines) - 1
	if room < least || len(on) == 0 {
		return lines
	}
	help := append([]string{t.DrawSection("Keys", "", false, width)}, t.DrawHelp(min(width, helpColumn), Group{Keys: on})[1:]...)
	return append(append(lines, ""), help[:min(len(help), room)]...)
}

// Sheet gathers lines of texts.
type Sheet struct {
	Theme *Theme
	Width int
	Out   []string
}

// sheetNames is the width of the names of a sheet.
const sheetNames = 11

// AddField adds a name and its text, on as many lines as that takes.
func (s *Sheet) AddField(name, text string) {
	column := max(sheetNames, TextWidth(name))
	for _, l := range WrapText(text, max(1, s.Width-column-1)) {
		s.Out = append(s.Out, s.Theme.DrawField(name, s.Theme.Text.Render(l), column))
		name = ""
	}
}

// AddText adds a text in a style.
func (s *Sheet) AddText(style func(...string) string, text string) {
	for _, l := range WrapText(text, s.Width) {
		s.Out = append(s.Out, style(l))
	}
}

// AddWarning adds what speaks against it.
func (s *Sheet) AddWarning(text string) { s.AddText(s.Theme.Warn.Render, "! "+text) }

// AddNote adds what is to be known of it.
func (s *Sheet) AddNote(text string) { s.AddText(s.Theme.Accent.Render, "• "+text) }

// AddAssumptions adds what figures rest on.
func (s *Sheet) AddAssumptions(all []string) {
	if len(all) == 0 {
		return
	}
	s.Out = append(s.Out, "", s.Theme.Faint.Render("Assumed"))
	for _, a := range all {
		s.AddText(s.Theme.Faint.Render, "- "+a)
	}
}
