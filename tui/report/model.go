package report

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	figures "concord/annotate/report"
	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// section is which figures are shown.
type section uint8

const (
	accuracySection section = iota
	steps
	alignmentSection
	votes
	bias
	agreement
	repeats
	scores
	ranks
	annotators
	sections
)

// sectionNames are those of the sections that are not pages.
var sectionNames = [sections]string{"Accuracy", "Steps", "Alignment", "Votes", "Bias", "Agreement", "Repeats", "Scores", "Ranks", "Annotators"}

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	keymap.Spelling

	ctx    context.Context
	theme  *widget.Theme
	source Source
	now    func() time.Time
	who    annotate.Annotator
	keys   keys

	width, height int
	section       section
	open          map[string]bool // lines whose levels are shown or hidden by hand, by id
	lines         []line
	at            widget.Cursor
	wanted        eval.RunID // the run to go to once its figures are there

	runs    *runFigures // nil: not computed
	queues  []annotate.Queue
	queue   annotate.QueueName // whose alignment is shown
	byQueue map[annotate.QueueName]*alignmentFigures

	polls    [sections]polls // of the sections of votes
	pages    []page          // the sections after those
	states   []pageState     // of the pages
	finding  *finder         // the list of all figures is open; nil: it is not
	detailed bool            // outcomes are drawn each apart
	charted  bool            // alignment is drawn as bars

	work    *work // the computation under way
	stopped bool  // the last one was stopped by hand
	err     error
}

// runFigures are the figures over runs, as they were computed.
type runFigures struct {
	accuracy, steps figures.Report
	at              time.Time
	stale           bool // facts have changed since
}

// New makes the screen. now gives the times that it shows.
func New(ctx context.Context, t *widget.Theme, s Source, now func() time.Time) *Model {
	m := &Model{
		ctx: ctx, theme: t, source: s, now: now, keys: newKeys(),
		open: make(map[string]bool), byQueue: make(map[annotate.QueueName]*alignmentFigures),
	}
	for i := range m.polls {
		m.polls[i].by = make(map[string]*pollFigures)
	}
	m.pages = pages()
	m.states = make([]pageState, len(m.pages))
	for i := range m.states {
		m.states[i].by = make(map[pagePlace]*pageFigures)
	}
	return m
}

// SetAnnotator says who looks, and who saves reports.
func (m *Model) SetAnnotator(who annotate.Annotator) {
	if m.who != who {
		clear(m.byQueue) // somebody else may not see them
		for i := range m.polls {
			clear(m.polls[i].by)
		}
	}
	m.who = who
}

// Stale tells that facts have changed. The figures stay until they are asked
// for again.
func (m *Model) Stale() {
	if m.runs != nil {
		m.runs.stale = true
	}
	for _, f := range m.byQueue {
		f.stale = true
	}
	for i := range m.polls {
		for _, f := range m.polls[i].by {
			f.stale = true
		}
	}
	for i := range m.states {
		for _, f := range m.states[i].by {
			f.stale = true
		}
	}
	if m.work != nil {
		m.work.stale = true
	}
}

// Init computes what is shown.
func (m *Model) Init() tea.Cmd { return m.Enter() }

// Refresh leaves the figures as they are: they must not change under the
// reader.
func (m *Model) Refresh() tea.Cmd { return nil }

// Enter computes what is shown when it is not there or no longer true.
func (m *Model) Enter() tea.Cmd {
	if m.work != nil || !m.wants() {
		return nil
	}
	return m.compute()
}

// wants reports whether what is shown is to be computed.
func (m *Model) wants() bool {
	switch {
	case m.section == alignmentSection:
		f := m.aligned()
		return f == nil || f.stale
	case m.section.ofVotes():
		f := m.polled()
		return f == nil || f.stale
	case m.page() != nil:
		f := m.paged()
		return f == nil || f.stale
	}
	return m.runs == nil || m.runs.stale
}

// Show goes to a run's accuracy, or to a queue's alignment when it is named.
func (m *Model) Show(run eval.RunID, queue annotate.QueueName) tea.Cmd {
	m.section, m.wanted = accuracySection, run
	if queue != "" {
		m.section, m.wanted = alignmentSection, 0
		m.queue = queue
	}
	m.rebuild()
	m.seek()
	return m.Enter()
}

