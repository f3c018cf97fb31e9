package eval

import "time"

// Verdict is what a rater says of one criterion of a response. The zero value
// is unset: nothing could be read.
type Verdict uint8

// The verdicts.
const (
	VerdictUnset Verdict = iota
	Met                  // the response does what the criterion asks
	Partial              // it does so in part
	Unmet                // it does not
	Unable               // the rater cannot tell
	Scored               // a number on the criterion's own scale
)

// Verdicts is how many verdicts there are, for arrays indexed by Verdict.
const Verdicts = int(Scored) + 1

var verdictNames = [...]string{"", "met", "partial", "unmet", "unable", "score"}

// String returns the name that files and reports use.
func (v Verdict) String() string { return NameOf(verdictNames[:], v) }

// ParseVerdict reads what String writes.
func ParseVerdict(s string) (Verdict, error) {
	return ParseName[Verdict](verdictNames[:Scored], s, "verdict")
}

// Graded is what is said of one criterion. Score is given with Scored alone.
type Graded struct {
	Verdict Verdict
	Score   float64
	Label   string // the rater's own word where a file has it
}

// Grade is what a judge says of one criterion of a response: a fact, with the
// raw reply. A reply that holds no verdict has VerdictUnset; a call that failed
// has a Failure.
type Grade struct {
	Key
	Judge     string
	Criterion string // its name within the sample
	Hash      string // of the criterion's text, as the judge saw it
	Repeat    int    // from 0
	Graded

	Expected      *float64  // the mean score by Probabilities; nil: not known
	Probabilities []float64 // of the classes in their order; nil: not known

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
func (g *Grade) Reads() bool { return g.Failure == nil }
