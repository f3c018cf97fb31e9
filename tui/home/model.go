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
	*projectBoard

	side     answerPane
	composer runComposer
	jury     *judgePicker // nil: no judges are being chosen
}

// New makes the screen.
func New(ctx context.Context, t *widget.Theme, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	b := &projectBoard{ctx: ctx, theme: t, Deps: d, projectLists: newShelf(), formKeys: form.NewKeys(), space: t.PaneSizeOf("runs")}
	return &Model{projectBoard: b, side: answerPane{projectBoard: b, pageSpace: t.PaneSizeOf("run")}, composer: runComposer{projectBoard: b}}
}

// SetAnnotator says who looks, and whose progress in the queues is shown.
func (m *Model) SetAnnotator(who annotate.Annotator) {
	if m.who != who {
		m.side.answers = answerList{} // somebody else may not see them
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
	ask := m.newReadRequest()
	return func() tea.Msg { return ask.loadRows() }
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.handleKey(msg)
	case loaded:
		return m.handleLoaded(msg)
	case looked:
		return m.side.showAnswers(msg)
	case second:
		m.ticking = false
		if m.Now().Sub(m.seen) < time.Second/2 {
			return m.tickSecond() // news came meanwhile
		}
		return m.Refresh()
	case steered:
		if msg.err != nil {
			return widget.NotifyCmd(widget.Problem, msg.err.Error())
		}
		return tea.Batch(widget.NotifyCmd(widget.Info, msg.text), m.Refresh())
	case startedRun:
		return runStarted(m, msg)
	case judgesStarted:
		return takeSeated(m, msg)
	case outcome:
		return msg()
	}
	if m.composer.draft == nil {
		return nil
	}
	return m.composer.draft.Update(msg)
}

func (m *Model) handleLoaded(msg loaded) tea.Cmd {
	m.loading = false
	var next tea.Cmd
	if m.again {
		next = m.Refresh()
	}
	if msg.rows == nil && msg.err != nil {
		return tea.Batch(next, m.side.showAnswers(msg.looked))
	}
	m.loaded, m.seen = true, m.Now()
	m.next = msg.next
	m.Resize(m.width, m.whole)
	m.runs.all = job.MergeRows(m.runs.all, msg.rows, m.runs.id)
	m.datasets.all = job.MergeRows(m.datasets.all, msg.datasets, m.datasets.id)
	m.queues.all = job.MergeRows(m.queues.all, msg.queues, m.queues.id)
	m.jobs.all = job.MergeRows(m.jobs.all, msg.jobs, m.jobs.id)
	m.applyFilter()
	noteRates(m.projectBoard, m.seen)
	updateProgressCharts(m.projectBoard, m.seen)
	m.goTo()
	clampCursors(m)
	return tea.Batch(next, m.side.showAnswers(msg.looked), m.tickSecond())
}

// newShelf gives the lists without rows.
func newShelf() projectLists {
	return projectLists{
		runs: filteredList[Row, eval.RunID]{
			id: func(r Row) eval.RunID { return r.Run.ID }, made: func(r Row) bool { return r.Run.Config.Synthetic },
			table: runTable, cells: runCells,
		},
		datasets: filteredList[eval.Dataset, eval.DatasetName]{
			id: func(d eval.Dataset) eval.DatasetName { return d.Name }, made: func(d eval.Dataset) bool { return d.Synthetic },
			table: newDatasetTable, cells: makeDatasetCells,
		},
		jobs: filteredList[job.Row, job.ID]{
			id: func(j job.Row) job.ID { return j.ID }, made: func(job.Row) bool { return false },
			table: func(m *projectBoard) widget.Table { return widget.Table{Columns: job.ListColumns(m.barWidth())} },
			cells: func(m *projectBoard, j *job.Row) []string { return j.MakeCells(m.theme, m.barWidth()) },
		},
		queues: filteredList[Queue, annotate.QueueName]{
			id: func(q Queue) annotate.QueueName { return q.Name }, made: func(q Queue) bool { return q.Synthetic },
			table: newQueueTable, cells: makeQueueCells,
		},
	}
}
