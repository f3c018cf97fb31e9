package criteria

import (
	"context"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// Row is a sample with what people did about its criteria.
type Row struct {
	Sample   eval.Sample
	Set      criteria.Set
	Disputed []string // the names of criteria on which people differ who graded responses by them
}

// Addition is a sample to be added to a dataset. Picture is the path of its picture's file; "" for none.
type Addition struct {
	Sample  eval.Sample
	Picture string
}

// Source reads datasets and adds samples. It is called in commands.
type Source interface {
	Datasets() ([]eval.Dataset, error)
	// Rows reads all samples of a dataset, in their order.
	Rows(ctx context.Context, d eval.DatasetName) ([]Row, error)
	Set(d eval.DatasetName, o eval.Ordinal) (criteria.Set, error)
	// Picture reads the bytes of a picture.
	Picture(hash eval.PictureHash) ([]byte, error)
	// Add adds a sample, and gives it as it is stored. The same one again is added once.
	Add(ctx context.Context, d eval.DatasetName, a Addition) (eval.Sample, error)
}

// Writer commits acts in their order; *criteria.Writer is one.
type Writer interface {
	Submit(acts ...criteria.Act)
	RetryParked()
	State() criteria.WriterState
	SampleState(d eval.DatasetName, o eval.Ordinal) (waits bool, saved time.Time)
	TakeRefused() []criteria.Refusal
	Changed() <-chan struct{}
	Flush(ctx context.Context) error
}

var _ Writer = (*criteria.Writer)(nil)

// Deps is what the screen is made of. Source, Writer and Theme are needed.
type Deps struct {
	Source Source
	Writer Writer
	Theme  *widget.Theme
	Now    func() time.Time // nil is time.Now
	// Hidden finds the samples whose criteria a person is not to see yet, each
	// with the queue that says so. It is called in commands; nil hides none.
	Hidden func(ctx context.Context, who annotate.Annotator, d eval.DatasetName) (map[eval.Ordinal]annotate.QueueName, error)
	Quotas []criteria.Quota // how many samples groups are to have; may be empty
}

// Named is the message that somebody said who they are.
type Named struct{ Who annotate.Annotator }
