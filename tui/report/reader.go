package report

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	figures "concord/annotate/report"
	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// reader is where somebody is in a page: what it is about, and the cell.
type reader struct {
	page
	asked  request  // what is shown
	places []string // datasets or queues to choose from; allDatasets is all of them
	models []string // of the shown dataset's votes: one of them is the anchor
	drawn  bool     // a column is drawn as bars
	none   bool     // its group is hidden: the project has nothing for any report of it
	by     map[request]*pageFigures
	spot
}

// request is what a page is asked to show.
type request struct {
	place  string // a dataset or a queue; "": all, or not known yet
	layout int
	anchor string // "": the one that all share
}

func newReader(p page) *reader {
	return &reader{page: p, drawn: p.bars, by: make(map[request]*pageFigures)}
}

// beside is the next page that is not hidden, forth or back.
func beside(all []*reader, at, by int) int {
	for range all {
		if at = (at + by + len(all)) % len(all); !all[at].none {
			break
		}
	}
	return at
}

// figures are those that are shown; nil before they were computed.
func (r *reader) figures() *pageFigures { return r.by[r.asked] }

// move takes a key that moves through the cells, or draws them another way, and
// reports whether it was one.
func (r *reader) move(msg tea.KeyMsg, k *keys, height int) bool {
	f := r.figures()
	if f == nil || f.rows() == 0 {
		return false
	}
	if by, ok := k.moves.By(msg, height, f.rows()); ok {
		r.row = max(0, min(r.row+by, f.rows()-1))
		return true
	}
	if key.Matches(msg, k.bars) {
		r.drawn = !r.drawn
		return true
	}
	if !key.Matches(msg, k.columns) {
		return false
	}
	table, _ := f.find(r.row)
	by := 1
	if msg.String() == "left" {
		by = -1
	}
	last := len(f.sheets[table].stops) - 1
	r.column = max(0, min(min(r.column, last)+by, last))
	return true
}

// choose takes a key that chooses what the page is about, or its layout, and
// reports whether it was one.
func (r *reader) choose(msg tea.KeyMsg, k *keys) bool {
	at, n := slices.Index(r.places, r.asked.place), len(r.places)
	switch {
	case key.Matches(msg, k.placeNext) && n > 1:
		r.asked.place = r.places[(at+1)%n]
	case key.Matches(msg, k.placePrev) && n > 1:
		r.asked.place = r.places[(max(at, 0)+n-1)%n]
	case key.Matches(msg, k.layout) && len(r.layouts) > 1:
		r.asked.layout = (r.asked.layout + 1) % len(r.layouts)
	case key.Matches(msg, k.anchor) && len(r.models) > 1:
		r.asked.anchor = r.models[(slices.Index(r.models, r.asked.anchor)+1)%len(r.models)]
	default:
		return false
	}
	r.spot = spot{}
	return true
}

// cell is the table, row and column that the reader is at; column -1 where there
// is none to be gone to, no sheet without figures.
func (r *reader) cell() (s *sheet, row, column int) {
	f := r.figures()
	if f == nil || f.rows() == 0 {
		return nil, 0, -1
	}
	r.row = min(r.row, f.rows()-1)
	table, row := f.find(r.row)
	s = &f.sheets[table]
	return s, row, s.column(r.column)
}

// opened is what the reader's cell opens; nil: nothing.
func (r *reader) opened(s Source) tea.Msg {
	of, row, column := r.cell()
	if column < 0 {
		return nil
	}
	return of.opens(s, row, column, r.figures().hidden != "")
}

// opens is what the open key does at the reader's cell.
func (r *reader) opens(s Source, spelling *keymap.Spelling) tea.Msg {
	if msg := r.opened(s); msg != nil {
		return msg
	}
	switch of, row, column := r.cell(); {
	case column < 0 || !of.cells[row][column].Figure():
		return widget.Notify{Level: widget.Info, Text: spelling.Keyed("there is no figure here: {left right} goes to one")}
	case r.figures().hidden != "":
		return widget.Notify{Level: widget.Info, Text: r.figures().hidden}
	}
	return widget.Notify{Level: widget.Info, Text: "no sample is behind this figure"}
}

// printed is the command that prints the page as it is.
func (r *reader) printed() string {
	out := r.command
	if len(r.layouts) > 0 && r.layouts[r.asked.layout].flags != "" {
		out += " " + r.layouts[r.asked.layout].flags
	}
	if flag := r.scope.flag(); flag != "" && r.asked.place != allDatasets {
		out += " " + flag + " " + widget.Line(r.asked.place)
	}
	if r.asked.anchor != "" {
		out += " --anchor " + widget.Line(r.asked.anchor)
	}
	return "concord report " + strings.TrimSpace(out)
}

type keys struct {
	moves widget.Moves

	open, columns, bars, next, prev, find, again               key.Binding
	placeNext, placePrev, layout, anchor, save, export, differ key.Binding
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
		export:    keymap.Report.Bind("export_report"),
		differ:    keymap.Report.Join("disagreements", "what_differs"),
	}
}

// savable reports whether what is shown holds a figure that can be saved.
func (r *reader) savable() bool { return r.figures() != nil && r.figures().report.Draft != nil }

