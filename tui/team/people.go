package team

import (
	"cmp"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// people is who there is, listed, beside what there is to know of the one under the cursor.
type people struct {
	*keymap.Spelling
	theme         *widget.Theme
	keys          keys
	width, height int
	reading       reading
	all, rows     []Member // all, and those that the filter leaves
	filter        widget.Filter
	at            widget.Cursor
	detail        bool // keys move in the detail
	part          widget.Cursor
	wanted        annotate.Annotator // whom the cursor goes to when they are read; "": nobody
}

// under is the part under the cursor of the detail; nil when that is not in
// front.
func (l *people) under() *part {
	all := l.parts()
	if !l.detail || l.part.At >= len(all) {
		return nil
	}
	return &all[l.part.At]
}

// enter puts the cursor of the detail on the first thing that can be taken away.
func (l *people) enter() {
	all := l.parts()
	at := slices.IndexFunc(all, func(p part) bool { return p.key != "" || p.session != nil })
	l.detail = true
	l.part.Set(at, len(all), l.detailHeight())
}

// hold keeps the cursor of the detail on what it was on: when that is gone, on
// nothing that could be taken away in its place.
func (l *people) hold(id string) {
	all := l.parts()
	l.part.Set(slices.IndexFunc(all, func(p part) bool { return p.id == id }), len(all), l.detailHeight())
}

// details is what there is to know of who is under the cursor.
func (l *people) details(width int) []string {
	t, one := l.theme, l.one()
	if one == nil {
		return nil
	}
	height := l.detailHeight()
	all := l.parts()
	at := l.part
	at.Set(at.At, len(all), height)
	note := ""
	if more := len(all) - at.Top - height; more > 0 {
		note = widget.Plural(more, "line") + " more below"
	}
	out := []string{t.Section(widget.Cut(widget.Line(string(one.Name)), max(1, width/2)), note, l.detail, width)}
	for i := at.Top; i < min(len(all), at.Top+height); i++ {
		out = append(out, widget.Cut(t.Row(all[i].text, l.detail && i == at.At, l.detail, width), width))
	}
	return out
}

// parts are the lines of the detail.
func (l *people) parts() []part {
	one := l.one()
	if one == nil {
		return nil
	}
	field := func(name, value string) string { return l.theme.Field(name, value, 8) }
	out := []part{{id: "role", text: field("role", l.roleLine(one))}, {id: "pace", text: field("pace", paceLine(&one.Speed))}}
	if p := one.Speed; p.Timed > 0 {
		out = append(out, part{id: "item", text: field("an item", fmt.Sprintf("median %.1f s at work, of the %s of this session", p.Median.Seconds(), widget.Plural(p.Timed, "label")))})
	}
	for i := range one.Sessions {
		s := &one.Sessions[i]
		out = append(out, part{id: fmt.Sprint("session ", s.ID), text: field(first(i, "session"), l.sessionLine(s)), session: s})
	}
	for i, k := range one.Keys {
		out = append(out, part{id: k.Fingerprint, text: field(first(i, "key"), k.Fingerprint+l.theme.Faint.Render("  "+widget.Line(k.Type))), key: k.Fingerprint})
	}
	if len(one.Keys) == 0 && one.Role > annotate.RoleNone && !one.FromKeyFile {
		out = append(out, part{id: "none", text: field("key", l.theme.Warn.Render("! none: no access")+l.theme.Faint.Render(l.Keyed("  {K} gives them one")))})
	}
	for i := range one.Queues {
		out = append(out, part{id: "queue " + string(one.Queues[i].Queue), text: field(first(i, "queue"), l.deskLine(&one.Queues[i]))})
	}
	return out
}

func (l *people) roleLine(one *Member) string {
	text := role(one.Role)
	switch {
	case one.Role == annotate.RoleUnset:
		text = "works on this machine, without access from elsewhere"
	case one.FromKeyFile:
		text += l.theme.Faint.Render("  of all whose key stands in the file that is served with")
	case !one.Since.IsZero():
		text += l.theme.Faint.Render("  since " + one.Since.In(l.reading.at.Location()).Format("2006-01-02 15:04") + " by " + cmp.Or(widget.Line(string(one.By)), "–"))
	}
	return text
}

func (l *people) sessionLine(s *Session) string {
	text := from(s) + ", " + since(l.reading.at, s.Since)
	if !s.Typed.IsZero() {
		text += ", idle " + widget.Span(max(0, l.reading.at.Sub(s.Typed)))
	}
	if s.Client != "" {
		text += l.theme.Faint.Render("  " + widget.Cut(widget.Line(s.Client), 40))
	}
	return text
}

func (l *people) deskLine(d *QueueWork) string {
	t, share, more := l.theme, 0.0, ""
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

// seek puts the cursor on somebody, once they are read.
func (l *people) seek(who annotate.Annotator) {
	if i := slices.IndexFunc(l.rows, func(o Member) bool { return o.Name == who }); i >= 0 {
		l.at.Set(i, len(l.rows), l.listHeight())
		return
	}
	l.wanted = who
}

// noRole is why nobody can be given another role; "" when somebody can. It names
// keys in braces, as the next ones do.
func (l *people) noRole() string {
	one := l.one()
	switch {
	case one == nil:
		return nobodyHere
	case one.Role == annotate.RoleUnset:
		return notAdded
	}
	return ""
}

// noGive is why nobody can be given a key.
func (l *people) noGive() string {
	one := l.one()
	switch {
	case one == nil:
		return nobodyHere
	case one.Role == annotate.RoleUnset:
		return notAdded
	case one.Role == annotate.RoleNone:
		return "they have no access: {e} gives it again"
	case one.FromKeyFile:
		return "their key stands in the file that is served with: {e} gives them a role here first"
	}
	return ""
}

// noTake is why nothing can be taken away.
func (l *people) noTake() string {
	one := l.one()
	if one == nil {
		return nobodyHere
	}
	if l.detail {
		switch p := l.under(); {
		case p == nil || p.key == "" && p.session == nil:
			return "no key and no session is under the cursor"
		case p.session != nil:
			return p.session.Fixed
		}
		return ""
	}
	switch one.Role {
	case annotate.RoleUnset:
		return notAdded
	case annotate.RoleNone:
		return "they have no access already"
	default:
		return ""
	}
}

// one is who is under the cursor; nil when nobody is.
func (l *people) one() *Member {
	if l.at.At < len(l.rows) {
		return &l.rows[l.at.At]
	}
	return nil
}

// sift finds whom the filter leaves. Whoever was under the cursor stays there,
// on the line where they were.
func (l *people) sift() {
	who, was, held := annotate.Annotator(""), l.at, ""
	if one := l.one(); one != nil {
		who = one.Name
	}
	if p := l.under(); p != nil {
		held = p.id
	}
	l.rows = widget.Sift(&l.filter, l.all, l.cells)
	at := slices.IndexFunc(l.rows, func(o Member) bool { return o.Name == who })
	if at < 0 {
		at = was.At
	}
	if i := slices.IndexFunc(l.rows, func(o Member) bool { return l.wanted != "" && o.Name == l.wanted }); i >= 0 {
		at, l.wanted = i, ""
	}
	l.at.Top += at - was.At
	l.at.Set(at, len(l.rows), l.listHeight())
	l.hold(held)
	l.detail = l.detail && (l.one() != nil && l.one().Name == who)
}

// move takes a key that moves the cursor of the part in front.
func (l *people) move(msg tea.KeyMsg) bool {
	n, height := len(l.rows), l.listHeight()
	if l.detail {
		n, height = len(l.parts()), l.detailHeight()
	}
	by, ok := l.keys.moves.By(msg, max(1, height-1), n)
	switch {
	case !ok:
	case l.detail:
		l.part.Move(by, n, height)
	default:
		l.at.Move(by, n, height)
		l.part = widget.Cursor{}
	}
	return ok
}

func (l *people) beside() bool { return l.width >= wide }

func (l *people) listWidth() int {
	if l.beside() {
		return l.width * 3 / 5
	}
	return l.width
}

// listHeight is how many people are seen: without the title and the headings.
func (l *people) listHeight() int {
	if l.beside() {
		return max(1, l.height-2)
	}
	return max(1, min(len(l.rows), l.height*2/5-2))
}

// detailHeight is how many lines of the detail are seen, without its title.
func (l *people) detailHeight() int {
	if l.beside() {
		return max(1, l.height-1)
	}
	return max(1, l.height-l.listHeight()-3)
}

// list is the team, with its title.
func (l *people) list(width int) []string {
	t, note := l.theme, l.note()
	if f := t.Filter(&l.filter, max(24, width/2)); f != "" {
		note += "  " + f
	}
	out := []string{t.Section("People", note, !l.detail, width)}
	empty := "Nobody yet. " + l.Keyed("{n} adds a user by their public key.")
	switch {
	case l.reading.err != nil:
		out = append(out, t.Bad.Render(widget.Cut("  ✗ "+widget.Line(l.reading.err.Error()), width)))
	case !l.reading.loaded:
		return append(out, t.Faint.Render("  loading who there is…"))
	case l.filter.On():
		empty = "Nobody is left by the filter: esc shows everybody again."
	}
	return append(out, t.Table(widget.Table{
		Columns: columns(), Rows: len(l.rows), Cursor: l.at, Focused: !l.detail, Empty: empty,
		Row: func(i int) []string { return l.cells(&l.rows[i]) },
	}, width, l.listHeight()+1)...)
}

func (l *people) note() string {
	here := 0
	for i := range l.all {
		if l.all[i].Here() {
			here++
		}
	}
	return fmt.Sprintf("%s · %d here", widget.Count(len(l.all)), here)
}

func (l *people) cells(one *Member) []string {
	t := l.theme
	here := ago(l.reading.at, one.Seen)
	idle := "–"
	if one.Here() {
		here = t.Good.Render("● here")
		if at := one.typed(); !at.IsZero() {
			idle = widget.Span(max(0, l.reading.at.Sub(at)))
		}
	}
	queue, minute, median := "–", "–", "–"
	if q := one.Queue(); q != "" {
		queue = widget.Line(string(q))
	}
	if f, ok := one.Speed.Minute(); ok {
		minute = fmt.Sprintf("%.1f", f)
	}
	if one.Speed.Timed > 0 {
		median = fmt.Sprintf("%.1f", one.Speed.Median.Seconds())
	}
	return []string{
		widget.Line(string(one.Name)), role(one.Role), here, queue, widget.Count(one.Labels), widget.Count(one.Votes),
		minute, median, idle,
	}
}
