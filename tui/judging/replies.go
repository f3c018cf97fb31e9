package judging

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// replies are a list of calls that gave no vote.
type replies struct {
	rows []Reply
	at   widget.Cursor
}

// key tells replies of one contest apart.
type replyKey struct {
	sample  string
	swapped bool
}

func (r *Reply) key() replyKey { return replyKey{string(r.Sample), r.Swapped} }

// take takes what was read: those that are known stay in their places, new
// ones come at the end, and the cursor stays where it is.
func (l *replies) take(fresh []Reply, height int) {
	var here replyKey
	if l.at.At < len(l.rows) {
		here = l.rows[l.at.At].key()
	}
	byKey := make(map[replyKey]Reply, len(fresh))
	for _, r := range fresh {
		byKey[r.key()] = r
	}
	out := make([]Reply, 0, len(fresh))
	at := l.at.At
	for _, r := range l.rows {
		now, ok := byKey[r.key()]
		if !ok {
			continue
		}
		if r.key() == here {
			at = len(out)
		}
		out = append(out, now)
		delete(byKey, r.key())
	}
	for _, r := range fresh {
		if _, ok := byKey[r.key()]; ok {
			out = append(out, r)
		}
	}
	l.rows = out
	l.at.Set(at, len(out), height)
}

// list is the list that is shown; nil when the results are.
func (m *Model) list() *replies {
	switch m.part {
	case unparsed:
		return &m.lists[0]
	case failed:
		return &m.lists[1]
	case results, parts:
	}
	return nil
}

// replyLines draw the list with its title.
func (m *Model) replyLines(width, height int) []string {
	t := m.theme
	l, name, none, more := m.list(), "Failed", "no call has failed", m.look.MoreFails
	if m.part != failed {
		name, none, more = "Unparsed", "every reply holds a vote", m.look.MoreReplies
		l = &m.lists[0]
	}
	note := widget.Count(len(l.rows) + more)
	if more > 0 {
		note = fmt.Sprintf("the first %s of %s", widget.Count(len(l.rows)), note)
	}
	out := []string{t.Section(name, note, m.part != results, width)}
	switch {
	case !m.looked:
		return append(out, t.Faint.Render("  reading…"))
	case len(l.rows) == 0:
		return append(out, "  "+t.Faint.Render(none))
	}
	for i := l.at.Top; i < len(l.rows) && len(out) < height; i++ {
		out = append(out, t.Row(m.replyLine(&l.rows[i], width-2), m.part != results && i == l.at.At, true, width))
	}
	return out
}

func (m *Model) replyLine(r *Reply, width int) string {
	t := m.theme
	name := t.Faint.Render(widget.Fit(widget.Line(string(r.Sample)), max(6, min(14, width/6))) + " " + widget.Fit(r.order(), 12))
	switch {
	case !r.Sight.ShowsText():
		return widget.Cut(name+" "+t.Faint.Render("kept back until you have voted on this sample"), width)
	case r.Failure != "":
		return widget.Ends(name+" "+t.Bad.Render("✗ "+clip(r.Failure)), t.Faint.Render(r.Kind.String()), width)
	}
	tries := ""
	if n := len(r.Earlier); n > 0 {
		tries = fmt.Sprintf("%d replies", n+1)
	}
	return widget.Ends(name+" "+clip(r.Raw), t.Faint.Render(tries), width)
}

// order is whose answer was shown first.
func (r *Reply) order() string {
	if r.Swapped {
		return "anchor first"
	}
	return "model first"
}

// opened is a reply that is read.
type opened struct {
	text *widget.Text
	top  int
}

// openReply shows all of the reply under the cursor.
func (m *Model) openReply() tea.Cmd {
	l := m.list()
	if l == nil || l.at.At >= len(l.rows) {
		return nil
	}
	r := &l.rows[l.at.At]
	if !r.Sight.ShowsText() {
		return notify(widget.Info, "an item about this sample is yet to be answered: until then nobody's word on it is shown")
	}
	m.opened = &opened{text: widget.NewText(r.whole(), max(1, m.width-2))}
	return nil
}

// whole is everything that came back, in its order.
func (r *Reply) whole() string {
	if r.Failure != "" {
		return r.Failure
	}
	if len(r.Earlier) == 0 {
		return r.Raw
	}
	var b strings.Builder
	for i, text := range append(r.Earlier[:len(r.Earlier):len(r.Earlier)], r.Raw) {
		fmt.Fprintf(&b, "── reply %d\n%s\n\n", i+1, text)
	}
	return b.String()
}

// pressReply takes a key while a reply is read.
func (m *Model) pressReply(msg tea.KeyMsg) tea.Cmd {
	o, page := m.opened, max(1, m.height-2)
	if by, ok := m.keys.moves.By(msg, page, 1<<30); ok {
		o.text.Reach(max(0, o.top+by) + page)
		n, _ := o.text.Len()
		o.top = max(0, min(o.top+by, n-page))
		return nil
	}
	step := 0
	switch msg.String() {
	case "left":
		step = -1
	case "right":
		step = 1
	case "enter":
		m.opened = nil
	}
	if l := m.list(); step != 0 && l != nil {
		before := l.at.At
		for at := before + step; at >= 0 && at < len(l.rows); at += step {
			if l.rows[at].Sight.ShowsText() {
				l.at.Set(at, len(l.rows), m.listHeight())
				return m.openReply()
			}
		}
	}
	return nil
}

// readLines draw the reply that is read.
func (m *Model) readLines() []string {
	t, l := m.theme, m.list()
	if l == nil || l.at.At >= len(l.rows) {
		return nil
	}
	r := &l.rows[l.at.At]
	if m.opened.text.Width() != max(1, m.width-2) {
		m.opened = &opened{text: widget.NewText(r.whole(), max(1, m.width-2))}
	}
	note := fmt.Sprintf("%s · %d of %d", r.order(), l.at.At+1, len(l.rows))
	out := []string{t.Section("Sample "+widget.Line(string(r.Sample)), note, true, m.width)}
	m.opened.text.Reach(m.opened.top + m.height)
	for _, line := range m.opened.text.Lines(m.opened.top, m.height-1) {
		out = append(out, " "+line)
	}
	return out
}

// clip is a stranger's text for one line: it may be megabytes.
func clip(s string) string {
	const most = 1000
	if len(s) > most {
		s = s[:most]
	}
	return widget.Line(s)
}
