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
		return m.shown.id != ""
	case m.shown.opened != nil:
		m.shown.opened = nil
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
	case m.shown.opened != nil:
		return m.shown.pressReply(msg)
	case !m.shown.known:
		return nil
	}
	k := m.keys
	if by, ok := k.moves.By(msg, max(1, m.shown.height-3), 1<<30); ok {
		m.shown.move(by)
		return nil
	}
	switch {
	case key.Matches(msg, k.other):
		m.shown.turn(msg.String() == "shift+tab")
	case key.Matches(msg, k.errors):
		if m.shown.part != failed {
			m.shown.part = failed
		} else {
			m.shown.part = results
		}
		m.shown.settle()
	case key.Matches(msg, k.open):
		return m.shown.openReply()
	case key.Matches(msg, k.pause):
		return job.Steer(m.ctx, m.Control, &m.shown.row, job.PauseOrResume, &m.Spelling)
	case key.Matches(msg, k.retry):
		return job.Steer(m.ctx, m.Control, &m.shown.row, job.Retry, &m.Spelling)
	case key.Matches(msg, k.cancel):
		if m.Control == nil || m.shown.row.NoCancel != "" {
			return job.Steer(m.ctx, m.Control, &m.shown.row, job.Cancel, &m.Spelling)
		}
		m.ending = true
	case key.Matches(msg, k.room):
		if why := m.shown.noRoom(); why != "" {
			return widget.Tell(widget.Info, why)
		}
		m.shown.space.Press(msg.String())
		m.shown.settle()
	case key.Matches(msg, k.votes):
		if m.Scheduler == nil {
			return widget.Tell(widget.Info, noStarter)
		}
		m.showForm(m.shown.id)
		return m.form.read()
	}
	return nil
}

// confirm takes the answer to whether the job is to end; enter is the safe one.
func (m *Model) confirm(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "y":
		m.ending = false
		return job.Steer(m.ctx, m.Control, &m.shown.row, job.Cancel, &m.Spelling)
	case "n", "enter":
		m.ending = false
	}
	return nil
}
