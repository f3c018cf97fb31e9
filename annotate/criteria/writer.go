package criteria

import (
	"context"
	"errors"
	"slices"
	"time"

	"concord/annotate/journal"
	"concord/eval"
)

// Refusal is acts that were judged and cannot be stored: the sample has moved
// on, or is gone. They are not tried again.
type Refusal struct {
	Acts []Act
	Err  error
}

// step is the acts of one Submit, all of one sample.
type step []Act

// WriterState is where a writer stands. It counts steps.
type WriterState = journal.State[step]

// Writer is the ordered writer of acts about criteria, a stream for each sample.
// A step (the acts of one Submit) is stored whole or not at all, and nothing of a
// sample overtakes. When the storage fails, what waits of the sample is tried with
// the next step or when asked (Retry, Flush, Close). A step that is refused is given
// up, with those of its sample that come before Refused was asked: they were made on
// a set that never was.
type Writer struct{ *journal.Journal[place, step] }

type place struct {
	dataset eval.DatasetName
	sample  eval.Ordinal
}

func newPlace(a *Act) place { return place{a.Dataset, a.Sample} }

// NewWriter starts a writer; Close ends it. A nil now is time.Now. Commit makes acts
// durable, in their order, all or none. One that may not come next gives the reason
// of Check.
func NewWriter(commit func(context.Context, ...Act) error, now func() time.Time) *Writer {
	return &Writer{journal.New(journal.ActTraits[place, step]{
		Stream: func(s *step) place { return newPlace(&(*s)[0]) },
		Number: func(s *step) uint32 { return (*s)[len(*s)-1].N },
		Append: func(ctx context.Context, steps []step) error { return commit(ctx, steps[0]...) },
		Final:  isFinal, Single: true,
	}, now)}
}

// Submit hands over one step, acts of one sample. It returns at once.
func (w *Writer) Submit(acts ...Act) {
	if len(acts) > 0 {
		w.Journal.Submit(slices.Clone(acts))
	}
}

// SampleState says whether acts of a sample wait, and when the last ones were
// committed; zero when none were by this writer.
func (w *Writer) SampleState(d eval.DatasetName, o eval.Ordinal) (waits bool, saved time.Time) {
	s := w.StreamState(place{d, o})
	return s.Pending > 0, s.At
}

// TakeRefused takes the steps that were refused since it was asked last.
func (w *Writer) TakeRefused() (out []Refusal) {
	w.Discard(func(steps []step, err error) { out = append(out, Refusal{slices.Concat(steps...), err}) })
	return out
}

// isFinal tells refusals from failures of the storage: to try these again would
// give the same.
func isFinal(err error) bool {
	return slices.ContainsFunc([]error{
		ErrConflict, ErrOwn, ErrNotInReview, ErrUnresolved, ErrDiscarded, ErrNotYours, ErrRelied, ErrNothing, ErrIncomplete,
		eval.ErrNotFound,
	}, func(reason error) bool { return errors.Is(err, reason) })
}

// Flush waits until everything submitted so far is committed. It tries what had
// failed once more, and returns why it fails again, or what was refused and not
// taken.
func (w *Writer) Flush(ctx context.Context) error {
	return eval.WrapError(w.Journal.Flush(ctx), "criteria")
}

// Close flushes and ends the writer, by the deadline of ctx. Acts that could
// not be committed by then are lost with the process; the error says how many.
func (w *Writer) Close(ctx context.Context) error {
	return eval.WrapError(w.Journal.Close(ctx), "criteria")
}

// WaitingActs are the acts that are not committed, sample by sample, each in its order.
func (w *Writer) WaitingActs() []Act { return slices.Concat(w.Journal.WaitingActs()...) }
