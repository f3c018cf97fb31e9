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

// View draws the page in exactly the size that Resize gave.
func (m *Model) View() string {
	if m.people.width <= 0 || m.people.height <= 0 {
		return ""
	}
	var lines []string
	switch {
	case m.ending != nil:
		lines = m.question()
	case m.form != nil:
		lines = m.form.lines(m.theme, m.people.width, m.history.busy)
	case m.people.beside():
		at := m.people.listWidth()
		lines = m.theme.Beside(m.people.list(at), m.people.details(m.people.width-at-3), at, m.people.width, m.people.height)
	default:
		lines = append(m.people.list(m.people.width), m.people.details(m.people.width)...)
	}
	return strings.Join(widget.Block(lines, m.people.width, m.people.height), "\n")
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
	if one := m.people.one(); one != nil {
		who = widget.Line(string(one.Name))
	}
	body := []string{"The session of " + widget.Cut(who, 30) + " from " + widget.Cut(from(m.ending), 40) + "."}
	body = append(body, widget.Wrap("What was done in it is saved. They keep access, and find their item again.", max(1, min(56, m.people.width-8)))...)
	body = append(body, "", t.Key.Render("y")+" ends it    "+t.Key.Render("n enter esc")+" leave it")
	return t.Dialog("End a session?", body, m.people.width, m.people.height)
}

func from(s *Session) string {
	if s.From == "" {
		return "this machine"
	}
	return widget.Line(s.From)
}
