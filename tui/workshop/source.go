package workshop

import (
	"context"
	"time"

	"concord/annotate"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/widget"
)

// Order is a prompt of a judge on a part of a queue's labels.
type Order struct {
	Queue   annotate.QueueName
	Judge   string
	Prompt  string // its text
	HeldOut bool   // the held-out part; else the development part
}

// Candidate is a prompt that was written or tried.
type Candidate struct {
	Name          string // "mini~1a2b3c4d"
	Text          string // "" where it is not known any more
	Now           bool   // it is the judge's in the configuration
	Asked         bool   // it has readings of the development part
	Agreement     stat.Rate
	Confusion     []annotate.Confusion
	Fixed, Broken []eval.Key // beside the one tried before
	Before        string     // that one; "" of the first
	HeldOut       stat.Rate  // at the last look at the held-out part that is saved
	Looked        bool       // there was one
	Working       string     // how far it is asked, while it is; "" else
}

// Bench is what there is of a judge and a queue.
type Bench struct {
	Queue      annotate.QueueName
	Judge      string
	Judges     []string    // of the configuration
	Candidates []Candidate // in the order in which they were tried, those not asked yet last
	Looks      int         // at the held-out part that are saved
	Draft      string      // what was being written when the page was left
	Why        string      // why nothing can be tried here; "" when it can
}

// Source reads what was tried, and tries. It is called in commands.
type Source interface {
	// ReadBench reads what there is of a judge and a queue; "" takes the first judge, and
	// the queue with the newest labels.
	ReadBench(ctx context.Context, q annotate.QueueName, judge string) (Bench, error)
	// KeepPrompt keeps a prompt in a file beside the project, and gives its candidate's
	// name; an error says what of it does not read.
	KeepPrompt(ctx context.Context, o Order) (name string, err error)
	// KeepDraft keeps what is not a prompt yet; "" drops it.
	KeepDraft(judge, text string) error
	// Estimate says in a line what is asked and what that costs; "" when nothing is left
	// to ask.
	Estimate(ctx context.Context, o Order) (string, error)
	// Start begins to ask in the background.
	Start(ctx context.Context, o Order) error
	// Look measures the prompt on the held-out part, and saves that it was looked at.
	Look(ctx context.Context, o Order, who annotate.Annotator) error
	// Promote makes the prompt the judge's in the configuration, and says which file that
	// is now.
	Promote(ctx context.Context, o Order, who annotate.Annotator) (file string, err error)
}

// Deps is what the page is made of. All of it is needed but Queue, Who and Now.
type Deps struct {
	Theme  *widget.Theme
	Source Source
	Queue  annotate.QueueName // "": the one with the newest labels
	Who    annotate.Annotator // "": nobody has said; then no look is saved
	Now    func() time.Time   // nil is time.Now
}

// OpenAnswers asks for the answers that a prompt fixed and broke.
type OpenAnswers struct {
	Title         string
	Extractor     string
	Fixed, Broken []eval.Key
}
