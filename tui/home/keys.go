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
	connect, guide, room, people         key.Binding
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
		enrol:   widget.Bind("l", "label answers", "l"),
		retry:   widget.Bind("t", "retry errors", "t"),
		room:    widget.RoomKeys(),
		details: widget.Bind("d", "details", "d"),
		errors:  widget.Bind("e", "errors", "e"),
		people:  widget.Bind("P", "people", "P"),
		again:   widget.Bind("R", "newest", "R"),
		judge:   widget.Bind("J", "have it judged", "J"), // j moves
		votes:   widget.Bind("V", "have votes judged", "V"),
		guide:   widget.Bind("ctrl+g", "guideline", "ctrl+g"),
	}
}

// formKeys are the keys of the form, beside what is typed into it. What is
// typed has no key of its own.
type formKeys struct {
	start, up, down, fields, change, toggle, filter, number, back key.Binding
}

func newFormKeys() formKeys {
	return formKeys{
		start:  widget.Bind("enter", "start", "enter"),
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

// Keys are the bindings that matter now, the most important first.
func (m *Model) Keys() []key.Binding {
	switch {
	case m.Asking():
		return []key.Binding{widget.Bind("y", "cancel it", "y"), widget.Bind("n/esc", "keep it running", "n")}
	case m.composer.form != nil:
		return m.composer.form.Keys()
	case m.jury != nil:
		return m.jury.Keys()
	case m.side.page.open:
		return m.side.pageKeys()
	case m.filter.Typing():
		return widget.FilterKeys()
	}
	k := m.side.current()
	if len(m.rows)+len(m.datasets)+len(m.queues)+len(m.jobs) == 0 { // what brings something in goes first
		return m.shared([]key.Binding{k.start, k.bring, k.connect, k.enrol, k.votes}, k.people)
	}
	if m.focus == atDatasets { // enter does what n does
		return m.shared([]key.Binding{k.start, k.bring, k.other, k.connect, k.filter, k.votes}, k.people)
	}
	return m.shared([]key.Binding{k.start, k.open, k.report, k.pause, k.other, k.enrol, k.judge, k.details, k.filter, k.guide, k.cancel, k.retry, k.votes, k.errors, k.bring, k.connect}, k.people)
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	k := m.side.current()
	return []widget.Group{
		{Title: "Runs, judgings and queues", Keys: m.shared([]key.Binding{
			k.start, k.bring, k.connect, k.enrol, k.open, k.details, k.errors, k.pause, k.cancel, k.retry, k.judge, k.votes, k.report, k.guide, k.other, k.filter, k.again, k.room,
		}, k.people)},
		{Title: "Move", Keys: k.moves.Keys()},
		{Title: "New run", Keys: []key.Binding{
			m.formKeys.up, m.formKeys.down, m.formKeys.change, m.formKeys.toggle, m.formKeys.filter, m.formKeys.number,
		}},
	}
}

// nothingNew is why no answers are to be shown.
const nothingNew = "no answer has come that is not shown"

// Asking reports whether cancelling waits for an answer.
func (m *Model) Asking() bool { return m.asking != 0 || m.ending != "" }
