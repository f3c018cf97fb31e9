package judging

import (
	"context"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/job"
)

// Reply is a call of a comparison that gave no vote. It holds no more than Visibility
// allows: of a blind one only which it is.
type Reply struct {
	Sample     eval.SampleID
	Visibility blind.Visibility
	Swapped    bool     // the anchor's answer was shown first
	Raw        string   // the last reply; "" of a call that failed
	Earlier    []string // replies before it that held no vote either, in their order
	Failure    string   // why there is no reply; "" otherwise

	Kind eval.FailureKind // of Failure
}

// Look is a comparison as its votes stand. The results are of the questions with
// a vote in both orders, or in the one order in which they are asked.
type Look struct {
	Of eval.Comparison
	At time.Time

	Model, Anchor, Unable int // single votes, whatever the order
	Orders                int // in which pairs are asked: 2, 1, or 0 when that is not known

	Results     Results
	WinRate     stat.Rate
	Same        stat.Rate // positions, of the pairs with a vote in both orders
	First       stat.Rate
	Second      stat.Rate
	Other       stat.Rate
	Unparsed    []Reply // in the order of samples
	Failures    []Reply
	MoreReplies int // unparsed ones beyond those that are given
	MoreFails   int
}

// Results are questions by what the votes come to for the model; they sum to
// N.
type Results struct {
	Win, Lose, Tie, SituationOne, SituationTwo, Unable int
	N                                                  int
	Incomplete                                         int // questions with a vote in one of two orders
}

// Source reads what the page shows. It is called in commands.
type Source interface {
	job.Source
	// Look reads the votes of a comparison, and up to n of the replies of each kind
	// that hold none, as far as the person may know of them. Who has no name has
	// answered nothing.
	Look(ctx context.Context, who annotate.Annotator, c eval.Comparison, n int) (Look, error)
}

// Spec is a judging that somebody wants.
type Spec struct {
	Dataset     eval.DatasetName
	Models      []eval.RunID // whose answers are set against the anchor's
	Anchor      eval.RunID
	Judge       string
	Criteria    bool
	Input       eval.Input
	Shuffled    bool // one order of each pair, drawn; else both
	Repeats     int  // how often all is asked, from 1
	Concurrency int
	Budget      float64 // the cost at which it pauses; 0: none
}

// DatasetChoice is a dataset whose answers can be compared.
type DatasetChoice struct {
	Name       eval.DatasetName
	Samples    int
	Models     []ModelChoice
	Anchor     eval.RunID // of the comparisons that there are; 0 without any
	Criteria   int        // samples with criteria
	Pictures   int        // samples with a picture that the project holds
	Captions   int        // samples with a caption
	Detections int        // samples whose picture a detector saw
	Captioners int        // models that made captions
	Why        string     // why nothing of it can be compared; "" when it can
}

// ModelChoice is a run whose answers can be compared.
type ModelChoice struct {
	Run     eval.RunID
	Name    string // of the model; with the run's number where it has several
	Model   string
	Answers int // predictions of it that are no failures
}

// JudgeChoice is a model that is configured to be asked.
type JudgeChoice struct {
	Name     string
	Endpoint string // base URL, without credentials
	Price    eval.Price
	Why      string // why it cannot be asked and what to do about it; "" when it can
}

// Choices are what a judging can be made of.
type Choices struct {
	Datasets []DatasetChoice
	Judges   []JudgeChoice
	Defaults Spec   // concurrency and budget
	Trouble  string // what is wrong with the configuration as a whole; "" when nothing is
}

// LeftOut is how many votes cannot be asked for, for one reason, or are asked
// for although something is missing.
type LeftOut struct {
	Why   string
	Votes int
	Asked bool // asked all the same
}

// Estimate is what a judging will take, beyond what is stored of it.
type Estimate struct {
	Tally            eval.Tally
	Calls            int
	PromptTokens     int
	CompletionTokens int
	Cost             float64
	Priced           bool
	Time             time.Duration // at the endpoint's limits; 0: not known
	LeftOut          []LeftOut
	Stale            int      // votes that were made under older criteria
	Live             bool     // it is at work: starting changes its budget, and goes on
	Unfinished       []string // runs whose answers are not all there yet
	Assumed          []string // what the figures rest on
}

// Scheduler starts judgings. It is called in commands; it calls no endpoint
// before Start.
type Scheduler interface {
	// Choices are what a judging can be made of now.
	Choices(ctx context.Context) (Choices, error)
	// Estimate is what it would take; an error says why it cannot be.
	Estimate(ctx context.Context, s Spec) (Estimate, error)
	// Start begins in the background, or goes on, and names the first job.
	Start(ctx context.Context, s Spec) (job.ID, error)
}

// Started tells that a judging has begun, or goes on: its first job.
type Started struct{ Job job.ID }
