package runs

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

type keys struct {
	moves widget.Moves

	other, open, pause, cancel, report key.Binding
}

func newKeys() keys {
	return keys{
		moves:  widget.NewMoves(),
		other:  widget.Bind("tab", "queues", "tab", "shift+tab"),
		open:   widget.Bind("enter", "samples", "enter"),
		pause:  widget.Bind("p", "pause", "p"),
		cancel: widget.Bind("c", "cancel", "c"),
		report: widget.Bind("r", "report", "r"),
	}
}

// Keys are the bindings that matter now, the most important first.
func (m *Model) Keys() []key.Binding {
	k := m.current()
	if m.asking != 0 {
		return []key.Binding{widget.Bind("y", "cancel the run", "y"), widget.Bind("n/esc", "keep it running", "n")}
	}
	return []key.Binding{k.open, k.other, k.pause, k.cancel, k.report}
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	k := m.current()
	return []widget.Group{
		{Title: "Runs and queues", Keys: []key.Binding{k.open, k.other, k.pause, k.cancel, k.report}},
		{Title: "Move", Keys: k.moves.Keys()},
	}
}

// current is the bindings as they read for what is under the cursor.
func (m *Model) current() keys {
	k := m.keys
	if m.onQueues {
		k.open.SetHelp("enter", "review")
		k.other.SetHelp("tab", "runs")
		k.pause.SetEnabled(false)
		k.cancel.SetEnabled(false)
		k.open.SetEnabled(len(m.queues) > 0)
		k.report.SetEnabled(len(m.queues) > 0)
		return k
	}
	row, ok := m.run()
	k.open.SetEnabled(ok)
	k.report.SetEnabled(ok)
	k.other.SetEnabled(len(m.queues) > 0)
	k.pause.SetEnabled(ok && whyNotPause(row) == "")
	k.cancel.SetEnabled(ok && whyNotCancel(row) == "")
	if ok && resumes(row) {
		k.pause.SetHelp("p", "resume")
	}
	return k
}

// Asking reports whether cancelling waits for an answer.
func (m *Model) Asking() bool { return m.asking != 0 }
