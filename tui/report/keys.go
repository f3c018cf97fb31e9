package report

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/keymap"
	"concord/tui/widget"
)

type keys struct {
	moves widget.Moves

	open, columns, bars, next, prev, find, again       key.Binding
	placeNext, placePrev, layout, anchor, save, differ key.Binding
}

func newKeys() keys {
	return keys{
		moves:     widget.NewMoves(),
		open:      keymap.Report.Join("its samples", "open"),
		columns:   widget.Bind("←→", "columns", "left", "right"),
		bars:      keymap.Report.Join("bars", "bars"),
		next:      keymap.Report.Bind("other"),
		prev:      keymap.Report.Bind("other_back"),
		find:      keymap.Report.Bind("filter"),
		again:     keymap.Report.Bind("refresh"),
		placeNext: keymap.Report.Bind("next_queue"),
		placePrev: keymap.Report.Bind("previous_queue"),
		layout:    keymap.Report.Bind("detail"),
		anchor:    keymap.Report.Bind("anchor"),
		save:      keymap.Report.Bind("save_report"),
		differ:    keymap.Report.Join("disagreements", "what_differs"),
	}
}

// current is the bindings as they are now.
func (r *reader) current(k keys, s Source) keys {
	f, open := r.figures(), r.opened(s)
	if _, pairs := open.(OpenPairs); pairs {
		k.open.SetHelp("enter", "its pairs")
	}
	k.open = widget.When(k.open, open != nil, "no samples are behind it")
	of, _, column := r.cell()
	k.columns = widget.When(k.columns, of != nil && len(of.stops) > 1, "there are no other columns to go to")
	if r.drawn {
		k.bars = keymap.Report.Join("numbers", "bars")
	}
	k.bars = widget.When(k.bars, of != nil && (r.drawn || of.shares(column)), "this column holds no shares")
	k.layout = widget.When(k.layout, len(r.layouts) > 1, "this report has one layout")
	k.anchor = widget.When(k.anchor, len(r.models) > 1, "it is for votes, of several models")
	k.save = widget.When(k.save, r.saves && f != nil && f.report.Kept != nil, "it is for alignment, of a queue that has labels")
	k.differ = widget.When(k.differ, r.saves && r.asked.place != "", "it is for alignment, of a queue")
	const one = "there is no other queue or dataset with such a report"
	k.placeNext = widget.When(k.placeNext, len(r.places) > 1, one)
	k.placePrev = widget.When(k.placePrev, len(r.places) > 1, one)
	return k
}

// Keys are the bindings that matter now, the most important first.
func (m *Model) Keys() []key.Binding {
	k := m.reader().current(m.keys, m.source)
	switch {
	case m.finding != nil:
		return []key.Binding{widget.Bind("enter", "go there", "enter"), widget.Bind("↑↓", "choose", "up"), widget.Bind("esc", "back", "esc")}
	case m.work != nil:
		return []key.Binding{widget.Bind("esc", "stop computing", "esc"), k.next}
	case m.reader().saves: // saving is what one comes here for
		return []key.Binding{k.open, k.differ, k.save, k.columns, k.next, k.find, k.placeNext, k.layout, k.bars, k.again}
	}
	return []key.Binding{k.open, k.columns, k.next, k.find, k.bars, k.placeNext, k.layout, k.anchor, k.again}
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	k := m.reader().current(m.keys, m.source)
	return []widget.Group{
		{Title: "Reports", Keys: []key.Binding{k.open, k.columns, k.bars, k.layout, k.next, k.prev, k.find, k.again}},
		{Title: "Queues and datasets", Keys: []key.Binding{k.placeNext, k.placePrev, k.anchor, k.differ, k.save}},
		{Title: "Move", Keys: k.moves.Keys()},
	}
}
