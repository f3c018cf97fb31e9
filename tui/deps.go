package tui

import (
	"context"
	"iter"
	"reflect"
	"strings"
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
	"concord/tui/report"
	"concord/tui/samples"
	"concord/tui/widget"
)

// Saver is what people did and is not yet stored; *annotate.Journal is one.
type Saver interface {
	State() session.JournalState
	// Flush waits until everything is stored.
	Flush(ctx context.Context) error
}

// Deps make the app. Project, Theme, Runs, Report, Samples, Pairs, Review and Votes are needed.
type Deps struct {
	Project   string                                 // shown in the header
	Synthetic bool                                   // the project is a demo
	Annotator annotate.Annotator                     // "": asked for before the first review
	Role      annotate.Role                          // of a guest, who stays who they are; unset: everything may be done, as anybody
	RoleOf    func(annotate.Annotator) annotate.Role // of who is no guest; unset: everything may be done; nil: by anybody
	Remember  func(annotate.Annotator) error
	Theme     *widget.Theme
	Now       func() time.Time // nil is time.Now
	Keys      *keymap.Keymap   // nil: the keys that everybody has
	Resend    func() error     // sends the terminal the pictures again that it may have lost; nil: it keeps none
	Hint      string           // what would make more of this terminal, said once; "": nothing

	Runs      home.Source
	Control   home.Control   // nil: runs cannot be steered
	Scheduler home.Scheduler // nil: none can be started
	Report    report.Source
	Samples   samples.Source
	Pairs     pairs.Source
	Changed   <-chan struct{}      // one-slot mark that facts have changed; nil: they do not
	Calm      func() time.Duration // how long a mark waits to be looked at; nil: not at all
	Moved     <-chan struct{}      // one-slot mark that somebody else has sat down, left or moved on; nil: nobody does
	Saver     Saver                // nil: nothing is ever unsaved

	Judging  judging.Deps // its theme and clock are the app's, as of the next one
	Criteria criteria.Deps
	Begin    importer.Source // of files to import; nil: none can be
	Connect  endpoint.Source // of servers and their models; nil: none can be made known
	Curate   curate.Deps     // without a Source there is no such tab

	// Review makes the screen that labels a queue. It reads nothing yet.
	Review func(queue annotate.QueueName, who annotate.Annotator) Screen
	// Votes makes the screen on which people vote on a queue of pairs.
	Votes    func(queue annotate.QueueName, who annotate.Annotator) Screen
	Search   Search    // nil: the palette finds no samples and datasets
	Commands []Command // that the palette tells of
	// Copy puts a text where other programs can take it; nil: there is no way.
	Copy   func(text string) tea.Cmd
	Pairer Pairer // nil: no queues of pairs can be made
	// NewQueues draws queues to label; nil: none can be made.
	NewQueues newqueue.Source
	// Guidelines of queues; nil: they cannot be looked at beside their items.
	Guidelines guideline.Source
	Pages      []Page // that open by messages of their own
	// Compare makes the screen on which disagreements on a queue are settled; nil: there is none.
	Compare func(queue annotate.QueueName, who annotate.Annotator) Screen
	// Start is where the app opens; the zero value is the runs.
	Start Start
	Tour  *Tour // of the demo; nil: there is none
}

// Start is where the app opens.
type Start struct {
	Tab   Tab                `json:"tab,omitempty"`
	Queue annotate.QueueName `json:"queue,omitempty"` // of the review; "": ask when there are several
	Pairs bool               `json:"pairs,omitempty"` // with no Queue: one of pairs is meant

	Dataset eval.DatasetName `json:"dataset,omitempty"` // of the criteria or the curation; "": ask when there are several
	Written bool             `json:"written,omitempty"` // the samples that are written for it; "": for all

	Drafts *guideline.Drafts `json:"-"` // of guidelines, begun before the app was opened anew; nil: there are none
}

// Search finds what the palette offers beside runs and queues. It is called in commands.
type Search interface {
	// Datasets are the names of all datasets.
	Datasets(ctx context.Context) ([]eval.DatasetName, error)
	// FindSamples are up to n samples whose id or question holds a text. It looks
	// no longer than somebody waits; more is true when it did not see all.
	FindSamples(ctx context.Context, text string, n int) (found []Found, more bool, err error)
	// FirstAnswers are the first answers of all runs to a sample.
	FirstAnswers(ctx context.Context, d eval.DatasetName, o eval.Ordinal) iter.Seq2[eval.Key, error]
}

