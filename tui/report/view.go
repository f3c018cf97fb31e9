package report

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) { m.width, m.height = width, height }

// canvas draws the shown page.
func (m *Model) canvas() *canvas {
	return &canvas{Spelling: &m.Spelling, theme: m.theme, width: m.width, height: m.height, r: m.reader(), f: m.reader().figures()}
}

// View draws the report.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	t, c := m.theme, m.canvas()
	if m.finding != nil {
		return strings.Join(m.finding.view(t, m.width, m.height), "\n")
	}
	out := []string{widget.Ends(c.pageLine(m.readers, m.at), m.status(), m.width), widget.Cut(c.subject(), m.width)}
	if c.f != nil && c.f.rows() > 0 && m.work == nil {
		out = t.KeysBelow(append(out, c.draw(m.source)...), m.width, m.height, m.Spelled, m.Keys())
	} else {
		for _, l := range widget.Wrap(m.empty(), max(1, m.width-4)) {
			out = append(out, "  "+t.Faint.Render(l))
		}
	}
	return strings.Join(widget.Block(out, m.width, m.height), "\n")
}

// status says how old the figures are, or how far computing is.
func (m *Model) status() string {
	t, f := m.theme, m.reader().figures()
	const clock = "15:04:05"
	switch {
	case m.work != nil:
		return m.work.status(t)
	case m.stopped && f == nil:
		return t.Warn.Render("stopped") + t.Faint.Render(m.Keyed(" · {refresh} computes"))
	case f == nil:
		return ""
	case f.stale:
		return t.Warn.Render("new data since "+f.at.Format(clock)) + t.Faint.Render(m.Keyed(" · {refresh} refresh"))
	}
	return t.Faint.Render("as of " + f.at.Format(clock))
}

// empty is what stands where there are no figures.
func (m *Model) empty() string {
	switch {
	case m.work != nil:
		return "computing…"
	case m.err != nil:
		return "✗ " + m.err.Error() + "\n\n" + m.Spelled("refresh") + " tries again."
	case m.stopped:
		return m.Keyed("Stopped before the report was ready. {refresh} computes it.")
	}
	return m.canvas().missing()
}

// missing is why the page has no figures, and what to do to get some.
func (c *canvas) missing() string {
	r, f := c.r, c.f
	switch {
	case f == nil:
		return c.Keyed(r.empty)
	case f.choose:
		return c.Keyed(noAnchor)
	case f.hidden != "" && len(f.report.Rows) > 0:
		return "Not shown: " + widget.Line(f.hidden) + "." + c.Keyed("\n\n{v} goes to the queues.")
	}
	said := slices.Clone(f.notes)
	switch { // others may have some
	case r.asked.layout > 0 && f.missing == "":
		said = append(said, c.Keyed("Nothing in this layout. {d} shows the next one."))
	case f.missing != "" && (r.asked.layout > 0 || len(r.places) > 1):
		said = append(said, "Missing: "+widget.Line(f.missing)+".")
	}
	return strings.Join(append(said, c.Keyed(r.empty)), "\n\n")
}

// narrow is the width under which the pages do not stand side by side.
const narrow = 78

// pageLine is the line of the pages under the heading of the shown one, which is
// marked.
func (c *canvas) pageLine(all []*reader, at int) string {
	t, shown := c.theme, all[at]
	here := t.Accent.Render("[") + t.Strong.Render(shown.name) + t.Accent.Render("]")
	if c.width < narrow {
		return " " + here + t.Faint.Render(fmt.Sprintf(" %d of %d, %s next, %s all", shownTo(all, at), shownTo(all, len(all)-1), c.Spelled("tab"), c.Spelled("/")))
	}
	const beside = 24 // of the status, and of the marks of those out of sight
	head := "  " + shown.group.String() + ":"
	room := c.width - beside - widget.Width(head) - 2
	from, to := at, at+1
	wide := func(from, to int) (n int) {
		for _, r := range all[from:to] {
			n += widget.Width(r.name) + 3
		}
		return n
	}
	same := func(i int) bool { return i >= 0 && i < len(all) && all[i].group == shown.group }
	for same(to) && wide(from, to+1) <= room {
		to++
	}
	for same(from-1) && wide(from-1, to) <= room {
		from--
	}
	var b strings.Builder
	b.WriteString(t.Faint.Render(head))
	if same(from - 1) {
		b.WriteString(t.Accent.Render(" ‹"))
	}
	for i := from; i < to; i++ {
		if i == at {
			b.WriteString(" " + here)
		} else {
			b.WriteString(t.Faint.Render("  " + all[i].name + " "))
		}
	}
	if same(to) {
		b.WriteString(t.Accent.Render(" ›"))
	}
	return b.String()
}

