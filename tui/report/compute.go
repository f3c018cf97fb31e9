package report

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	figures "concord/annotate/report"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/pairwise"
	"concord/eval"
	"concord/tui/widget"
)

// pageFigures are the tables of a page, as they were computed.
type pageFigures struct {
	report  figures.Report
	sheets  []drawnTable
	notes   []string // of a report without tables
	hidden  string   // why somebody does not see all; "" when they do
	missing string   // why there are none; "" when there are some
	choose  bool     // there are none because nobody chose an anchor
	at      time.Time
	stale   bool // facts have changed since
}

// computation is a computation under way. Its numbers are written by the command and read while drawing.
type computation struct {
	cancel      context.CancelFunc
	at          int  // the page
	stale       bool // facts have changed since it began
	done, total atomic.Int64
}

type (
	// computed is what a computation gave, and what of.
	computed struct {
		of             *computation
		from           request // as it was asked for
		asked          request // as it was found: its place is one that there is
		places, models []string
		held           map[catalogue.Group]bool // of which the project has anything
		figures        *pageFigures
		err            error
	}
	// ticked asks for another look at the progress.
	ticked struct{ of *computation }
)

// look is how often the progress of a computation is shown.
const look = 100 * time.Millisecond

func (w *computation) tickProgress() tea.Cmd {
	return tea.Tick(look, func(time.Time) tea.Msg { return ticked{w} })
}

func (w *computation) setProgress(done, total int) {
	w.done.Store(int64(done))
	w.total.Store(int64(total))
}

func (w *computation) drawProgress(t *widget.Theme) string {
	done, total := int(w.done.Load()), int(w.total.Load())
	if total == 0 {
		return t.Accent.Render("loading…")
	}
	return "loading " + widget.FormatCount(done) + " of " + widget.FormatCount(total) + " " + t.DrawBar(10, float64(done)/float64(total))
}

// startComputing computes what is shown; a computation under way is stopped.
func (m *Model) startComputing() tea.Cmd {
	if m.work != nil {
		m.work.cancel()
	}
	ctx, cancel := context.WithCancel(m.ctx)
	w := &computation{cancel: cancel, at: m.at}
	m.work, m.stopped, m.err = w, false, nil
	p, asked, s, who, now := &m.currentReader().reportPage, m.currentReader().asked, m.source, m.who, m.now
	return tea.Batch(w.tickProgress(), func() tea.Msg {
		defer cancel()
		out := computed{of: w, from: asked, asked: asked, figures: &pageFigures{at: now()}}
		out.err = out.computeFigures(ctx, s, p, who)
		return out
	})
}

// computeFigures computes the figures of the place that is asked for, or of the first there
// is, and what of them the person may see.
func (c *computed) computeFigures(ctx context.Context, s Source, p *reportPage, who annotate.Annotator) (err error) {
	if c.held, err = catalogue.GroupsWithData(ctx, s); err != nil {
		return err
	}
	if c.places, err = p.listPlaces(ctx, s); err != nil || len(c.places) == 0 {
		return err
	}
	c.asked.place = c.places[max(0, slices.Index(c.places, c.asked.place))]
	if p.anchors {
		if c.models, err = listJudgedModels(ctx, s, c.asked.place); err != nil {
			return err
		}
	}
	if !slices.Contains(c.models, c.asked.anchor) { // it was asked for on another dataset
		c.asked.anchor = ""
	}
	o := figures.Options{Cards: s.ModelCard, Progress: c.of.setProgress}
	if p.scope.scopeName() == "dataset" {
		o.Dataset = eval.DatasetName(c.asked.place)
	}
	var l pageLayout
	if len(p.layouts) > 0 {
		l = p.layouts[c.asked.layout]
	}
	if l.set != nil {
		l.set(&o)
	}
	f := c.figures
	f.report, err = p.build(ctx, s, c.asked, o)
	switch {
	case errors.Is(err, pairwise.ErrNoAnchor):
		f.choose = true
		return nil
	case errors.Is(err, eval.ErrNotFound):
		f.missing = strings.TrimPrefix(strings.TrimSuffix(err.Error(), ": "+eval.ErrNotFound.Error()), "find ")
		return nil
	case err != nil:
		return err
	}
	if f.hidden, err = p.hides.whyHidden(ctx, s, who, c.asked.place); err != nil {
		return err
	}
	f.layOutTables(l)
	return nil
}

func (f *pageFigures) layOutTables(l pageLayout) {
	r := f.report
	if f.hidden != "" {
		r = r.PublicReport()
	}
	tables := r.Tables()
	if l.tables != nil {
		tables = l.tables(&r)
	}
	for _, t := range tables {
		if len(t.Rows) > 0 {
			f.sheets = append(f.sheets, newDrawnTable(t))
		} else {
			f.notes = append(f.notes, t.Notes...)
		}
	}
}

// handleComputed puts what was computed where it is shown from.
func (m *Model) handleComputed(msg computed) tea.Cmd {
	if msg.of != m.work {
		return nil
	}
	m.work = nil
	if msg.err != nil {
		if m.ctx.Err() != nil {
			return nil
		}
		m.err = msg.err
		return widget.SendCmd(widget.Notify{Level: widget.Problem, Text: "compute the report: " + msg.err.Error()})
	}
	r := m.readers[msg.of.at]
	msg.figures.stale = msg.of.stale
	r.places, r.models = msg.places, msg.models
	for _, one := range m.readers {
		one.none = !msg.held[one.group]
	}
	r.by[msg.asked] = msg.figures
	other := msg.of.at != m.at || r.asked != msg.from // something else was asked for meanwhile
	if r.asked == msg.from {
		r.asked = msg.asked
	}
	m.goToWanted()
	if other {
		return m.Enter()
	}
	return nil
}

// joinLists gives the list of all that lists hold, in the order of samples. What
// only one of them holds, it holds for what experts say, too.
func joinLists(lists ...List) List {
	experts := slices.ContainsFunc(lists, func(l List) bool { return l.Experts })
	return List{Name: "all", Experts: experts, Keys: func(ctx context.Context) iter.Seq2[eval.Key, error] {
		return func(yield func(eval.Key, error) bool) { mergeKeys(ctx, lists, yield) }
	}}
}

// mergeKeys yields the keys of ordered lists in their common order.
func mergeKeys(ctx context.Context, lists []List, yield func(eval.Key, error) bool) {
	type source struct {
		next func() (eval.Key, error, bool)
		head eval.Key
	}
	var open []*source
	for _, l := range lists {
		next, stop := iter.Pull2(l.Keys(ctx))
		defer stop()
		open = append(open, &source{next: next})
	}
	live := make([]*source, 0, len(open))
	advance := func(s *source) bool {
		k, err, ok := s.next()
		if err != nil {
			yield(eval.Key{}, err)
			return false
		}
		if ok {
			s.head = k
			live = append(live, s)
		}
		return true
	}
	if slices.ContainsFunc(open, func(s *source) bool { return !advance(s) }) {
		return
	}
	for len(live) > 0 {
		best := 0
		for i, s := range live {
			if first := live[best].head; cmp.Or(cmp.Compare(s.head.Sample, first.Sample), cmp.Compare(s.head.Pass, first.Pass)) < 0 {
				best = i
			}
		}
		s := live[best]
		if !yield(s.head, nil) {
			return
		}
		live = append(live[:best], live[best+1:]...)
		if !advance(s) {
			return
		}
	}
}
