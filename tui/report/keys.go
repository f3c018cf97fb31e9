package report

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

type keys struct {
	moves widget.Moves

	open, expand, collapse, toggle, all, next, prev, again key.Binding
	queueNext, queuePrev, save, detailed, anchor, differ   key.Binding

	bars, find, columns, layout, drawn key.Binding
}

func newKeys() keys {
	return keys{
		moves:     widget.NewMoves(),
		open:      widget.Bind("enter", "its samples", "enter"),
		toggle:    widget.Bind("space", "levels", " "),
		expand:    widget.Bind("→", "show the levels below", "right"),
		collapse:  widget.Bind("←", "hide the levels below", "left"),
		all:       widget.Bind("e", "show or hide all levels", "e"),
		next:      widget.Bind("tab", "next figures", "tab"),
		prev:      widget.Bind("shift+tab", "figures before", "shift+tab"),
		again:     widget.Bind("R", "compute again", "R"),
		queueNext: widget.Bind("n", "next queue or dataset", "n"),
		queuePrev: widget.Bind("p", "queue or dataset before", "p"),
		anchor:    widget.Bind("c", "another anchor", "c"),
		detailed:  widget.Bind("d", "outcomes folded or apart", "d"),
		save:      widget.Bind("S", "save", "S"),
		bars:      widget.Bind("d", "bars", "d"),
		find:      widget.Bind("/", "all figures", "/"),
		columns:   widget.Bind("←→", "columns", "left", "right"),
		layout:    widget.Bind("d", "another layout", "d"),
		drawn:     widget.Bind("B", "bars", "B"),
		differ:    widget.Bind("w", "what differs", "w"),
	}
}

// noBehind is why a figure does not open.
const noBehind = "no samples stand behind it"

// current is the bindings as they are now.
func (m *Model) current() keys {
	k := m.keys
	l, ok := m.line()
	behind := ok && (len(l.behind.Lists) > 0 || len(l.pairs.Lists) > 0)
	k.open = widget.When(k.open, behind || ok && l.parent, noBehind)
	switch {
	case behind && len(l.pairs.Lists) > 0:
		k.open.SetHelp("enter", "its pairs")
	case !ok || behind:
	case l.open:
		k.open.SetHelp("enter", "close it")
	case l.parent:
		k.open.SetHelp("enter", "open it")
	}
	page := m.page()
	levels := m.section != steps && page == nil
	for _, b := range []*key.Binding{&k.toggle, &k.expand, &k.collapse, &k.all} {
		*b = widget.When(*b, levels, "these figures have no levels")
	}
	const aligned = "it is for alignment, of a queue that has labels"
	k.bars = widget.When(k.bars, m.section == alignmentSection && m.aligned() != nil, aligned)
	if m.charted {
		k.bars.SetHelp("d", "figures")
	}
	k.differ = widget.When(k.differ, m.section == alignmentSection && m.queue != "", "it is for alignment, of a queue")
	k.save = widget.When(k.save, m.section == alignmentSection && m.aligned() != nil, aligned)
	k.detailed = widget.When(k.detailed, m.section == votes, "it is for votes")
	p := m.poll()
	k.anchor = widget.When(k.anchor, p != nil && m.section.anchored() && len(p.models) > 1, "it is for votes, of several models")
	several := m.section == alignmentSection && len(m.queues) > 1
	if p != nil {
		several = len(p.places) > 1
	}
	k.columns = widget.When(k.columns, page != nil, "these figures have no columns to walk")
	k.layout = widget.When(k.layout, page != nil && len(page.layouts) > 1, "these figures have one layout")
	if page != nil {
		_, _, open := m.cell()
		k.open = widget.When(m.keys.open, open, noBehind)
		several = len(m.state().places) > 1
	}
	m.barsKey(&k)
	const one = "there is no other queue or dataset with such figures"
	k.queueNext = widget.When(k.queueNext, several, one)
	k.queuePrev = widget.When(k.queuePrev, several, one)
	return k
}

// Keys are the bindings that matter now, the most important first.
func (m *Model) Keys() []key.Binding {
	k := m.current()
	switch {
	case m.finding != nil:
		return []key.Binding{widget.Bind("enter", "go there", "enter"), widget.Bind("↑↓", "choose", "up"), widget.Bind("esc", "back", "esc")}
	case m.work != nil:
		return []key.Binding{widget.Bind("esc", "stop computing", "esc"), k.next}
	case m.page() != nil:
		return []key.Binding{k.open, k.columns, k.drawn, k.next, k.find, k.queueNext, k.layout, k.again}
	}
	switch m.section {
	case accuracySection:
		return []key.Binding{k.open, k.next, k.find, k.toggle, k.again}
	case alignmentSection: // saving is what one comes here for
		return []key.Binding{k.open, k.differ, k.save, k.bars, k.next, k.find, k.queueNext, k.again}
	case votes:
		return []key.Binding{k.open, k.toggle, widget.Bind("d", "detail", "d"), k.next, k.find, k.queueNext, k.again}
	case bias, agreement, repeats, scores, ranks, annotators:
		return []key.Binding{k.open, k.toggle, k.next, k.find, k.queueNext, k.again}
	case steps, sections:
	}
	return []key.Binding{k.open, k.next, k.find, k.again}
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	k := m.current()
	return []widget.Group{
		{Title: "Figures", Keys: []key.Binding{k.open, k.next, k.prev, k.find, k.columns, k.drawn, k.layout, k.toggle, k.expand, k.collapse, k.all, k.detailed, k.anchor, k.again}},
		{Title: "Queues and datasets", Keys: []key.Binding{k.bars, k.differ, k.save, k.queueNext, k.queuePrev}},
		{Title: "Move", Keys: k.moves.Keys()},
	}
}

// Typing reports whether keys are text: those that find figures by name.
func (m *Model) Typing() bool { return m.finding != nil }

// Back leaves the list of all figures, or stops a computation, and reports
// whether there was one.
func (m *Model) Back() bool {
	if m.finding != nil {
		m.finding = nil
		return true
	}
	if m.work == nil {
		return false
	}
	m.work.cancel()
	m.work = nil
	m.stopped = true
	return true
}
