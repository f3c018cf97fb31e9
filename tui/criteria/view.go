package criteria

import (
	"cmp"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height = width, height
	m.shelf.Set(m.shelf.At, len(m.datasets), m.shelfHeight())
	m.browser.list.cursor.Set(m.browser.list.cursor.At, len(m.browser.list.lines), m.browser.listHeight())
	m.fit()
}

// fit gives the texts the width that they are shown in: up and down move by
// lines as they are seen.
func (m *Model) fit() {
	if m.reader.page != nil && m.reader.page.editor != nil {
		_, main, _ := m.reader.columns()
		for i := range m.reader.page.editor.fields {
			a := &m.reader.page.editor.fields[i].area
			a.SetWidth(max(4, main-4))
			a.SetHeight(200)
		}
	}
	if m.asker.form != nil {
		for i := range m.asker.form.inputs {
			if in := &m.asker.form.inputs[i]; in.choices == nil {
				in.area.SetWidth(max(4, min(84, m.width-8)-4))
				in.area.SetHeight(200)
			}
		}
	}
}

// View draws the screen.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	return strings.Join(widget.Block(m.lines(), m.width, m.height), "\n")
}

func (m *Model) lines() []string {
	switch {
	case m.who == "":
		return m.name.Lines(m.theme, m.width, m.height)
	case m.deps.Source == nil || m.dataset == "" || m.loading:
		return shelfLines(m.collection)
	case m.asker.form != nil:
		return m.asker.formLines()
	case m.reader.page != nil && m.reader.page.full && (len(m.reader.art()) > 0 || m.reader.looking() && m.reader.page.gallery.Front() == nil):
		return m.reader.fullPicture()
	case m.reader.page != nil:
		return m.reader.pageLines()
	}
	return listLines(m)
}

func listLines(m *Model) []string {
	t, l := m.theme, &m.browser.list
	h := m.browser.halves()
	width := h.List.Width
	out := []string{
		t.Section("Criteria of "+widget.Line(string(m.dataset)), m.browser.listNote(), true, width),
		widget.Ends(m.browser.turnLine(), m.savingText(), width),
		filterLine(m, width),
	}
	if len(l.lines) == 0 {
		out = append(out, "", "  "+t.Faint.Render(m.browser.whyEmpty()))
	}
	for n := l.cursor.Top; n < len(l.lines) && len(out) < h.List.Height; n++ {
		x := l.lines[n]
		var text string
		if x.group >= 0 {
			text = m.browser.groupLine(&l.groups[x.group], x.depth, width-2)
		} else {
			text = sampleLine(m.collection, &m.rows[x.row], x.depth, width-2)
		}
		out = append(out, t.Row(text, n == l.cursor.At, true, width))
	}
	if h.Detail.Height == 0 {
		return out
	}
	about := detail(&m.browser, h.Detail.Width)
	return t.Halves(h, out, t.KeysBelow(about, h.Detail.Width, h.Detail.Height, m.Spelled, m.Keys()))
}

// detail is what the line in front is about: a sample with its criteria, or how
// far a group is.
func detail(m *browser, width int) []string {
	t := m.theme
	i, ok := m.list.sample()
	switch {
	case !ok && m.list.cursor.At >= len(m.list.lines):
		return nil
	case !ok:
		return groupDetail(m.collection, &m.list.groups[m.list.lines[m.list.cursor.At].group], width)
	}
	r := &m.rows[i]
	out := []string{t.Section("Sample "+widget.Line(string(r.Sample.ID)), strings.ReplaceAll(r.Set.State.String(), "_", " "), false, width)}
	out = append(append(out, asked(t, &r.Sample, width)...), "")
	if why := m.unseen(r); why != "" {
		return append(out, widget.Wrap(why, width)...)
	}
	out = append(append(out, criteriaLines(m.collection, r, width)...), "")
	return append(out, actLines(m.collection, &r.Set, width)...)
}

// groupDetail is how many samples of a group are in which state.
func groupDetail(m *collection, g *criteria.Group, width int) []string {
	name := "all samples"
	if n := len(g.Path); n > 0 {
		name = widget.Line(eval.Path(g.Path))
	}
	s := widget.Sheet{Theme: m.theme, Width: width, Out: []string{m.theme.Section(name, widget.Plural(g.Samples, "sample"), false, width)}}
	for x, n := range g.States {
		if n > 0 {
			s.Field(stateWord(criteria.State(x), false), widget.Count(n))
		}
	}
	if g.Discarded > 0 {
		s.Field("discarded", fmt.Sprintf("%s, %s replaced", widget.Count(g.Discarded), widget.Count(g.Replaced)))
	}
	if g.Wanted > 0 {
		s.Field("quota", widget.Count(g.Wanted))
	}
	return s.Out
}

// filterLine is what the list is narrowed to. Where the rows have no room for
// it, the warnings of the one under the cursor stand here in words.
func filterLine(m *Model, width int) string {
	t, l := m.theme, &m.browser.list
	out := "  " + cmp.Or(t.Filter(&l.filter, max(24, width/2-10)), t.Faint.Render(m.Spelled("/")+" all words"))
	state, whose := stateFilters()[l.state], whoseNames[l.whose]
	right := t.Faint.Render("state ") + mark(t, state, l.state != 0) + t.Faint.Render("  whose ") + mark(t, whose, l.whose != everybody) + " "
	if room := width - widget.Width(out) - widget.Width(right) - 4; room >= 8 && width < namedFrom && !l.filter.Typing() {
		out += "  " + t.Warn.Render(widget.Cut(atCursor(m), room))
	}
	return widget.Ends(out, right, width)
}

// atCursor is the warnings of the sample under the cursor.
func atCursor(m *Model) string {
	i, ok := m.front()
	if !ok || m.rows[i].Set.Removed != nil {
		return ""
	}
	var out []string
	for _, w := range m.warnings(&m.rows[i]) {
		out = append(out, "! "+m.warningText(w, &m.rows[i]))
	}
	return strings.Join(out, "  ")
}

// Click chooses the sample or group that is drawn at a line of the list.
func (m *Model) Click(_, y int) tea.Cmd {
	if m.reader.here() == onList {
		m.browser.list.cursor.Click(y-headLines, len(m.browser.list.lines), m.browser.listHeight())
	}
	return nil
}

// Copied is the id of the sample in front.
func (m *Model) Copied() (what, text string) {
	if m.dataset == "" || m.loading {
		return "", ""
	}
	if i, ok := m.front(); ok && i < len(m.rows) {
		return "the sample's id", string(m.rows[i].Sample.ID)
	}
	return "", ""
}
