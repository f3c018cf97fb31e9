package curate

import (
	"context"
	"time"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/widget"
)

// Card is a candidate as it is shown.
type Card struct {
	Sample  eval.Sample
	Finding *curation.Finding // what models made of it; nil: nobody has asked them

	Withheld bool // its ground truth is: an item on it is open to the person
}

// Opening is the candidates of a dataset, each in its place on the board too.
type Opening struct {
	Board *curation.Board
	Cards []Card
	// Inspection names where the candidates come from; "": they are the whole
	// dataset.
	Inspection string
	Pool       int  // samples of the dataset
	Look       Look // what is shown at first
}

// Source reads datasets. It is called in commands.
type Source interface {
	Datasets() ([]eval.Dataset, error)
	Open(ctx context.Context, d eval.DatasetName, who annotate.Annotator) (Opening, error)
	// Picture reads the bytes of a picture.
	Picture(hash eval.PictureHash) ([]byte, error)
}

// Journal takes acts in order and says when they are durable;
// *curation.Journal is one.
type Journal interface {
	Submit(a curation.Act)
	Retry()
	Standing(s curation.Stream) curation.JournalState
	// Sync waits until the acts of an expert in a dataset are durable.
	Sync(ctx context.Context, s curation.Stream) error
	Changed() <-chan struct{}
	// Refused are the acts that cannot be stored, since others had been stored
	// under this name. They stay with the journal.
	Refused(s curation.Stream) ([]curation.Act, error)
	// Redo puts what again makes of those in their place, in one step. It
	// reports false when there are none.
	Redo(s curation.Stream, again func(refused []curation.Act) []curation.Act) bool
}

var _ Journal = (*curation.Journal)(nil)

// Deps is what the screen is made of; Source, Journal and Theme are needed.
type Deps struct {
	Source        Source
	Journal       Journal
	Theme         *widget.Theme
	Now           func() time.Time // nil is time.Now
	Disagreements bool             // begin with what experts differ on
	Apart         bool             // rulings are for others
	Only          bool             // verdicts are for others: this person gives rulings
}

// Look is what of a sample is not shown.
type Look struct {
	HideTruth  bool // its answer
	HideModels bool // hit counts and difficulty
}

// Named is the message that somebody said who they are.
type Named struct{ Who annotate.Annotator }

// OpenCompare is the message that what experts differ on is to be listed, of
// every dataset.
type OpenCompare struct{}