// ShowAgreement goes to how far judges and people vote alike on a queue of
// pairs.
func (m *Model) ShowAgreement(queue annotate.QueueName) tea.Cmd {
	return m.showPoll(agreement, string(queue))
}

// ShowVotes goes to who wins by votes on a dataset.
func (m *Model) ShowVotes(d eval.DatasetName) tea.Cmd { return m.showPoll(votes, string(d)) }

func (m *Model) showPoll(s section, place string) tea.Cmd {
	m.section, m.wanted = s, 0
	m.polls[s].place = place
	m.at = widget.Cursor{}
	m.rebuild()
	return m.Enter()
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case computed:
		return m.take(msg)
	case ticked:
		if msg.of == m.work && m.work != nil {
			return m.work.tick()
		}
	case saved:
		return m.saved(msg)
	}
	return nil
}

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	k := m.keys
	switch {
	case m.finding != nil:
		return m.pressFinder(msg)
	case key.Matches(msg, k.find):
		m.finding = newFinder(m)
		return nil
	case m.page() != nil && m.pressPage(msg):
		return nil
	}
	n, height := len(m.lines), m.listHeight()
	if by, ok := k.moves.By(msg, height, n); ok {
		m.at.Move(by, n, height)
		return nil
	}
	switch {
	case key.Matches(msg, k.next):
		return m.turn(1)
	case key.Matches(msg, k.prev):
		return m.turn(-1)
	case key.Matches(msg, k.again):
		return m.compute()
	case key.Matches(msg, k.open):
		return m.enter()
	case key.Matches(msg, k.save) && m.section != alignmentSection:
		return send(widget.Notify{Level: widget.Info, Text: m.Keyed("{S} saves alignment: {tab} goes there")})
	case m.section == accuracySection:
		m.pressLevels(msg)
	case m.section == alignmentSection:
		return m.pressAlignment(msg)
	case m.section.ofVotes():
		return m.pressPoll(msg)
	case m.page() != nil:
		return m.pressPlace(msg)
	}
	return nil
}

// enter opens what is behind the line: its samples, else the lines below it.
func (m *Model) enter() tea.Cmd {
	if m.page() != nil {
		return m.enterCell()
	}
	l, ok := m.line()
	switch {
	case !ok:
	case len(l.behind.Lists) > 0:
		return send(l.behind)
	case len(l.pairs.Lists) > 0:
		return send(l.pairs)
	case l.parent:
		m.unfold(func(open bool) bool { return !open })
	default:
		return send(widget.Notify{Level: widget.Info, Text: "nothing is to be opened behind this line"})
	}
	return nil
}

// turn goes to other figures.
func (m *Model) turn(by int) tea.Cmd {
	n := int(sections) + len(m.pages)
	return m.goTo(section((int(m.section) + by + n) % n)) //nolint:gosec // a remainder
}

// goTo goes to a section.
func (m *Model) goTo(s section) tea.Cmd {
	m.section = s
	m.at = widget.Cursor{}
	m.rebuild()
	return m.Enter()
}

// line is the line under the cursor.
func (m *Model) line() (*line, bool) {
	if m.at.At < 0 || m.at.At >= len(m.lines) {
		return nil, false
	}
	return &m.lines[m.at.At], true
}

// rebuild makes the lines anew and stays on the line it was on.
func (m *Model) rebuild() {
	id := ""
	if l, ok := m.line(); ok {
		id = l.id
	}
	m.lines = nil
	switch {
	case m.section == alignmentSection:
		m.lines = m.alignmentLines()
	case m.section.ofVotes():
		m.lines = m.pollLines()
	case m.page() != nil: // it has tables in the place of lines
	case m.runs == nil:
	case m.section == accuracySection:
		m.lines = accuracyLines(m.source, m.runs.accuracy, m.open)
	case m.section == steps:
		m.lines = stepsLines(m.source, m.runs.steps)
	}
	at := m.at.At
	for i := range m.lines {
		if m.lines[i].id == id {
			at = i
		}
	}
	m.at.Set(at, len(m.lines), m.listHeight())
}

// seek goes to the run that was asked for, once it is there.
func (m *Model) seek() {
	if m.wanted == 0 || m.section != accuracySection {
		return
	}
	for i := range m.lines {
		if m.lines[i].run == m.wanted {
			m.at.Set(i, len(m.lines), m.listHeight())
			m.wanted = 0
			return
		}
	}
}

func send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }
