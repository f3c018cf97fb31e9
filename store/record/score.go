package record

import (
	"encoding/binary"
	"time"

	"concord/eval"
)

// Caption is the record of a caption; the sample, the model and the
// revision stand in its key.
type Caption struct {
	Text string `cbor:"1,keyasint,omitempty"`
	Call
}

// FromCaption makes the record of a caption.
func FromCaption(c *eval.Caption) Caption {
	r := Caption{Text: c.Text, Call: Call{PromptHash: c.Prompt, Setup: c.Setup, Served: c.Served, Finish: c.Finish}}
	r.cost(c.Usage, c.Latency, c.At)
	r.fail(c.Failure)
	return r
}

// CutSample reads the sample that b begins with.
func CutSample(b []byte) (eval.DatasetName, eval.Ordinal, []byte, bool) {
	name, rest, ok := CutName(b)
	if !ok || len(rest) < 4 {
		return "", 0, nil, false
	}
	return eval.DatasetName(name), eval.Ordinal(binary.BigEndian.Uint32(rest)), rest[4:], true
}

// The record of a sample's objects; the sample and the revision stand in its
// key. Objects are never left out: none is another fact than no record.
type (
	// Detections is the record of what a detector found.
	Detections struct {
		Objects []Object `cbor:"1,keyasint"`
		At      int64    `cbor:"2,keyasint,omitempty"`
	}
	// Object is the record of an object that was found.
	Object struct {
		Label      string  `cbor:"1,keyasint,omitempty"`
		Confidence float64 `cbor:"2,keyasint,omitempty"`
		X1         float64 `cbor:"3,keyasint,omitempty"`
		Y1         float64 `cbor:"4,keyasint,omitempty"`
		X2         float64 `cbor:"5,keyasint,omitempty"`
		Y2         float64 `cbor:"6,keyasint,omitempty"`
	}
)

// FromDetected makes the record of what a detector found.
func FromDetected(d *eval.Detected) Detections {
	r := Detections{Objects: []Object{}, At: Millis(d.At)}
	for _, o := range d.Objects {
		r.Objects = append(r.Objects, Object(o))
	}
	return r
}

// Score is the record of a score; the prediction, the judge and the
// revision stand in its key.
type Score struct {
	Value   int      `cbor:"1,keyasint,omitempty"`
	Raw     string   `cbor:"2,keyasint,omitempty"`
	Earlier []string `cbor:"3,keyasint,omitempty"`
	Call
}

// FromScore makes the record of a score.
func FromScore(s *eval.Score) Score {
	r := Score{Value: s.Value, Raw: s.Raw, Earlier: s.Earlier, Call: Call{
		PromptHash: s.Prompt, Setup: s.Setup, Served: s.Served, Finish: s.Finish,
	}}
	r.cost(s.Usage, s.Latency, s.At)
	r.fail(s.Failure)
	return r
}

// Score is the score that the record holds.
func (r *Score) Score(k eval.Key, judge string) eval.Score {
	return eval.Score{
		Key: k, Judge: judge, Value: r.Value, Raw: r.Raw, Earlier: r.Earlier,
		Prompt: r.PromptHash, Setup: r.Setup, Served: r.Served, Finish: r.Finish,
		Usage: r.Usage(), Latency: time.Duration(r.Latency), At: FromMillis(r.At), Failure: r.Failure(),
	}
}

// Scorer is the record of what one judge's scores of a run come to.
type Scorer struct {
	Values     []int `cbor:"1,keyasint,omitempty"`
	Failures   int   `cbor:"2,keyasint,omitempty"`
	Prompt     int   `cbor:"3,keyasint,omitempty"` // tokens, as the next two
	Completion int   `cbor:"4,keyasint,omitempty"`
	Reasoning  int   `cbor:"5,keyasint,omitempty"`
}

// FromScoreCounts makes the record of what a judge's scores come to.
func FromScoreCounts(c eval.ScoreCounts) Scorer {
	return Scorer{c.Values[:], c.Failures, c.Usage.Prompt, c.Usage.Completion, c.Usage.Reasoning}
}

// Counts is what the judge's scores come to.
func (r *Scorer) Counts() eval.ScoreCounts {
	c := eval.ScoreCounts{Failures: r.Failures, Usage: eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning}}
	copy(c.Values[:], r.Values)
	return c
}
