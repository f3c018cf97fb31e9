package runs

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/widget"
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	ctx     context.Context // of the program: ends commands under way
	theme   *widget.Theme
	source  Source
	control Control
	starter Starter
	now     func() time.Time
	who     annotate.Annotator
	keys    keys

	width, height int
	loaded        bool
	loading       bool
	again         bool // news came while loading
	rows          []Row
	queues        []Queue
	onQueues      bool // the focus is on the queues
	runAt         widget.Cursor
	queueAt       widget.Cursor
	latest        []Answer
	latestOf      eval.RunID
	asking        eval.RunID // the run whose cancelling is to be confirmed
}

// loaded is what a command read.
type loaded struct {
	rows     []Row
	queues   []Queue
	latest   []Answer
	latestOf eval.RunID
	err      error
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
	Now     func() time.Time // nil is time.Now
}

// New makes the screen.
func New(ctx context.Context, t *widget.Theme, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	return &Model{
		ctx: ctx, theme: t, source: d.Source, control: d.Control, starter: d.Starter, now: d.Now, keys: newKeys(),
	}
}

// SetAnnotator says who looks, and whose progress in the queues is shown.
func (m *Model) SetAnnotator(who annotate.Annotator) {
	if m.who != who {
		m.latest = nil // somebody else may not see them
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
	run := eval.RunID(0)
	if r, ok := m.run(); ok {
		run = r.Run.ID
	}
	ctx, source, who := m.ctx, m.source, m.who
	return func() tea.Msg { return load(ctx, source, who, run) }
}

// many is how many of the latest answers are read.
const many = 30

func load(ctx context.Context, s Source, who annotate.Annotator, run eval.RunID) loaded {
	rows, err := s.Runs(ctx)
	if err != nil {
		return loaded{err: err}
	}
	queues, err := s.Queues(ctx, who)
	if err != nil {
		return loaded{err: err}
	}
	if run == 0 && len(rows) > 0 {
		run = rows[0].Run.ID
	}
	out := loaded{rows: rows, queues: queues, latestOf: run}
	if run == 0 {
		return out
	}
	out.latest, out.err = s.Latest(ctx, who, run, many)
	return out
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case loaded:
		return m.take(msg)
	case steered:
		if msg.err != nil {
			return notify(widget.Problem, msg.err.Error())
		}
		return tea.Batch(notify(widget.Info, msg.text), m.Refresh())
	}
	return nil
}

func (m *Model) take(msg loaded) tea.Cmd {
	m.loading = false
	var next tea.Cmd
	if m.again {
		next = m.Refresh()
	}
	if msg.err != nil && m.ctx.Err() == nil {
		next = tea.Batch(next, notify(widget.Problem, "read the runs: "+msg.err.Error()))
	}
	if msg.rows == nil && msg.err != nil {
		return next
	}
	m.loaded = true
	m.rows = merge(m.rows, msg.rows, func(r Row) eval.RunID { return r.Run.ID })
	m.queues = merge(m.queues, msg.queues, func(q Queue) annotate.QueueName { return q.Name })
	m.latest, m.latestOf = msg.latest, msg.latestOf
	if len(m.queues) == 0 {
		m.onQueues = false
	}
	m.settle()
	return next
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
