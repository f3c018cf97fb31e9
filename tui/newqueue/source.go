package newqueue

import (
	"context"

	"concord/annotate"
	"concord/eval"
	"concord/tui/widget"
)

// Source draws queues. Its methods are called beside the screen.
type Source interface {
	// Stock is what there is to draw from.
	Stock(ctx context.Context) (Stock, error)
	// Preview is what an order would draw now; nothing is written.
	Preview(ctx context.Context, o Order) (Drawn, error)
	// Make draws the queue and says what came of it.
	Make(ctx context.Context, o Order) (said string, err error)
}

// Stock is what queues can be drawn from.
type Stock struct {
	Pools []Pool
	Taken []annotate.QueueName // names that queues have
}

// Pool is a dataset with the runs that answered it, each by a name of its own.
type Pool struct {
	Dataset eval.DatasetName
	Runs    []Run
}

// Run is one of them.
type Run struct {
	ID   eval.RunID
	Name string
}

// Order is a queue as it is wanted.
type Order struct {
	Name      annotate.QueueName
	Dataset   eval.DatasetName
	Run       eval.RunID // 0: all of the dataset
	From      annotate.From
	Sample    string // as queue create's --sample: a share like 10%, or a number; "": all
	Overlap   int
	Guideline string // a text file; "": none
	By        annotate.Annotator
}

// Drawn is what an order would draw.
type Drawn struct {
	Items      int // that people would label
	Population int // that they are drawn from
	Growing    bool
	Note       string // what is worth knowing beside it; "" when nothing is
}

// Made is the message that a queue was made.
type Made struct {
	Queue annotate.QueueName
	Said  string
}

// Deps is what the form is made of. Theme and Source are needed.
type Deps struct {
	Theme   *widget.Theme
	Source  Source
	Who     annotate.Annotator
	Dataset eval.DatasetName // to begin with; "": the first
	Run     eval.RunID       // to begin with; 0: all
}
