package tui

import (
	"context"
	"iter"
	"time"

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

// Search finds what the palette offers beside runs and queues. It is called in
// commands.
type Search interface {
	// Datasets are the names of all datasets.
	Datasets(ctx context.Context) ([]eval.DatasetName, error)
	// Samples are up to n samples whose id or question holds a text. It looks
	// no longer than somebody waits; more is true when it did not see all.
	Samples(ctx context.Context, text string, n int) (found []Found, more bool, err error)
	// Answers are the first answers of all runs to a sample.
	Answers(ctx context.Context, d eval.DatasetName, o eval.Ordinal) iter.Seq2[eval.Key, error]
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
