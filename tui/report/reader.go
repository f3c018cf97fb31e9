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

// pageReader is where somebody is in a page: what it is about, and the cell.
type pageReader struct {
	reportPage
	asked  request  // what is shown
	places []string // datasets or queues to choose from; allDatasets is all of them
	models []string // of the shown dataset's votes: one of them is the anchor
	drawn  bool     // a column is drawn as bars
	none   bool     // its group is hidden: the project has nothing for any report of it
	by     map[request]*pageFigures
	readerSpot
}

// request is what a page is asked to show.
type request struct {
	place  string // a dataset or a queue; "": all, or not known yet
	layout int
	anchor string // "": the one that all share
}

func newReader(p reportPage) *pageReader {
	return &pageReader{reportPage: p, drawn: p.bars, by: make(map[request]*pageFigures)}
}

// nextPage gives the next page that is not hidden, forth or back.
func nextPage(all []*pageReader, at, by int) int {
	for range all {
		if at = (at + by + len(all)) % len(all); !all[at].none {
			break
		}
	}
	return at
}

// shown are those that are shown; nil before they were computed.
func (r *pageReader) shown() *pageFigures { return r.by[r.asked] }

// handleMove takes a key that moves through the cells, or draws them another way, and
// reports whether it was one.
func (r *pageReader) handleMove(msg tea.KeyMsg, k *keys, height int) bool {
	f := r.shown()
	if f == nil || f.countRows() == 0 {
		return false
	}
	if by, ok := k.moves.MoveBy(msg, height, f.countRows()); ok {
		r.row = max(0, min(r.row+by, f.countRows()-1))
		return true
	}
	if key.Matches(msg, k.bars) {
		r.drawn = !r.drawn
		return true
	}
	if !key.Matches(msg, k.columns) {
		return false
	}
	table, _ := f.findTable(r.row)
	by := 1
	if msg.String() == "left" {
		by = -1
	}
	last := len(f.sheets[table].stops) - 1
	r.column = max(0, min(min(r.column, last)+by, last))
	return true
}

// handleChoice takes a key that chooses what the page is about, or its layout, and
// reports whether it was one.
func (r *pageReader) handleChoice(msg tea.KeyMsg, k *keys) bool {
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
	r.readerSpot = readerSpot{}
	return true
}

// currentCell is the table, row and column that the reader is at; column -1 where there
// is none to be gone to, no sheet without figures.
func (r *pageReader) currentCell() (s *drawnTable, row, column int) {
	f := r.shown()
	if f == nil || f.countRows() == 0 {
		return nil, 0, -1
	}
	r.row = min(r.row, f.countRows()-1)
	table, row := f.findTable(r.row)
	s = &f.sheets[table]
	return s, row, s.columnAtStop(r.column)
}

// openMessage gives what the reader's cell opens; nil: nothing.
func (r *pageReader) openMessage(s Source) tea.Msg {
	of, row, column := r.currentCell()
	if column < 0 {
		return nil
	}
	return of.openMessage(s, row, column, r.shown().hidden != "")
}

// openKeyMessage gives what the open key does at the reader's cell.
func (r *pageReader) openKeyMessage(s Source, spelling *keymap.Spelling) tea.Msg {
	if msg := r.openMessage(s); msg != nil {
		return msg
	}
	switch of, row, column := r.currentCell(); {
	case column < 0 || !of.cells[row][column].IsFigure():
		return widget.Notify{Level: widget.Info, Text: spelling.SpellText("there is no figure here: {left right} goes to one")}
	case r.shown().hidden != "":
		return widget.Notify{Level: widget.Info, Text: r.shown().hidden}
	}
	return widget.Notify{Level: widget.Info, Text: "no sample is behind this figure"}
}

// printCommand gives the command that prints the page as it is.
func (r *pageReader) printCommand() string {
	out := r.command
	if len(r.layouts) > 0 && r.layouts[r.asked.layout].flags != "" {
		out += " " + r.layouts[r.asked.layout].flags
	}
	if flag := r.scope.scopeFlag(); flag != "" && r.asked.place != allDatasets {
		out += " " + flag + " " + widget.CleanLine(r.asked.place)
	}
	if r.asked.anchor != "" {
		out += " --anchor " + widget.CleanLine(r.asked.anchor)
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
		open:      keymap.Report.BindJoined("its samples", "open"),
		columns:   widget.NewBinding("←→", "columns", "left", "right"),
		bars:      keymap.Report.BindJoined("bars", "bars"),
		next:      keymap.Report.BindAction("other"),
		prev:      keymap.Report.BindAction("other_back"),
		find:      keymap.Report.BindAction("filter"),
		again:     keymap.Report.BindAction("refresh"),
		placeNext: keymap.Report.BindAction("next_queue"),
		placePrev: keymap.Report.BindAction("previous_queue"),
		layout:    keymap.Report.BindAction("detail"),
		anchor:    keymap.Report.BindAction("anchor"),
		save:      keymap.Report.BindAction("save_report"),
		export:    keymap.Report.BindAction("export_report"),
		differ:    keymap.Report.BindJoined("disagreements", "what_differs"),
	}
}

// isSavable reports whether what is shown holds a figure that can be saved.
func (r *pageReader) isSavable() bool { return r.shown() != nil && r.shown().report.Draft != nil }

