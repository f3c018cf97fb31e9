package eval

import (
	"context"
	"time"
)

// TopScore is the best that an open answer can be given; the worst is 1
// (MMBench, App. D.2).
const TopScore = 5

// Score is how similar a judge model finds an open answer to its reference,
// from 1 (completely wrong) to TopScore (completely right): a fact, with the
// raw reply. A reply that holds no score has Value 0; a call that failed has a
// Failure.
type Score struct {
	Key
	Judge   string
	Value   int
	Raw     string
	Earlier []string // replies before Raw that did not parse, in their order
	Prompt  string   // hash of the prompt template, "" when unknown
	Setup   string   // hash of the judge's settings, "" when unknown
	Served  string   // the model as the endpoint named it, "" when unknown
	Finish  string
	Usage   Usage
	Latency time.Duration
	At      time.Time
	Failure *Failure
}

// Reads reports whether the judge has had its say: an unparsed reply is a say,
// a failed call is none.
func (s *Score) Reads() bool { return s.Failure == nil }

// ScoreCounts are a judge's totals over the answers of a run: what stands, kept
// in the transaction of the score that changes it.
type ScoreCounts struct {
	Values   [TopScore + 1]int // by score; 0: replies that hold none
	Failures int               // answers about which every call has failed
	Usage    Usage             // of every call recorded
}

// Asked is how many answers have a reply.
func (c *ScoreCounts) Asked() int { return c.Values[0] + c.Scored() }

// Scored is how many answers have a score.
func (c *ScoreCounts) Scored() int {
	n := 0
	for _, k := range c.Values[1:] {
		n += k
	}
	return n
}

// Take counts a score that is recorded behind last, the one that stood for the
// answer: nil without one. A failed call takes the place of no reply.
func (c *ScoreCounts) Take(s, last *Score) {
	c.Usage.Add(s.Usage)
	had := said{}
	if last != nil {
		had = said{last.Value, last.Reads(), true}
	}
	count(c.Values[:], &c.Failures, said{s.Value, s.Reads(), true}, had)
}

// ScoreProgress is a judge of a run's answers and how far it has come.
type ScoreProgress struct {
	Judge  string
	Counts ScoreCounts
}

// ScoreQuestion is what a judge is asked about an open answer. The sample
// carries the reference.
type ScoreQuestion struct {
	Sample     Sample
	Prediction Prediction
}

// Scorer scores open answers by asking a judge model. It is called from
// several goroutines at once and returns soon after ctx ends. Its errors are
// those of a Model; the score beside an error says what the failed call cost.
// The engine sets Latency and At.
type Scorer interface {
	Name() string
	Score(ctx context.Context, q ScoreQuestion) (Score, error)
}

// ScoreRecorder makes scores durable.
type ScoreRecorder interface {
	// RecordScore returns once the score is committed, beside the earlier ones
	// of that judge on that prediction.
	RecordScore(ctx context.Context, s Score) error
}
