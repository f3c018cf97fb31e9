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
	case m.people.filter.Typing():
		if m.people.filter.Press(msg) {
			m.people.sift()
		}
		return nil
	}
	if m.people.move(msg) {
		return nil
	}
	k := &m.keys
	switch {
	case key.Matches(msg, k.other):
		if m.people.detail || m.people.one() == nil {
			m.people.detail = false
			return nil
		}
		m.people.enter()
	case key.Matches(msg, k.filter):
		m.people.detail = false
		m.people.filter.Start()
	case key.Matches(msg, k.add):
		return m.open(Admit)
	case key.Matches(msg, k.role):
		return m.unless(m.people.noRole(), k.role, func() tea.Cmd { return m.open(GiveRole) })
	case key.Matches(msg, k.give):
		return m.unless(m.people.noGive(), k.give, func() tea.Cmd { return m.open(AddKey) })
	case key.Matches(msg, k.take):
		return m.unless(m.people.noTake(), k.take, m.takeAway)
	case key.Matches(msg, k.undo):
		return m.history.undo()
	case key.Matches(msg, k.redo):
		return m.history.redo()
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

// takeAway takes away what is under the cursor: a person, a key or a session.
func (m *Model) takeAway() tea.Cmd {
	one := m.people.one()
	if !m.people.detail {
		return m.history.change(Change{What: GiveRole, Who: one.Name, Role: annotate.RoleNone})
	}
	p := m.people.under()
	if p.key != "" {
		return m.history.change(Change{What: DropKey, Who: one.Name, Key: p.key})
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
	if m.form != nil || m.ending != nil || m.people.beside() && x >= m.people.listWidth() {
		return nil
	}
	if m.people.at.Click(y-2, len(m.people.rows), m.people.listHeight()) { // the title, the headings
		m.people.detail, m.people.part = false, widget.Cursor{}
	}
	return nil
}
