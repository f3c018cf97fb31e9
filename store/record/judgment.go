package record

import (
	"time"

	"concord/eval"
)

// Judge is the record of one judge's totals over a run.
type Judge struct {
	Judged     int   `cbor:"1,keyasint,omitempty"`
	Failures   int   `cbor:"2,keyasint,omitempty"`
	Fallback   int   `cbor:"3,keyasint,omitempty"`
	Statuses   []int `cbor:"4,keyasint,omitempty"`
	Prompt     int   `cbor:"5,keyasint,omitempty"` // tokens, as the next two
	Completion int   `cbor:"6,keyasint,omitempty"`
	Reasoning  int   `cbor:"7,keyasint,omitempty"`
}

// FromJudgeCounts makes the record of what a judge's judgments come to.
func FromJudgeCounts(c eval.JudgeCounts) Judge {
	return Judge{
		Judged: c.Judged, Failures: c.Failures, Fallback: c.Fallback, Statuses: c.Statuses[:],
		Prompt: c.Usage.Prompt, Completion: c.Usage.Completion, Reasoning: c.Usage.Reasoning,
	}
}

// Counts is what the judge's judgments come to.
func (r Judge) Counts() eval.JudgeCounts {
	c := eval.JudgeCounts{
		Judged: r.Judged, Failures: r.Failures, Fallback: r.Fallback,
		Usage: eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning},
	}
	copy(c.Statuses[:], r.Statuses)
	return c
}

// JudgeOf names a judge of a run.
type JudgeOf struct {
	Run   eval.RunID
	Judge string
}

// Key is the key of a judge's counts.
func (o JudgeOf) Key() []byte { return append(RunKey(o.Run), o.Judge...) }

// Judgment is the record of a judgment; the prediction, the judge and
// the revision stand in its key.
type Judgment struct {
	Choice         string   `cbor:"1,keyasint,omitempty"`
	Status         uint8    `cbor:"2,keyasint,omitempty"`
	Method         string   `cbor:"3,keyasint,omitempty"`
	Raw            string   `cbor:"4,keyasint,omitempty"`
	PromptHash     string   `cbor:"5,keyasint,omitempty"`
	Prompt         int      `cbor:"6,keyasint,omitempty"`
	Completion     int      `cbor:"7,keyasint,omitempty"`
	Reasoning      int      `cbor:"8,keyasint,omitempty"`
	Latency        int64    `cbor:"9,keyasint,omitempty"` // nanoseconds
	At             int64    `cbor:"10,keyasint,omitempty"`
	Setup          string   `cbor:"11,keyasint,omitempty"`
	Finish         string   `cbor:"12,keyasint,omitempty"`
	Failed         bool     `cbor:"13,keyasint,omitempty"`
	FailureKind    uint8    `cbor:"14,keyasint,omitempty"`
	FailureMessage string   `cbor:"15,keyasint,omitempty"`
	FailureAfter   int64    `cbor:"16,keyasint,omitempty"` // nanoseconds
	FailureStatus  int      `cbor:"17,keyasint,omitempty"`
	Served         string   `cbor:"18,keyasint,omitempty"`
	Earlier        []string `cbor:"19,keyasint,omitempty"`
}

// FromJudgment makes the record of a judgment.
func FromJudgment(j *eval.Judgment) Judgment {
	r := Judgment{
		Choice: string(j.Extraction.Choice), Status: uint8(j.Extraction.Status), Method: j.Extraction.Method,
		Raw: j.Raw, PromptHash: j.Prompt, Setup: j.Setup, Finish: j.Finish, Served: j.Served, Earlier: j.Earlier,
		Prompt: j.Usage.Prompt, Completion: j.Usage.Completion, Reasoning: j.Usage.Reasoning,
		Latency: int64(j.Latency), At: Millis(j.At),
	}
	if j.Failure != nil {
		r.Failed, r.FailureKind, r.FailureMessage = true, uint8(j.Failure.Kind), j.Failure.Message
		r.FailureAfter, r.FailureStatus = int64(j.Failure.After), j.Failure.Status
	}
	return r
}

// Judgment is the judgment that the record holds.
func (r Judgment) Judgment(k eval.Key, judge string) eval.Judgment {
	j := eval.Judgment{
		Key: k, Judge: judge,
		Extraction: eval.Extraction{Choice: eval.Choice(r.Choice), Status: eval.Status(r.Status), Method: r.Method},
		Raw:        r.Raw, Prompt: r.PromptHash, Setup: r.Setup, Finish: r.Finish, Served: r.Served, Earlier: r.Earlier,
		Usage:   eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning},
		Latency: time.Duration(r.Latency), At: FromMillis(r.At),
	}
	if r.Failed {
		j.Failure = toFailure(r.FailureKind, r.FailureMessage, r.FailureAfter, r.FailureStatus)
	}
	return j
}
