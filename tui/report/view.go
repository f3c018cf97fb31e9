package report

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/widget"
)

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) { m.width, m.height = width, height }

func (m *Model) newCanvas() *pageCanvas {
	return &pageCanvas{Spelling: &m.Spelling, theme: m.theme, width: m.width, height: m.height, r: m.currentReader(), f: m.currentReader().shownFigures()}
}

// View draws the report.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	t, c := m.theme, m.newCanvas()
	if m.finding != nil {
		return strings.Join(m.finding.drawList(t, m.width, m.height), "\n")
	}
	subject := c.drawSubject()
	out := []string{widget.JoinEnds(c.drawPageLine(m.readers, m.at), m.drawStatus(), m.width), t.MarkActivePane(subject, m.width)}
	if c.f != nil && c.f.countRows() > 0 && m.work == nil {
		out = append(out, c.drawPage(m.source)...)
		if c.below > 0 {
			more := " " + widget.FormatPlural(c.below, "line") + " more below"
			if widget.TextWidth(subject)+widget.TextWidth(more)+3 > m.width {
				more = fmt.Sprintf(" ↓ %d", c.below)
			}
			out[1] = t.MarkActivePane(subject, m.width-widget.TextWidth(more)) + t.Faint.Render(more)
		}
	} else {
		out = append(out, eval.Map(widget.WrapText(m.describeEmptyPage(), max(1, m.width-4)), func(l string) string { return "  " + t.Faint.Render(l) })...)
	}
	out = t.AddLegendBelow(t.AddKeysBelow(out, m.width, m.height, m.SpellKey, m.Bindings()), m.width, m.height)
	return strings.Join(widget.FitBox(out, m.width, m.height), "\n")
}

// drawStatus says how old the figures are, or how far computing is.
func (m *Model) drawStatus() string {
	t, f := m.theme, m.currentReader().shownFigures()
	const clock = "15:04:05"
	switch {
	case m.work != nil:
		return m.work.drawProgress(t)
	case m.stopped && f == nil:
		return t.Warn.Render("stopped") + t.Faint.Render(m.SpellText(" · {refresh} computes"))
	case f == nil:
		return ""
	case f.stale:
		return t.Warn.Render("new data since "+f.at.Format(clock)) + t.Faint.Render(m.SpellText(" · {refresh} refresh"))
	}
	return t.Faint.Render("as of " + f.at.Format(clock))
}

// describeEmptyPage draws what stands where there are no figures.
func (m *Model) describeEmptyPage() string {
	switch {
	case m.work != nil:
		return "computing…"
	case m.err != nil:
		return "✗ " + m.err.Error() + "\n\n" + m.SpellKey("refresh") + " tries again."
	case m.stopped:
		return m.SpellText("Stopped before the report was ready. {refresh} computes it.")
	}
	return m.newCanvas().explainMissing()
}

// explainMissing gives why the page has no figures, and what to do to get some.
func (c *pageCanvas) explainMissing() string {
	r, f := c.r, c.f
	switch {
	case f == nil:
		return c.SpellText(r.empty)
	case f.choose:
		return c.SpellText(emptyText("anchor"))
	case f.hidden != "" && len(f.report.Rows) > 0:
		return "Not shown: " + widget.CleanLine(f.hidden) + "." + c.SpellText("\n\n{v} goes to the queues.")
	}
	said := slices.Clone(f.notes)
	switch { // others may have some
	case r.asked.layout > 0 && f.missing == "":
		said = append(said, c.SpellText("Nothing in this layout. {d} shows the next one."))
	case f.missing != "" && (r.asked.layout > 0 || len(r.places) > 1):
		said = append(said, "Missing: "+widget.CleanLine(f.missing)+".")
	}
	return strings.Join(append(said, c.SpellText(r.empty)), "\n\n")
}

// narrow is the width under which the pages do not stand side by side.
const narrow = 78

// drawPageLine draws the line of the pages under the heading of the shown one, which is marked.
func (c *pageCanvas) drawPageLine(all []*pageReader, at int) string {
	t, shown := c.theme, all[at]
	here := t.Accent.Render("[") + t.Strong.Render(shown.name) + t.Accent.Render("]")
	if c.width < narrow {
		return " " + here + t.Faint.Render(fmt.Sprintf(" %d of %d, %s next, %s all", countShownTo(all, at), countShownTo(all, len(all)-1), c.SpellKey("tab"), c.SpellKey("/")))
	}
	const beside = 24 // of the status, and of the marks of those out of sight
	head := "  " + shown.group.String() + ":"
	room := c.width - beside - widget.TextWidth(head) - 2
	from, to := at, at+1
	wide := func(from, to int) int {
		return eval.Sum(all[from:to], func(r *pageReader) int { return widget.TextWidth(r.name) + 3 })
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
		b.WriteString(t.Accent.Render(" …"))
	}
	for i := from; i < to; i++ {
		b.WriteString(eval.Either(i == at, " "+here, t.Faint.Render("  "+all[i].name+" ")))
	}
	if same(to) {
		b.WriteString(t.Accent.Render(" …"))
	}
	return b.String()
}

