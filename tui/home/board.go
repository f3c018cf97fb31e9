package home

import (
	"context"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/job"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// board holds what the lists, the page of a run and the forms share: what was read
// of the project, where the cursors are, and the size of the screen.
type board struct {
	keymap.Spelling
	ctx           context.Context // of the program: ends commands under way
	theme         *widget.Theme
	source        Source
	control       Control
	starter       Starter
	ledger        job.Source
	arbiter       job.Control
	imports       bool // files can be imported
	team          bool // there is a page of the team
	now           func() time.Time
	who           annotate.Annotator
	keys          keys
	formKeys      formKeys
	width, height int
	loaded        bool
	loading       bool
	again         bool // news came while loading
	every         shelf
	shelf         // of every, what the filter leaves
	filter        widget.Filter
	focus         focus
	runAt         widget.Cursor
	queueAt       widget.Cursor
	jobAt         widget.Cursor
	datasetAt     widget.Cursor
	space         *widget.Room // of the list that keys move in
	errors        bool         // the answers shown are the errors
	jury          *jury        // nil: no judges are being chosen
	rates         map[eval.RunID]*rates
	growths       map[eval.RunID]*growth
	seen          time.Time // when the rows were read
	ticking       bool
	wanted        eval.RunID // started just now: the cursor goes there
	asking        eval.RunID // the run whose cancelling is to be confirmed
	ending        job.ID     // the same of a job
	sought        job.ID     // started just now: the cursor goes there
}

// look reads the answers of the run under the cursor, and nothing else.
func (m *board) look() tea.Cmd {
	ask := m.ask()
	return func() tea.Msg { return ask.look() }
}

func (m *board) ask() ask {
	r, _ := m.run()
	return ask{m.ctx, m.source, m.ledger, m.who, r.Run.ID, m.errors}
}

// tick looks again in a second while runs are at work: times go on, and a
// rate falls, without any news.
func (m *board) tick() tea.Cmd {
	if m.ticking || !slices.ContainsFunc(m.every.rows, moves) && !slices.ContainsFunc(m.every.jobs, stirs) {
		return nil
	}
	m.ticking = true
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return second{} })
}

// run is the run under the cursor.
func (m *board) run() (Row, bool) {
	if m.runAt.At < 0 || m.runAt.At >= len(m.rows) {
		return Row{}, false
	}
	return m.rows[m.runAt.At], true
}

func (m *board) queue() (Queue, bool) {
	if m.queueAt.At < 0 || m.queueAt.At >= len(m.queues) {
		return Queue{}, false
	}
	return m.queues[m.queueAt.At], true
}

// shelf is the rows of the lists.
type shelf struct {
	rows     []Row
	datasets []eval.Dataset // without a run
	jobs     []job.Row
	queues   []Queue
}

// shared are keys, with that of the team where there is a page of it.
func (m *board) shared(all []key.Binding, team key.Binding) []key.Binding {
	if !m.team {
		return all
	}
	return append(all, team)
}

// sift finds what the filter leaves of the lists. Each cursor stays at
// what is under it, where that is left: neither news nor a filter that is
// typed moves it to something else.
func (m *board) sift() {
	run, _ := m.run()
	queue, _ := m.queue()
	at, _ := m.job()
	dataset, _ := m.set()
	m.rows = widget.Sift(&m.filter, m.every.rows, func(r *Row) []string { return cells(m, *r) })
	m.queues = widget.Sift(&m.filter, m.every.queues, func(q *Queue) []string { return queueCells(m, *q) })
	m.datasets = widget.Sift(&m.filter, m.every.datasets, func(d *eval.Dataset) []string { return datasetCells(m, d) })
	m.jobs = widget.Sift(&m.filter, m.every.jobs, func(j *job.Row) []string { return j.Cells(m.theme, m.barWidth()) })
	stay(&m.runAt, m.rows, runID(run), runID, m.shownRows(atRuns))
	stay(&m.queueAt, m.queues, queueName(queue), queueName, m.shownRows(atQueues))
	stay(&m.jobAt, m.jobs, jobID(at), jobID, m.shownRows(atJobs))
	stay(&m.datasetAt, m.datasets, dataset.Name, datasetName, m.shownRows(atDatasets))
	if !m.has(m.focus) && (m.focus != atRuns || !m.filter.On()) {
		if m.focus = atRuns; !m.has(atRuns) {
			m.focus = atDatasets
		}
	}
}

