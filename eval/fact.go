package eval

import "context"

// Fact is a prediction on its way into storage, with the reading that the
// run's reader gave it and whether it closes its question. The reading is an
// opinion that storage only counts; the prediction is what is kept.
type Fact struct {
	Prediction Prediction
	Reading    Extraction
	Reader     string // name@version of the reader behind Reading
	Closes     bool   // no further pass of this question will be asked
}

// Recorder makes facts durable.
type Recorder interface {
	// Record returns once the fact is committed. A prediction that is there
	// already, and is no failure, is left alone and gives ErrRecorded.
	Record(ctx context.Context, f Fact) error
}

// ReaderID is how a reader is named in facts and counts: name@version.
func ReaderID(r Reader) string { return r.Name() + "@" + r.Version() }
