package criteria

import (
	"cmp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height = width, height
	m.datasets.Resize(width, height)
	m.browser.list.cursor.MoveTo(m.browser.list.cursor.At, len(m.browser.list.lines), m.browser.listHeight())
	m.fitTextWidths()
}

// fitTextWidths gives the texts the width that they are shown in: up and down move by lines as they are seen.
func (m *Model) fitTextWidths() {
	if m.reader.page != nil && m.reader.page.editor != nil {
		_, main, _ := m.reader.columnWidths()
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
func (m *Model) View() string { return widget.DrawScreen(m.width, m.height, m.drawLines) }

func (m *Model) drawLines() []string {
	switch {
	case m.who == "":
		return m.name.DrawLines(m.theme, m.width, m.height)
	case m.deps.Source == nil || m.dataset == "" || m.loading:
		return drawDatasets(m)
	case m.asker.form != nil:
		return m.asker.drawForm()
	case m.reader.page != nil && m.reader.page.gallery.Full && (len(m.reader.pictureLines()) > 0 || m.reader.isFull() && m.reader.page.gallery.PictureInFront() == nil):
		return m.reader.drawFullPicture()
	case m.reader.page != nil:
		return m.reader.drawPage()
	}
	return drawListLines(m)
}

func drawDatasets(m *Model) []string {
	t := m.theme
	switch {
	case m.err != nil:
		return []string{"", " " + t.Bad.Render(widget.CleanLine(m.err.Error()))}
	case m.loading || !m.datasets.Known:
		return []string{"", t.Faint.Render("  loading the samples and their criteria…")}
	}
	return m.datasets.DrawLines(m.SpellKey, m.Bindings())
}

func drawListLines(m *Model) []string {
	t, l := m.theme, &m.browser.list
	h := m.browser.paneHalves()
	width := h.List.Width
	out := []string{
		t.DrawSection("Criteria of "+widget.CleanLine(string(m.dataset)), m.browser.describeProgress(), true, width),
		widget.JoinEnds(m.browser.drawTasksForPerson(), m.formatSaving(), width),
		filterLine(m, width),
	}
	if len(l.lines) == 0 {
		why := eval.Either(l.isFiltered(), "Nothing is left by the filter: esc shows everything again.", "The dataset has no samples.")
		out = append(out, "", "  "+t.Faint.Render(why))
	}
	for n := l.cursor.Top; n < len(l.lines) && len(out) < h.List.Height; n++ {
		x := l.lines[n]
		var text string
		if x.group >= 0 {
			text = m.browser.drawGroupLine(&l.groups[x.group], x.depth, width-2)
		} else {
			text = drawSampleLine(m.sampleSet, &m.rows[x.row], l.columns, x.depth, width-2)
		}
		out = append(out, t.DrawRow(text, n == l.cursor.At, true, width))
	}
	if h.Detail.Height == 0 {
		return out
	}
	about := drawDetail(&m.browser, h.Detail.Width)
	about = t.AddKeysBelow(about, h.Detail.Width, h.Detail.Height, m.SpellKey, m.Bindings())
	return t.DrawHalves(h, out, m.addGuideBelow(about, h.Detail.Width, h.Detail.Height))
}

// drawDetail draws what the line in front is about: a sample with its criteria, or how far a group is.
func drawDetail(m *sampleBrowser, width int) []string {
	t := m.theme
	i, ok := m.list.currentSample()
	switch {
	case !ok && m.list.cursor.At >= len(m.list.lines):
		return nil
	case !ok:
		return drawGroupDetail(m.sampleSet, &m.list.groups[m.list.lines[m.list.cursor.At].group], width)
	}
	r := &m.rows[i]
	out := []string{t.DrawSection("Sample "+widget.CleanLine(string(r.Sample.ID)), strings.ReplaceAll(r.Set.State.String(), "_", " "), false, width)}
	out = append(append(out, drawQuestion(t, &r.Sample, width)...), "")
	if why := m.whyCriteriaHidden(r); why != "" {
		return append(out, widget.WrapText(why, width)...)
	}
	out = append(append(out, drawCriteria(m.sampleSet, r, width)...), "")
	return append(out, drawActs(m.sampleSet, &r.Set, width)...)
}

// filterLine gives what the list is narrowed to. Where the rows have no room for
// it, the warnings of the one under the cursor stand here in words.
func filterLine(m *Model, width int) string {
	t, l := m.theme, &m.browser.list
	out := "  " + cmp.Or(t.DrawFilter(&l.filter, max(24, width/2-10)), t.Faint.Render(m.SpellKey("/")+" all words"))
	state, whose := stateFilterNames()[l.state], whoseNames[l.whose]
	right := t.Faint.Render("state ") + bracketIf(t, state, l.state != 0) + t.Faint.Render("  whose ") + bracketIf(t, whose, l.whose != everybody) + " "
	if room := width - widget.TextWidth(out) - widget.TextWidth(right) - 4; room >= 8 && width < namedFrom && !l.filter.IsTyping() {
		out += "  " + t.Warn.Render(widget.CutWidth(warningsAtCursor(m), room))
	}
	return widget.JoinEnds(out, right, width)
}

// warningsAtCursor is the warnings of the sample under the cursor.
func warningsAtCursor(m *Model) string {
	i, ok := m.frontRow()
	if !ok || m.rows[i].Set.Removed != nil {
		return ""
	}
	out := eval.Map(m.listWarnings(&m.rows[i]), func(w criteria.Warning) string { return "! " + m.describeWarning(w, &m.rows[i]) })
	return strings.Join(out, "  ")
}

// HandleClick chooses the sample or group that is drawn at a line of the list.
func (m *Model) HandleClick(_, y int) tea.Cmd {
	if m.reader.keyMode() == onList {
		m.browser.list.cursor.SelectAt(y-headLines, len(m.browser.list.lines), m.browser.listHeight())
	}
	return nil
}

// CopyText gives the id of the sample in front.
func (m *Model) CopyText() (what, text string) {
	if m.dataset == "" || m.loading {
		return "", ""
	}
	if i, ok := m.frontRow(); ok && i < len(m.rows) {
		return "the sample's id", string(m.rows[i].Sample.ID)
	}
	return "", ""
}
