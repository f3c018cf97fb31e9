package team

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

// press takes a key.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.ending != nil:
		return m.answer(msg)
	case m.form != nil:
		return m.pressForm(msg)
	case m.filter.Typing():
		if m.filter.Press(msg) {
			m.sift()
		}
		return nil
	}
	if m.move(msg) {
		return nil
	}
	k := &m.keys
	switch {
	case key.Matches(msg, k.other):
		if m.detail || m.one() == nil {
			m.detail = false
			return nil
		}
		m.enter()
	case key.Matches(msg, k.filter):
		m.detail = false
		m.filter.Start()
	case key.Matches(msg, k.add):
		return m.open(Admit)
	case key.Matches(msg, k.role):
		return m.unless(m.noRole(), k.role, func() tea.Cmd { return m.open(GiveRole) })
	case key.Matches(msg, k.give):
		return m.unless(m.noGive(), k.give, func() tea.Cmd { return m.open(AddKey) })
	case key.Matches(msg, k.take):
		return m.unless(m.noTake(), k.take, m.takeAway)
	case key.Matches(msg, k.undo):
		return m.undo()
	case key.Matches(msg, k.redo):
		return m.redo()
	}
	return nil
}

// unless does something, or says why not.
func (m *Model) unless(why string, b key.Binding, do func() tea.Cmd) tea.Cmd {
	if why != "" {
		return tell(m.Keyed("{" + b.Keys()[0] + "}: " + why))
	}
	return do()
}

// move takes a key that moves the cursor of the part in front.
func (m *Model) move(msg tea.KeyMsg) bool {
	n, height := len(m.rows), m.listHeight()
	if m.detail {
		n, height = len(m.parts()), m.detailHeight()
	}
	by, ok := m.keys.moves.By(msg, max(1, height-1), n)
	switch {
	case !ok:
	case m.detail:
		m.part.Move(by, n, height)
	default:
		m.at.Move(by, n, height)
		m.part = widget.Cursor{}
	}
	return ok
}

// takeAway takes away what is under the cursor: a person, a key or a session.
func (m *Model) takeAway() tea.Cmd {
	one := m.one()
	if !m.detail {
		return m.change(Change{What: GiveRole, Who: one.Name, Role: annotate.RoleNone})
	}
	p := m.under()
	if p.key != "" {
		return m.change(Change{What: DropKey, Who: one.Name, Key: p.key})
	}
	s := *p.session
	m.ending = &s
	return nil
}

// answer takes the answer to whether a session is to be ended.
func (m *Model) answer(msg tea.KeyMsg) tea.Cmd {
	s := m.ending
	switch {
	case key.Matches(msg, m.keys.end):
		m.ending = nil
		ctx, source := m.ctx, m.deps.Source
		return func() tea.Msg { return ended{m, source.End(ctx, s.ID)} }
	case key.Matches(msg, m.keys.keep), msg.Type == tea.KeyEnter:
		m.ending = nil
	}
	return nil
}

// Click chooses who is drawn at a line.
func (m *Model) Click(x, y int) tea.Cmd {
	if m.form != nil || m.ending != nil || m.beside() && x >= m.listWidth() {
		return nil
	}
	if m.at.Click(y-2, len(m.rows), m.listHeight()) { // the title, the headings
		m.detail, m.part = false, widget.Cursor{}
	}
	return nil
}
