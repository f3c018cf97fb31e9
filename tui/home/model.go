package home

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/job"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	keymap.Spelling

	ctx      context.Context // of the program: ends commands under way
	theme    *widget.Theme
	source   Source
	control  Control
	starter  Starter
	ledger   job.Source
	arbiter  job.Control
	imports  bool // files can be imported
	team     bool // there is a page of the team
	now      func() time.Time
	who      annotate.Annotator
	keys     keys
	formKeys formKeys

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
	pageSpace     *widget.Room // of the answers on a run's page
	answers       answers
	errors        bool // the answers shown are the errors
	page          page
	form          *form // nil: no run is being put together
	draft         *form // one that was left, with what was put into it
	jury          *jury // nil: no judges are being chosen
	rates         map[eval.RunID]*rates
	growths       map[eval.RunID]*growth
	seen          time.Time // when the rows were read
	ticking       bool
	wanted        eval.RunID // started just now: the cursor goes there
	asking        eval.RunID // the run whose cancelling is to be confirmed
	ending        job.ID     // the same of a job
	sought        job.ID     // started just now: the cursor goes there
}

// shelf is the rows of the lists.
type shelf struct {
	rows     []Row
	datasets []eval.Dataset // without a run
	jobs     []job.Row
	queues   []Queue
}

// loaded is what a command read.
type loaded struct {
	shelf
	looked
}

// looked is the answers or errors of one run.
type looked struct {
	of     eval.RunID
	errors bool
	rows   []Answer
	err    error
}

// steered is what came of steering a run.
type steered struct {
	text string
	err  error
}

// Deps is what the screen works with. Source is needed.
type Deps struct {
	Source  Source
	Control Control          // nil: runs cannot be steered
	Starter Starter          // nil: none can be started
	Jobs    job.Source       // nil: there are none
	Arbiter job.Control      // nil: jobs can neither be started nor steered
	Import  bool             // files can be imported
	Team    bool             // there is a page of the team
	Now     func() time.Time // nil is time.Now
}

// New makes the screen.
func New(ctx context.Context, t *widget.Theme, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	return &Model{
		ctx: ctx, theme: t, source: d.Source, control: d.Control, starter: d.Starter, now: d.Now,
		ledger: d.Jobs, arbiter: d.Arbiter, imports: d.Import, team: d.Team,
		keys: newKeys(), formKeys: newFormKeys(),
		space: t.Room("runs"), pageSpace: t.Room("run"),
	}
}

// SetAnnotator says who looks, and whose progress in the queues is shown.
func (m *Model) SetAnnotator(who annotate.Annotator) {
	if m.who != who {
		m.answers = answers{} // somebody else may not see them
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

// look reads the answers of the run under the cursor, and nothing else.
func (m *Model) look() tea.Cmd {
	ask := m.ask()
	return func() tea.Msg { return ask.look() }
}

// ask is what is to be read.
type ask struct {
	ctx    context.Context
	source Source
	ledger job.Source
	who    annotate.Annotator
	run    eval.RunID // 0: the first
	errors bool
}

func (m *Model) ask() ask {
	r, _ := m.run()
	return ask{m.ctx, m.source, m.ledger, m.who, r.Run.ID, m.errors}
}

// many is how many of the latest answers are read.
const many = 50

func (a ask) load() loaded {
	rows, err := a.source.Runs(a.ctx)
	if err != nil {
		return loaded{looked: looked{err: err}}
	}
	queues, err := a.source.Queues(a.ctx, a.who)
	if err != nil {
		return loaded{looked: looked{err: err}}
	}
	sets, err := a.source.Datasets(a.ctx)
	if err != nil {
		return loaded{looked: looked{err: err}}
	}
	var work []job.Row
	if a.ledger != nil {
		if work, err = a.ledger.Jobs(a.ctx); err != nil {
			return loaded{looked: looked{err: err}}
		}
	}
	if a.run == 0 && len(rows) > 0 {
		a.run = rows[0].Run.ID
	}
	return loaded{shelf{rows, idle(sets, rows), work, queues}, a.look()}
}

func (a ask) look() looked {
	out := looked{of: a.run, errors: a.errors}
	if a.run == 0 {
		return out
	}
	read := a.source.Latest
	if a.errors {
		read = a.source.Failures
	}
	out.rows, out.err = read(a.ctx, a.who, a.run, many)
	return out
}

// second tells that a second has gone by while runs were at work.
type second struct{}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case loaded:
		return m.take(msg)
	case looked:
		return m.show(msg)
	case second:
		m.ticking = false
		if m.now().Sub(m.seen) < time.Second/2 {
			return m.tick() // news came meanwhile
		}
		return m.Refresh()
	case steered:
		if msg.err != nil {
			return notify(widget.Problem, msg.err.Error())
		}
		return tea.Batch(notify(widget.Info, msg.text), m.Refresh())
	case candidates, seated:
		return m.updateJury(msg)
	}
	return m.updateForm(msg)
}

