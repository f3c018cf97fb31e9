package widget

import "strings"

// Section is the title line of a pane: the name, a note behind it, and a rule
// to the end.
func (t *Theme) Section(name, note string, focused bool, width int) string {
	style := t.Strong
	if focused {
		style = t.Title
	}
	head := style.Render(name)
	if note != "" {
		head += t.Faint.Render("  " + note)
	}
	if n := width - Width(head) - 1; n > 0 {
		return head + " " + t.Border.Render(strings.Repeat("─", n))
	}
	return Fit(head, width)
}

// Beside sets two blocks side by side, left cells wide and the rest of width,
// with a rule between them.
func (t *Theme) Beside(left, right []string, at, width, height int) []string {
	l, r := Block(left, at, height), Block(right, width-at-3, height)
	rule := t.Border.Render(" │ ")
	for i := range l {
		l[i] += rule + r[i]
	}
	return l
}

// Dialog draws a box with a title in the middle of width by height cells. It
// replaces what is behind it: nothing shines through.
func (t *Theme) Dialog(title string, lines []string, width, height int) []string {
	inner := Width(title) + 4
	for _, l := range lines {
		inner = max(inner, Width(l))
	}
	inner = max(1, min(inner, width-4))
	if width < 6 || height < 4 {
		return Block(lines, width, height)
	}
	lines = Block(lines, inner, min(len(lines), height-2))
	b := t.Border.Render
	title = Cut(title, inner-2)
	head := b("╭─ ") + t.Title.Render(title) + b(" "+strings.Repeat("─", inner-1-Width(title))+"╮")
	box := []string{head}
	for _, l := range lines {
		box = append(box, b("│ ")+l+b(" │"))
	}
	box = append(box, b("╰"+strings.Repeat("─", inner+2)+"╯"))
	left := strings.Repeat(" ", max(0, (width-inner-4)/2))
	out := make([]string, max(0, (height-len(box))/3), height)
	for _, l := range box {
		out = append(out, left+l)
	}
	return Block(out, width, height)
}

// Field is a name and its value, with the name at a fixed width.
func (t *Theme) Field(name, value string, wide int) string {
	return t.Faint.Render(Fit(name, wide)) + " " + value
}