// pressFilter takes a key while the filter is typed: the lists follow.
func (m *board) pressFilter(msg tea.KeyMsg) tea.Cmd {
	if !m.filter.Press(msg) {
		return nil
	}
	m.sift()
	if m.focus == atRuns && len(m.rows) == 0 && m.filter.On() { // to where something is left
		turnFocus(m, false)
	}
	return m.look()
}

// unfilter shows everything again, and reports whether there was a filter.
func (m *board) unfilter() bool {
	was := m.filter.Clear()
	m.sift()
	return was
}

// left is how many rows of a list are shown, of how many there are.
func (m *board) left(shown, all int) string {
	if m.filter.On() {
		return widget.Count(shown) + " of " + widget.Count(all)
	}
	return widget.Count(all)
}

func (m *board) move(by int) tea.Cmd {
	at := m.cursor(m.focus)
	before := at.At
	at.Move(by, count(m, m.focus), m.shownRows(m.focus))
	if at.At == before || m.focus != atRuns {
		return nil
	}
	return m.look()
}

func (m *board) open() tea.Cmd {
	if m.focus == atQueues {
		if q, ok := m.queue(); ok {
			return send(OpenQueue{Queue: q.Name})
		}
		return nil
	}
	if r, ok := m.run(); ok {
		return send(OpenSamples{Run: r.Run.ID, Title: title(r)})
	}
	return nil
}

func (m *board) wide() bool { return m.width >= beside }

// job is the job under the cursor.
func (m *board) job() (job.Row, bool) {
	if m.jobAt.At < 0 || m.jobAt.At >= len(m.jobs) {
		return job.Row{}, false
	}
	return m.jobs[m.jobAt.At], true
}

// overviewLines is all that is known of how a run goes: at length where height
// allows it, else shorter. It may still be longer than height.
func overviewLines(m *board, r Row, width, height int) []string {
	o := overview{m: m, r: r, width: width}
	if out := o.lines(); len(out) <= height {
		return out
	}
	o.short = true
	return o.lines()
}

func (m *board) field(name, text string, width int) []string {
	return m.styled(name, text, width, m.theme.Text.Render)
}

// styled is a name and its text in a style.
func (m *board) styled(name, text string, width int, style func(...string) string) []string {
	lines := widget.Wrap(text, max(1, width-nameWidth-1))
	for i := range lines {
		lines[i] = m.theme.Field(name, style(lines[i]), nameWidth)
		name = ""
	}
	return lines
}

// dataset is a run's dataset, with what the model is given where that is not
// the pictures and no column says so: runs are told apart by it.
func (m *board) dataset(r Row) string {
	name := widget.Line(string(r.Run.Config.Dataset))
	if g := unpictured(r); g != "" && m.listWidth() < givenLeast {
		return g + ": " + name
	}
	return name
}

// barWidth is the width of the bars of progress in the lists.
func (m *board) barWidth() int {
	if m.listWidth() < 90 {
		return 7
	}
	return 12
}

// list shows the latest errors, or the latest answers.
func (m *board) list(errors bool) tea.Cmd {
	if m.errors == errors {
		return nil
	}
	m.errors = errors
	return m.look()
}

// answersHeight is how many answers the page shows.
func (m *board) answersHeight() int {
	if m.wide() {
		return max(1, m.height-2)
	}
	return max(1, m.height-3)
}
