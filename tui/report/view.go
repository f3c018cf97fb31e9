package report

import (
	"fmt"
	"strings"

	"concord/tui/widget"
)

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	other := width != m.width
	m.width, m.height = width, height
	if other && m.section.ofVotes() { // a matrix has as many columns as there is room for
		m.rebuild()
	}
	m.at.Set(m.at.At, len(m.lines), m.listHeight())
}

// paneHeight is the height of what is said beside the figure under the
// cursor, its title included.
func (m *Model) paneHeight() int {
	if m.height < 14 {
		return 0
	}
	most := 12
	if m.page() != nil { // its figure, what it opens and the command
		most = 7
	}
	return min(most, 3+m.height/4)
}

// listHeight is the height of the lines: less the sections, the headings and
// the pane.
func (m *Model) listHeight() int { return max(1, m.height-3-m.paneHeight()) }

// View draws the figures.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	t := m.theme
	if m.finding != nil {
		return strings.Join(m.finderView(), "\n")
	}
	out := []string{widget.Ends(m.sectionLine(), m.status(), m.width), widget.Ends(widget.Cut(m.subject(), m.width), m.below(), m.width)}
	if f := m.paged(); f != nil && f.rows() > 0 && m.work == nil {
		out = append(out, m.pageLines(f, &m.state().spot)...)
		out = append(out, m.pagePane(f, &m.state().spot)...)
	} else if len(m.lines) == 0 {
		for _, l := range widget.Wrap(m.empty(), max(1, m.width-4)) {
			out = append(out, "  "+t.Faint.Render(l))
		}
	} else {
		list, pane := m.list(), m.pane()
		out = append(out, list[:max(0, len(list)-max(0, len(pane)-m.paneHeight()))]...)
		out = append(out, pane...)
	}
	return strings.Join(widget.Block(out, m.width, m.height), "\n")
}

// narrow is the width under which the sections do not stand side by side.
const narrow = 78

// subject says what the figures are of.
func (m *Model) subject() string {
	switch {
	case m.section.ofVotes():
		return m.placeLine()
	case m.page() != nil:
		return m.pageLine()
	}
	return m.queueLine()
}

// sectionLine is the line of the sections with the shown one marked.
func (m *Model) sectionLine() string {
	t := m.theme
	if m.width < narrow {
		return t.Accent.Render(" [") + t.Strong.Render(m.nameOf(m.section)) + t.Accent.Render("]") +
			t.Faint.Render(fmt.Sprintf(" %d of %d, %s next, %s all", m.section+1, m.sections(), m.Spelled("tab"), m.Spelled("/")))
	}
	from, to := m.inSight()
	parts := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		name := m.nameOf(i)
		if i == m.section {
			parts = append(parts, t.Accent.Render("[")+t.Strong.Render(name)+t.Accent.Render("]"))
		} else {
			parts = append(parts, t.Faint.Render(" "+name+" "))
		}
	}
	before, after := " ", ""
	if from > 0 {
		before = t.Accent.Render("‹")
	}
	if to < m.sections() {
		after = t.Accent.Render("›")
	}
	return before + strings.Join(parts, " ") + after
}

// inSight are the sections that there is room for beside the status, the shown
// one among them.
func (m *Model) inSight() (from, to section) {
	const beside = 20
	room := m.width - beside - 2 // less the marks of those out of sight
	wide := func(from, to section) int {
		n := -1
		for i := from; i < to; i++ {
			n += widget.Width(m.nameOf(i)) + 3
		}
		return n
	}
	for wide(from, m.section+1) > room && from < m.section {
		from++
	}
	for to = m.section + 1; to < m.sections() && wide(from, to+1) <= room; to++ {
	}
	return from, to
}

// status says how old the figures are, or how far computing is.
func (m *Model) status() string {
	t := m.theme
	if m.work != nil {
		done, total := int(m.work.done.Load()), int(m.work.total.Load())
		if total == 0 {
			return t.Accent.Render("reading…")
		}
		return fmt.Sprintf("reading %s of %s ", widget.Count(done), widget.Count(total)) +
			t.Bar(10, float64(done)/float64(total))
	}
	at, stale, ok := m.age()
	switch {
	case m.stopped && !ok:
		return t.Warn.Render("stopped") + t.Faint.Render(m.Keyed(" · {R} computes"))
	case !ok:
		return ""
	case stale:
		return t.Warn.Render("new facts since "+at) + t.Faint.Render(m.Keyed(" · {R} computes again"))
	}
	return t.Faint.Render("as of " + at)
}

// below says how many lines are out of sight under those shown.
func (m *Model) below() string {
	if m.page() != nil {
		return ""
	}
	if n := len(m.lines) - max(0, min(m.at.Top, len(m.lines)-m.listHeight())) - m.listHeight(); n > 0 {
		return m.theme.Accent.Render("↓ "+widget.Count(n)+" more") + "  "
	}
	return ""
}

// age is when what is shown was computed, and whether facts changed since.
func (m *Model) age() (at string, stale, ok bool) {
	const clock = "15:04:05"
	if m.section == alignmentSection {
		f := m.aligned()
		if f == nil {
			return "", false, false
		}
		return f.at.Format(clock), f.stale, true
	}
	if m.section.ofVotes() {
		f := m.polled()
		if f == nil {
			return "", false, false
		}
		return f.at.Format(clock), f.stale, true
	}
	if m.page() != nil {
		f := m.paged()
		if f == nil {
			return "", false, false
		}
		return f.at.Format(clock), f.stale, true
	}
	if m.runs == nil {
		return "", false, false
	}
	return m.runs.at.Format(clock), m.runs.stale, true
}

// empty is what stands where there are no figures.
func (m *Model) empty() string {
	switch {
	case m.work != nil:
		return "computing…"
	case m.err != nil:
		return "✗ " + m.err.Error() + "\n\n" + m.Spelled("R") + " tries again."
	case m.stopped:
		return m.Keyed("Stopped before there were figures. {R} computes them.")
	case m.section == alignmentSection:
		return m.emptyAlignment()
	case m.section.ofVotes():
		return m.emptyPoll()
	case m.page() != nil:
		return m.emptyPage()
	}
	return m.Keyed("No runs yet. On the runs ({h}) {n@runs} asks a model, and {i@runs} imports predictions; or look at a ready project:\n  concord demo")
}

func (m *Model) list() []string {
	t := m.theme
	ms := measure(m.lines, m.width-2)
	out := []string{m.headings(ms)}
	height := m.listHeight()
	top := max(0, min(m.at.Top, len(m.lines)-height))
	for i := top; i < len(m.lines) && i < top+height; i++ {
		mark := "  "
		if i == m.at.At {
			mark = t.Accent.Render("› ")
		}
		out = append(out, mark+m.lines[i].draw(t, ms, m.width-2, i == m.at.At))
	}
	return widget.Block(out, m.width, height+1)
}

// headings name the columns; over the bars stands their scale.
func (m *Model) headings(ms measures) string {
	t := m.theme
	if m.section == ranks {
		return t.Faint.Render(widget.Cut("    rankings by what votes, people and scores say, each with its models", m.width))
	}
	first := [sections]string{"run", "run", "extractor", "model", "votes", "judge or people", "model", "run", "rankings", "person"}[m.section]
	what := "n"
	if ms.full {
		what = "k/n"
	}
	head := "  " + widget.Fit("  "+first, ms.name) + "  " + strings.Repeat(" ", ms.label) + "  " +
		right(rateHead, ms.rate) + "  " + right(what, ms.count) + "  "
	if legend := m.legend(); legend != "" && ms.bar > 0 {
		return t.Faint.Render(head + widget.Cut(legend, ms.bar))
	}
	return t.Faint.Render(head) + t.Axis(ms.bar)
}

// pane is what is said beside the figure under the cursor. What has no room in
// its height takes the lines that the list leaves empty.
func (m *Model) pane() []string {
	height := m.paneHeight()
	l, ok := m.line()
	if !ok || height == 0 {
		return nil
	}
	t := m.theme
	const wide = 12
	out := []string{t.Section(l.behind.Title, "", false, m.width)}
	if l.plot != nil {
		out[0] = t.Section(l.behind.Title, widget.Holds+" as it would come out today  "+widget.Hollow+" stale", false, m.width)
		return append(out, t.Trend(l.plot, m.width, height-1)...)
	}
	if l.beside != nil {
		for _, f := range l.beside() {
			for i, text := range widget.Wrap(f[1], max(1, m.width-wide-1)) {
				name := f[0]
				if i > 0 {
					name = ""
				}
				out = append(out, t.Field(name, text, wide))
			}
		}
	}
	height = max(height, min(len(out), height+max(0, m.listHeight()-len(m.lines))))
	if more := len(out) - height; more > 0 {
		out[0] = t.Section(l.behind.Title, widget.Plural(more, "line")+" more", false, m.width)
	}
	return widget.Block(out, m.width, height)
}
