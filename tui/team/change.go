package team

import (
	tea "github.com/charmbracelet/bubbletea"
)

// way is which way a change goes.
type way uint8

const (
	wayUnset way = iota
	forth        // somebody wants it
	back         // it takes one back
	again        // it does one again that was taken back
)

type (
	// changed is what a change came to.
	changed struct {
		of   *Model
		did  Change
		way  way
		done Done
		err  error
	}
	// ended is that a session was ended, or why not.
	ended struct {
		of  *Model
		err error
	}
)

// change has a change stored.
func (m *Model) change(c Change) tea.Cmd { return m.store(c, forth) }

func (m *Model) store(c Change, w way) tea.Cmd {
	if m.busy {
		return tell("the change before is being stored")
	}
	m.busy = true
	ctx, source, by := m.ctx, m.deps.Source, m.deps.Who
	return func() tea.Msg {
		done, err := source.Change(ctx, by, c)
		return changed{m, c, w, done, err}
	}
}

// undo takes the last change back.
func (m *Model) undo() tea.Cmd { return m.pop(&m.past, back, nothingChanged) }

// redo does again what was taken back last.
func (m *Model) redo() tea.Cmd { return m.pop(&m.undone, again, nothingUndone) }

func (m *Model) pop(from *[]Change, w way, none string) tea.Cmd {
	n := len(*from)
	switch {
	case n == 0:
		return tell(none)
	case m.busy:
		return tell("the change before is being stored")
	}
	c := (*from)[n-1]
	*from = (*from)[:n-1]
	return m.store(c, w)
}

// changed tells of a change that is stored, or why it is not.
func (m *Model) changed(msg changed) tea.Cmd {
	m.busy = false
	if msg.err != nil {
		if m.form != nil && msg.way == forth && m.form.does == msg.did.What {
			m.form.err = msg.err
			return nil
		}
		return trouble(msg.err)
	}
	said := msg.done.Said
	switch msg.way {
	case back:
		m.undone = append(m.undone, msg.done.Back)
		said = "undone: " + said
	case forth, again, wayUnset:
		m.past = append(m.past, msg.done.Back)
		if msg.way == forth {
			m.undone = nil
		}
	}
	if m.form != nil && msg.way == forth && m.form.does == msg.did.What {
		m.drafts[msg.did.What], m.form = nil, nil
		m.seek(msg.did.Who)
	}
	return tea.Batch(tell(said), m.read())
}

// ended tells of a session that was ended.
func (m *Model) ended(msg ended) tea.Cmd {
	if msg.err != nil {
		return trouble(msg.err)
	}
	return tea.Batch(tell("the session is ended; what was done in it is saved"), m.read())
}
