package home

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

// Row is a run with where it stands.
type Row struct {
	Run      eval.Run
	Progress eval.Progress // of a live run its snapshot, else what is stored; State is unset then
	Live     bool          // a runner of this process works on it
	Counting bool          // what became of the answers is counted anew: the totals are of earlier rules
}

// Queue is a queue with where the present annotator stands in it.
type Queue struct {
	annotate.Queue
	Labelled   int // by the present annotator
	Skipped    int // put off by them, and not labelled since
	Annotators int // people who labelled at least one item
}

// Answer is one of the predictions that came last. It holds no more than
// Visibility allows: of a blind one only which it is.
type Answer struct {
	Key        eval.Key
	Sample     eval.SampleID
	Visibility blind.Visibility
	Text       string
	Reading    eval.Extraction
	Failure    string // why there is no text; "" otherwise

	Kind     eval.FailureKind // of Failure
	Attempts int              // recorded failures of it, the present one included; 0: not counted
}

// Source reads what the screen shows. Each call reads a few rows: totals are
// kept by the store. It is called in commands, never while drawing.
type Source interface {
	// Runs are all runs, in the order of their numbers.
	Runs(ctx context.Context) ([]Row, error)
	// Queues are all queues, in the order of their creation.
	Queues(ctx context.Context, who annotate.Annotator) ([]Queue, error)
	// Datasets are all datasets, in the order of their names.
	Datasets(ctx context.Context) ([]eval.Dataset, error)
	// LatestAnswers are the last n predictions of a run, newest first, as far as the
	// person may know of them. Who has no name has answered nothing.
	LatestAnswers(ctx context.Context, who annotate.Annotator, run eval.RunID, n int) ([]Answer, error)
	// FailedAnswers are n predictions of a run that are failures now, those furthest
	// down the dataset first, under the same rule.
	FailedAnswers(ctx context.Context, who annotate.Annotator, run eval.RunID, n int) ([]Answer, error)
}

// Control steers the runners of this process. What it cannot do is an error, never silence.
type Control interface {
	// Pause starts no further call; those in flight finish.
	Pause(run eval.RunID) error
	// Resume goes on with a run that is paused, and starts one again that was
	// cancelled, failed, or left off by an earlier process.
	Resume(run eval.RunID) error
	// Cancel ends a run; what was answered stays.
	Cancel(run eval.RunID) error
}

// Spec is a run that somebody wants.
type Spec struct {
	Dataset     eval.DatasetName
	Model       string
	Strategy    eval.Strategy
	Modality    eval.Modality
	AllPasses   bool
	Shots       int      // worked examples before the question
	Judges      []string // the first one decides
	Fallback    bool     // MMBench step 3
	Concurrency int
	Budget      float64    // the cost at which it pauses; 0: none
	New         bool       // a new run although one with other settings exists
	Resume      eval.RunID // go on with this run under its own settings; 0: as the rest says
}

// DatasetChoice is a dataset that a run may be of.
type DatasetChoice struct {
	Name     eval.DatasetName
	Samples  int
	Pictures int         // samples with a picture
	Kinds    []eval.Kind // of its samples
	Why      string      // why it cannot be run; "" when it can
}

// Choices are what a run can be made of.
type Choices struct {
	Datasets []DatasetChoice
	Models   []job.ModelChoice
	Defaults Spec   // concurrency and budget
	Trouble  string // what is wrong with the configuration as a whole; "" when nothing is
}

// Estimate is what a run will take, beyond what is stored of it. Low and high
// are the ends of what early stop and the judges may make of it.
type Estimate struct {
	CallsLow, CallsHigh           int // of the model
	JudgeCallsLow, JudgeCallsHigh int // of all judges
	PromptTokens                  int // of all calls together, at the high end
	CompletionTokens              int
	CostLow, CostHigh             float64
	Priced                        bool          // every price that the cost needs is known
	Time                          time.Duration // at the endpoints' limits and the high end; 0: not known
	Assumed                       []string      // what the figures rest on
	Existing                      *Existing     // nil: there is no such run yet
}

// Existing is the newest run of the same dataset, model, strategy and modality.
type Existing struct {
	Run         eval.RunID
	Same        bool // its settings are those of the spec: starting goes on with it
	Differences []eval.Difference
}

// Scheduler starts runs, and has them judged. It is called in commands, and may read files; it calls
// no endpoint before Start.
type Scheduler interface {
	// FormChoices are what a run can be made of now.
	FormChoices(ctx context.Context) (Choices, error)
	// Estimate is what the run would take; an error says why it cannot be run.
	Estimate(ctx context.Context, s Spec) (Estimate, error)
	// Start makes the run, or goes on with it, in the background.
	Start(ctx context.Context, s Spec) (eval.RunID, error)
	// Retry asks again what failed in a run, and nothing else.
	Retry(run eval.RunID) error
	// Judge has judges read what the rules cannot, in the background: of a run
	// at work beside those that it has, and of any other what is stored.
	Judge(ctx context.Context, run eval.RunID, judges []string) error
}

