package record

import (
	"time"

	"concord/eval"
)

// Call is what records of judges' calls have in common, as fields of
// their own.
type Call struct {
	PromptHash     string `cbor:"5,keyasint,omitempty"`
	Setup          string `cbor:"6,keyasint,omitempty"`
	Served         string `cbor:"7,keyasint,omitempty"`
	Finish         string `cbor:"8,keyasint,omitempty"`
	Prompt         int    `cbor:"9,keyasint,omitempty"`
	Completion     int    `cbor:"10,keyasint,omitempty"`
	Reasoning      int    `cbor:"11,keyasint,omitempty"`
	Latency        int64  `cbor:"12,keyasint,omitempty"` // nanoseconds
	At             int64  `cbor:"13,keyasint,omitempty"`
	Failed         bool   `cbor:"14,keyasint,omitempty"`
	FailureKind    uint8  `cbor:"15,keyasint,omitempty"`
	FailureMessage string `cbor:"16,keyasint,omitempty"`
	FailureAfter   int64  `cbor:"17,keyasint,omitempty"` // nanoseconds
	FailureStatus  int    `cbor:"18,keyasint,omitempty"`
}

// cost sets what a call took.
func (r *Call) cost(u eval.Usage, latency time.Duration, at time.Time) {
	r.Prompt, r.Completion, r.Reasoning = u.Prompt, u.Completion, u.Reasoning
	r.Latency, r.At = int64(latency), Millis(at)
}

// Usage is what the call took.
func (r *Call) Usage() eval.Usage {
	return eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning}
}

// fail sets why a call failed; nil for one that did not.
func (r *Call) fail(f *eval.Failure) {
	if f == nil {
		return
	}
	r.Failed, r.FailureKind, r.FailureMessage = true, uint8(f.Kind), f.Message
	r.FailureAfter, r.FailureStatus = int64(f.After), f.Status
}

// Failure is why the call failed; nil for one that did not.
func (r *Call) Failure() *eval.Failure {
	if !r.Failed {
		return nil
	}
	return toFailure(r.FailureKind, r.FailureMessage, r.FailureAfter, r.FailureStatus)
}
