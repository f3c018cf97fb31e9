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

// formKeys are the keys of the form, beside what is typed into it. What is
// typed has no key of its own.
type formKeys struct {
	start, up, down, fields, change, toggle, filter, number, back key.Binding
}

func newFormKeys() formKeys {
	return formKeys{
		start:  keymap.Runs.Join("start", "open"),
		up:     widget.Bind("↑", "field before", "up", "shift+tab"),
		down:   widget.Bind("↓", "next field", "down", "tab"),
		fields: widget.Bind("↑↓", "fields", "up", "down"),
		change: widget.Bind("←→", "change", "left", "right"),
		toggle: widget.Bind("space", "in or out", " "),
		filter: widget.Bind("a-z", "filter", "letters"),
		number: widget.Bind("0-9", "number", "digits"),
		back:   widget.Bind("esc", "back", "esc"),
	}
}
