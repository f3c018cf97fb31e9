package home

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/keymap"
	"concord/tui/widget"
)

type keys struct {
	moves widget.Moves

	other, open, pause, cancel, report   key.Binding
	start, retry, details, errors, again key.Binding
	judge, votes, bring, enrol, filter   key.Binding
	connect, guide, room                 key.Binding
}

func newKeys() keys {
	return keys{
		moves:  widget.NewMoves(),
		other:  widget.Bind("tab", "queues", "tab", "shift+tab"),
		open:   keymap.Runs.Join("samples", "open"),
		pause:  keymap.Runs.Join("pause", "pause"),
		cancel: keymap.Runs.Bind("cancel"),
		report: keymap.Runs.Join("report", "report"),

		start:   keymap.Runs.Bind("new_run"),
		filter:  keymap.Runs.Bind("filter"),
		bring:   keymap.Runs.Bind("import"),
		connect: keymap.Runs.Bind("connect"),
		enrol:   keymap.Runs.Join("new annotation queue", "new_queue"),
		retry:   keymap.Runs.Bind("retry"),
		room:    widget.PaneKeys(),
		details: keymap.Runs.Bind("details"),
		errors:  keymap.Runs.Bind("errors"),
		again:   keymap.Runs.Bind("refresh"),
		judge:   keymap.Runs.Bind("judge"), // j moves
		votes:   keymap.Runs.Bind("judge_votes"),
		guide:   keymap.Runs.Join("guideline", "guideline_page"),
	}
}
