package tui

import (
	"context"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/criteria"
	"concord/tui/curate"
	"concord/tui/endpoint"
	"concord/tui/guideline"
	"concord/tui/home"
	"concord/tui/importer"
	"concord/tui/judging"
	"concord/tui/keymap"
	"concord/tui/newqueue"
	"concord/tui/pairs"
	"concord/tui/palette"
	"concord/tui/report"
	"concord/tui/samples"
	"concord/tui/team"
	"concord/tui/widget"
)

// Saver is what people did and is not yet stored; *annotate.Journal is one.
type Saver interface {
	State() session.JournalState
	// Flush waits until everything is stored.
	Flush(ctx context.Context) error
}

// Deps is what the app is made of. Project, Theme, Runs, Report, Samples, Pairs,
// Review and Votes are needed.
type Deps struct {
	Project   string             // shown in the header
	Synthetic bool               // the project is a demo
	Annotator annotate.Annotator // "": asked for before the first review
	Role      annotate.Role      // of a guest, who stays who they are; unset: everything may be done, as anybody
	Remember  func(annotate.Annotator) error
	Theme     *widget.Theme
	Now       func() time.Time // nil is time.Now
	Keys      *keymap.Keymap   // nil: the keys that everybody has
	Resend    func() error     // sends the terminal the pictures again that it may have lost; nil: it keeps none
	Hint      string           // what would make more of this terminal, said once; "": nothing

	Runs    home.Source
	Control home.Control // nil: runs cannot be steered
	Starter home.Starter // nil: none can be started
	Report  report.Source
	Samples samples.Source
	Pairs   pairs.Source
	Changed <-chan struct{}      // one-slot mark that facts have changed; nil: they do not
	Calm    func() time.Duration // how long a mark waits to be looked at; nil: not at all
	Moved   <-chan struct{}      // one-slot mark that somebody else has sat down, left or moved on; nil: nobody does
	Saver   Saver                // nil: nothing is ever unsaved

	Duels    judging.Deps // its theme and clock are the app's, as of the next one
	Criteria criteria.Deps
	Begin    importer.Source // of files to import; nil: none can be
	Connect  endpoint.Source // of servers and their models; nil: none can be made known
	Curate   curate.Deps     // without a Source there is no such tab

	// Review makes the screen that labels a queue. It reads nothing yet.
	Review func(queue annotate.QueueName, who annotate.Annotator) Screen
	// Votes makes the screen on which people vote on a queue of pairs.
	Votes    func(queue annotate.QueueName, who annotate.Annotator) Screen
	Finder   Finder    // nil: the palette finds no samples and datasets
	Commands []Command // that the palette tells of
	// Copy puts a text where other programs can take it; nil: there is no way.
	Copy   func(text string) tea.Cmd
	Pairer Pairer // nil: no queues of pairs can be made
	// Enrol draws queues to label; nil: none can be made.
	Enrol newqueue.Source
	// Guidelines of queues; nil: they cannot be looked at beside their items.
	Guidelines guideline.Source
	// People is the team; nil: there is no page of it.
	People team.Source
	// Compare makes the screen on which disagreements on a queue are settled;
	// nil: there is none.
	Compare func(queue annotate.QueueName, who annotate.Annotator) Screen
	// Start is where the app opens; the zero value is the runs.
	Start Start
	Tour  *Tour // of the demo; nil: there is none
}

// Start is where the app opens.
type Start struct {
	Tab   Tab
	Queue annotate.QueueName // of the review; "": ask when there are several
	Pairs bool               // with no Queue: one of pairs is meant

	Dataset eval.DatasetName // of the criteria or the curation; "": ask when there are several

	Drafts *guideline.Drafts // of guidelines, begun before the app was opened anew; nil: there are none
}

// Model is the root model.
type Model struct {
	ctx   context.Context
	deps  Deps
	theme *widget.Theme
	keys  keys
	who   annotate.Annotator
	was   annotate.Annotator // who worked before somebody else was asked for

	width, height int
	tab           Tab
	stacks        [tabCount][]Screen
	runs          *home.Model
	lobby         *lobby
	report        *report.Model
	criteria      *criteria.Model
	curate        *curate.Model
	duels         *judging.Model     // seen when it was asked for
	comparing     Screen             // what was opened last to compare a queue; nil: nothing
	compared      annotate.QueueName // the queue that it compares
	acts          int                // stored when the report was seen last

	toasts  widget.Toasts
	palette *palette.Model // nil: closed
	manual  manual
	quit    quitting
	drafts  guideline.Drafts
	tour    touring
}

