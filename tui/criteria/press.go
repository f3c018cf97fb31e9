package criteria

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// Back leaves one level: a form, the editor, the whole picture, the sample,
// the filter, the dataset. What was typed stays.
func (m *Model) Back() bool {
	switch p := m.reader.page; {
	case m.who == "":
		return false
	case m.asker.form != nil:
		m.asker.putForm()
	case p != nil && p.editor != nil && p.editor.guide:
		p.editor.guide = false
	case p != nil && p.editor != nil:
		leave(m)
	case p != nil && p.full:
		p.full = false
	case p != nil:
		m.reader.page = nil
	case m.browser.unfilter():
	default:
		return false
	}
	return true
}

// scroll moves the cursor of a list, or the text of a page.
func scroll(m *Model, msg tea.KeyMsg) tea.Cmd {
	moves := widget.NewMoves()
	switch m.reader.here() {
	case onShelf:
		if by, ok := moves.By(msg, m.shelfHeight(), len(m.datasets)); ok {
			m.shelf.Move(by, len(m.datasets), m.shelfHeight())
		}
	case onList:
		if by, ok := moves.By(msg, m.browser.listHeight(), len(m.browser.list.lines)); ok {
			m.browser.list.cursor.Move(by, len(m.browser.list.lines), m.browser.listHeight())
			return m.browser.measure()
		}
	default:
		p := m.reader.page
		if by, ok := moves.By(msg, max(1, m.height/2), 1<<20); ok {
			p.top[p.part] = max(0, min(p.top[p.part]+by, m.reader.longest()))
		}
	}
	return nil
}

// enter opens the sample under the cursor, or closes and opens the group.
func enter(m *Model) tea.Cmd {
	if i, ok := m.browser.list.sample(); ok {
		return m.open(i)
	}
	return m.browser.fold()
}

// goTo moves the cursor to a row, opening what hides it; a page turns to it.
func (m *Model) goTo(i int) tea.Cmd {
	if m.reader.page != nil && m.reader.page.at != i {
		return m.open(i)
	}
	m.browser.reveal(i)
	return nil
}

// open shows a sample on the whole screen, in the part that was seen last.
func (m *Model) open(i int) tea.Cmd {
	if i < 0 || i >= len(m.rows) {
		return nil
	}
	p := &page{at: i, sample: m.rows[i].Sample.Ordinal, revision: -1}
	if m.reader.page != nil {
		p.part, p.full = m.reader.page.part, m.reader.page.full
	}
	m.reader.page = p
	m.browser.reveal(i)
	source, pictures, images := m.deps.Source, m.rows[i].Sample.Pictures, m.theme.Images
	return func() tea.Msg {
		gallery := load(images, source, pictures)
		return outcome{m.collection, func() tea.Cmd { return m.reader.illustrate(p, gallery) }}
	}
}

// beside opens the sample before or after, of those that the list shows.
func beside(m *Model, by int) tea.Cmd {
	var shown []int
	for _, l := range m.browser.list.lines {
		if l.group < 0 {
			shown = append(shown, l.row)
		}
	}
	if len(shown) == 0 {
		shown = m.browser.list.order
	}
	at := slices.Index(shown, m.reader.page.at)
	if to := at + by; to >= 0 && to < len(shown) {
		return m.open(shown[to])
	}
	return nil
}
