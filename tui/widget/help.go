package widget

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// MinWidth and MinHeight are the smallest terminal that every screen works in.
const (
	MinWidth  = 40
	MinHeight = 12
)

// DescribeTooSmall says what a terminal that is too small lacks; "" for one that is large enough.
func DescribeTooSmall(width, height int) string {
	if width >= MinWidth && height >= MinHeight {
		return ""
	}
	lines := WrapText(fmt.Sprintf("need %dx%d, have %dx%d", MinWidth, MinHeight, width, height), width)
	return strings.Join(lines[:min(len(lines), max(height, 1))], "\n")
}

// DrawFooter shows the keys that work now, in one line of width cells. Bindings
// come in order of importance: those that do not fit are left out from the
// end, except the last one, which is where help stands.
func (t *Theme) DrawFooter(width int, keys ...key.Binding) string {
	const gap = "   "
	shown := make([]key.Help, 0, len(keys))
	cells := -len(gap)
	wide := func(h key.Help) int { return TextWidth(h.Key) + 1 + TextWidth(h.Desc) + len(gap) }
	for _, k := range keys {
		if h := k.Help(); k.Enabled() && h.Key != "" {
			shown = append(shown, h)
			cells += wide(h)
		}
	}
	for ; len(shown) > 1 && cells > width; shown = append(shown[:len(shown)-2], shown[len(shown)-1]) {
		cells -= wide(shown[len(shown)-2])
	}
	var b strings.Builder
	for i, h := range shown {
		if i > 0 {
			b.WriteString(gap)
		}
		b.WriteString(t.Key.Render(h.Key) + " " + t.KeyText.Render(h.Desc))
	}
	return FitWidth(b.String(), width)
}

// notNow stands behind what cannot be done at the moment.
const notNow = " (not now"

// BindingUnless is a binding that works unless there is a reason why it cannot: then it
// is disabled, and the reason stands behind what it does.
func BindingUnless(b key.Binding, why string) key.Binding {
	b.SetEnabled(why == "")
	if why != "" {
		b.SetHelp(b.Help().Key, b.Help().Desc+notNow+": "+CutWidth(CleanLine(why), 160)+")")
	}
	return b
}

// BindingWhen is a binding that works if ok; else the reason stands behind what it does.
func BindingWhen(b key.Binding, ok bool, why string) key.Binding {
	if ok {
		why = ""
	}
	return BindingUnless(b, why)
}

// DisabledReason is what a binding does, and why not now; "" where it works, or where nobody said.
func DisabledReason(b key.Binding) (does, why string) {
	does, why, _ = strings.Cut(b.Help().Desc, notNow)
	return does, strings.TrimSuffix(strings.TrimPrefix(why, ": "), ")")
}

// Group is a part of a help page.
type Group struct {
	Title string
	Keys  []key.Binding
}

// helpColumn is the least width of a column of the help page, where there is room for several.
const helpColumn = 54

// DrawHelp draws the page of all keys of a screen; those that do not work now are listed too, and say why.
// Lines are at most width cells wide, and short enough for several columns where there is room for those.
func (t *Theme) DrawHelp(width int, groups ...Group) []string {
	if n := width / (helpColumn + columnGap); n > 1 {
		width = width/n - columnGap
	}
	var out []string
	for i, g := range groups {
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, CutWidth(t.Title.Render(g.Title), width))
		wide := 0
		for _, k := range g.Keys {
			wide = max(wide, TextWidth(k.Help().Key))
		}
		for _, k := range g.Keys {
			out = append(out, t.drawHelpLines(k, wide, width)...)
		}
	}
	return out
}

// drawHelpLines draws a key and what it does, below each other where that is long.
func (t *Theme) drawHelpLines(k key.Binding, wide, width int) []string {
	const margin = 2
	desc, name := k.Help().Desc, t.Key.Render
	text := func(s ...string) string { return strings.Join(s, "") }
	if !k.Enabled() {
		name, text = t.Disabled.Render, t.Disabled.Render
		if !strings.Contains(desc, notNow) {
			desc += notNow + ")"
		}
	}
	head := strings.Repeat(" ", margin) + name(FitWidth(k.Help().Key, wide)) + "  "
	var out []string
	for i, l := range WrapText(desc, max(1, width-wide-2*margin)) {
		if i > 0 {
			head = strings.Repeat(" ", wide+2*margin)
		}
		out = append(out, CutWidth(head+text(l), width))
	}
	return out
}

// columnGap is how many cells are between columns.
const columnGap = 3

