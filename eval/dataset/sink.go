package dataset

import (
	"context"
	"errors"

	"concord/eval"
)

// ErrOtherContent says that a complete dataset of the same name holds other
// samples. Facts hang on those, so nothing is replaced.
var ErrOtherContent = errors.New("a dataset of that name has other content")

// Sink takes a dataset while it is imported. BeginDataset is called first,
// then PutSamples for as long as there are samples, then FinishDataset.
type Sink interface {
	// BeginDataset writes d with Complete false; an incomplete dataset of
	// that name starts over. It gives ErrOtherContent when a complete one of
	// that name has another hash.
	BeginDataset(ctx context.Context, d eval.Dataset) error
	// PutSamples commits the batch in one transaction. Samples come with
	// their ordinals, not always in their order.
	PutSamples(ctx context.Context, name eval.DatasetName, batch []Item) error
	// FinishDataset marks the dataset complete, with its final counts.
	FinishDataset(ctx context.Context, d eval.Dataset) error
	// Dataset gives eval.ErrNotFound when there is none of that name.
	Dataset(name eval.DatasetName) (eval.Dataset, error)
	// Sample gives eval.ErrNotFound beyond the last ordinal.
	Sample(name eval.DatasetName, o eval.Ordinal) (eval.Sample, error)
	// SampleByID gives eval.ErrNotFound for an id that the dataset lacks.
	SampleByID(name eval.DatasetName, id eval.SampleID) (eval.Sample, error)
}

// Item is a sample with its pictures' bytes, by content. A picture that
// another sample refers to may ride along with any item.
type Item struct {
	Sample   eval.Sample
	Pictures map[eval.PictureHash][]byte
}

// Illustrator is what a Sink may offer beside: a dataset that was made from a
// file of predictions gets its pictures once the benchmark's own file comes.
type Illustrator interface {
	// PutPictures gives samples of a complete dataset their pictures, in one
	// transaction. Nothing else of the samples changes.
	PutPictures(ctx context.Context, name eval.DatasetName, batch []Item) error
}

// RunSink takes predictions.
type RunSink interface {
	// FindRun finds the run with exactly this configuration, or gives
	// eval.ErrNotFound.
	FindRun(c eval.Config) (eval.Run, error)
	CreateRun(ctx context.Context, c eval.Config) (eval.Run, error)
	// RecordAll commits the facts in one transaction. Those that are
	// recorded already are left alone and not counted.
	RecordAll(ctx context.Context, facts []eval.Fact) (added int, err error)
	// FinishRun notes that the run's file was read to its end.
	FinishRun(ctx context.Context, id eval.RunID) error
}

// Recorded is what a RunSink may offer beside, so that an import can tell a
// prediction that is there already from another text under the same key.
type Recorded interface {
	// Prediction gives eval.ErrNotFound when nothing is recorded under k.
	Prediction(k eval.Key) (eval.Prediction, error)
}
