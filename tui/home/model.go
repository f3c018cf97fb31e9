package home

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/form"
	"concord/tui/job"
	"concord/tui/widget"
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	*board

	side     answerPane
	composer composer
	jury     *jury // nil: no judges are being chosen
}

// New makes the screen.
func New(ctx context.Context, t *widget.Theme, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	b := &board{ctx: ctx, theme: t, Deps: d, shelf: newShelf(), formKeys: form.NewKeys(), space: t.Pane("runs")}
	return &Model{board: b, side: answerPane{board: b, pageSpace: t.Pane("run")}, composer: composer{board: b}}
}

// SetAnnotator says who looks, and whose progress in the queues is shown.
func (m *Model) SetAnnotator(who annotate.Annotator) {
	if m.who != who {
		m.side.answers = answers{} // somebody else may not see them
	}
	m.who = who
}

// Init reads the rows.
func (m *Model) Init() tea.Cmd { return m.Refresh() }

// Refresh reads the rows again. While a reading is under way, the next one
// follows it.
func (m *Model) Refresh() tea.Cmd {
	if m.loading {
		m.again = true
		return nil
	}
	m.loading, m.again = true, false
	ask := m.ask()
	return func() tea.Msg { return ask.load() }
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case loaded:
		return m.take(msg)
	case looked:
		return m.side.show(msg)
	case second:
		m.ticking = false
		if m.Now().Sub(m.seen) < time.Second/2 {
			return m.tick() // news came meanwhile
		}
		return m.Refresh()
	case steered:
		if msg.err != nil {
			return widget.Tell(widget.Problem, msg.err.Error())
		}
		return tea.Batch(widget.Tell(widget.Info, msg.text), m.Refresh())
	case started:
		return runStarted(m, msg)
	case seated:
		return takeSeated(m, msg)
	case outcome:
		return msg()
	}
	return m.updateForm(msg)
}

func (m *Model) take(msg loaded) tea.Cmd {
	m.loading = false
	var next tea.Cmd
	if m.again {
		next = m.Refresh()
	}
	if msg.rows == nil && msg.err != nil {
		return tea.Batch(next, m.side.show(msg.looked))
	}
	m.loaded, m.seen = true, m.Now()
	m.next = msg.next
	m.Resize(m.width, m.whole)
	m.runs.all = merge(m.runs.all, msg.rows, m.runs.id)
	m.datasets.all = merge(m.datasets.all, msg.datasets, m.datasets.id)
	m.queues.all = merge(m.queues.all, msg.queues, m.queues.id)
	m.jobs.all = merge(m.jobs.all, msg.jobs, m.jobs.id)
	m.sift()
	note(m.board, m.seen)
	grow(m.board, m.seen)
	m.goTo()
	settle(m)
	return tea.Batch(next, m.side.show(msg.looked), m.tick())
}

// newShelf are the lists without rows.
func newShelf() shelf {
	return shelf{
		runs: list[Row, eval.RunID]{
			id: func(r Row) eval.RunID { return r.Run.ID }, made: func(r Row) bool { return r.Run.Config.Synthetic },
			table: runTable, cells: runCells,
		},
		datasets: list[eval.Dataset, eval.DatasetName]{
			id: func(d eval.Dataset) eval.DatasetName { return d.Name }, made: func(d eval.Dataset) bool { return d.Synthetic },
			table: datasetTable, cells: datasetCells,
		},
		jobs: list[job.Row, job.ID]{
			id: func(j job.Row) job.ID { return j.ID }, made: func(job.Row) bool { return false },
			table: jobTable, cells: func(m *board, j *job.Row) []string { return j.Cells(m.theme, m.barWidth()) },
		},
		queues: list[Queue, annotate.QueueName]{
			id: func(q Queue) annotate.QueueName { return q.Name }, made: func(q Queue) bool { return q.Synthetic },
			table: queueTable, cells: queueCells,
		},
	}
}
