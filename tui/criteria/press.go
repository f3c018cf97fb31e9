package criteria

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// Back leaves one level: a form, the editor, the whole picture, the sample,
// the filter, the dataset. What was typed stays.
func (m *Model) Back() bool {
	switch p := m.page; {
	case m.who == "":
		return false
	case m.form != nil:
		m.putForm()
	case p != nil && p.editor != nil && p.editor.guide:
		p.editor.guide = false
	case p != nil && p.editor != nil:
		m.leave()
	case p != nil && p.full:
		p.full = false
	case p != nil:
		m.page = nil
	case m.unfilter():
	default:
		return false
	}
	return true
}

// scroll moves the cursor of a list, or the text of a page.
func (m *Model) scroll(msg tea.KeyMsg) tea.Cmd {
	moves := widget.NewMoves()
	switch m.here() {
	case onShelf:
		if by, ok := moves.By(msg, m.shelfHeight(), len(m.datasets)); ok {
			m.shelf.Move(by, len(m.datasets), m.shelfHeight())
		}
	case onList:
		if by, ok := moves.By(msg, m.listHeight(), len(m.list.lines)); ok {
			m.list.cursor.Move(by, len(m.list.lines), m.listHeight())
			return m.measure()
		}
	default:
		p := m.page
		if by, ok := moves.By(msg, max(1, m.height/2), 1<<20); ok {
			p.top[p.part] = max(0, min(p.top[p.part]+by, m.longest()))
		}
	}
	return nil
}

func (m *Model) choose() tea.Cmd {
	if m.shelf.At < len(m.datasets) && !m.loading {
		return m.read(m.datasets[m.shelf.At].Name)
	}
	return nil
}

// enter opens the sample under the cursor, or closes and opens the group.
func (m *Model) enter() tea.Cmd {
	if i, ok := m.list.sample(); ok {
		return m.open(i)
	}
	return m.fold()
}

func (m *Model) again() tea.Cmd { return m.read(m.dataset) }

func (m *Model) toShelf() tea.Cmd {
	if len(m.datasets) < 2 {
		return notify(widget.Info, "the project has one dataset")
	}
	m.dataset = ""
	m.rows, m.list.lines = nil, nil
	return nil
}

func (m *Model) saveAgain() tea.Cmd {
	m.deps.Writer.Retry()
	return nil
}

func (m *Model) guideline() tea.Cmd {
	m.page.part = partGuide
	return m.draw()
}

func (m *Model) zoom() tea.Cmd {
	if p := m.page; !p.full {
		if cmd := m.viewer.Fill(p.gallery.Front(), p.gallery.About(m.Spelled("t"))); cmd != nil {
			return cmd
		}
	}
	m.page.full = !m.page.full
	return m.draw()
}

func (m *Model) startFilter() tea.Cmd {
	m.list.typing = true
	m.list.filter.CursorEnd()
	m.list.filter.Focus()
	return nil
}

// narrow shows the samples of the next state.
func (m *Model) narrow(by int) tea.Cmd {
	n := len(stateFilters())
	m.list.state = (m.list.state + by + n) % n
	m.rebuild()
	return m.measure()
}

func (m *Model) turnWhose() tea.Cmd {
	m.list.whose = (m.list.whose + 1) % whoses
	m.rebuild()
	return m.measure()
}
