package judging

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/form"
	"concord/tui/job"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Deps is what the screen works with.
type Deps struct {
	Source    Source           // nil: there are no judgings
	Control   job.Control      // nil: they cannot be steered
	Scheduler Scheduler        // nil: none can be started
	Theme     *widget.Theme    // needed
	Now       func() time.Time // needed
}

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	keymap.Spelling

	ctx context.Context // of the program: ends commands under way
	Deps
	theme    *widget.Theme
	who      annotate.Annotator
	formKeys form.Keys

	away    bool            // the screen was left: nothing is read
	counted eval.VoteCounts // that look was of
	loading bool
	again   bool // news came while loading
	ticking bool

	ending *widget.Question // whether to cancel waits for an answer; nil: nothing does
	form   *voteForm        // nil: none is open
	draft  *voteForm        // one that was left, with what was put into it
	shown  *jobPage
}

// New makes the screen.
func New(ctx context.Context, d Deps) *Model {
	m := &Model{ctx: ctx, Deps: d, theme: d.Theme, formKeys: form.NewKeys()}
	m.shown = &jobPage{Spelling: &m.Spelling, theme: d.Theme, space: d.Theme.PaneSizeOf("judging")}
	return m
}

// SetAnnotator says who looks.
func (m *Model) SetAnnotator(who annotate.Annotator) {
	if m.who != who {
		m.forgetJob() // somebody else may not see it
	}
	m.who = who
}

func (m *Model) forgetJob() {
	m.shown.looked, m.shown.look, m.counted = false, Look{}, eval.VoteCounts{}
	m.shown.lists, m.shown.opened, m.shown.top = [2]replyList{}, nil, 0
}

// OpenJob chooses the job whose page it is; errors shows what failed in it first.
func (m *Model) OpenJob(id job.ID, errors bool) {
	if m.shown.id != id {
		m.forgetJob()
		m.shown.known, m.shown.row = false, job.Row{}
	}
	m.shown.id, m.form, m.ending, m.shown.part, m.away = id, nil, nil, results, false
	if errors {
		m.shown.part = failed
	}
}

// OpenForm shows the form alone, first as a job is that it shall be like.
func (m *Model) OpenForm(like job.ID) {
	m.OpenJob("", false)
	m.showForm(like)
}

// Close puts the screen away; Open and OpenForm bring it back.
func (m *Model) Close() { m.away = true }

// Init reads what is shown first.
func (m *Model) Init() tea.Cmd {
	if m.form != nil {
		return m.form.readChoices()
	}
	return m.Refresh()
}

// Refresh reads the job again, and its votes when there are others, at most
// once a second. While a reading is under way, the next one follows it.
func (m *Model) Refresh() tea.Cmd {
	if m.shown.id == "" || m.Source == nil || m.away {
		return nil
	}
	if m.loading {
		m.again = true
		return nil
	}
	m.loading, m.again = true, false
	a := readRequest{m.ctx, m.Source, m.who, m.shown.id, m.shown.looked, m.counted, !m.shown.looked || m.Now().Sub(m.shown.look.At) >= time.Second}
	return func() tea.Msg { return a.loadJob() }
}

// readRequest is what is to be read.
type readRequest struct {
	ctx    context.Context
	source Source
	who    annotate.Annotator
	id     job.ID
	has    bool            // a look was taken
	was    eval.VoteCounts // that it was of
	due    bool            // another one may be taken
}

// loaded is what a command read.
type loaded struct {
	of   job.ID
	who  annotate.Annotator
	row  job.Row
	ok   bool // there is such a job
	look *Look
	err  error
}

// most is how many replies of a kind are read.
const most = 200

func (a readRequest) loadJob() loaded {
	out := loaded{of: a.id, who: a.who}
	rows, err := a.source.ListJobs(a.ctx)
	if err != nil {
		out.err = err
		return out
	}
	out.row, out.ok = eval.FirstWanted(rows, func(r job.Row) bool { return r.ID == a.id })
	if !out.ok || out.row.Work != eval.Voting || !a.due || a.has && a.was == out.row.Votes {
		return out
	}
	look, err := a.source.ReadComparison(a.ctx, a.who, out.row.Comparison, most)
	if out.err = err; err == nil {
		out.look = &look
	}
	return out
}

// outcome takes what came of a command of the form.
type outcome func() tea.Cmd

// second tells that a second has gone by.
type second struct{}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.handleKey(msg)
	case loaded:
		return m.handleLoaded(msg)
	case outcome:
		return msg()
	case second:
		m.ticking = false
		return m.Refresh()
	}
	if m.draft == nil {
		return nil
	}
	return m.draft.Update(msg)
}

func (m *Model) handleLoaded(msg loaded) tea.Cmd {
	m.loading = false
	var next tea.Cmd
	if m.again {
		next = m.Refresh()
	}
	if msg.of != m.shown.id || msg.who != m.who {
		return tea.Batch(next, m.Refresh())
	}
	if msg.err != nil && m.ctx.Err() == nil {
		return tea.Batch(next, widget.NotifyCmd(widget.Problem, "read the votes: "+msg.err.Error()))
	}
	m.shown.known, m.shown.row, m.shown.seen = msg.ok, msg.row, m.Now()
	if msg.look != nil {
		m.shown.looked, m.shown.look, m.counted = true, *msg.look, msg.row.Votes
		m.shown.lists[0].mergeReplies(m.shown.look.Unparsed, m.shown.listHeight())
		m.shown.lists[1].mergeReplies(m.shown.look.Failures, m.shown.listHeight())
	}
	m.shown.clampCursors()
	return tea.Batch(next, m.refreshInSecond())
}

// refreshInSecond looks again in a second while the job is at work, or votes are there that nobody looked at.
func (m *Model) refreshInSecond() tea.Cmd {
	stale := m.shown.row.Work == eval.Voting && m.counted != m.shown.row.Votes
	if m.ticking || !m.shown.known || !m.shown.row.IsMoving() && !stale {
		return nil
	}
	m.ticking = true
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return second{} })
}

// GoBack leaves what is open, one level, and reports whether there was any.
func (m *Model) GoBack() bool {
	switch {
	case m.ending != nil:
		m.ending = nil
	case m.form != nil:
		if m.form.CloseInner() {
			return true
		}
		m.form.Reset()
		m.form = nil
		return m.shown.id != ""
	case m.shown.opened != nil:
		m.shown.opened = nil
	default:
		return false
	}
	return true
}

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.ending != nil:
		return action.PassKeyToQuestion(&m.ending, msg)
	case m.form != nil:
		return m.form.HandleKey(&m.formKeys, msg)
	case m.shown.opened != nil:
		return m.shown.handleReplyKey(msg)
	case !m.shown.known:
		return nil
	}
	if by, ok := widget.NewMoves().MoveBy(msg, max(1, m.shown.height-3), 1<<30); ok {
		m.shown.moveCursor(by)
		return nil
	}
	return m.newBoundActions().PressKey(msg.String())
}
