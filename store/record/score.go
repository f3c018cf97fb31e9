package record

import (
	"encoding/binary"
	"time"

	"concord/annotate"
	"concord/annotate/rubric"
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

// Grade is the record of a judge's grade; the prediction, the judge, the
// criterion, the repeat and the revision stand in its key.
type Grade struct {
	Verdict uint8    `cbor:"1,keyasint,omitempty"`
	Raw     string   `cbor:"2,keyasint,omitempty"`
	Earlier []string `cbor:"3,keyasint,omitempty"`
	Hash    string   `cbor:"4,keyasint,omitempty"`
	Call
	Score         float64   `cbor:"20,keyasint,omitempty"`
	Label         string    `cbor:"21,keyasint,omitempty"`
	Expected      *float64  `cbor:"22,keyasint,omitempty"`
	Probabilities []float64 `cbor:"23,keyasint,omitempty"`
}

// FromGrade makes the record of a judge's grade.
func FromGrade(g *eval.Grade) Grade {
	r := Grade{
		Verdict: uint8(g.Verdict), Raw: g.Raw, Earlier: g.Earlier, Hash: g.Hash, Score: g.Score, Label: g.Label,
		Expected: g.Expected, Probabilities: g.Probabilities,
		Call: Call{PromptHash: g.Prompt, Setup: g.Setup, Served: g.Served, Finish: g.Finish},
	}
	r.cost(g.Usage, g.Latency, g.At)
	r.fail(g.Failure)
	return r
}

// Grade is the grade that the record holds.
func (r *Grade) Grade(k eval.Key, judge, criterion string, repeat int) eval.Grade {
	return eval.Grade{
		Key: k, Judge: judge, Criterion: criterion, Repeat: repeat, Hash: r.Hash,
		Graded:   eval.Graded{Verdict: eval.Verdict(r.Verdict), Score: r.Score, Label: r.Label},
		Expected: r.Expected, Probabilities: r.Probabilities, Raw: r.Raw, Earlier: r.Earlier,
		Prompt: r.PromptHash, Setup: r.Setup, Served: r.Served, Finish: r.Finish,
		Usage: r.Usage(), Latency: time.Duration(r.Latency), At: FromMillis(r.At), Failure: r.Failure(),
	}
}

// GradeKey is the key of a grade less its revision.
func GradeKey(g *eval.Grade) []byte {
	b := AppendName(AppendName(PredictionKey(g.Key), g.Judge), g.Criterion)
	return AppendU32(b, uint32(g.Repeat))
}

// CutGrade reads the parts of the key of a grade.
func CutGrade(key []byte) (k eval.Key, judge, criterion string, repeat int, ok bool) {
	k, rest, ok := CutKey(key)
	judge, rest, named := CutName(rest)
	criterion, rest, given := CutName(rest)
	if !ok || !named || !given || len(rest) != 8 {
		return k, "", "", 0, false
	}
	return k, judge, criterion, int(binary.BigEndian.Uint32(rest)), true
}

// Grading is the record of a person's act on the criteria of a response; the
// dataset, the person and the number stand in its key.
type Grading struct {
	Kind      uint8   `cbor:"1,keyasint,omitempty"`
	Run       uint64  `cbor:"2,keyasint,omitempty"`
	Sample    uint32  `cbor:"3,keyasint,omitempty"`
	Pass      uint8   `cbor:"4,keyasint,omitempty"`
	Criterion string  `cbor:"5,keyasint,omitempty"`
	Hash      string  `cbor:"6,keyasint,omitempty"`
	Verdict   uint8   `cbor:"7,keyasint,omitempty"`
	Score     float64 `cbor:"8,keyasint,omitempty"`
	Label     string  `cbor:"9,keyasint,omitempty"`
	Target    uint32  `cbor:"10,keyasint,omitempty"`
	Informed  bool    `cbor:"11,keyasint,omitempty"`
	Imported  bool    `cbor:"12,keyasint,omitempty"`
	At        int64   `cbor:"13,keyasint,omitempty"`
	Spent     int64   `cbor:"14,keyasint,omitempty"` // nanoseconds
	Chained
}

// FromGrading makes the record of an act of grading.
func FromGrading(a *rubric.Act) Grading {
	return Grading{
		Kind: uint8(a.Kind), Run: uint64(a.Response.Run), Sample: uint32(a.Response.Sample), Pass: uint8(a.Response.Pass),
		Criterion: a.Criterion, Hash: a.Hash, Verdict: uint8(a.Graded.Verdict), Score: a.Graded.Score, Label: a.Graded.Label,
		Target: a.Target, Informed: a.Informed, Imported: a.Imported, At: Millis(a.At), Spent: int64(a.Spent),
	}
}

// Act is the act that the record holds.
func (r *Grading) Act(d eval.DatasetName, who annotate.Annotator, n uint32) rubric.Act {
	return rubric.Act{
		Dataset: d, Person: who, N: n, Kind: rubric.Kind(r.Kind), Response: ItemOf(r.Run, r.Sample, r.Pass, 0).Key,
		Criterion: r.Criterion, Hash: r.Hash, Graded: eval.Graded{Verdict: eval.Verdict(r.Verdict), Score: r.Score, Label: r.Label},
		Target: r.Target, Informed: r.Informed, Imported: r.Imported, At: FromMillis(r.At), Spent: time.Duration(r.Spent),
	}
}

// Comparison is the record of a comparison's totals.
type Comparison struct {
	Votes      []int `cbor:"1,keyasint,omitempty"`
	Failures   int   `cbor:"2,keyasint,omitempty"`
	Prompt     int   `cbor:"3,keyasint,omitempty"` // tokens, as the next two
	Completion int   `cbor:"4,keyasint,omitempty"`
	Reasoning  int   `cbor:"5,keyasint,omitempty"`
}

// FromVoteCounts makes the record of what a comparison's votes come to.
func FromVoteCounts(c eval.VoteCounts) Comparison {
	return Comparison{
		Votes: c.Votes[:], Failures: c.Failures,
		Prompt: c.Usage.Prompt, Completion: c.Usage.Completion, Reasoning: c.Usage.Reasoning,
	}
}

// Counts is what the comparison's votes come to.
func (r Comparison) Counts() eval.VoteCounts {
	c := eval.VoteCounts{
		Failures: r.Failures,
		Usage:    eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning},
	}
	copy(c.Votes[:], r.Votes)
	return c
}