// OpenImport asks for a file to be brought in.
type OpenImport struct{}

// OpenConnect asks for models to be made known.
type OpenConnect struct{}

// OpenNewQueue asks for a queue to label, drawn from the answers of a run.
type OpenNewQueue struct {
	Dataset eval.DatasetName
	Run     eval.RunID
}

// OpenQueue asks for the review of a queue.
type OpenQueue struct{ Queue annotate.QueueName }

// OpenWorkshop asks for the page on which prompts of judges are tried on a queue's
// labels; without one on those of the queue with the newest.
type OpenWorkshop struct{ Queue annotate.QueueName }

// OpenReport asks for the report on a run, or on a queue when that is named.
type OpenReport struct {
	Run   eval.RunID
	Queue annotate.QueueName
	Pairs bool // the queue is of pairs
}

// OpenVotes asks for the report on the votes of a dataset.
type OpenVotes struct{ Dataset eval.DatasetName }

// OpenSamples asks for the samples behind a run.
type OpenSamples struct {
	Run   eval.RunID
	Title string
}

// OpenAnswers asks for predictions of a run: the first one at once, the others
// behind it. Errors tells that they are failures.
type OpenAnswers struct {
	Run    eval.RunID
	Title  string
	Errors bool
	Keys   []eval.Key
}

// OpenJob asks for the page of a job. Errors asks for what failed in it.
type OpenJob struct {
	Job    job.ID
	Errors bool
}

// NewVotes asks for the form of a judging of votes, at first as that of Like is; "" is none.
type NewVotes struct{ Like job.ID }

func drawEstimateFigures(f *runForm, s *widget.Sheet) {
	e := &f.Latest
	if e.isNone() {
		s.AddField("calls", "none: there are answers to all of it")
	} else {
		drawEstimateSizes(f, e, s.AddField)
	}
	switch b := f.budget.Value(); {
	case b > 0 && e.isNone():
	case b > 0 && !e.Priced:
		s.AddWarning("without every price the budget cannot be kept")
	case b > 0 && e.CostHigh > b:
		s.AddWarning("pauses at " + widget.FormatMoney(b) + ", perhaps before its end")
	}
	switch x := e.Existing; {
	case x == nil:
	case f.fresh:
		s.AddNote(fmt.Sprintf("a new run beside run %d, which has other settings", x.Run))
	case f.resume != 0:
		s.AddNote(fmt.Sprintf("continues run %d under its own settings", x.Run))
	case x.Same:
		s.AddNote(fmt.Sprintf("continues run %d, which has these settings", x.Run))
	default:
		s.AddWarning(fmt.Sprintf("run %d is the same with other settings: enter shows them", x.Run))
	}
	if !e.isNone() {
		s.AddAssumptions(e.Assumed)
	}
}

// isNone reports whether nothing would be asked.
func (e *Estimate) isNone() bool { return e.CallsHigh == 0 && e.JudgeCallsHigh == 0 }

// drawEstimateSizes estimates how much is asked, and what that takes.
func drawEstimateSizes(f *runForm, e *Estimate, field func(name, text string)) {
	field("calls", formatRange(e.CallsLow, e.CallsHigh, widget.FormatCount))
	if len(f.judges) > 0 || e.JudgeCallsHigh > 0 {
		field("judge calls", formatRange(e.JudgeCallsLow, e.JudgeCallsHigh, widget.FormatCount))
	}
	field("tokens", "up to "+widget.FormatAbbreviated(e.PromptTokens)+" prompt · "+widget.FormatAbbreviated(e.CompletionTokens)+" completion")
	field("cost", formatEstimatedCost(e))
	if e.Time > 0 {
		field("time", "at least "+widget.FormatDuration(e.Time)+" at the endpoints' limits")
	}
}

// formatEstimatedCost gives what a run may cost. One that not every price is known of is not said to be cheap.
func formatEstimatedCost(e *Estimate) string {
	money := formatRange(e.CostLow, e.CostHigh, widget.FormatMoney)
	switch {
	case e.Priced:
		return money
	case e.CostHigh > 0:
		return money + " and more: not every price is known"
	}
	return "not known: no price is configured"
}

// formatRange writes a range; one number when its ends are written the same.
func formatRange[T any](low, high T, write func(T) string) string {
	l, h := write(low), write(high)
	return eval.Either(l == h, l, strings.Join([]string{l, h}, " to "))
}

// Deps is what the screen works with. Source is needed.
type Deps struct {
	Source     Source
	Control    Control          // nil: runs cannot be steered
	Scheduler  Scheduler        // nil: none can be started
	Jobs       job.Source       // nil: there are none
	JobControl job.Control      // nil: jobs can neither be started nor steered
	Import     bool             // files can be imported
	Links      []Link           // pages that open from here
	Now        func() time.Time // nil is time.Now
}

// Link is a page that opens from the screen by a key of its own.
type Link struct {
	Key  key.Binding
	Open tea.Msg // asks for it
}
