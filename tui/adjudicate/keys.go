package adjudicate

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/keymap"
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
		open:     keymap.Compare.Join("its items", "open"),
		view:     widget.Bind("tab", "lists", "tab", "shift+tab"),
		next:     keymap.Compare.Bind("next_extractor"),
		prev:     keymap.Compare.Bind("previous_extractor"),
		after:    keymap.Compare.Join("with adjudications", "rulings"),
		again:    keymap.Compare.Bind("refresh"),
		settle:   keymap.Compare.Bind("next_unlabeled"),
		experts:  keymap.Compare.Join("expert disagreements", "experts"),
		words:    keymap.Compare.Bind("filter"),
		sideways: widget.Bind("← ↑ → ↓", "walk", "left", "right"),
		filters: []key.Binding{
			keymap.Compare.Bind("filter_differs"), keymap.Compare.Bind("filter_unsettled"),
			keymap.Compare.Bind("filter_case"), keymap.Compare.Bind("filter_cause"),
			keymap.Compare.Bind("filter_model"), keymap.Compare.Bind("filter_category"),
			keymap.Compare.Bind("filter_annotator"), keymap.Compare.Bind("filter_unsure"),
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
