package report

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	figures "concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/eval"
	"concord/tui/widget"
)

// work is a computation under way. Its numbers are written by the command and
// read while drawing.
type work struct {
	cancel      context.CancelFunc
	section     section
	stale       bool // facts have changed since it began
	done, total atomic.Int64
}

type (
	// computed is what a computation gave.
	computed struct {
		of     *work
		runs   *runFigures
		queues []annotate.Queue
		queue  annotate.QueueName
		align  *alignmentFigures
		places []string
		place  string
		models []string
		poll   *pollFigures
		page   *pageFigures
		layout int
		err    error
	}
	// ticked asks for another look at the progress.
	ticked struct{ of *work }
)

// look is how often the progress of a computation is shown.
const look = 100 * time.Millisecond

func (w *work) tick() tea.Cmd {
	return tea.Tick(look, func(time.Time) tea.Msg { return ticked{w} })
}

func (w *work) tell(done, total int) {
	w.done.Store(int64(done))
	w.total.Store(int64(total))
}

// compute computes what is shown; a computation under way is stopped.
func (m *Model) compute() tea.Cmd {
	if m.work != nil {
		m.work.cancel()
	}
	ctx, cancel := context.WithCancel(m.ctx)
	w := &work{cancel: cancel, section: m.section}
	m.work, m.stopped, m.err = w, false, nil
	source, now := m.source, m.now
	if m.section == alignmentSection {
		who, queue := m.who, m.queue
		return tea.Batch(w.tick(), func() tea.Msg {
			defer cancel()
			return align(ctx, source, w, who, queue, now)
		})
	}
	if p := m.poll(); p != nil {
		who, place, anchor := m.who, p.place, p.anchor
		return tea.Batch(w.tick(), func() tea.Msg {
			defer cancel()
			return polling(ctx, source, w, who, place, anchor, now)
		})
	}
	if p := m.page(); p != nil {
		place, layout := m.state().place, m.state().layout
		return tea.Batch(w.tick(), func() tea.Msg {
			defer cancel()
			return paging(ctx, source, w, p, place, layout, now)
		})
	}
	return tea.Batch(w.tick(), func() tea.Msg {
		defer cancel()
		return scan(ctx, source, w, now)
	})
}

func scan(ctx context.Context, s Source, w *work, now func() time.Time) computed {
	o := figures.Options{Progress: w.tell, Corrected: &figures.Correcting{}, Shared: &figures.Shared{}}
	acc, err := accuracy.Accuracy(ctx, s, o)
	if errors.Is(err, eval.ErrNotFound) {
		if runs, e := s.Runs(); e == nil && len(runs) == 0 {
			return computed{of: w, runs: &runFigures{at: now()}}
		}
	}
	if err != nil {
		return computed{of: w, err: err}
	}
	o.Progress = nil // all is read
	steps, err := accuracy.Steps(ctx, s, o)
	if err != nil {
		return computed{of: w, err: err}
	}
	return computed{of: w, runs: &runFigures{accuracy: acc, steps: steps, at: now()}}
}

func (m *Model) take(msg computed) tea.Cmd {
	if msg.of != m.work {
		return nil
	}
	m.work = nil
	if msg.err != nil {
		if m.ctx.Err() != nil {
			return nil
		}
		m.err = msg.err
		return send(widget.Notify{Level: widget.Problem, Text: "compute the report: " + msg.err.Error()})
	}
	m.keep(msg)
	m.rebuild()
	m.seek()
	if msg.of.section != m.section { // something else was asked for meanwhile
		return m.Enter()
	}
	return nil
}

// keep puts what was computed where it is shown from.
func (m *Model) keep(msg computed) {
	if msg.runs != nil {
		m.runs = msg.runs
		m.runs.stale = msg.of.stale
		return
	}
	if msg.page != nil {
		st := &m.states[msg.of.section-sections]
		msg.page.stale = msg.of.stale
		st.places, st.place = msg.places, msg.place
		st.by[pagePlace{msg.place, msg.layout}] = msg.page
		return
	}
	if msg.poll != nil {
		p := &m.polls[msg.of.section]
		msg.poll.stale = msg.of.stale
		p.places, p.place, p.models = msg.places, msg.place, msg.models
		p.by[msg.place] = msg.poll
		return
	}
	msg.align.stale = msg.of.stale
	m.queues, m.queue = msg.queues, msg.queue
	m.byQueue[msg.queue] = msg.align
}