var _ tea.Model = (*Model)(nil)

// New makes the app. ctx ends its commands; whoever runs the app cancels it
// afterwards.
func New(ctx context.Context, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	m := &Model{ctx: ctx, deps: d, theme: d.Theme, keys: newKeys()}
	m.runs = home.New(ctx, d.Theme, home.Deps{Import: d.Begin != nil, Team: d.People != nil, Source: d.Runs, Control: d.Control, Starter: d.Starter, Now: d.Now, Jobs: d.Duels.Source, Arbiter: d.Duels.Control})
	m.toasts.Copy = d.Keys.Of("alt+y", keymap.Everywhere)
	d.Duels.Theme, d.Duels.Now = d.Theme, d.Now
	m.duels = judging.New(ctx, d.Duels)
	m.lobby = newLobby(ctx, d.Theme, d.Runs)
	m.lobby.role = m.may()
	m.report = report.New(ctx, d.Theme, d.Report, d.Now)
	d.Criteria.Theme, d.Criteria.Now = d.Theme, d.Now
	m.criteria = criteria.New(ctx, d.Criteria)
	m.criteria.Open(d.Start.Dataset)
	d.Curate.Theme, d.Curate.Now = d.Theme, d.Now
	m.curate = curate.New(ctx, d.Curate)
	m.curate.Open(d.Start.Dataset)
	m.stacks = [tabCount][]Screen{TabRuns: {m.runs}, TabReview: {m.lobby}, TabReport: {m.report}, TabCriteria: {m.criteria}, TabCurate: {m.curate}}
	for _, stack := range m.stacks {
		m.spell(stack[0])
	}
	m.setAnnotator(d.Annotator)
	if d.Start.Drafts != nil {
		m.drafts = *d.Start.Drafts
	}
	m.tab = m.home()
	return m
}

// Init starts to read and to wait for news.
func (m *Model) Init() tea.Cmd {
	start := m.deps.Start
	cmds := []tea.Cmd{m.wait(m.deps.Changed, changed{}), m.wait(m.deps.Moved, moved{})}
	if m.has(TabRuns) {
		cmds = append(cmds, m.runs.Init())
	}
	switch {
	case start.Queue != "":
		cmds = append(cmds, m.openQueue(start.Queue))
	case start.Pairs:
		m.tab = TabReview
		cmds = append(cmds, m.lobby.enterPairs())
	case start.Tab != TabRuns:
		cmds = append(cmds, m.show(start.Tab))
	case m.tab != TabRuns:
		cmds = append(cmds, m.show(m.tab))
	}
	if m.deps.Hint != "" {
		cmds = append(cmds, send(widget.Notify{Level: widget.Info, Text: m.deps.Hint}))
	}
	return tea.Batch(cmds...)
}

// redraw draws everything anew, after the pictures that the terminal may have
// lost are there again.
func (m *Model) redraw() tea.Cmd {
	resend := m.deps.Resend
	if resend == nil {
		return tea.ClearScreen
	}
	again := func() tea.Msg {
		if err := resend(); err != nil {
			return widget.Notify{Level: widget.Problem, Text: err.Error()}
		}
		return nil
	}
	return tea.Sequence(again, tea.ClearScreen)
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	model, cmd := m.update(msg)
	if _, pressed := msg.(tea.KeyMsg); !pressed && m.touring() { // keys are told one by one
		cmd = tea.Batch(cmd, m.tourOn(msg))
	}
	return model, cmd
}

