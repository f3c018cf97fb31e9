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
	"concord/tui/action"
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

// nextShownPage gives the next page that is not hidden, forth or back.
func nextShownPage(all []*pageReader, at, by int) int {
	for range all {
		if at = (at + by + len(all)) % len(all); !all[at].none {
			break
		}
	}
	return at
}

// shownFigures are those that are shown; nil before they were computed.
func (r *pageReader) shownFigures() *pageFigures { return r.by[r.asked] }

// moveOrRedraw takes a key that moves through the cells, or draws them another way, and tells whether it did.
func (r *pageReader) moveOrRedraw(msg tea.KeyMsg, height int) bool {
	f := r.shownFigures()
	if f == nil || f.countRows() == 0 {
		return false
	}
	if by, ok := widget.NewMoves().MoveBy(msg, height, f.countRows()); ok {
		r.row = max(0, min(r.row+by, f.countRows()-1))
		return true
	}
	by, ok := map[tea.KeyType]int{tea.KeyLeft: -1, tea.KeyRight: 1}[msg.Type]
	if !ok {
		return false
	}
	table, _ := f.findTableOfRow(r.row)
	last := len(f.sheets[table].stops) - 1
	r.column = max(0, min(min(r.column, last)+by, last))
	return true
}

// keyActions is what the keys of the screen do.
type keyActions struct{ *Model }

// newRequestChange changes what is asked for, and computes that.
func (m keyActions) newRequestChange(change func(r *pageReader)) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		r := m.currentReader()
		change(r)
		r.readerSpot = readerSpot{}
		return m.Enter()
	}
}

// stepPlace goes to what another queue or dataset has; behind the last comes the first.
func (m keyActions) stepPlace(by int) func(string) tea.Cmd {
	return m.newRequestChange(func(r *pageReader) {
		at, n := slices.Index(r.places, r.asked.place), len(r.places)
		if by < 0 {
			at = max(at, 0)
		}
		r.asked.place = r.places[(at+by+n)%n]
	})
}

// currentCell is the table, row and column that the reader is at; column -1 where there
// is none to be gone to, no sheet without figures.
func (r *pageReader) currentCell() (s *drawnTable, row, column int) {
	f := r.shownFigures()
	if f == nil || f.countRows() == 0 {
		return nil, 0, -1
	}
	r.row = min(r.row, f.countRows()-1)
	table, row := f.findTableOfRow(r.row)
	s = &f.sheets[table]
	return s, row, s.columnAtStop(r.column)
}

// messageOfCurrentCell gives what the reader's cell opens; nil: nothing.
func (r *pageReader) messageOfCurrentCell(s Source) tea.Msg {
	of, row, column := r.currentCell()
	if column < 0 {
		return nil
	}
	return of.messageOfCell(s, row, column, r.shownFigures().hidden != "")
}

// openKeyMessage gives what the open key does at the reader's cell.
func (r *pageReader) openKeyMessage(s Source, spelling *keymap.Spelling) tea.Msg {
	if msg := r.messageOfCurrentCell(s); msg != nil {
		return msg
	}
	switch of, row, column := r.currentCell(); {
	case column < 0 || !of.cells[row][column].IsFigure():
		return widget.Notify{Level: widget.Info, Text: spelling.SpellText("there is no figure here: {left right} goes to one")}
	case r.shownFigures().hidden != "":
		return widget.Notify{Level: widget.Info, Text: r.shownFigures().hidden}
	}
	return widget.Notify{Level: widget.Info, Text: "no sample is behind this figure"}
}

func (r *pageReader) formatCommand() string {
	out := r.command
	if len(r.layouts) > 0 && r.layouts[r.asked.layout].flags != "" {
		out += " " + r.layouts[r.asked.layout].flags
	}
	if r.scope != ofProject && r.asked.place != allDatasets {
		out += " --" + r.scope.scopeName() + " " + widget.CleanLine(r.asked.place)
	}
	if r.asked.anchor != "" {
		out += " --anchor " + widget.CleanLine(r.asked.anchor)
	}
	return "concord report " + strings.TrimSpace(out)
}

// isSavable reports whether what is shown holds a figure that can be saved.
func (r *pageReader) isSavable() bool {
	return r.shownFigures() != nil && r.shownFigures().report.Draft != nil
}

// ownKeys are those that are no actions of their own.
var ownKeys = map[string]key.Binding{"columns": widget.NewBinding("←→", "columns", "left", "right")}

