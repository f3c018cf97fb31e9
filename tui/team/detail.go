package team

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"concord/annotate"
	"concord/tui/widget"
)

// part is a line of the detail. A key or a session can be taken away.
type part struct {
	id      string // by which it is found again
	text    string
	key     string // a fingerprint
	session *Session
}

// under is the part under the cursor of the detail; nil when that is not in
// front.
func (m *Model) under() *part {
	all := m.parts()
	if !m.detail || m.part.At >= len(all) {
		return nil
	}
	return &all[m.part.At]
}

// enter puts the cursor of the detail on the first thing that can be taken away.
func (m *Model) enter() {
	all := m.parts()
	at := slices.IndexFunc(all, func(p part) bool { return p.key != "" || p.session != nil })
	m.detail = true
	m.part.Set(at, len(all), m.detailHeight())
}

// hold keeps the cursor of the detail on what it was on: when that is gone, on
// nothing that could be taken away in its place.
func (m *Model) hold(id string) {
	all := m.parts()
	m.part.Set(slices.IndexFunc(all, func(p part) bool { return p.id == id }), len(all), m.detailHeight())
}

// details is what there is to know of who is under the cursor.
func (m *Model) details(width int) []string {
	t, one := m.theme, m.one()
	if one == nil {
		return nil
	}
	height := m.detailHeight()
	all := m.parts()
	at := m.part
	at.Set(at.At, len(all), height)
	note := ""
	if more := len(all) - at.Top - height; more > 0 {
		note = widget.Plural(more, "line") + " more below"
	}
	out := []string{t.Section(widget.Cut(widget.Line(string(one.Name)), max(1, width/2)), note, m.detail, width)}
	for i := at.Top; i < min(len(all), at.Top+height); i++ {
		out = append(out, widget.Cut(t.Row(all[i].text, m.detail && i == at.At, m.detail, width), width))
	}
	return out
}

// parts are the lines of the detail.
func (m *Model) parts() []part {
	one := m.one()
	if one == nil {
		return nil
	}
	field := func(name, value string) string { return m.theme.Field(name, value, 8) }
	out := []part{{id: "role", text: field("role", m.roleLine(one))}, {id: "pace", text: field("pace", paceLine(&one.Pace))}}
	if p := one.Pace; p.Timed > 0 {
		out = append(out, part{id: "item", text: field("an item", fmt.Sprintf("median %.1f s at work, of the %s of this session", p.Median.Seconds(), widget.Plural(p.Timed, "label")))})
	}
	for i := range one.Sessions {
		s := &one.Sessions[i]
		out = append(out, part{id: fmt.Sprint("session ", s.ID), text: field(first(i, "session"), m.sessionLine(s)), session: s})
	}
	for i, k := range one.Keys {
		out = append(out, part{id: k.Fingerprint, text: field(first(i, "key"), k.Fingerprint+m.theme.Faint.Render("  "+widget.Line(k.Type))), key: k.Fingerprint})
	}
	if len(one.Keys) == 0 && one.Role > annotate.RoleNone && !one.Lent {
		out = append(out, part{id: "none", text: field("key", m.theme.Warn.Render("! none: they cannot come in")+m.theme.Faint.Render(m.Keyed("  {K} gives them one")))})
	}
	for i := range one.Desks {
		out = append(out, part{id: "queue " + string(one.Desks[i].Queue), text: field(first(i, "queue"), m.deskLine(&one.Desks[i]))})
	}
	return out
}

// first names the first of several lines.
func first(i int, name string) string {
	if i > 0 {
		return ""
	}
	return name
}

func (m *Model) roleLine(one *Member) string {
	text := role(one.Role)
	switch {
	case one.Role == annotate.RoleUnset:
		text = "works on this machine, and was never let in from elsewhere"
	case one.Lent:
		text += m.theme.Faint.Render("  of all whose key stands in the file that is served with")
	case !one.Since.IsZero():
		text += m.theme.Faint.Render("  since " + one.Since.In(m.reading.at.Location()).Format("2006-01-02 15:04") + " by " + cmp.Or(widget.Line(string(one.By)), "–"))
	}
	return text
}

// paceLine is how fast they work, with what that is made of.
func paceLine(p *Pace) string {
	if f, ok := p.Minute(); ok {
		return fmt.Sprintf("%.1f a minute: %s in the last %s", f, widget.Plural(p.Labels, "label"), widget.Span(p.Over))
	}
	return "nothing in the last ten minutes"
}

func (m *Model) sessionLine(s *Session) string {
	text := from(s) + ", " + since(m.reading.at, s.Since)
	if !s.Typed.IsZero() {
		text += ", idle " + widget.Span(max(0, m.reading.at.Sub(s.Typed)))
	}
	if s.Client != "" {
		text += m.theme.Faint.Render("  " + widget.Cut(widget.Line(s.Client), 40))
	}
	return text
}

// since is when a session began.
func since(now, at time.Time) string {
	if now.Sub(at) < 20*time.Hour {
		return "since " + at.In(now.Location()).Format("15:04")
	}
	return "since " + at.In(now.Location()).Format("2006-01-02 15:04")
}

func (m *Model) deskLine(d *Desk) string {
	t, share, more := m.theme, 0.0, ""
	if d.Items > 0 {
		share = float64(d.Done) / float64(d.Items)
	}
	if d.Growing {
		more = "+"
	}
	text := fmt.Sprintf("%s %s of %s%s  %s", t.Bar(8, share), widget.Count(d.Done), widget.Count(d.Items), more, widget.Line(string(d.Queue)))
	if d.Here {
		text += t.Good.Render("  ● here")
	}
	return text
}
