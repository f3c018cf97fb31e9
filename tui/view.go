package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

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
	head, body := m.banner().lines(m.theme.Info(&m.toasts, m.width-4)), m.body()
	if headerLines(m.height) == 1 {
		head = []string{m.banner().short(m.theme.Info(&m.toasts, m.width-4))}
	}
	foot := append(m.theme.Toasts(&m.toasts, m.width), m.tour.lines(m.width, m.height)...)
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
	if m.finder.isOpen() {
		return widget.Block(m.finder.palette.View(strings.Split(m.nav.top().View(), "\n"), m.width, height), m.width, height)
	}
	if m.manual.open {
		return widget.Block(m.manual.lines(m.theme, help(&m.keys, m.nav), m.width, height), m.width, height)
	}
	if e, ok := m.nav.top().(Exact); ok && e.Exact(m.width, height) {
		if lines := e.Lines(); len(lines) == height {
			return lines
		}
	}
	return widget.Block(strings.Split(m.nav.top().View(), "\n"), m.width, height)
}

// typingMode stands in the footer while keys are text, or answer a form, and
// are no commands.
const typingMode = " typing "

func (m *Model) footer() string {
	t := m.theme
	if s := m.quit.unsaved(); s != "" {
		return t.Warn.Render(" "+s) + t.Faint.Render("  ctrl+c leaves at once")
	}
	if m.manual.open {
		return " " + t.Footer(m.width-2, m.manual.keys()...)
	}
	if m.finder.isOpen() {
		return " " + t.Footer(m.width-2, widget.Bind("enter", "go there, do it", "enter"), widget.Bind("↑↓", "choose", "up"), widget.Bind("ctrl+u", "clear", "ctrl+u"), widget.Bind("esc", "close", "esc"))
	}
	if s := m.seen.notice(); s != "" {
		s = widget.Cut(s, m.width-1)
		return " " + t.Warn.Render(s) + t.Footer(m.width-1-widget.Width(s), m.nav.written(m.nav.top().Keys())...)
	}
	typing := m.nav.top().Typing()
	keys := m.nav.top().Keys()
	if asked := m.person.asked(); asked != nil && typing {
		keys = asked
	}
	a, asks := m.nav.top().(Asker)
	if typing {
		mode := t.Selected.Render(typingMode) + " "
		return " " + mode + t.Footer(m.width-2-widget.Width(mode), m.nav.written(keys)...)
	}
	if !asks || !a.Asking() {
		keys = append(keys[:len(keys):len(keys)], rootKeys(&m.keys, m.nav, m.width)...)
	}
	return " " + t.Footer(m.width-2, m.nav.written(keys)...)
}

// rootKeys are those of the root that matter now.
func rootKeys(k *keys, nav *navigation, width int) []key.Binding {
	var out []key.Binding
	d, ok := nav.top().(Deep)
	switch {
	case ok && d.Deep(): // the screen says how to leave
	case len(nav.stack()) > 1:
		out = append(out, widget.Bind("esc", "back", "esc"))
	case nav.tab == nav.can.home():
		out = append(out, widget.Bind("q", "quit", "q"))
	}
	if nav.beside(1) != nav.tab {
		out = append(out, widget.Bind("[ ]", "tabs", "["))
	}
	if width >= roomy {
		out = append(out, widget.Bind("ctrl+p", "find", "ctrl+p"))
	}
	return append(out, k.help)
}
