package runs

import (
	"context"

	"concord/annotate"
	"concord/eval"
)

// Row is a run with where it stands.
type Row struct {
	Run      eval.Run
	Progress eval.Progress // of a live run its snapshot, else what is stored; State is unset then
	Live     bool          // a runner of this process works on it
}

// Queue is a queue with where the present annotator stands in it.
type Queue struct {
	annotate.Queue
	Labelled   int // by the present annotator
	Skipped    int // put off by them, and not labelled since
	Annotators int // people who labelled at least one item
}

// Answer is one of the predictions that came last. It holds no more than
// Sight allows: of a blind one only which it is.
type Answer struct {
	Key     eval.Key
	Sample  eval.SampleID
	Sight   annotate.Sight
	Text    string
	Reading eval.Extraction
	Failure string // why there is no text; "" otherwise
}

// Source reads what the screen shows. Each call reads a few rows: totals are
// kept by the store. It is called in commands, never while drawing.
type Source interface {
	// Runs are all runs, in the order of their numbers.
	Runs(ctx context.Context) ([]Row, error)
	// Queues are all queues, in the order of their creation.
	Queues(ctx context.Context, who annotate.Annotator) ([]Queue, error)
	// Latest are the last n predictions of a run, newest first, as far as the
	// person may know of them. Who has no name has answered nothing.
	Latest(ctx context.Context, who annotate.Annotator, run eval.RunID, n int) ([]Answer, error)
}

// Control steers the runners of this process. What it cannot do is an error,
// never silence.
type Control interface {
	// Pause starts no further call; those in flight finish.
	Pause(run eval.RunID) error
	// Resume goes on with a run that is paused, and starts one again that was
	// cancelled, failed, or left off by an earlier process.
	Resume(run eval.RunID) error
	// Cancel ends a run; what was answered stays.
	Cancel(run eval.RunID) error
}

// OpenQueue asks for the review of a queue.
type OpenQueue struct{ Queue annotate.QueueName }

// OpenReport asks for the report on a run, or on a queue when that is named.
type OpenReport struct {
	Run   eval.RunID
	Queue annotate.QueueName
}

// OpenSamples asks for the samples behind a run.
type OpenSamples struct {
	Run   eval.RunID
	Title string
}
