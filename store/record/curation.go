package record

import (
	"time"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/eval/stat"
)

// Curation is the record of an act; the dataset, the expert and the
// number stand in its key.
type Curation struct {
	Sample   uint32   `cbor:"1,keyasint,omitempty"`
	Kind     uint8    `cbor:"2,keyasint,omitempty"`
	Verdict  uint8    `cbor:"3,keyasint,omitempty"`
	Axis     []string `cbor:"4,keyasint,omitempty"`
	Text     string   `cbor:"5,keyasint,omitempty"`
	Target   uint32   `cbor:"6,keyasint,omitempty"`
	Informed bool     `cbor:"7,keyasint,omitempty"`
	Imported bool     `cbor:"8,keyasint,omitempty"`
	At       int64    `cbor:"9,keyasint,omitempty"`
	Spent    int64    `cbor:"10,keyasint,omitempty"` // nanoseconds
	Chained
}

// FromCurationAct makes the record of an act of curation.
func FromCurationAct(a *curation.Act) Curation {
	return Curation{
		Sample: uint32(a.Sample), Kind: uint8(a.Kind), Verdict: uint8(a.Verdict), Axis: a.Axis, Text: a.Text, Target: a.Target,
		Informed: a.Informed, Imported: a.Imported, At: Millis(a.At), Spent: int64(a.Spent),
	}
}

// Act is the act that the record holds.
func (r Curation) Act(d eval.DatasetName, who annotate.Annotator, n uint32) curation.Act {
	return curation.Act{
		Dataset: d, Expert: who, N: n, Sample: eval.Ordinal(r.Sample), Kind: curation.Kind(r.Kind), Verdict: curation.Verdict(r.Verdict),
		Axis: r.Axis, Text: r.Text, Target: r.Target, Informed: r.Informed, Imported: r.Imported,
		At: FromMillis(r.At), Spent: time.Duration(r.Spent),
	}
}

// ExpertKey is the part of a key that acts of one expert in one dataset share.
func ExpertKey(d eval.DatasetName, who annotate.Annotator) []byte {
	return AppendName(AppendName(nil, string(d)), string(who))
}

// The record of an inspection; its number stands in its key. A share is its two
// numbers, a mark its sample and the two counts.
type (
	// Inspection is the record of an inspection.
	Inspection struct {
		Name       string      `cbor:"1,keyasint,omitempty"`
		Dataset    string      `cbor:"2,keyasint,omitempty"`
		Settings   [6][2]int   `cbor:"3,keyasint"` // keep, abnormal, easy, moderate, hard, doubtful
		Inspectors []Inspector `cbor:"4,keyasint,omitempty"`
		Graders    []Inspector `cbor:"5,keyasint,omitempty"`
		Marks      [][5]uint32 `cbor:"6,keyasint,omitempty"`
		By         string      `cbor:"7,keyasint,omitempty"`
		Created    int64       `cbor:"8,keyasint,omitempty"`
	}
	// Inspector is the record of a run that inspects.
	Inspector struct {
		Run   uint64 `cbor:"1,keyasint,omitempty"`
		Model string `cbor:"2,keyasint,omitempty"`
		Rules string `cbor:"3,keyasint,omitempty"`
		Judge string `cbor:"4,keyasint,omitempty"`
	}
)

// FromInspection makes the record of an inspection.
func FromInspection(i *curation.Inspection) Inspection {
	r := Inspection{Name: i.Name, Dataset: string(i.Dataset), By: string(i.By), Created: Millis(i.Created)}
	s := &i.Settings
	for at, share := range []curation.Share{s.Keep, s.Abnormal, s.Easy, s.Moderate, s.Hard, s.Doubtful} {
		r.Settings[at] = [2]int{share.K, share.Of}
	}
	for _, one := range i.Inspectors {
		r.Inspectors = append(r.Inspectors, Inspector{uint64(one.Run), one.Model, one.Rules, one.Judge})
	}
	for _, one := range i.Graders {
		r.Graders = append(r.Graders, Inspector{uint64(one.Run), one.Model, one.Rules, one.Judge})
	}
	for _, m := range i.Marks {
		r.Marks = append(r.Marks, [5]uint32{uint32(m.Sample), uint32(m.Blind.K), uint32(m.Blind.N), uint32(m.Sighted.K), uint32(m.Sighted.N)})
	}
	return r
}

// Inspection is the inspection that the record holds.
func (r *Inspection) Inspection(id curation.ID) curation.Inspection {
	share := func(at int) curation.Share { return curation.Share{K: r.Settings[at][0], Of: r.Settings[at][1]} }
	out := curation.Inspection{
		ID: id, Name: r.Name, Dataset: eval.DatasetName(r.Dataset), By: annotate.Annotator(r.By), Created: FromMillis(r.Created),
		Settings: curation.Settings{Keep: share(0), Abnormal: share(1), Easy: share(2), Moderate: share(3), Hard: share(4), Doubtful: share(5)},
	}
	for _, one := range r.Inspectors {
		out.Inspectors = append(out.Inspectors, curation.Inspector{Run: eval.RunID(one.Run), Model: one.Model, Rules: one.Rules, Judge: one.Judge})
	}
	for _, one := range r.Graders {
		out.Graders = append(out.Graders, curation.Inspector{Run: eval.RunID(one.Run), Model: one.Model, Rules: one.Rules, Judge: one.Judge})
	}
	for _, m := range r.Marks {
		out.Marks = append(out.Marks, curation.Mark{
			Sample: eval.Ordinal(m[0]), Blind: stat.Count{K: int(m[1]), N: int(m[2])}, Sighted: stat.Count{K: int(m[3]), N: int(m[4])},
		})
	}
	return out
}
