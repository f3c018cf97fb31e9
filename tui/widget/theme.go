package widget

import (
	"math"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Theme is every style that the screens use, made for one renderer: one terminal, one background, one
// colour depth. Styles set the foreground only, so that the terminal's own background stays (lazygit
// #508, glow #953), and none of them is the only bearer of a meaning: a glyph or a word stands beside
// each.
type Theme struct {
	Renderer *lipgloss.Renderer
	Images   *ImageRenderer // draws pictures
	panes    map[string]*PaneSize
	weights  *bool // without colours, texts are bold and faint

	Text                      CachedStyle // what is read
	Strong                    CachedStyle // what is read first
	Title                     CachedStyle // names of screens and panes
	Faint                     CachedStyle // what may be overlooked
	Accent                    CachedStyle // what can be acted on
	Key                       CachedStyle // a key, in footers and on options
	KeyText                   CachedStyle // what that key does
	Disabled                  CachedStyle // what cannot be done now
	Good, Bad, Warn           CachedStyle
	Selected                  CachedStyle // the row or option under the cursor
	Border, BarFull, BarEmpty CachedStyle
}

// newColor gives a colour for light and dark backgrounds, and the one of the sixteen that says the
// same: the nearest one makes what may be overlooked as loud as what can be acted on.
func newColor(light, dark, lightOf16, darkOf16 string) lipgloss.CompleteAdaptiveColor {
	return lipgloss.CompleteAdaptiveColor{
		Light: lipgloss.CompleteColor{TrueColor: light, ANSI256: nearest256(light), ANSI: lightOf16},
		Dark:  lipgloss.CompleteColor{TrueColor: dark, ANSI256: nearest256(dark), ANSI: darkOf16},
	}
}

// nearest256 is the nearest of the 256 colours, by its number: found once, not each time it is drawn.
func nearest256(hex string) string {
	if c, ok := termenv.ANSI256.Color(hex).(termenv.ANSI256Color); ok {
		return strconv.Itoa(int(c))
	}
	return hex
}

// What stands for a colour where there is none (ECMA-48, 8.3.117). Xterm darkens what is
// to be light, which nobody sees on a light background: there it is slanted, too.
const plainly, bold, light, slanted, reverse = "", "1", "2", "2;3", "7"

// NewTheme makes the theme of a renderer. The renderer has to know its background (SetHasDarkBackground)
// and its colour profile: one that does not asks the terminal, and may wait for an answer that never comes.
func NewTheme(r *lipgloss.Renderer) *Theme {
	var (
		accent = newColor("#1D4ED8", "#7DA6FF", "4", "12")
		faint  = newColor("#6B7280", "#8B93A1", "8", "8")
		good   = newColor("#15803D", "#5BD38A", "2", "10")
		bad    = newColor("#B91C1C", "#FF7B72", "1", "9")
		warn   = newColor("#A35200", "#F2B84B", "5", "11") // yellow cannot be read on white
	)
	faint.Light.ANSI256, faint.Dark.ANSI256 = "242", "246" // the nearest by its numbers are lavender
	plain, weights := r.NewStyle(), new(bool)
	newCachedStyle := func(s lipgloss.Style, weight string) CachedStyle {
		return CachedStyle{s, r, new(atomic.Pointer[strokes]), weights, weight, weight}
	}
	overlooked := newCachedStyle(plain.Foreground(faint), light)
	overlooked.onLight = slanted
	return &Theme{
		Renderer: r, weights: weights,
		Images:   NewImageRenderer(r, Manner{}),
		panes:    make(map[string]*PaneSize),
		Text:     newCachedStyle(plain, plainly),
		Strong:   newCachedStyle(plain.Bold(true), bold),
		Title:    newCachedStyle(plain.Bold(true).Foreground(accent), bold),
		Faint:    overlooked,
		Accent:   newCachedStyle(plain.Foreground(accent), plainly),
		Key:      newCachedStyle(plain.Bold(true).Foreground(accent), bold),
		KeyText:  overlooked,
		Disabled: newCachedStyle(plain.Foreground(faint).Faint(true), light),
		Good:     newCachedStyle(plain.Foreground(good), plainly),
		Bad:      newCachedStyle(plain.Foreground(bad), bold),
		Warn:     newCachedStyle(plain.Foreground(warn), bold),
		Selected: newCachedStyle(plain.Bold(true).Reverse(true), reverse),
		Border:   newCachedStyle(plain.Foreground(faint), light),
		BarFull:  newCachedStyle(plain.Foreground(accent), plainly),
		BarEmpty: newCachedStyle(plain.Foreground(faint), light),
	}
}

// KeepTextWeights has texts be bold, faint or reversed where there are no colours: NO_COLOR
// is about these alone. It is called before anything is drawn.
func (t *Theme) KeepTextWeights() { *t.weights = true }

// ColourProfile is the colour depth of the theme's terminal; termenv.Ascii when there are no colours (NO_COLOR).
func (t *Theme) ColourProfile() termenv.Profile { return t.Renderer.ColorProfile() }

// NewLineField gives a field of one line in which text is typed; none is shown while it is empty. bubbles
// style from the default renderer unless told otherwise (bubbles #403).
func (t *Theme) NewLineField(none string) textinput.Model {
	in := textinput.New()
	in.Prompt, in.CharLimit, in.Placeholder = "", 400, none
	in.TextStyle, in.PlaceholderStyle = t.Text.Style, t.Faint.Style
	_ = in.Cursor.SetMode(1) // static: a blinking cursor draws without end
	in.Cursor.Style, in.Cursor.TextStyle = t.Strong.Style, t.Text.Style
	return in
}

// CachedStyle is a style that colours text and does nothing else. The escape
// sequences around a text are computed once for a terminal: a frame has some
// hundred coloured texts, and a team of thirty looks at as many frames.
type CachedStyle struct {
	lipgloss.Style
	by      *lipgloss.Renderer
	kept    *atomic.Pointer[strokes]
	weights *bool  // whether weight counts
	weight  string // the parameters that stand for its colour
	onLight string // the same on a light background
}

// strokes holds the escape sequences around a text on one kind of terminal.
type strokes struct {
	profile     termenv.Profile
	dark        bool
	open, close string
}

// Render colours a text, as the style would.
func (i CachedStyle) Render(parts ...string) string {
	text := strings.Join(parts, " ")
	if i.kept == nil || strings.ContainsAny(text, "\n\r\t") {
		return i.Style.Render(text)
	}
	k := i.kept.Load()
	if k == nil || k.profile != i.by.ColorProfile() || k.dark != i.by.HasDarkBackground() {
		k = i.computeEscapes()
		i.kept.Store(k)
	}
	return k.open + text + k.close
}

// WrapStyled lays a text out in width cells, every line in the style and behind an indent.
func (i CachedStyle) WrapStyled(indent, text string, width int) []string {
	lines := WrapText(text, max(1, width-TextWidth(indent)))
	for n, l := range lines {
		lines[n] = indent + i.Render(l)
	}
	return lines
}

// computeEscapes computes the sequences by colouring a letter.
func (i CachedStyle) computeEscapes() *strokes {
	open, shut, _ := strings.Cut(i.Style.Render("x"), "x")
	weight := i.weight
	if !i.by.HasDarkBackground() {
		weight = i.onLight
	}
	if *i.weights && weight != "" && i.by.ColorProfile() == termenv.Ascii {
		open, shut = "\x1b["+weight+"m", "\x1b[0m"
	}
	return &strokes{i.by.ColorProfile(), i.by.HasDarkBackground(), open, shut}
}

// PaneSize tells how much of its surroundings a pane takes: > gives the pane half of them, then all,
// then gives them back, and < goes the other way around. The zero value takes nothing.
type PaneSize uint8

// The sizes.
const (
	NormalPane PaneSize = iota
	HalfPane            // what stands around the pane keeps half of its cells
	FullPane            // it keeps none
	paneSizes
)

// ChangeByKey takes one of the keys of NewPaneSizeKeys.
func (r *PaneSize) ChangeByKey(key string) {
	by := PaneSize(1)
	if key == "<" {
		by = paneSizes - 1
	}
	*r = (*r + by) % paneSizes
}

// CellsLeft gives how many of n cells or lines are left to the surroundings of the pane.
func (r PaneSize) CellsLeft(n int) int {
	switch r {
	case HalfPane:
		return n / 2
	case FullPane:
		return 0
	case NormalPane, paneSizes:
	}
	return n
}

// NewPaneSizeKeys gives the keys that change the size of a pane.
func NewPaneSizeKeys() key.Binding { return NewBinding("> <", "enlarge pane", ">", "<") }

// PaneSizeOf gives the size of a screen's pane. It lasts as long as the theme, so from
// one opening of the screen to the next.
func (t *Theme) PaneSizeOf(screen string) *PaneSize {
	if t.panes[screen] == nil {
		t.panes[screen] = new(PaneSize)
	}
	return t.panes[screen]
}

// levels are the heights of a sparkline's columns; the first is nothing.
var levels = [...]rune{'▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}

// DrawHeights draws shares from 0 to 1 side by side, one cell each: a full cell is
// 1. The one at index here stands out, by more than its colour; -1 for none.
func (t *Theme) DrawHeights(shares []float64, here int) string {
	var b strings.Builder
	for i, v := range shares {
		level := 0
		if v = clampShare(v); v > 0 {
			level = max(1, min(len(levels)-2, int(v*float64(len(levels)-1)))) // the top is for all of it
		}
		if v == 1 {
			level = len(levels) - 1
		}
		cell := string(levels[level])
		if i == here {
			b.WriteString(t.Accent.Render("[") + t.Strong.Render(cell) + t.Accent.Render("]"))
			continue
		}
		b.WriteString(t.BarFull.Render(cell))
	}
	return b.String()
}

// DrawSparkline draws the last values, one cell each, the newest at the right: the
// highest of them is a full cell. It is exactly width cells wide.
func (t *Theme) DrawSparkline(width int, values []float64) string {
	if width <= 0 {
		return ""
	}
	values = values[max(0, len(values)-width):]
	top := 0.0
	for _, v := range values {
		top = max(top, v)
	}
	var b strings.Builder
	for _, v := range values {
		level := 0
		if top > 0 && v > 0 {
			level = max(1, int(math.Round(v/top*float64(len(levels)-1))))
		}
		b.WriteRune(levels[level])
	}
	return strings.Repeat(" ", width-len(values)) + t.BarFull.Render(b.String())
}

// DrawArea draws values over time as a filled area of width by height cells, the
// oldest at the left: floor is nothing, top a full column. A value stands until
// the next one. Without values, or between equal ends, it is empty.
func (t *Theme) DrawArea(values []float64, floor, top float64, width, height int) []string {
	if width <= 0 || height <= 0 || len(values) == 0 || top <= floor {
		return FitBox(nil, max(0, width), max(0, height))
	}
	steps := len(levels) // of a cell
	full := make([]int, width)
	for x := range full {
		v := values[x*len(values)/width]
		if x == width-1 {
			v = values[len(values)-1]
		}
		share := clampShare((v - floor) / (top - floor))
		full[x] = int(math.Round(share * float64(height*steps)))
	}
	out := make([]string, height)
	for y := range out {
		var b strings.Builder
		for _, n := range full {
			switch n -= (height - 1 - y) * steps; {
			case n <= 0:
				b.WriteByte(' ')
			default:
				b.WriteRune(levels[min(n, steps)-1])
			}
		}
		out[y] = t.BarFull.Render(b.String())
	}
	return out
}

// densities are the marks of a heat, from hardly anything to nearly all.
var densities = [...]string{"░", "▒", "▓", "█"}

// Cool is the mark of what lies under the lowest step of a heat.
const Cool = "·"

// ShadeMark is the mark of how high a value is: the shade of the highest step that it reaches, and Cool
// under the lowest. Its density says what a colour would, so that a matrix reads as heat without
// colours, too; the number stands beside it and not on it, so that it can be read.
func ShadeMark(value float64, steps [4]float64) string {
	mark := Cool
	for i, from := range steps {
		if value >= from {
			mark = densities[i]
		}
	}
	return mark
}

// DrawSection draws the title line of a pane: the name, a note behind it, and a rule to the end.
func (t *Theme) DrawSection(name, note string, focused bool, width int) string {
	style := t.Strong
	if focused {
		style = t.Title
	}
	head := style.Render(name)
	if note != "" {
		head += t.Faint.Render("  " + note)
	}
	if focused {
		return t.MarkActivePane(head, width)
	}
	if n := width - TextWidth(head) - 1; n > 0 {
		return head + " " + t.Border.Render(strings.Repeat("─", n))
	}
	return FitWidth(head, width)
}

// DrawBeside sets two blocks side by side, left cells wide and the rest of width, with a rule between them.
func (t *Theme) DrawBeside(left, right []string, at, width, height int) []string {
	l, r := FitBox(left, at, height), FitBox(right, width-at-3, height)
	rule := t.Border.Render(" │ ")
	for i := range l {
		l[i] += rule + r[i]
	}
	return l
}

// DrawDialog draws a box with a title in the middle of width by height cells. It
// replaces what is behind it: nothing shines through.
func (t *Theme) DrawDialog(title string, lines []string, width, height int) []string {
	inner := TextWidth(title) + 4
	for _, l := range lines {
		inner = max(inner, TextWidth(l))
	}
	inner = max(1, min(inner, width-4))
	if width < 6 || height < 4 {
		return FitBox(lines, width, height)
	}
	box := DrawBox(t, title, FitBox(lines, inner, min(len(lines), height-2)), inner, width)
	return FitBox(append(make([]string, max(0, (height-len(box))/3)), box...), width, height)
}

// DrawBox draws a frame around lines of inner cells, in the middle of width, with the
// mark of the pane that keys act in.
func DrawBox(t *Theme, title string, lines []string, inner, width int) []string {
	b, left := t.Border.Render, strings.Repeat(" ", max(0, (width-inner-4)/2))
	out := []string{left + b("╭─ ") + t.MarkActivePane(t.Title.Render(title), inner-1) + b("─╮")}
	for _, l := range lines {
		out = append(out, left+b("│ ")+FitWidth(l, inner)+b(" │"))
	}
	return append(out, left+b("╰"+strings.Repeat("─", inner+2)+"╯"))
}

// SetRendererTheme makes a renderer draw for a dark or a light background, or without
// colours ("none"). Any other name leaves it as the terminal was found to be.
func SetRendererTheme(r *lipgloss.Renderer, theme string) {
	switch theme {
	case "dark":
		r.SetHasDarkBackground(true)
	case "light":
		r.SetHasDarkBackground(false)
	case "none":
		r.SetColorProfile(termenv.Ascii)
	}
}
