package home

import (
	"github.com/charmbracelet/bubbles/key"

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
		open:   widget.Bind("enter", "samples", "enter"),
		pause:  widget.Bind("p", "pause", "p"),
		cancel: widget.Bind("c", "cancel", "c"),
		report: widget.Bind("r", "report", "r"),

		start:   widget.Bind("n", "new run", "n"),
		filter:  widget.Bind("/", "filter", "/"),
		bring:   widget.Bind("i", "import a file", "i"),
		connect: widget.Bind("m", "connect a model", "m"),
		enrol:   widget.Bind("l", "new annotation queue", "l"),
		retry:   widget.Bind("t", "retry errors", "t"),
		room:    widget.PaneKeys(),
		details: widget.Bind("d", "details", "d"),
		errors:  widget.Bind("e", "errors", "e"),
		again:   widget.Bind("R", "newest", "R"),
		judge:   widget.Bind("J", "run judge", "J"), // j moves
		votes:   widget.Bind("V", "judge pairs", "V"),
		guide:   widget.Bind("ctrl+g", "guideline", "ctrl+g"),
	}
}
