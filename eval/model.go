package eval

import (
	"context"
	"errors"
)

// Request is one call: a sample as asked in one pass of a run. It carries the
// whole sample and run, so that a model that builds prompts finds all that a
// prompt can depend on, and pictures by reference, so that a model that needs
// none reads none.
type Request struct {
	Run      Run
	Sample   Sample
	Pass     Pass
	Shown    Shown                             // the options and the answer as asked in Pass
	Attempt  int                               // 0 for the first call, counting retries
	Pictures func(PictureHash) ([]byte, error) // nil when the plan has none
}

// Key names the prediction that the request asks for.
func (r *Request) Key() Key { return Key{Run: r.Run.ID, Sample: r.Sample.Ordinal, Pass: r.Pass} }

// Reply is what a model answered: its raw text, what it thought before (kept
// apart), why it stopped ("" when unknown), and what the call cost. A reply
// beside an error is what a failed call cost all the same.
type Reply struct {
	Text      string
	Reasoning string
	Finish    string
	Usage     Usage
	Model     string // as the endpoint names what answered; "" when it does not say
	Sent      Sent   // beside an error, too
}

// Model answers questions. It is called from several goroutines at once and
// returns soon after ctx ends. An error that is a *Failure says by its kind
// whether to stop the run, to try again or to go on with the next sample.
type Model interface {
	Answer(ctx context.Context, r Request) (Reply, error)
}

// FailureOf is the failure behind an error of a Model. An error that is no
// *Failure is transient when it says that time ran out (net.Error and
// context.DeadlineExceeded do), else it is the sample's own.
func FailureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	var f *Failure
	if errors.As(err, &f) && f.Kind != FailureUnset {
		return f
	}
	var late interface{ Timeout() bool }
	if errors.As(err, &late) && late.Timeout() {
		return &Failure{Kind: FailureTransient, Message: err.Error()}
	}
	return &Failure{Kind: FailureSample, Message: err.Error()}
}