func (m *Model) update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m, m.resize()
	case tea.KeyMsg:
		return m, m.each(msg)
	case tea.MouseMsg:
		return m, m.mouse(msg)
	case widget.Notify:
		return m, m.notify(msg)
	case offered:
		if msg.to == m.palette {
			m.palette.Add(msg.entries)
		}
		return m, nil
	case faded:
		m.toasts.Fade(m.deps.Now())
		return m, m.resize()
	case flushed:
		return m, m.left(msg)
	case Leave:
		return m, m.leaveNow(msg)
	case tea.ResumeMsg:
		return m, m.redraw()
	}
	if cmd, ok := m.news(msg); ok {
		return m, cmd
	}
	if cmd, ok := m.move(msg); ok {
		return m, cmd
	}
	return m, m.broadcast(msg)
}

// broadcast hands a message to every screen: an answer may come after its
// screen has been left, and each knows its own.
func (m *Model) broadcast(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, stack := range m.stacks {
		for _, s := range stack {
			cmds = append(cmds, s.Update(msg))
		}
	}
	if !slices.Contains(m.stacks[TabRuns], Screen(m.duels)) {
		cmds = append(cmds, m.duels.Update(msg)) // it comes again, with its form as it was
	}
	if m.palette != nil {
		cmds = append(cmds, m.palette.Update(msg))
	}
	return tea.Batch(cmds...)
}

// longestName is that of the longest name of a key, ctrl+shift+pgdown.
const longestName = 17

// each takes the keys of a message one by one. Keys that wait in the terminal
// are read together, and bubbletea makes one message of them: a label typed
// ahead would be no key that anybody knows. It calls a message by its text,
// too: the word "left" would move the cursor of the field that it was typed
// into, and be lost. Longer text has no key's name, and stays in one piece
// where it is text; so does what is pasted, whose name has brackets.
func (m *Model) each(msg tea.KeyMsg) tea.Cmd {
	long := len(msg.Runes) > longestName && m.top().Typing()
	if msg.Type != tea.KeyRunes || msg.Paste || len(msg.Runes) < 2 || long {
		return m.press(msg)
	}
	cmds := make([]tea.Cmd, len(msg.Runes))
	for i, r := range msg.Runes {
		cmds[i] = m.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt && i == 0})
	}
	return tea.Batch(cmds...)
}

// press takes a key: the root's own first, unless text is being typed.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	if m.palette != nil && !m.quit.saving && !key.Matches(msg, m.keys.quit) {
		return m.pressPalette(msg)
	}
	known, ok := m.translate(msg)
	if !ok {
		return m.gone(msg)
	}
	return tea.Batch(m.act(known), m.tourOn(known))
}

// act does what a key means by default.
func (m *Model) act(msg tea.KeyMsg) tea.Cmd {
	k := &m.keys
	switch {
	case key.Matches(msg, k.quit):
		return m.startQuit()
	case m.quit.saving:
		return nil
	case key.Matches(msg, k.tour) && m.touring():
		return m.endTour()
	case m.manual.open:
		m.manual.press(msg, max(1, m.bodyHeight()-2))
		return nil
	case key.Matches(msg, k.redraw):
		return m.redraw()
	case key.Matches(msg, k.copy):
		return m.copyFront()
	case key.Matches(msg, k.back):
		return m.back()
	case m.top().Typing() || msg.Paste:
		return m.top().Update(msg)
	case key.Matches(msg, k.palette) && m.place() != "":
		return m.openPalette()
	case key.Matches(msg, k.help):
		m.manual = manual{open: true}
		return nil
	case key.Matches(msg, k.copyThis) && m.copiesByLetter():
		return m.copyThis()
	case key.Matches(msg, k.person):
		return m.handOver()
	case key.Matches(msg, k.leave):
		return m.leave()
	case key.Matches(msg, k.next):
		return m.show(m.beside(1))
	case key.Matches(msg, k.prev):
		return m.show(m.beside(tabCount - 1))
	}
	for i := range k.tabs {
		if key.Matches(msg, k.tabs[i]) {
			return m.jump(Tab(i))
		}
	}
	return m.top().Update(msg)
}

// faded tells that a notice may have had its time.
type faded struct{}

func (m *Model) notify(n widget.Notify) tea.Cmd {
	after := m.toasts.Add(n, m.deps.Now())
	cmd := m.resize()
	if after == 0 {
		return cmd
	}
	return tea.Batch(cmd, tea.Tick(after, func(time.Time) tea.Msg { return faded{} }))
}