// countShownTo counts how many pages are shown up to one.
func countShownTo(all []*pageReader, at int) (n int) {
	return eval.Count(all[:at+1], func(r *pageReader) bool { return !r.none })
}

// drawSubject says what the page is about, and what has to be known of it.
func (c *pageCanvas) drawSubject() string {
	r, t := c.r, c.theme
	out := ""
	switch {
	case len(r.places) == 0:
	case r.asked.place == allDatasets:
		out = "  " + t.Faint.Render("all datasets")
	default:
		out = "  " + t.Faint.Render(r.scope.scopeName()+" ") + t.Strong.Render(widget.CleanLine(r.asked.place))
	}
	if n := len(r.places); n > 1 {
		out += t.Faint.Render(fmt.Sprintf(" (%d of %d, %s next)", slices.Index(r.places, r.asked.place)+1, n, c.SpellKey("n")))
	}
	if len(r.layouts) > 1 {
		out += t.Faint.Render("  " + r.layouts[r.asked.layout].layoutName() + fmt.Sprintf(" (%d of %d, %s next)", r.asked.layout+1, len(r.layouts), c.SpellKey("d")))
	}
	if r.asked.anchor != "" {
		out += t.Faint.Render("  against ") + widget.CleanLine(r.asked.anchor)
	}
	if c.f != nil && c.f.hidden != "" {
		out += t.Warn.Render("  ! " + widget.CleanLine(c.f.hidden))
	}
	return out
}

// reportFinder is the list of all reports, by what they are about. What is typed
// leaves those whose name, heading or description has it.
type reportFinder struct {
	all    []foundPage
	filter string
	at     int // of those that the filter leaves
}

// foundPage is a page as the list has it.
type foundPage struct {
	page                     int
	group, name, says, about string
}

func newFinder(all []*pageReader, at int) *reportFinder {
	f := &reportFinder{}
	for i, r := range all {
		if i == at {
			f.at = len(f.all)
		}
		if !r.none {
			f.all = append(f.all, foundPage{i, r.group.String(), r.name, r.says, r.about})
		}
	}
	return f
}

// listMatches lists those that the filter leaves.
func (f *reportFinder) listMatches() []foundPage {
	want := strings.ToLower(f.filter)
	return slices.DeleteFunc(slices.Clone(f.all), func(x foundPage) bool {
		return !strings.Contains(strings.ToLower(x.name+" "+x.group+" "+x.says), want)
	})
}

// nearestIndex is which of those that the filter leaves is called so, or else has it in its name, or else
// is the first.
func (f *reportFinder) nearestIndex() int {
	want := strings.ToLower(f.filter)
	left := f.listMatches()
	for _, fits := range []func(name, want string) bool{strings.HasPrefix, strings.Contains} {
		if at := slices.IndexFunc(left, func(x foundPage) bool { return fits(strings.ToLower(x.name), want) }); at >= 0 {
			return at
		}
	}
	return 0
}

// handleKey takes a key while a report is looked for, and gives the page that was chosen.
func (f *reportFinder) handleKey(msg tea.KeyMsg) (page int, chosen bool) {
	left := f.listMatches()
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
		f.at = f.nearestIndex()
	case tea.KeyRunes, tea.KeySpace:
		was := f.filter
		f.filter += widget.CleanLine(string(msg.Runes))
		if len(f.listMatches()) == 0 { // nothing is called so: the letter is not taken
			f.filter = was
		}
		f.at = f.nearestIndex()
	default:
	}
	return 0, false
}

func (f *reportFinder) drawList(t *widget.Theme, width, height int) []string {
	title := eval.Either(f.filter != "", "“"+f.filter+"”", "type to search, enter opens")
	const wide = 13
	h := widget.SplitListAndDetail(width, height, height*2/3) // of whatever is left: nothing jumps while one types
	var lines []string
	here, group, left := 0, "", f.listMatches()
	for i, x := range left {
		if x.group != group {
			group = x.group
			lines = append(lines, t.Title.Render(group))
		}
		if i == f.at {
			here = len(lines)
		}
		lines = append(lines, t.DrawRow(widget.FitWidth(x.name, wide)+t.Faint.Render(x.says), i == f.at, true, h.List.Width))
	}
	room := max(1, h.List.Height-1)
	top := max(0, min(here-room/2, len(lines)-room))
	list := append([]string{t.DrawSection("All reports", title, true, h.List.Width)}, lines[top:]...)
	if h.Detail.Height == 0 || len(left) == 0 {
		return widget.FitBox(list, width, height)
	}
	front := left[min(f.at, len(left)-1)]
	about := append([]string{t.DrawSection(front.name, front.says, false, h.Detail.Width)}, widget.WrapText(front.about, h.Detail.Width)...)
	return t.DrawHalves(h, list, about)
}
