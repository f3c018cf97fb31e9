package criteria

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/drilldown"
	"concord/tui/widget"
)

// GoBack leaves one level: a form, the editor, the whole picture, the sample,
// the filter, the dataset. What was typed stays.
func (m *Model) GoBack() bool {
	switch p := m.reader.page; {
	case m.who == "":
		return false
	case m.asker.form != nil:
		m.asker.kept[m.asker.form.about], m.asker.form = m.asker.form.inputValues(), nil // there again the next time
	case p != nil && p.editor != nil && p.editor.guide:
		p.editor.guide = false
	case p != nil && p.editor != nil:
		leaveEditor(m)
	case p != nil && p.gallery.Full:
		p.gallery.Full = false
	case p != nil:
		m.reader.page = nil
	case m.browser.clearFilter():
	default:
		return false
	}
	return true
}

// scrollCursor moves the cursor of a list, or the text of a page.
func scrollCursor(m *Model, msg tea.KeyMsg) tea.Cmd {
	moves := widget.NewMoves()
	switch m.reader.keyMode() {
	case onShelf:
		m.datasets.MoveCursor(msg)
		return m.browser.readOverview()
	case onList:
		if by, ok := moves.MoveBy(msg, m.browser.listHeight(), len(m.browser.list.lines)); ok {
			m.browser.list.cursor.MoveBy(by, len(m.browser.list.lines), m.browser.listHeight())
			return m.browser.measureVisiblePictures()
		}
	default:
		p := m.reader.page
		if by, ok := moves.MoveBy(msg, max(1, m.height/2), 1<<20); ok {
			p.top[p.part] = max(0, min(p.top[p.part]+by, m.reader.maxScroll()))
		}
	}
	return nil
}

// openOrToggle opens the sample under the cursor, or closes and opens the group.
func openOrToggle(m *Model) tea.Cmd {
	if i, ok := m.browser.list.currentSample(); ok {
		return m.openSample(i)
	}
	return m.browser.toggleGroup()
}

// goToRow moves the cursor to a row, opening what hides it; a page turns to it.
func (m *Model) goToRow(i int) tea.Cmd {
	if m.reader.page != nil && m.reader.page.at != i {
		return m.openSample(i)
	}
	m.browser.moveCursorTo(i)
	return nil
}

// openSample shows a sample on the whole screen, in the part that was seen last.
func (m *Model) openSample(i int) tea.Cmd {
	if i < 0 || i >= len(m.rows) {
		return nil
	}
	p := &samplePage{at: i, sample: m.rows[i].Sample.Ordinal, revision: -1, gallery: drilldown.Pictures{Viewer: m.viewer}}
	if m.reader.page != nil {
		p.part, p.gallery.Full = m.reader.page.part, m.reader.page.gallery.Full
	}
	m.reader.page = p
	m.browser.moveCursorTo(i)
	source, pictures, theme := m.deps.Source, m.rows[i].Sample.Pictures, m.theme
	return func() tea.Msg {
		gallery := drilldown.LoadPictures(theme, pictures, source.Picture)
		return outcome{m.sampleSet, func() tea.Cmd { return m.reader.takeLoadedPictures(p, gallery) }}
	}
}

// openNeighbour opens the sample before or after, of those that the list shows.
func openNeighbour(m *Model, by int) tea.Cmd {
	samples := eval.Select(m.browser.list.lines, func(l listLine) bool { return l.group < 0 })
	shown := eval.Map(samples, func(l listLine) int { return l.row })
	if len(shown) == 0 {
		shown = m.browser.list.order
	}
	at := slices.Index(shown, m.reader.page.at)
	if to := at + by; to >= 0 && to < len(shown) {
		return m.openSample(shown[to])
	}
	return nil
}