// shownTo is how many pages are shown up to one.
func shownTo(all []*reader, at int) (n int) {
	for _, r := range all[:at+1] {
		if !r.none {
			n++
		}
	}
	return n
}

// subject says what the page is about, and what has to be known of it.
func (c *canvas) subject() string {
	r, t := c.r, c.theme
	out := ""
	switch {
	case len(r.places) == 0:
	case r.asked.place == allDatasets:
		out = "  " + t.Faint.Render("all datasets")
	default:
		out = "  " + t.Faint.Render(r.scope.word()+" ") + t.Strong.Render(widget.Line(r.asked.place))
	}
	if n := len(r.places); n > 1 {
		out += t.Faint.Render(fmt.Sprintf(" (%d of %d, %s next)", slices.Index(r.places, r.asked.place)+1, n, c.Spelled("n")))
	}
	if len(r.layouts) > 1 {
		out += t.Faint.Render("  " + r.layouts[r.asked.layout].called() + fmt.Sprintf(" (%d of %d, %s next)", r.asked.layout+1, len(r.layouts), c.Spelled("d")))
	}
	if r.asked.anchor != "" {
		out += t.Faint.Render("  against ") + widget.Line(r.asked.anchor)
	}
	if c.f != nil && c.f.hidden != "" {
		out += t.Warn.Render("  ! " + widget.Line(c.f.hidden))
	}
	return out
}

// finder is the list of all reports, by what they are about. What is typed
// leaves those whose name, heading or description has it.
type finder struct {
	all    []found
	filter string
	at     int // of those that the filter leaves
}

// found is a page as the list has it.
type found struct {
	page              int
	group, name, says string
}

func newFinder(all []*reader, at int) *finder {
	f := &finder{}
	for i, r := range all {
		if i == at {
			f.at = len(f.all)
		}
		if !r.none {
			f.all = append(f.all, found{i, r.group.String(), r.name, r.says})
		}
	}
	return f
}

// left are those that the filter leaves.
func (f *finder) left() []found {
	want := strings.ToLower(f.filter)
	return slices.DeleteFunc(slices.Clone(f.all), func(x found) bool {
		return !strings.Contains(strings.ToLower(x.name+" "+x.group+" "+x.says), want)
	})
}

// nearest is which of those that the filter leaves is called so, or has it in
// its name, or else the first.
func (f *finder) nearest() int {
	want := strings.ToLower(f.filter)
	left := f.left()
	for _, fits := range []func(name, want string) bool{strings.HasPrefix, strings.Contains} {
		if at := slices.IndexFunc(left, func(x found) bool { return fits(strings.ToLower(x.name), want) }); at >= 0 {
			return at
		}
	}
	return 0
}

// press takes a key while a report is looked for, and gives the page that was
// chosen.
func (f *finder) press(msg tea.KeyMsg) (page int, chosen bool) {
	left := f.left()
	n := max(1, len(left))
	switch msg.Type {
	case tea.KeyUp, tea.KeyCtrlP, tea.KeyShiftTab:
		f.at = (f.at + n - 1) % n
	case tea.KeyDown, tea.KeyCtrlN, tea.KeyTab:
		f.at = (f.at + 1) % n
	case tea.KeyEnter:
		if len(left) > 0 {
			return left[min(f.at, n-1)].page, true
		}
	case tea.KeyBackspace:
		r := []rune(f.filter)
		f.filter = string(r[:max(0, len(r)-1)])
		f.at = f.nearest()
	case tea.KeyRunes, tea.KeySpace:
		was := f.filter
		f.filter += widget.Line(string(msg.Runes))
		if len(f.left()) == 0 { // nothing is called so: the letter is not taken
			f.filter = was
		}
		f.at = f.nearest()
	default:
	}
	return 0, false
}

// view draws the list.
func (f *finder) view(t *widget.Theme, width, height int) []string {
	title := "Type to search, Enter to open"
	if f.filter != "" {
		title = "“" + f.filter + "”"
	}
	const wide = 13
	var lines []string
	here, group := 0, ""
	for i, x := range f.left() {
		if x.group != group {
			group = x.group
			lines = append(lines, t.Title.Render(group))
		}
		if i == f.at {
			here = len(lines)
		}
		lines = append(lines, t.Row(widget.Fit(x.name, wide)+t.Faint.Render(x.says), i == f.at, true, width))
	}
	room := max(1, height-1)
	top := max(0, min(here-room/2, len(lines)-room))
	return widget.Block(append([]string{t.Section("All reports", title, true, width)}, lines[top:]...), width, height)
}
