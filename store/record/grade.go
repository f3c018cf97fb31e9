package record

import (
	"encoding/binary"
	"time"

	"concord/annotate"
	"concord/annotate/rubric"
	"concord/eval"
)

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
