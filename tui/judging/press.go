package judging

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/job"
	"concord/tui/widget"
)

// Back leaves what is open, one level, and reports whether there was any.
func (m *Model) Back() bool {
	switch {
	case m.ending:
		m.ending = false
	case m.form != nil:
		if m.form.back() {
			return true
		}
		m.form.reset()
		m.form = nil
		return m.id != ""
	case m.opened != nil:
		m.opened = nil
	default:
		return false
	}
	return true
}

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.ending:
		return m.confirm(msg)
	case m.form != nil:
		return m.form.press(msg)
	case m.opened != nil:
		return m.pressReply(msg)
	case !m.known:
		return nil
	}
	k := m.keys
	if by, ok := k.moves.By(msg, max(1, m.height-3), 1<<30); ok {
		m.move(by)
		return nil
	}
	switch {
	case key.Matches(msg, k.other):
		m.turn(msg.String() == "shift+tab")
	case key.Matches(msg, k.errors):
		if m.part != failed {
			m.part = failed
		} else {
			m.part = results
		}
		m.settle()
	case key.Matches(msg, k.open):
		return m.openReply()
	case key.Matches(msg, k.pause):
		return job.Steer(m.ctx, m.Control, &m.row, job.PauseOrResume, &m.Spelling)
	case key.Matches(msg, k.retry):
		return job.Steer(m.ctx, m.Control, &m.row, job.Retry, &m.Spelling)
	case key.Matches(msg, k.cancel):
		if m.Control == nil || m.row.NoCancel != "" {
			return job.Steer(m.ctx, m.Control, &m.row, job.Cancel, &m.Spelling)
		}
		m.ending = true
	case key.Matches(msg, k.room):
		if why := m.noRoom(); why != "" {
			return notify(widget.Info, why)
		}
		m.space.Press(msg.String())
		m.settle()
	case key.Matches(msg, k.votes):
		if m.Starter == nil {
			return notify(widget.Info, noStarter)
		}
		m.showForm(m.id)
		return m.form.read()
	}
	return nil
}

// confirm takes the answer to whether the job is to end; enter is the safe one.
func (m *Model) confirm(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "y":
		m.ending = false
		return job.Steer(m.ctx, m.Control, &m.row, job.Cancel, &m.Spelling)
	case "n", "enter":
		m.ending = false
	}
	return nil
}

// move moves in the part that is shown.
func (m *Model) move(by int) {
	if l := m.list(); l != nil {
		l.at.Move(by, len(l.rows), m.listHeight())
		return
	}
	m.top += by
	m.settle()
}