// current is the bindings as they are now.
func (r *reader) current(k keys, s Source) keys {
	open := r.opened(s)
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
	k.save = widget.When(k.save, r.savable(), "it is for alignment and corrected scores, once people have labeled")
	k.export = widget.When(k.export, r.figures() != nil && r.figures().rows() > 0, "there is no report yet")
	if r.differ {
		k.differ = keymap.Report.Join("disputed criteria", "what_differs")
	}
	k.differ = widget.When(k.differ, r.differ || r.scope == ofLabelQueues && r.asked.place != "", "it is for alignment, of a queue")
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
	case m.reader().differ:
		return []key.Binding{k.open, k.differ, k.export, k.columns, k.next, k.find, k.layout, k.again}
	case m.reader().savable(): // saving is what one comes here for
		return []key.Binding{k.open, k.differ, k.save, k.export, k.columns, k.next, k.find, k.placeNext, k.layout, k.bars, k.again}
	}
	return []key.Binding{k.open, k.columns, k.next, k.find, k.bars, k.placeNext, k.layout, k.anchor, k.again}
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	k := m.reader().current(m.keys, m.source)
	return []widget.Group{
		{Title: "Reports", Keys: []key.Binding{k.open, k.columns, k.bars, k.layout, k.next, k.prev, k.find, k.again}},
		{Title: "Queues and datasets", Keys: []key.Binding{k.placeNext, k.placePrev, k.anchor, k.differ, k.save, k.export}},
		{Title: "Move", Keys: k.moves.Keys()},
	}
}

// OpenDisputed asks for the criteria on which people differ.
type OpenDisputed struct{}

// OpenCompare asks for what people and machines read differently in a queue.
type OpenCompare struct{ Queue annotate.QueueName }

// OpenSamples asks for the samples behind a figure.
type OpenSamples struct {
	Title     string
	Lists     []List
	Extractor string // whose readings are shown; "": the rules of each run
	People    bool   // what people said is shown

	Dataset eval.DatasetName // of samples that are no run's: their keys have run 0
}

// List is some of the predictions behind a figure. That a prediction is in a
// list that Tells gives away what became of it, in one that tells of Experts
// what these say of its sample.
type List struct {
	Name    string
	Tells   bool
	Experts bool
	Keys    func(ctx context.Context) iter.Seq2[eval.Key, error]
}

// OpenPairs asks for the pairs behind a figure over votes.
type OpenPairs struct {
	Title  string
	Lists  []PairList
	Ballot *eval.Ballot // the judge whose votes stand beside the pairs; nil: people's alone
}

// PairList is some of the pairs behind a figure. That a pair is in a list that
// Tells gives away what was voted on it.
type PairList struct {
	Name  string
	Tells bool
	Pairs iter.Seq[eval.Pair]
}

// opens is what a cell opens; nil: nothing. What people said is closed to whoever
// does not see all.
func (s *sheet) opens(source figures.Facts, row, column int, hidden bool) tea.Msg {
	b := figures.BehindOf(&s.cells[row][column])
	if b == nil || hidden && b.People {
		return nil
	}
	title := widget.Line(s.head[column])
	if of := s.named(row); of != "" {
		title += " · " + of
	}
	if b.Pairs {
		return OpenPairs{Title: title, Ballot: b.Ballot, Lists: pairLists(b)}
	}
	return OpenSamples{Title: title, Extractor: b.Extractor, Dataset: b.Dataset, People: b.People, Lists: sampleLists(source, b)}
}

// sampleLists are the samples behind a cell, all of its parts together first.
func sampleLists(source figures.Facts, b *figures.Behind) []List {
	lists := make([]List, len(b.Picks))
	tells := false
	for i := range b.Picks {
		p := &b.Picks[i]
		lists[i] = List{Name: widget.Line(p.Name), Tells: p.Tells, Experts: p.Experts, Keys: func(ctx context.Context) iter.Seq2[eval.Key, error] {
			return p.Keys(ctx, source)
		}}
		tells = tells || p.Tells
	}
	if b.Parts < 2 {
		return lists
	}
	all := together(lists[:b.Parts]...)
	all.Tells = tells && !b.Whole
	return append([]List{all}, lists...)
}

// pairLists are the pairs behind a cell, all of its parts together first.
func pairLists(b *figures.Behind) []PairList {
	lists := make([]PairList, len(b.Picks))
	for i := range b.Picks {
		p := &b.Picks[i]
		lists[i] = PairList{Name: widget.Line(p.Name), Tells: p.Tells, Pairs: figures.Pairs(p.Row, p.Selection)}
	}
	if b.Parts < 2 {
		return lists
	}
	parts := lists[:b.Parts]
	return append([]PairList{{Name: "all", Tells: !b.Whole, Pairs: func(yield func(eval.Pair) bool) {
		var all []eval.Pair
		for _, l := range parts {
			all = slices.AppendSeq(all, l.Pairs)
		}
		slices.SortStableFunc(all, func(a, b eval.Pair) int { return cmp.Compare(a.Sample, b.Sample) })
		for _, p := range all {
			if !yield(p) {
				return
			}
		}
	}}}, lists...)
}
