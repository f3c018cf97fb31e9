package adjudicate

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

type keys struct {
	moves                                widget.Moves
	open, view, next, prev, after, again key.Binding
	sideways, settle, experts, words     key.Binding
	filters                              []key.Binding
}

func newKeys() keys {
	return keys{
		moves:    widget.NewMoves(),
		open:     widget.Bind("enter", "its items", "enter"),
		view:     widget.Bind("tab", "lists", "tab", "shift+tab"),
		next:     widget.Bind("n", "next extractor", "n"),
		prev:     widget.Bind("p", "extractor before", "p"),
		after:    widget.Bind("r", "with adjudications", "r"),
		again:    widget.Bind("R", "read again", "R"),
		settle:   widget.Bind(".", "adjudicate the next", "."),
		experts:  widget.Bind("e", "expert disagreements", "e"),
		words:    widget.Bind("/", "filter", "/"),
		sideways: widget.Bind("← ↑ → ↓", "walk", "left", "right"),
		filters: []key.Binding{
			widget.Bind("d", "who differs", "d"), widget.Bind("o", "not adjudicated yet", "o"),
			widget.Bind("c", "agree (Case I) or II", "c"), widget.Bind("y", "who was right", "y"),
			widget.Bind("m", "model", "m"), widget.Bind("t", "category", "t"),
			widget.Bind("w", "annotator", "w"), widget.Bind("s", "less sure than", "s"),
		},
	}
}

// current is the bindings as they are now.
func (m *Model) current() keys {
	k := m.keys
	if m.listing {
		k.view.SetHelp("tab", "matrix")
		k.open.SetHelp("enter", "open it")
	}
	if m.experts {
		k.open.SetHelp("enter", "adjudicate them")
		k.experts.SetHelp("e", "back to the queue")
	}
	if m.diffs.after {
		k.after.SetHelp("r", "without adjudications")
	}
	return k
}

// Keys are the bindings that matter now, the most important first.
func (m *Model) Keys() []key.Binding {
	if m.desk != nil {
		return m.desk.Keys()
	}
	if m.diffs.words.Typing() {
		return widget.FilterKeys()
	}
	k := m.current()
	switch {
	case m.experts && m.deps.Queue == "":
		return []key.Binding{k.open, k.again}
	case m.experts:
		return []key.Binding{k.open, k.experts, k.again}
	case m.listing && m.curation.disputed() > 0:
		return []key.Binding{k.open, k.settle, k.experts, k.filters[0], k.words, k.filters[1], k.view, k.next, k.again}
	case m.curation.disputed() > 0:
		return []key.Binding{k.open, k.settle, k.experts, k.view, k.next, k.sideways, k.after, k.again}
	case m.listing:
		return []key.Binding{k.open, k.settle, k.filters[0], k.words, k.filters[1], k.view, k.next, k.again}
	}
	return []key.Binding{k.open, k.settle, k.view, k.next, k.sideways, k.after, k.again}
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	if m.desk != nil {
		return m.desk.Help()
	}
	k := m.current()
	return []widget.Group{
		{Title: "Compare", Keys: []key.Binding{k.open, k.settle, k.view, k.next, k.prev, k.after, k.again, k.sideways, k.experts}},
		{Title: "What is listed: each key goes through its values", Keys: append([]key.Binding{k.words}, k.filters...)},
		{Title: "Move", Keys: k.moves.Keys()},
	}
}
