package record

import (
	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

// The record of an act; the dataset, the sample and the number stand in its
// key.
type (
	// Criteria is the record of an act about a sample's criteria.
	Criteria struct {
		Kind     uint8       `cbor:"1,keyasint,omitempty"`
		Who      string      `cbor:"2,keyasint,omitempty"`
		Round    int         `cbor:"3,keyasint,omitempty"`
		Criteria []Criterion `cbor:"4,keyasint,omitempty"`
		Type     uint8       `cbor:"5,keyasint,omitempty"`
		Reason   string      `cbor:"6,keyasint,omitempty"`
		Text     string      `cbor:"7,keyasint,omitempty"`
		Ticks    []Tick      `cbor:"8,keyasint,omitempty"`
		Assignee string      `cbor:"9,keyasint,omitempty"`
		Other    string      `cbor:"10,keyasint,omitempty"`
		Target   uint32      `cbor:"11,keyasint,omitempty"`
		Imported bool        `cbor:"12,keyasint,omitempty"`
		At       int64       `cbor:"13,keyasint,omitempty"`
		Chained
	}
	// Criterion is the record of a criterion.
	Criterion struct {
		Type     uint8    `cbor:"1,keyasint,omitempty"`
		Text     string   `cbor:"2,keyasint,omitempty"`
		ID       string   `cbor:"3,keyasint,omitempty"`
		Class    string   `cbor:"4,keyasint,omitempty"`
		Weighted bool     `cbor:"5,keyasint,omitempty"`
		Weight   float64  `cbor:"6,keyasint,omitempty"`
		Tags     []string `cbor:"7,keyasint,omitempty"`
		Path     []string `cbor:"8,keyasint,omitempty"`
	}
	// Tick is the record of a tick of a review.
	Tick struct {
		Item string `cbor:"1,keyasint,omitempty"`
		OK   bool   `cbor:"2,keyasint,omitempty"`
	}
)

// FromCriteriaAct makes the record of an act about criteria.
func FromCriteriaAct(a *criteria.Act) Criteria {
	r := Criteria{
		Kind: uint8(a.Kind), Who: string(a.Who), Round: a.Round, Type: uint8(a.Type), Reason: a.Reason, Text: a.Text,
		Assignee: string(a.Assignee), Other: string(a.Other), Target: a.Target, Imported: a.Imported, At: Millis(a.At),
	}
	for _, c := range a.Criteria {
		r.Criteria = append(r.Criteria, Criterion{uint8(c.Type), c.Text, c.ID, c.Class, c.Weighted, c.Weight, c.Tags, c.Path})
	}
	for _, t := range a.Ticks {
		r.Ticks = append(r.Ticks, Tick{Item: string(t.Item), OK: t.OK})
	}
	return r
}

// Act is the act that the record holds.
func (r Criteria) Act(d eval.DatasetName, o eval.Ordinal, n uint32) criteria.Act {
	a := criteria.Act{
		Dataset: d, Sample: o, N: n, Kind: criteria.Kind(r.Kind), Who: annotate.Annotator(r.Who), Round: r.Round,
		Type: eval.QuestionType(r.Type), Reason: r.Reason, Text: r.Text, Assignee: annotate.Annotator(r.Assignee),
		Other: eval.SampleID(r.Other), Target: r.Target, Imported: r.Imported, At: FromMillis(r.At),
	}
	for _, c := range r.Criteria {
		a.Criteria = append(a.Criteria, criteria.Criterion{
			Type: criteria.Type(c.Type), Text: c.Text, ID: c.ID, Class: c.Class, Weighted: c.Weighted, Weight: c.Weight, Tags: c.Tags, Path: c.Path,
		})
	}
	for _, t := range r.Ticks {
		a.Ticks = append(a.Ticks, criteria.Tick{Item: criteria.Item(t.Item), OK: t.OK})
	}
	return a
}