// currentKeys is the bindings as they are now.
func (r *pageReader) currentKeys(k keys, s Source) keys {
	open := r.openMessage(s)
	if _, pairs := open.(OpenPairs); pairs {
		k.open.SetHelp("enter", "its pairs")
	}
	k.open = widget.BindingWhen(k.open, open != nil, "no samples are behind it")
	of, _, column := r.currentCell()
	k.columns = widget.BindingWhen(k.columns, of != nil && len(of.stops) > 1, "there are no other columns to go to")
	if r.drawn {
		k.bars = keymap.Report.BindJoined("numbers", "bars")
	}
	k.bars = widget.BindingWhen(k.bars, of != nil && (r.drawn || of.isShareColumn(column)), "this column holds no shares")
	k.layout = widget.BindingWhen(k.layout, len(r.layouts) > 1, "this report has one layout")
	k.anchor = widget.BindingWhen(k.anchor, len(r.models) > 1, "it is for votes, of several models")
	k.save = widget.BindingWhen(k.save, r.isSavable(), "it is for alignment and corrected scores, once people have labeled")
	k.export = widget.BindingWhen(k.export, r.shown() != nil && r.shown().countRows() > 0, "there is no report yet")
	if r.differ {
		k.differ = keymap.Report.BindJoined("disputed criteria", "what_differs")
	}
	k.differ = widget.BindingWhen(k.differ, r.differ || r.scope == ofLabelQueues && r.asked.place != "", "it is for alignment, of a queue")
	const one = "there is no other queue or dataset with such a report"
	k.placeNext = widget.BindingWhen(k.placeNext, len(r.places) > 1, one)
	k.placePrev = widget.BindingWhen(k.placePrev, len(r.places) > 1, one)
	return k
}

// Bindings are the bindings that matter now, the most important first.
func (m *Model) Bindings() []key.Binding {
	k := m.currentReader().currentKeys(m.keys, m.source)
	switch {
	case m.finding != nil:
		return []key.Binding{widget.NewBinding("enter", "go there", "enter"), widget.NewBinding("↑↓", "choose", "up"), widget.NewBinding("esc", "back", "esc")}
	case m.work != nil:
		return []key.Binding{widget.NewBinding("esc", "stop computing", "esc"), k.next}
	case m.currentReader().differ:
		return []key.Binding{k.open, k.differ, k.export, k.columns, k.next, k.find, k.layout, k.again}
	case m.currentReader().isSavable(): // saving is what one comes here for
		return []key.Binding{k.open, k.differ, k.save, k.export, k.columns, k.next, k.find, k.placeNext, k.layout, k.bars, k.again}
	}
	return []key.Binding{k.open, k.columns, k.next, k.find, k.bars, k.placeNext, k.layout, k.anchor, k.again}
}

// HelpGroups is the page of all bindings.
func (m *Model) HelpGroups() []widget.Group {
	k := m.currentReader().currentKeys(m.keys, m.source)
	return []widget.Group{
		{Title: "Reports", Keys: []key.Binding{k.open, k.columns, k.bars, k.layout, k.next, k.prev, k.find, k.again}},
		{Title: "Queues and datasets", Keys: []key.Binding{k.placeNext, k.placePrev, k.anchor, k.differ, k.save, k.export}},
		{Title: "Move", Keys: k.moves.Bindings()},
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

// openMessage gives what a cell opens; nil: nothing. What people said is closed to whoever
// does not see all.
func (s *drawnTable) openMessage(source figures.Facts, row, column int, hidden bool) tea.Msg {
	b := figures.BehindOf(&s.cells[row][column])
	if b == nil || hidden && b.People {
		return nil
	}
	title := widget.CleanLine(s.head[column])
	if of := s.rowName(row); of != "" {
		title += " · " + of
	}
	if b.Pairs {
		return OpenPairs{Title: title, Ballot: b.Ballot, Lists: newPairLists(b)}
	}
	return OpenSamples{Title: title, Extractor: b.Extractor, Dataset: b.Dataset, People: b.People, Lists: sampleLists(source, b)}
}

// sampleLists are the samples behind a cell, all of its parts together first.
func sampleLists(source figures.Facts, b *figures.Behind) []List {
	lists := make([]List, len(b.Picks))
	tells := false
	for i := range b.Picks {
		p := &b.Picks[i]
		lists[i] = List{Name: widget.CleanLine(p.Name), Tells: p.Tells, Experts: p.Experts, Keys: func(ctx context.Context) iter.Seq2[eval.Key, error] {
			return p.KeysBehind(ctx, source)
		}}
		tells = tells || p.Tells
	}
	if b.Parts < 2 {
		return lists
	}
	all := joinLists(lists[:b.Parts]...)
	all.Tells = tells && !b.Whole
	return append([]List{all}, lists...)
}

// newPairLists gives the pairs behind a cell, all of its parts together first.
func newPairLists(b *figures.Behind) []PairList {
	lists := make([]PairList, len(b.Picks))
	for i := range b.Picks {
		p := &b.Picks[i]
		lists[i] = PairList{Name: widget.CleanLine(p.Name), Tells: p.Tells, Pairs: figures.PairsBehindRow(p.Row, p.Selection)}
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