// Found is a sample by what everybody may know of it.
type Found struct {
	Dataset  eval.DatasetName
	Ordinal  eval.Ordinal
	ID       eval.SampleID
	Question string // its beginning is enough
}

// Command is one that is given to a shell.
type Command struct {
	Usage string // how it is called
	Short string // what it does
}

// Tour says the next step to somebody who looks around in the demo, in a line
// of its own above the footer. What they do takes it on; a key ends it.
type Tour struct {
	// End is told that nobody wants to see it again. It is called in a command.
	End func() error
}

// Page is a screen that opens by a message of its own, over the first screen of a tab. Whoever builds
// the app lists the pages in Deps: the root knows none of them.
type Page struct {
	Message tea.Msg // the page opens by every message of this type; the palette sends this one
	Tab     Tab
	May     annotate.Permission // what it takes
	Whose   string              // who may, as others are told: "the owner"

	Key               key.Binding // on the screen of runs, where it is in the keymap as well; none: it has no key there
	Name, Words, Hint string      // in the palette: title, further words, what is there; Name "": it is not listed

	// New makes the screen. It reads nothing yet. ctx ends with the app.
	New func(ctx context.Context, v Opening) Screen
}

// Opening is by whom and by which message a page is opened, and what the app draws with.
type Opening struct {
	Message tea.Msg
	Who     annotate.Annotator // "": they gave no name yet
	Theme   *widget.Theme
	Now     func() time.Time
}

// pages opens pages, and knows the one that it opened last.
type pages struct {
	ctx    context.Context
	deps   *Deps
	nav    *screenStacks
	person *currentPerson
	last   Screen  // nil: none was opened
	by     tea.Msg // the message that opened it
}

// pageLinks are the pages that have a key on the screen of runs.
func (d *Deps) pageLinks() []home.Link {
	keyed := eval.Select(d.Pages, func(p Page) bool { return len(p.Key.Keys()) > 0 })
	return eval.Map(keyed, func(p Page) home.Link { return home.Link{Key: p.Key, Open: p.Message} })
}

// findPageOfMessage finds the one that opens by messages of a type; nil: none does.
func (d *Deps) findPageOfMessage(like tea.Msg) *Page {
	return eval.Find(d.Pages, func(p *Page) bool { return reflect.TypeOf(p.Message) == reflect.TypeOf(like) })
}

// Update takes the message of a page, and reports whether it was one. A page that is seen is read again.
func (p *pages) Update(msg tea.Msg) (tea.Cmd, bool) {
	page := p.deps.findPageOfMessage(msg)
	if page == nil {
		return nil, false
	}
	if !p.nav.can.allows(page.May) || !p.nav.can.hasTab(page.Tab) {
		return notifyNotAllowed(page.Whose), true
	}
	p.nav.tab = page.Tab
	if p.last != nil && p.nav.topScreen() == p.last && reflect.DeepEqual(p.by, msg) {
		return p.last.Refresh(), true
	}
	p.nav.closeToFirst()
	p.last, p.by = page.New(p.ctx, Opening{Message: msg, Who: p.person.who, Theme: p.deps.Theme, Now: p.deps.Now}), msg
	return p.nav.pushScreen(p.last), true
}

// listPages lists the pages that the palette lists for the person.
func (p *pages) listPages() []Page {
	return eval.Select(p.deps.Pages, func(page Page) bool {
		return page.Name != "" && p.nav.can.allows(page.May) && p.nav.can.hasTab(page.Tab)
	})
}

// tourStep is a step of the tour: what is to be done, at length and in short, with
// keys in braces as they are named at a place.
type tourStep struct {
	at          keymap.Place
	long, short string
	done        func(at appState, msg tea.Msg) bool
	pass        bool // it is passed over by whoever does the next one
}

// appState is what the tour sees of the app.
type appState struct {
	tab     Tab
	working bool // a queue is open, of a person who is known
	helped  bool // the palette or the page of keys is open
	saved   int  // acts that were stored since the step began
}

// enough is how many labels the tour asks for.
const enough = 3

