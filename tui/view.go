package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"

	"concord/tui/widget"
)

// View draws the frame.
func (m *Model) View() string { return strings.Join(m.Lines(), "\n") }

// Lines are the frame's.
func (m *Model) Lines() []string {
	if m.width <= 0 || m.height <= 0 {
		return []string{""}
	}
	if msg := widget.TooSmall(m.width, m.height); msg != "" {
		return strings.Split(msg, "\n")
	}
	head, body := m.header(), m.body()
	foot := append(m.theme.Toasts(&m.toasts, m.width), m.tourLines()...)
	foot = append(foot, m.footer())
	if len(head)+len(body)+len(foot) != m.height {
		return widget.Block(slices.Concat(head, body, foot), m.width, m.height)
	}
	// The body is measured already, and a picture in it takes as long to measure
	// as all the rest to draw.
	return slices.Concat(widget.Block(head, m.width, len(head)), body, widget.Block(foot, m.width, len(foot)))
}

func (m *Model) body() []string {
	height := m.bodyHeight()
	if m.palette != nil {
		return widget.Block(m.palette.View(strings.Split(m.top().View(), "\n"), m.width, height), m.width, height)
	}
	if m.manual.open {
		return widget.Block(m.manual.lines(m.theme, m.help(), m.width, height), m.width, height)
	}
	if e, ok := m.top().(Exact); ok && e.Exact(m.width, height) {
		if lines := e.Lines(); len(lines) == height {
			return lines
		}
	}
	return widget.Block(strings.Split(m.top().View(), "\n"), m.width, height)
}

// header is the line with the tabs and the rule under it, heavy under the
// open tab: seen without colours. News fades over the rule's end, so that
// nothing under it moves.
func (m *Model) header() []string {
	t := m.theme
	right := m.whoWorks()
	left, between := m.brand()
	rule, heavy := widget.Width(left), 0
	for i, name := range tabNames {
		if !m.has(Tab(i)) {
			continue
		}
		if Tab(i) == m.tab {
			heavy = widget.Width(name) + 2
			left += " " + t.Title.Render(name) + " "
		} else {
			if Tab(i) < m.tab {
				rule += widget.Width(name) + 2 + len(between)
			}
			left += " " + t.Faint.Render(name) + " "
		}
		left += between
	}
	rule = min(rule, m.width)
	heavy = min(heavy, m.width-rule)
	line := t.Border.Render(strings.Repeat("─", rule)) + t.Accent.Render(strings.Repeat("━", heavy)) +
		t.Border.Render(strings.Repeat("─", m.width-rule-heavy))
	if info := m.theme.Info(&m.toasts, m.width-4); info != "" {
		line = ansi.Truncate(line, m.width-widget.Width(info)-3, "") + " " + info + t.Border.Render(" ─")
	}
	return []string{widget.Ends(left, right, m.width), line}
}

// whoWorks stands at the header's end.
func (m *Model) whoWorks() string {
	if m.who == "" {
		return ""
	}
	return m.theme.Faint.Render("as ") + widget.Cut(widget.Line(string(m.who)), 20) + " "
}

// brand is what stands before the tabs, and what between them: less where the
// tabs need the room, since one that is cut is not found.
func (m *Model) brand() (left, between string) {
	tabs, beside := 0, widget.Width(m.whoWorks())
	for i, name := range tabNames {
		if m.has(Tab(i)) {
			tabs += widget.Width(name) + 3
		}
	}
	left = m.brandName()
	if widget.Width(left)+tabs+beside <= m.width {
		return left, " "
	}
	if left = " "; m.deps.Synthetic {
		left += m.theme.Warn.Render("synthetic")
	} else {
		left += m.theme.Strong.Render("concord")
	}
	return left, ""
}

// brandName is all that there is to say before the tabs.
func (m *Model) brandName() string {
	t := m.theme
	left := " " + t.Strong.Render("concord")
	if m.width < 80 && m.deps.Synthetic {
		left = "" // the tabs need the room
	}
	if m.deps.Project != "" && (m.width >= 80 || !m.deps.Synthetic) {
		left += t.Faint.Render("  " + widget.Cut(widget.Line(m.deps.Project), max(0, m.width/4)))
	}
	if m.deps.Synthetic {
		left += t.Warn.Render("  synthetic")
	}
	if m.width >= 80 {
		left += "  "
	}
	left += " "
	return left
}

// typingMode stands in the footer while keys are text, or answer a form, and
// are no commands.
const typingMode = " typing "

func (m *Model) footer() string {
	t := m.theme
	if s := m.unsaved(); s != "" {
		return t.Warn.Render(" "+s) + t.Faint.Render("  ctrl+c leaves at once")
	}
	if m.manual.open {
		return " " + t.Footer(m.width-2, m.manual.keys()...)
	}
	if m.palette != nil {
		return " " + t.Footer(m.width-2, widget.Bind("enter", "go there, do it", "enter"), widget.Bind("↑↓", "choose", "up"), widget.Bind("ctrl+u", "clear", "ctrl+u"), widget.Bind("esc", "close", "esc"))
	}
	typing := m.top().Typing()
	keys := m.top().Keys()
	if asked := m.askedWho(); asked != nil && typing {
		keys = asked
	}
	a, asks := m.top().(Asker)
	if typing {
		mode := t.Selected.Render(typingMode) + " "
		return " " + mode + t.Footer(m.width-2-widget.Width(mode), m.written(keys)...)
	}
	if !asks || !a.Asking() {
		keys = append(keys[:len(keys):len(keys)], m.rootKeys()...)
	}
	return " " + t.Footer(m.width-2, m.written(keys)...)
}

func (m *Model) rootKeys() []key.Binding {
	k := &m.keys
	var out []key.Binding
	d, ok := m.top().(Deep)
	switch {
	case ok && d.Deep(): // the screen says how to leave
	case len(m.stack()) > 1:
		out = append(out, widget.Bind("esc", "back", "esc"))
	case m.tab == m.home():
		out = append(out, widget.Bind("q", "quit", "q"))
	}
	if m.beside(1) != m.tab {
		out = append(out, widget.Bind("[ ]", "tabs", "["))
	}
	if m.width >= roomy {
		out = append(out, widget.Bind("ctrl+p", "find", "ctrl+p"))
	}
	return append(out, k.help)
}
