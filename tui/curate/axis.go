package curate

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// choice is the axes to choose from while one is typed: those that hold what was
// typed, and behind them the one that it names when there is none such yet.
type choice struct {
	all   [][]string
	found [][]string
	fresh []string // nil: what is typed names one that is there, or none
	at    int      // in found; len(found): the fresh one
}

// narrow finds the axes that hold a text, and chooses the first that begins
// with it.
func (c *choice) narrow(typed string) {
	want := strings.ToLower(strings.TrimSpace(typed))
	c.found, c.fresh, c.at = c.found[:0:0], levels(typed), -1
	for _, path := range c.all {
		name := strings.ToLower(eval.Path(path))
		if strings.Contains(name, want) {
			c.found = append(c.found, path)
		}
		if c.at < 0 && strings.HasPrefix(name, want) {
			c.at = len(c.found) - 1
		}
		if c.fresh != nil && name == strings.ToLower(eval.Path(c.fresh)) {
			c.fresh, c.at = nil, len(c.found)-1
		}
	}
	c.at = max(0, c.at)
}

// levels are what a text names from coarse to fine; nil without any.
func levels(typed string) []string {
	var out []string
	for l := range strings.SplitSeq(widget.Line(typed), "/") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// value is the chosen axis; nil when there is none.
func (c *choice) value() []string {
	if c.at < len(c.found) {
		return c.found[c.at]
	}
	return c.fresh
}

func (c *choice) move(by int) {
	n := len(c.found)
	if c.fresh != nil {
		n++
	}
	if n > 0 {
		c.at = ((c.at+by)%n + n) % n
	}
}

// complete is what is typed, gone on by one level of the chosen axis.
func (c *choice) complete(typed string) string {
	path := c.value()
	for n := range path {
		name := eval.Path(path[:n+1])
		if n+1 < len(path) {
			name += " / "
		}
		if len(name) > len(typed) && strings.HasPrefix(strings.ToLower(name), strings.ToLower(typed)) {
			return name
		}
	}
	if p := eval.Path(path); p != "" && !strings.HasPrefix(strings.ToLower(p), strings.ToLower(typed)) {
		return p
	}
	return typed
}

// startPlace opens the list of axes, at the one where the sample is.
func (m *Model) startPlace(string) tea.Cmd {
	m.mode = placing
	m.choice = choice{all: m.board.Axes()}
	m.choice.narrow("")
	m.choice.at = max(0, slices.IndexFunc(m.choice.found, func(p []string) bool { return slices.Equal(p, m.axis()) }))
	return m.ask("")
}

func (m *Model) pressPlace(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "enter":
		return m.place()
	case "up", "ctrl+p":
		m.choice.move(-1)
		return nil
	case "down", "ctrl+n":
		m.choice.move(1)
		return nil
	case "tab":
		m.text.SetValue(m.choice.complete(m.text.Value()))
		m.text.CursorEnd()
	}
	typed := m.text.Value()
	var cmd tea.Cmd
	if msg.String() != "tab" {
		m.text, cmd = m.text.Update(msg)
	}
	if msg.String() == "tab" || m.text.Value() != typed {
		m.choice.narrow(m.text.Value())
	}
	return cmd
}

// place puts the card in front on the chosen axis.
func (m *Model) place() tea.Cmd {
	m.mode = annotation.Reading
	o, axis := m.card().Sample.Ordinal, m.choice.value()
	if axis == nil {
		return nil
	}
	if r, ruled := m.board.State().Rulings[o]; m.settle && ruled {
		if a, ok := m.board.Rule(o, r.Verdict, axis, 0); ok {
			m.submit(a)
		}
		return nil
	}
	if a, ok := m.board.Place(o, axis); ok {
		m.submit(a)
	}
	return nil
}

// placeLines is the list of axes to choose from.
func (m *Model) placeLines() []string {
	t, c := m.theme, &m.choice
	groups := m.board.Balance()
	leaves := make(map[string]*curation.Group, len(groups))
	for i := range groups {
		leaves[eval.Path(groups[i].Path)] = &groups[i]
	}
	rows := max(1, m.height-9)
	n := len(c.found)
	if c.fresh != nil {
		n++
	}
	top := max(0, min(c.at-rows/2, n-rows))
	width := m.placeWidth()
	body := []string{t.Key.Render("› ") + m.text.View(), ""}
	for i := top; i < min(n, top+rows); i++ {
		line := widget.Ends(" + "+widget.Line(eval.Path(c.fresh)), c.news(), width-2)
		if i < len(c.found) {
			path := eval.Path(c.found[i])
			line = widget.Ends(" "+widget.Line(path), m.weight(leaves[path])+" ", width-2)
		}
		body = append(body, t.Row(line, i == c.at, true, width))
	}
	if n == 0 {
		body = append(body, t.Faint.Render("type it: capability / axis"))
	}
	return t.Dialog("Which axis?", body, m.width, m.height)
}

// placeWidth is the width of the list of axes.
func (m *Model) placeWidth() int { return max(20, min(72, m.width-8)) }

// news says what choosing the fresh one makes.
func (c *choice) news() string {
	n := len(c.fresh)
	switch {
	case slices.ContainsFunc(c.all, func(p []string) bool { return len(p) > n && slices.Equal(p[:n], c.fresh) }):
		return "none of its axes "
	case n == 1:
		return "a new capability "
	}
	return fmt.Sprintf("a new axis of %s ", widget.Cut(widget.Line(c.fresh[n-2]), 24))
}