func newKeyTest(names ...string) func(appState, tea.Msg) bool {
	return func(_ appState, msg tea.Msg) bool {
		k, ok := msg.(tea.KeyMsg)
		return ok && key.Matches(k, widget.NewBinding("", "", names...))
	}
}

// tourSteps are the way through the demo.
func tourSteps() []tourStep {
	return []tourStep{
		{keymap.Runs, "{down} goes through the runs: they answer while you watch", "{down} goes through the runs", newKeyTest("down", "up", "j", "k"), true},
		{keymap.Runs, "{tab}, then {enter} opens the queue of what no rule could read", "{tab}, {enter} opens the queue", func(at appState, _ tea.Msg) bool { return at.tab == TabReview }, false},
		{keymap.Everywhere, "open a queue; type your name, where it is asked for: it is kept with your labels", "open a queue, and type your name", func(at appState, _ tea.Msg) bool { return at.working }, false},
		{keymap.Review, "read the answer and label three: its letter or place, {none} for none", "label three by their letters", func(at appState, _ tea.Msg) bool { return at.saved >= enough }, false},
		{keymap.Review, "{undo} takes the last one back", "{undo} takes the last one back", newKeyTest("ctrl+z"), true},
		{keymap.Review, "{next_tab} shows how far the extracted answers can be trusted", "{next_tab} goes to the report", func(at appState, _ tea.Msg) bool { return at.tab == TabReport }, false},
		{keymap.Everywhere, "{palette} finds everything by name; {help} lists a screen's keys", "{palette} finds everything", func(at appState, _ tea.Msg) bool { return at.helped }, false},
		{keymap.Everywhere, "with-criteria, found by {palette}, grades an answer by its criteria: 1 met, 3 unmet", "{palette}: with-criteria grades by criteria", func(at appState, _ tea.Msg) bool { return at.tab == TabReview && at.saved > 0 }, false},
	}
}

// tourState is how far the tour has come.
type tourState struct {
	theme *widget.Theme
	keys  *keymap.Keymap
	tour  *Tour // nil: there is none
	saver Saver // nil: nothing is ever stored
	at    int
	saved int // acts that were stored when the step began
	over  bool
}

// countStoredActs counts how many acts are stored.
func (t *tourState) countStoredActs() int {
	if t.saver == nil {
		return 0
	}
	return t.saver.State().Saved
}

func (t *tourState) isTouring() bool { return t.tour != nil && !t.over }

// advanceTour goes on with the tour by what was done: msg is a key as screens know it,
// or whatever else the app was told. It reports whether that was the last step.
func (t *tourState) advanceTour(at appState, msg tea.Msg) bool {
	if !t.isTouring() {
		return false
	}
	all, was := tourSteps(), t.at
	done := func(i int) bool {
		at.saved = t.countStoredActs() - t.saved
		return all[i].done(at, msg)
	}
	for t.at < len(all) && (done(t.at) || all[t.at].pass && done(t.at+1)) {
		t.at, t.saved, msg = t.at+1, t.countStoredActs(), nil
	}
	return t.at != was && t.at == len(all)
}

// endTour takes the tour away for good.
func (t *tourState) endTour() tea.Cmd {
	t.over = true
	end := t.tour.End
	return func() tea.Msg {
		if err := end(); err != nil {
			return widget.Notify{Level: widget.Problem, Text: "end the tour: " + err.Error()}
		}
		return nil
	}
}

// drawLines draws the line of the tour; none where there is no tour.
func (t *tourState) drawLines(on Tab, width, height int) []string {
	if !t.isTouring() || height < tallFrom {
		return nil
	}
	th, all := t.theme, tourSteps()
	s := all[min(t.at, len(all)-1)]
	text := eval.Either(width < 100, s.short, s.long)
	switch {
	case s.at == keymap.Runs && on != TabRuns:
		text = "on the tab Runs: " + text
	case s.at == keymap.Review && on != TabReview:
		text = "on the tab Review: " + text
	}
	var sp keymap.Spelling
	sp.SetKeySpeller(func(name string) string { return t.keys.FirstKeyText(name, s.at) })
	left := th.Accent.Render(" tour "+strings.Repeat("━", t.at)+strings.Repeat("─", len(all)-t.at)+" ") + sp.SpellText(text)
	return []string{widget.JoinEnds(left, th.Faint.Render(t.keys.FirstKeyText("end_tour", keymap.Everywhere)+" ends it "), width)}
}