func (m *Model) take(msg loaded) tea.Cmd {
	m.loading = false
	var next tea.Cmd
	if m.again {
		next = m.Refresh()
	}
	if msg.shelf.rows == nil && msg.err != nil {
		return tea.Batch(next, m.show(msg.looked))
	}
	m.loaded, m.seen = true, m.now()
	e := &m.every
	e.rows = merge(e.rows, msg.shelf.rows, runID)
	e.datasets = merge(e.datasets, msg.datasets, datasetName)
	e.queues = merge(e.queues, msg.queues, queueName)
	e.jobs = merge(e.jobs, msg.jobs, jobID)
	m.sift()
	m.note(m.seen)
	m.grow(m.seen)
	m.goTo()
	m.seek()
	m.settle()
	return tea.Batch(next, m.show(msg.looked), m.tick())
}

// show takes the answers that were read, if they are still asked for.
func (m *Model) show(msg looked) tea.Cmd {
	if msg.err != nil && m.ctx.Err() == nil {
		return notify(widget.Problem, "read the runs: "+msg.err.Error())
	}
	if r, ok := m.run(); ok && msg.err == nil && r.Run.ID == msg.of && m.errors == msg.errors {
		m.answers.show(msg.of, msg.errors, msg.rows, m.answersHeight())
	}
	return nil
}

// tick looks again in a second while runs are at work: times go on, and a
// rate falls, without any news.
func (m *Model) tick() tea.Cmd {
	if m.ticking || !slices.ContainsFunc(m.every.rows, moves) && !slices.ContainsFunc(m.every.jobs, stirs) {
		return nil
	}
	m.ticking = true
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return second{} })
}

// merge brings rows up to date: those known stay in their places, new ones
// come at the end.
func merge[T any, K comparable](old, fresh []T, id func(T) K) []T {
	byID := make(map[K]T, len(fresh))
	for _, r := range fresh {
		byID[id(r)] = r
	}
	out := make([]T, 0, len(fresh))
	for _, r := range old {
		if now, ok := byID[id(r)]; ok {
			out = append(out, now)
			delete(byID, id(r))
		}
	}
	for _, r := range fresh {
		if _, ok := byID[id(r)]; ok {
			out = append(out, r)
		}
	}
	return out
}

// run is the run under the cursor.
func (m *Model) run() (Row, bool) {
	if m.runAt.At < 0 || m.runAt.At >= len(m.rows) {
		return Row{}, false
	}
	return m.rows[m.runAt.At], true
}

func (m *Model) queue() (Queue, bool) {
	if m.queueAt.At < 0 || m.queueAt.At >= len(m.queues) {
		return Queue{}, false
	}
	return m.queues[m.queueAt.At], true
}

func notify(level widget.Level, text string) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: level, Text: text} }
}
