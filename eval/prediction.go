package eval

import (
	"fmt"
	"time"
)

// Key names a prediction: the run, the sample and the pass.
type Key struct {
	Run    RunID
	Sample Ordinal
	Pass   Pass
}

// String writes the key as run/sample.pass, for messages and logs.
func (k Key) String() string { return fmt.Sprintf("%d/%d.%d", k.Run, k.Sample, k.Pass) }

// Usage is what a call cost, in tokens.
type Usage struct {
	Prompt     int
	Completion int // all that the model wrote, its thinking included
	Reasoning  int // of Completion, its thinking
}

// Prediction is a model's raw answer to a sample in one pass: a fact, written
// once. A call that failed is a prediction with a Failure and no text; only
// such a one may be replaced, by the outcome of a retry.
type Prediction struct {
	Key
	Text      string
	Reasoning string // what a reasoning model thought, apart from its answer; never read as one
	Shown     *Shown // what was asked, when it is not Sample.Show(Pass)
	Finish    string // the endpoint's finish reason; "" when unknown
	Served    string // the model as the endpoint named what answered; "" when unknown
	Usage     Usage
	Latency   time.Duration
	At        time.Time
	Failure   *Failure
	Sent      Sent
}

// Asked is the question as the model saw it.
func (p *Prediction) Asked(s *Sample) Shown {
	if p.Shown != nil {
		return *p.Shown
	}
	return s.Show(p.Pass)
}

// FailureKind tells the failures of calls apart. The zero value is unset.
type FailureKind uint8

// The kinds of failures, after what can be done about them.
const (
	FailureUnset         FailureKind = iota
	FailureConfiguration             // wrong key, model or address: stop the run
	FailureTransient                 // limits, timeouts, broken connections, replies that are no answer: try again
	FailureSample                    // this sample only: content filter, a request that the endpoint refuses
)

var failureNames = [...]string{"", "configuration", "transient", "sample"}

// String returns the name of the kind.
func (k FailureKind) String() string { return NameOf(failureNames[:], k) }

// Failure is why a call gave no answer.
type Failure struct {
	Kind    FailureKind
	Message string
	After   time.Duration // the endpoint asked not to be called again before; 0 when it said nothing
	Status  int           // HTTP status; 0 when there was none
	Unasked bool          // no call was made: it says nothing about the endpoint; not stored
	Sign    FailureSign   // what it says about the endpoint; not stored
}

// FailureSign tells what a transient failure says about the endpoint. The zero
// value says nothing in particular.
type FailureSign uint8

// The signs of transient failures.
const (
	SignUnset      FailureSign = iota
	SignUnusable               // something replied, and not with an answer: a web page, cut JSON, an error in status 200
	SignUnresolved             // the host's name does not resolve
)

// Error makes a Failure an error, so that a Model returns it as one.
func (f *Failure) Error() string { return f.Kind.String() + ": " + f.Message }
