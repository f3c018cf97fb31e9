package team

import (
	"cmp"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// peopleList is who there is, listed, beside what there is to know of the one under the cursor.
type peopleList struct {
	*keymap.Spelling
	theme         *widget.Theme
	width, height int
	reading       readState
	all, rows     []Member // all, and those that the filter leaves
	filter        widget.Filter
	at            widget.Cursor
	detail        bool // keys move in the detail
	part          widget.Cursor
	wanted        annotate.Annotator // whom the cursor goes to when they are read; "": nobody
}

// currentDetailPart is the part under the cursor of the detail; nil when that is not in front.
func (l *peopleList) currentDetailPart() *detailPart {
	all := l.listDetailParts()
	if !l.detail || l.part.At >= len(all) {
		return nil
	}
	return &all[l.part.At]
}

// enterDetail puts the cursor of the detail on the first thing that can be taken away.
func (l *peopleList) enterDetail() {
	all := l.listDetailParts()
	at := slices.IndexFunc(all, func(p detailPart) bool { return p.key != "" || p.session != nil })
	l.detail = true
	l.part.MoveTo(at, len(all), l.detailHeight())
}

// keepCursorOn keeps the cursor of the detail on what it was on: when that is gone, on
// nothing that could be taken away in its place.
func (l *peopleList) keepCursorOn(id string) {
	all := l.listDetailParts()
	l.part.MoveTo(slices.IndexFunc(all, func(p detailPart) bool { return p.id == id }), len(all), l.detailHeight())
}

// drawDetails draws what there is to know of who is under the cursor.
func (l *peopleList) drawDetails(width int) []string {
	t, one := l.theme, l.currentMember()
	if one == nil {
		return nil
	}
	height := l.detailHeight()
	all := l.listDetailParts()
	at := l.part
	at.MoveTo(at.At, len(all), height)
	note := ""
	if more := len(all) - at.Top - height; more > 0 {
		note = widget.FormatPlural(more, "line") + " more below"
	}
	out := []string{t.DrawSection(widget.CutWidth(widget.CleanLine(string(one.Name)), max(1, width/2)), note, l.detail, width)}
	for i := at.Top; i < min(len(all), at.Top+height); i++ {
		out = append(out, widget.CutWidth(t.DrawRow(all[i].text, l.detail && i == at.At, l.detail, width), width))
	}
	return out
}

func (l *peopleList) listDetailParts() []detailPart {
	one := l.currentMember()
	if one == nil {
		return nil
	}
	field := func(name, value string) string { return l.theme.DrawField(name, value, 8) }
	out := []detailPart{{id: "role", text: field("role", l.drawRole(one))}, {id: "pace", text: field("pace", formatSpeed(&one.Speed))}}
	if p := one.Speed; p.Timed > 0 {
		out = append(out, detailPart{id: "item", text: field("an item", fmt.Sprintf("median %.1f s at work, of the %s of this session", p.Median.Seconds(), widget.FormatPlural(p.Timed, "label")))})
	}
	for i := range one.Sessions {
		s := &one.Sessions[i]
		out = append(out, detailPart{id: fmt.Sprint("session ", s.ID), text: field(nameOnFirst(i, "session"), l.drawSession(s)), session: s})
	}
	for i, k := range one.Keys {
		out = append(out, detailPart{id: k.Fingerprint, text: field(nameOnFirst(i, "key"), k.Fingerprint+l.theme.Faint.Render("  "+widget.CleanLine(k.Type))), key: k.Fingerprint})
	}
	if len(one.Keys) == 0 && one.Role > annotate.RoleNone && !one.FromKeyFile {
		out = append(out, detailPart{id: "none", text: field("key", l.theme.Warn.Render("! none: no access")+l.theme.Faint.Render(l.SpellText("  {K} gives them one")))})
	}
	for i := range one.Queues {
		out = append(out, detailPart{id: "queue " + string(one.Queues[i].Queue), text: field(nameOnFirst(i, "queue"), l.drawQueueWork(&one.Queues[i]))})
	}
	return out
}

func (l *peopleList) drawRole(one *Member) string {
	text := roleText(one.Role)
	switch {
	case one.Role == annotate.RoleUnset:
		text = "works on this machine, without access from elsewhere"
	case one.FromKeyFile:
		text += l.theme.Faint.Render("  of all whose key stands in the file that is served with")
	case !one.Since.IsZero():
		text += l.theme.Faint.Render("  since " + one.Since.In(l.reading.at.Location()).Format("2006-01-02 15:04") + " by " + cmp.Or(widget.CleanLine(string(one.By)), "–"))
	}
	return text
}

func (l *peopleList) drawSession(s *Session) string {
	text := formatOrigin(s) + ", " + formatSince(l.reading.at, s.Since)
	text += eval.Either(!s.Typed.IsZero(), ", idle "+widget.FormatDuration(max(0, l.reading.at.Sub(s.Typed))), "")
	text += eval.Either(s.Client != "", l.theme.Faint.Render("  "+widget.CutWidth(widget.CleanLine(s.Client), 40)), "")
	return text
}

func (l *peopleList) drawQueueWork(d *QueueWork) string {
	t, more := l.theme, ""
	if d.Growing {
		more = "+"
	}
	text := fmt.Sprintf("%s %s of %s%s  %s", t.DrawBar(8, widget.ShareOf(d.Done, d.Items)), widget.FormatCount(d.Done), widget.FormatCount(d.Items), more, widget.CleanLine(string(d.Queue)))
	text += eval.Either(d.Here, t.Good.Render("  ● here"), "")
	return text
}

// moveCursorTo puts the cursor on somebody, once they are read.
func (l *peopleList) moveCursorTo(who annotate.Annotator) {
	if i := slices.IndexFunc(l.rows, func(o Member) bool { return o.Name == who }); i >= 0 {
		l.at.MoveTo(i, len(l.rows), l.listHeight())
		return
	}
	l.wanted = who
}

// whyNoRole is why nobody can be given another role; "" when somebody can. It names
// keys in braces, as the next ones do.
func (l *peopleList) whyNoRole() string {
	one := l.currentMember()
	switch {
	case one == nil:
		return nobodyHere
	case one.Role == annotate.RoleUnset:
		return notAdded
	}
	return ""
}

// whyNoGive is why nobody can be given a key.
func (l *peopleList) whyNoGive() string {
	switch why := l.whyNoRole(); {
	case why != "":
		return why
	case l.currentMember().Role == annotate.RoleNone:
		return "they have no access: {e} gives it again"
	case l.currentMember().FromKeyFile:
		return "their key stands in the file that is served with: {e} gives them a role here first"
	}
	return ""
}

// whyNoTake is why nothing can be taken away.
func (l *peopleList) whyNoTake() string {
	one := l.currentMember()
	if one == nil {
		return nobodyHere
	}
	if l.detail {
		switch p := l.currentDetailPart(); {
		case p == nil || p.key == "" && p.session == nil:
			return "no key and no session is under the cursor"
		case p.session != nil:
			return p.session.Fixed
		}
		return ""
	}
	return map[annotate.Role]string{annotate.RoleUnset: notAdded, annotate.RoleNone: "they have no access already"}[one.Role]
}

// currentMember is who is under the cursor; nil when nobody is.
func (l *peopleList) currentMember() *Member { return widget.RowAt(&l.at, l.rows) }

// applyFilter finds whom the filter leaves. Whoever was under the cursor stays there, on their line.
func (l *peopleList) applyFilter() {
	who, was, held := annotate.Annotator(""), l.at, ""
	if one := l.currentMember(); one != nil {
		who = one.Name
	}
	if p := l.currentDetailPart(); p != nil {
		held = p.id
	}
	l.rows = widget.FilterRows(&l.filter, l.all, l.makeCells)
	at := slices.IndexFunc(l.rows, func(o Member) bool { return o.Name == who })
	if at < 0 {
		at = was.At
	}
	if i := slices.IndexFunc(l.rows, func(o Member) bool { return l.wanted != "" && o.Name == l.wanted }); i >= 0 {
		at, l.wanted = i, ""
	}
	l.at.Top += at - was.At
	l.at.MoveTo(at, len(l.rows), l.listHeight())
	l.keepCursorOn(held)
	l.detail = l.detail && (l.currentMember() != nil && l.currentMember().Name == who)
}

// moveCursor takes a key that moves the cursor of the part in front.
func (l *peopleList) moveCursor(msg tea.KeyMsg) bool {
	n, height := len(l.rows), l.listHeight()
	if l.detail {
		n, height = len(l.listDetailParts()), l.detailHeight()
	}
	by, ok := widget.NewMoves().MoveBy(msg, max(1, height-1), n)
	switch {
	case !ok:
	case l.detail:
		l.part.MoveBy(by, n, height)
	default:
		l.at.MoveBy(by, n, height)
		l.part = widget.Cursor{}
	}
	return ok
}

func (l *peopleList) isWide() bool { return l.width >= wide }

func (l *peopleList) listWidth() int { return eval.Either(l.isWide(), l.width*3/5, l.width) }

// listHeight is how many people are seen: without the title and the headings.
func (l *peopleList) listHeight() int {
	return max(1, eval.Either(l.isWide(), l.height-2, min(len(l.rows), l.height*2/5-2)))
}

// detailHeight is how many lines of the detail are seen, without its title.
func (l *peopleList) detailHeight() int {
	return max(1, eval.Either(l.isWide(), l.height-1, l.height-l.listHeight()-3))
}

// drawList draws the team, with its title.
func (l *peopleList) drawList(width int) []string {
	here := eval.Count(l.all, func(one Member) bool { return one.IsHere() })
	t, note := l.theme, fmt.Sprintf("%s · %d here", widget.FormatCount(len(l.all)), here)
	if f := t.DrawFilter(&l.filter, max(24, width/2)); f != "" {
		note += "  " + f
	}
	out := []string{t.DrawSection("People", note, !l.detail, width)}
	empty := "Nobody yet. " + l.SpellText("{n} adds a user by their public key.")
	switch {
	case l.reading.err != nil:
		out = append(out, t.Bad.Render(widget.CutWidth("  ✗ "+widget.CleanLine(l.reading.err.Error()), width)))
	case !l.reading.loaded:
		return append(out, t.Faint.Render("  loading who there is…"))
	case l.filter.IsOn():
		empty = "Nobody is left by the filter: esc shows everybody again."
	}
	return append(out, t.DrawTable(widget.Table{
		Columns: listColumns(), Rows: len(l.rows), Cursor: l.at, Focused: !l.detail, Empty: empty,
		Row: func(i int) []string { return l.makeCells(&l.rows[i]) },
	}, width, l.listHeight()+1)...)
}

func (l *peopleList) makeCells(one *Member) []string {
	t := l.theme
	here := formatAgo(l.reading.at, one.Seen)
	idle := "–"
	if one.IsHere() {
		here = t.Good.Render("● here")
		if at := one.lastTyped(); !at.IsZero() {
			idle = widget.FormatDuration(max(0, l.reading.at.Sub(at)))
		}
	}
	queue, minute, median := "–", "–", "–"
	if q := one.FirstQueue(); q != "" {
		queue = widget.CleanLine(string(q))
	}
	if f, ok := one.Speed.LabelsPerMinute(); ok {
		minute = fmt.Sprintf("%.1f", f)
	}
	if one.Speed.Timed > 0 {
		median = fmt.Sprintf("%.1f", one.Speed.Median.Seconds())
	}
	return []string{
		widget.CleanLine(string(one.Name)), roleText(one.Role), here, queue, widget.FormatCount(one.Labels), widget.FormatCount(one.Votes),
		minute, median, idle,
	}
}
