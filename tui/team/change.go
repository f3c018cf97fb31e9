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
		of   *history
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

// changed tells of a change that is stored, or why it is not.
func (m *Model) changed(msg changed) tea.Cmd {
	m.history.busy = false
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
		m.history.undone = append(m.history.undone, msg.done.Back)
		said = "undone: " + said
	case forth, again, wayUnset:
		m.history.past = append(m.history.past, msg.done.Back)
		if msg.way == forth {
			m.history.undone = nil
		}
	}
	if m.form != nil && msg.way == forth && m.form.does == msg.did.What {
		m.drafts[msg.did.What], m.form = nil, nil
		m.people.seek(msg.did.Who)
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
