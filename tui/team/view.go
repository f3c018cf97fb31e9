package team

import (
	"fmt"
	"strings"
	"time"

	"concord/annotate"
	"concord/tui/widget"
)

// wide is the width from which the detail stands beside the list.
const wide = 150

func (m *Model) beside() bool { return m.width >= wide }

func (m *Model) listWidth() int {
	if m.beside() {
		return m.width * 3 / 5
	}
	return m.width
}

// listHeight is how many people are seen: without the title and the headings.
func (m *Model) listHeight() int {
	if m.beside() {
		return max(1, m.height-2)
	}
	return max(1, min(len(m.rows), m.height*2/5-2))
}

// detailHeight is how many lines of the detail are seen, without its title.
func (m *Model) detailHeight() int {
	if m.beside() {
		return max(1, m.height-1)
	}
	return max(1, m.height-m.listHeight()-3)
}

// View draws the page in exactly the size that Resize gave.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	var lines []string
	switch {
	case m.ending != nil:
		lines = m.question()
	case m.form != nil:
		lines = m.form.lines(m.theme, m.width, m.busy)
	case m.beside():
		at := m.listWidth()
		lines = m.theme.Beside(m.list(at), m.details(m.width-at-3), at, m.width, m.height)
	default:
		lines = append(m.list(m.width), m.details(m.width)...)
	}
	return strings.Join(widget.Block(lines, m.width, m.height), "\n")
}

// list is the team, with its title.
func (m *Model) list(width int) []string {
	t, note := m.theme, m.note()
	if f := t.Filter(&m.filter, max(24, width/2)); f != "" {
		note += "  " + f
	}
	out := []string{t.Section("People", note, !m.detail, width)}
	empty := "Nobody yet. " + m.Keyed("{n} lets somebody in by their public key.")
	switch {
	case m.reading.err != nil:
		out = append(out, t.Bad.Render(widget.Cut("  ✗ "+widget.Line(m.reading.err.Error()), width)))
	case !m.reading.loaded:
		return append(out, t.Faint.Render("  reading who there is…"))
	case m.filter.On():
		empty = "Nobody is left by the filter: esc shows everybody again."
	}
	return append(out, t.Table(widget.Table{
		Columns: columns(), Rows: len(m.rows), Cursor: m.at, Focused: !m.detail, Empty: empty,
		Row: func(i int) []string { return m.cells(&m.rows[i]) },
	}, width, m.listHeight()+1)...)
}

func (m *Model) note() string {
	here := 0
	for i := range m.all {
		if m.all[i].Here() {
			here++
		}
	}
	return fmt.Sprintf("%s · %d here", widget.Count(len(m.all)), here)
}

func columns() []widget.Column {
	return []widget.Column{
		{Title: "name", Width: 10, Grow: 2, Name: true},
		{Title: "role", Width: 11},
		{Title: "here", Width: 10},
		{Title: "queue", Width: 8, Grow: 1},
		{Title: "labels", Width: 6, Right: true, Least: 70},
		{Title: "votes", Width: 6, Right: true, Least: 86},
		{Title: "/min", Width: 5, Right: true},
		{Title: "s/item", Width: 6, Right: true, Least: 86},
		{Title: "idle", Width: 9, Right: true, Least: 78},
	}
}

func (m *Model) cells(one *Member) []string {
	t := m.theme
	here := ago(m.reading.at, one.Seen)
	idle := "–"
	if one.Here() {
		here = t.Good.Render("● here")
		if at := one.typed(); !at.IsZero() {
			idle = widget.Span(max(0, m.reading.at.Sub(at)))
		}
	}
	queue, minute, median := "–", "–", "–"
	if q := one.Queue(); q != "" {
		queue = widget.Line(string(q))
	}
	if f, ok := one.Pace.Minute(); ok {
		minute = fmt.Sprintf("%.1f", f)
	}
	if one.Pace.Timed > 0 {
		median = fmt.Sprintf("%.1f", one.Pace.Median.Seconds())
	}
	return []string{
		widget.Line(string(one.Name)), role(one.Role), here, queue, widget.Count(one.Labels), widget.Count(one.Votes),
		minute, median, idle,
	}
}

// role is a role as it is read.
func role(r annotate.Role) string {
	switch r {
	case annotate.RoleUnset:
		return "–"
	case annotate.RoleNone:
		return "removed"
	default:
		return r.String()
	}
}

// ago is when something was, as coarse as people say it.
func ago(now, at time.Time) string {
	d := now.Sub(at)
	switch {
	case at.IsZero():
		return "–"
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return at.In(now.Location()).Format(time.DateOnly)
}

// question asks whether a session is to be ended.
func (m *Model) question() []string {
	t, who := m.theme, ""
	if one := m.one(); one != nil {
		who = widget.Line(string(one.Name))
	}
	body := []string{"The session of " + widget.Cut(who, 30) + " from " + widget.Cut(from(m.ending), 40) + "."}
	body = append(body, widget.Wrap("What was done in it is saved. They may come in again, and find their item again.", max(1, min(56, m.width-8)))...)
	body = append(body, "", t.Key.Render("y")+" ends it    "+t.Key.Render("n enter esc")+" leave it")
	return t.Dialog("End a session?", body, m.width, m.height)
}

func from(s *Session) string {
	if s.From == "" {
		return "this machine"
	}
	return widget.Line(s.From)
}