// newBoundActions gives all that keys do on the page now.
func (m keyActions) newBoundActions() *action.Bounds {
	r, open, opens, bars, differ := m.currentReader(), m.currentReader().messageOfCurrentCell(m.source), "its samples", "bars", "disagreements"
	if _, pairs := open.(OpenPairs); pairs {
		opens = "its pairs"
	}
	if r.drawn {
		bars = "numbers"
	}
	asksDifference := newMessageAction(OpenCompare{annotate.QueueName(r.asked.place)})
	ofQueue := r.scope == ofLabelQueues && r.asked.place != ""
	if r.differ {
		differ = "disputed criteria"
		if !ofQueue {
			asksDifference = newMessageAction(OpenDisputed{})
		}
	}
	of, _, column := r.currentCell()
	elsewhere := action.WhyUnless(len(r.places) > 1, "there is no other queue or dataset with such a report")
	return &action.Bounds{Place: keymap.Report, Own: ownKeys, Spell: &m.Spelling, All: map[string]action.Bound{
		"open": {
			Says: opens, Why: action.WhyUnless(open != nil, "no samples are behind it"), Asks: true,
			Do: func(string) tea.Cmd { return widget.SendCmd(r.openKeyMessage(m.source, &m.Spelling)) },
		},
		"columns": {Why: action.WhyUnless(of != nil && len(of.stops) > 1, "there are no other columns to go to")},
		"bars": {
			Says: bars, Why: action.WhyUnless(of != nil && (r.drawn || of.isShareColumn(column)), "this column holds no shares"), Asks: true,
			Do: func(string) tea.Cmd {
				if of != nil {
					r.drawn = !r.drawn
				}
				return nil
			},
		},
		"other": {Do: m.openReportBeside(1)}, "other_back": {Do: m.openReportBeside(-1)},
		"filter":         {Do: func(string) tea.Cmd { m.finding = newFinder(m.readers, m.at); return nil }},
		"refresh":        {Do: func(string) tea.Cmd { return m.startComputing() }},
		"next_queue":     {Why: elsewhere, Do: m.stepPlace(1)},
		"previous_queue": {Why: elsewhere, Do: m.stepPlace(-1)},
		"detail": {
			Why: action.WhyUnless(len(r.layouts) > 1, "this report has one layout"),
			Do:  m.newRequestChange(func(r *pageReader) { r.asked.layout = (r.asked.layout + 1) % len(r.layouts) }),
		},
		"anchor": {
			Why: action.WhyUnless(len(r.models) > 1, "it is for votes, of several models"),
			Do: m.newRequestChange(func(r *pageReader) {
				r.asked.anchor = r.models[(slices.Index(r.models, r.asked.anchor)+1)%len(r.models)]
			}),
		},
		"save_report": {
			Why: action.WhyUnless(r.isSavable(), "it is for alignment and corrected scores, once people have labeled"), Asks: true,
			Do: func(string) tea.Cmd { return m.saveReport() },
		},
		"export_report": {
			Why: action.WhyUnless(r.shownFigures() != nil && r.shownFigures().countRows() > 0, "there is no report yet"), Asks: true,
			Do: func(string) tea.Cmd { return exportReport(m.source, r.shownFigures()) },
		},
		"what_differs": {Says: differ, Why: action.WhyUnless(r.differ || ofQueue, "it is for alignment, of a queue"), Do: asksDifference},
	}}
}

// openReportBeside goes to a page before or behind.
func (m keyActions) openReportBeside(by int) func(string) tea.Cmd {
	return func(string) tea.Cmd { return m.goToPage(nextShownPage(m.readers, m.at, by)) }
}

// newMessageAction asks the root for something.
func newMessageAction(msg tea.Msg) func(string) tea.Cmd {
	return func(string) tea.Cmd { return widget.SendCmd(msg) }
}

// Bindings are the bindings that matter now, the most important first.
func (m *Model) Bindings() []key.Binding {
	k := keyActions{m}.newBoundActions()
	switch {
	case m.finding != nil:
		return []key.Binding{widget.NewBinding("enter", "go there", "enter"), widget.NewBinding("↑↓", "choose", "up"), widget.NewBinding("esc", "back", "esc")}
	case m.work != nil:
		return append([]key.Binding{widget.NewBinding("esc", "stop computing", "esc")}, k.Bindings("other")...)
	case m.currentReader().differ:
		return k.Bindings("open", "what_differs", "export_report", "columns", "other", "filter", "detail", "refresh")
	case m.currentReader().isSavable(): // saving is what one comes here for
		return k.Bindings("open", "what_differs", "save_report", "export_report", "columns", "other", "filter", "next_queue", "detail", "bars", "refresh")
	}
	return k.Bindings("open", "columns", "other", "filter", "bars", "next_queue", "detail", "anchor", "refresh")
}

// HelpGroups is the page of all bindings.
func (m *Model) HelpGroups() []widget.Group {
	k := keyActions{m}.newBoundActions()
	return []widget.Group{
		{Title: "Reports", Keys: k.Bindings("open", "columns", "bars", "detail", "other", "other_back", "filter", "refresh")},
		{Title: "Queues and datasets", Keys: k.Bindings("next_queue", "previous_queue", "anchor", "what_differs", "save_report", "export_report")},
		{Title: "Move", Keys: widget.NewMoves().Bindings()},
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

// NewChangesQuery asks for the samples that an extractor reads as people do and another
// one does not, and the other way round.
func NewChangesQuery(title, extractor string, fixed, broken []eval.Key) OpenSamples {
	list := func(name string, keys []eval.Key) List {
		return List{Name: name, Tells: true, Keys: func(context.Context) iter.Seq2[eval.Key, error] {
			return figures.YieldKeys(keys)
		}}
	}
	return OpenSamples{Title: title, Extractor: extractor, People: true, Lists: []List{list("fixed", fixed), list("broken", broken)}}
}

// List is some of the predictions behind a figure. That a prediction is in a list that Tells gives away
// what became of it, in one that tells of Experts what these say of its sample.
type List struct {
	Name           string
	Tells, Experts bool
	Keys           func(ctx context.Context) iter.Seq2[eval.Key, error]
}

// OpenPairs asks for the pairs behind a figure over votes.
type OpenPairs struct {
	Title  string
	Lists  []PairList
	Ballot *eval.Ballot // the judge whose votes stand beside the pairs; nil: people's alone
}

// PairList is some of the pairs behind a figure. Being in a list that Tells gives away the vote on a pair.
type PairList struct {
	Name  string
	Tells bool
	Pairs iter.Seq[eval.Pair]
}

// messageOfCell gives what a cell opens, or nil. What people said is closed to whoever does not see all.
func (s *drawnTable) messageOfCell(source figures.Facts, row, column int, hidden bool) tea.Msg {
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
	return OpenSamples{Title: title, Extractor: b.Extractor, Dataset: b.Dataset, People: b.People, Lists: newSampleLists(source, b)}
}

// newSampleLists are the samples behind a cell, all of its parts together first.
func newSampleLists(source figures.Facts, b *figures.Behind) []List {
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