// LayOutInColumns sets lines into as many columns as the width and height allow, and
// shows the page that starts at line top, or as far down as there are lines.
// It returns where that is, and how many lines are below.
func LayOutInColumns(lines []string, width, height, top int) (page []string, at, more int) {
	wide := 1
	for _, l := range lines {
		wide = max(wide, TextWidth(l)+columnGap)
	}
	columns := max(1, width/wide)
	room := columns * height
	top = max(0, min(top, len(lines)-room))
	lines = lines[top:]
	page = make([]string, height)
	for c := range columns {
		for r := range height {
			if i := c*height + r; i < len(lines) {
				page[r] += FitWidth(lines[i], min(wide, width))
			}
		}
	}
	for i := range page {
		page[i] = FitWidth(page[i], width)
	}
	return page, top, max(0, len(lines)-room)
}

// TextWidth is how many cells s takes; styles take none. Every line of a frame is measured several times,
// and nearly all of them hold nothing but ASCII, the signs that frames are drawn with, and colours: these
// are counted here, since finding the letters of all scripts takes longer than all the rest of drawing.
func TextWidth(s string) int {
	cells := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= 0x20 && c < 0x7f:
			cells++
			i++
		case c == 0x1b:
			n := styleEscapeLen(s[i:])
			if n == 0 {
				return ansi.StringWidth(s)
			}
			i += n
		case c < utf8.RuneSelf:
			return ansi.StringWidth(s)
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if !isFrameSign(r) {
				return ansi.StringWidth(s)
			}
			cells++
			i += n
		}
	}
	return cells
}

// styleEscapeLen is the length of the escape that sets a style at the start of s; 0 when there is none.
func styleEscapeLen(s string) int {
	if len(s) < 3 || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// isFrameSign tells the signs that frames are drawn with: each takes one cell, and
// none of them joins what stands beside it.
func isFrameSign(r rune) bool {
	return r >= 0x2500 && r <= 0x25fc || // lines, blocks, shapes
		r == '·' || r >= 0x2010 && r <= 0x2026 || r == '‹' || r == '›' || r == '“' || r == '”' ||
		r >= 0x2190 && r <= 0x2193 || r == '✓' || r == '✗' || r >= 0x2400 && r <= 0x2426
}

// Question waits for yes or no. Enter is the answer that changes nothing.
type Question struct {
	Title, Text string
	Yes, No     string // what the answers do
	Do          func() tea.Cmd
}

// HandleKey takes a key, and reports whether it was an answer.
func (q *Question) HandleKey(msg tea.KeyMsg) (cmd tea.Cmd, answered bool) {
	switch msg.String() {
	case "y":
		return q.Do(), true
	case "n", "enter":
		return nil, true
	}
	return nil, false
}

// Bindings are those that answer.
func (q *Question) Bindings() []key.Binding {
	return []key.Binding{NewBinding("y", q.Yes, "y"), NewBinding("n/esc", q.No, "n")}
}

// DrawLines draw the question in the middle of width by height cells.
func (q *Question) DrawLines(t *Theme, width, height int) []string {
	lines := WrapText(q.Text, max(1, min(56, width-6)))
	lines = append(lines, "", t.Key.Render("n/enter")+" "+q.No+"   "+t.Key.Render("y")+" "+q.Yes)
	return t.DrawDialog(q.Title, lines, width, height)
}

// NamePrompt asks who works.
type NamePrompt struct {
	in  textinput.Model
	why string
}

// NewNamePrompt makes the prompt, which says what the name is kept with.
func (t *Theme) NewNamePrompt(why string) NamePrompt {
	in := t.NewLineField("your name")
	in.CharLimit, in.Width = 40, 30
	return NamePrompt{in, why}
}

// OpenPrompt has a name typed, if nobody is known; else the prompt is left.
func (n *NamePrompt) OpenPrompt(nobody bool) {
	if !nobody {
		n.in.Blur()
		return
	}
	n.in.Reset()
	n.in.Focus()
}

// HandleKey takes a key, and gives the name once it is typed.
func (n *NamePrompt) HandleKey(msg tea.KeyMsg) (name string, cmd tea.Cmd) {
	if msg.Type != tea.KeyEnter {
		n.in, cmd = n.in.Update(msg)
		return "", cmd
	}
	if name = strings.TrimSpace(CleanLine(n.in.Value())); name == "" {
		cmd = NotifyCmd(Info, "type a name first")
	}
	return name, cmd
}

// DrawLines draw the prompt in the middle of width by height cells.
func (n *NamePrompt) DrawLines(t *Theme, width, height int) []string {
	body := append(WrapText("Who is annotating? The name is kept with "+n.why, max(1, min(54, width-8))), "", t.Key.Render("› ")+n.in.View(), "")
	return t.DrawDialog("Your name", body, width, height)
}

// Bindings are those of the prompt.
func (n *NamePrompt) Bindings() []key.Binding {
	return []key.Binding{NewBinding("enter", "continue", "enter"), NewBinding("esc", "back to the runs", "esc")}
}
