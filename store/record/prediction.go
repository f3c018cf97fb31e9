package record

import (
	"time"

	"concord/eval"
)

// The record of a prediction. Its key is the record's.
type (
	// Prediction is the record of a prediction.
	Prediction struct {
		Text           string `cbor:"1,keyasint,omitempty"`
		Shown          *Shown `cbor:"2,keyasint,omitempty"`
		Finish         string `cbor:"3,keyasint,omitempty"`
		Prompt         int    `cbor:"4,keyasint,omitempty"`
		Completion     int    `cbor:"5,keyasint,omitempty"`
		Reasoning      int    `cbor:"6,keyasint,omitempty"`
		Latency        int64  `cbor:"7,keyasint,omitempty"` // nanoseconds
		At             int64  `cbor:"8,keyasint,omitempty"`
		FailureKind    uint8  `cbor:"9,keyasint,omitempty"`
		FailureMessage string `cbor:"10,keyasint,omitempty"`
		Failed         bool   `cbor:"11,keyasint,omitempty"`
		Thought        string `cbor:"12,keyasint,omitempty"` // what it thought, apart from Text
		FailureAfter   int64  `cbor:"13,keyasint,omitempty"` // nanoseconds
		FailureStatus  int    `cbor:"14,keyasint,omitempty"`
		Served         string `cbor:"15,keyasint,omitempty"`
		Sent           *Sent  `cbor:"16,keyasint,omitempty"`
	}
	// Shown is the record of options as they were shown.
	Shown struct {
		Options []Option `cbor:"1,keyasint,omitempty"`
		Answer  string   `cbor:"2,keyasint,omitempty"`
	}
)

// FromPrediction makes the record of a prediction.
func FromPrediction(p *eval.Prediction) Prediction {
	r := Prediction{
		Text: p.Text, Thought: p.Reasoning, Finish: p.Finish, Served: p.Served,
		Prompt: p.Usage.Prompt, Completion: p.Usage.Completion, Reasoning: p.Usage.Reasoning,
		Latency: int64(p.Latency), At: Millis(p.At),
	}
	r.Sent = fromSent(p.Sent)
	if p.Shown != nil {
		r.Shown = &Shown{Options: fromOptions(p.Shown.Options), Answer: string(p.Shown.Answer)}
	}
	if p.Failure != nil {
		r.Failed, r.FailureKind, r.FailureMessage = true, uint8(p.Failure.Kind), p.Failure.Message
		r.FailureAfter, r.FailureStatus = int64(p.Failure.After), p.Failure.Status
	}
	return r
}

// Prediction is the prediction that the record holds.
func (r Prediction) Prediction(k eval.Key) eval.Prediction {
	p := eval.Prediction{
		Key: k, Text: r.Text, Reasoning: r.Thought, Finish: r.Finish, Served: r.Served,
		Usage:   eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning},
		Latency: time.Duration(r.Latency), At: FromMillis(r.At),
	}
	p.Sent = r.Sent.sent()
	if r.Shown != nil {
		p.Shown = &eval.Shown{Options: toOptions(r.Shown.Options), Answer: eval.Choice(r.Shown.Answer)}
	}
	if r.Failed {
		p.Failure = toFailure(r.FailureKind, r.FailureMessage, r.FailureAfter, r.FailureStatus)
	}
	return p
}

// ReadPrediction reads a stored prediction. It gives a DamageError for a key or
// a value that is no prediction's.
func (c Codec) ReadPrediction(key, raw []byte) (eval.Prediction, error) {
	var r Prediction
	if err := c.Decode(TablePredictions, key, raw, &r); err != nil {
		return eval.Prediction{}, err
	}
	k, _, ok := CutKey(key)
	if !ok {
		return eval.Prediction{}, Corrupt(TablePredictions, key, "no key of a prediction")
	}
	return r.Prediction(k), nil
}