// Preference is the record of a vote; the pair, the ballot and the
// revision stand in its key.
type Preference struct {
	Vote    uint8    `cbor:"1,keyasint,omitempty"`
	Raw     string   `cbor:"2,keyasint,omitempty"`
	Earlier []string `cbor:"3,keyasint,omitempty"`
	Text    string   `cbor:"4,keyasint,omitempty"`
	Call
	Sent *Sent `cbor:"19,keyasint,omitempty"`
}

// FromPreference makes the record of a vote.
func FromPreference(p *eval.Preference) Preference {
	r := Preference{Vote: uint8(p.Vote), Raw: p.Raw, Earlier: p.Earlier, Text: p.Text, Call: Call{
		PromptHash: p.Prompt, Setup: p.Setup, Served: p.Served, Finish: p.Finish,
	}}
	r.Sent = fromSent(p.Sent)
	r.cost(p.Usage, p.Latency, p.At)
	r.fail(p.Failure)
	return r
}

// Preference is the vote that the record holds.
func (r *Preference) Preference(pair eval.Pair, b eval.Ballot) eval.Preference {
	return eval.Preference{
		Pair: pair, Ballot: b, Vote: eval.Vote(r.Vote), Raw: r.Raw, Earlier: r.Earlier,
		Text: r.Text, Prompt: r.PromptHash, Setup: r.Setup, Served: r.Served, Finish: r.Finish,
		Usage: r.Usage(), Latency: time.Duration(r.Latency), At: FromMillis(r.At), Failure: r.Failure(), Sent: r.Sent.sent(),
	}
}

// ComparisonKey is what the votes of one comparison begin with, so that a row of a
// report is one range: both runs, and the ballot.
func ComparisonKey(c eval.Comparison) []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(c.A))
	b = binary.BigEndian.AppendUint64(b, uint64(c.B))
	b = AppendName(b, c.Judge)
	criteria := byte(0)
	if c.Criteria {
		criteria = 1
	}
	b = append(b, criteria, byte(c.Input))
	return AppendU32(b, uint32(c.Repeat))
}

// CutComparison reads the comparison that b begins with.
func CutComparison(b []byte) (c eval.Comparison, rest []byte, ok bool) {
	if len(b) < 16 {
		return c, nil, false
	}
	c.A, c.B = eval.RunID(binary.BigEndian.Uint64(b)), eval.RunID(binary.BigEndian.Uint64(b[8:]))
	if c.Judge, b, ok = CutName(b[16:]); !ok || len(b) < 6 {
		return c, nil, false
	}
	c.Criteria, c.Input = b[0] != 0, eval.Input(b[1])
	c.Repeat = int(binary.BigEndian.Uint32(b[2:]))
	return c, b[6:], true
}

// VoteKey is the key of a vote less its revision: of one sample both orders
// stand side by side.
func VoteKey(p *eval.Preference) []byte {
	b := AppendU32(ComparisonKey(p.Comparison()), uint32(p.Sample))
	order := byte(0)
	if p.First > p.Second {
		order = 1
	}
	return append(b, order)
}
