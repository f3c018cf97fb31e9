package store

import (
	"errors"
	"testing"

	"concord/annotate/curation"
	"concord/eval"
	"concord/eval/stat"
)

func TestInspections(t *testing.T) {
	s := openTest(t, Options{})
	p := s.Inspections()
	want := curation.Inspection{
		Name: "pool", Dataset: "d", Settings: curation.MMStarSettings(), By: "ann", Created: clock(),
		Probes:  []curation.Inspector{{Run: 1, Model: "a", Rules: "concord@1"}, {Run: 2, Model: "b", Rules: "concord@1", Judge: "j"}},
		Graders: []curation.Inspector{{Run: 3, Model: "c", Rules: "mmstar@1"}},
		Marks: []curation.HitMark{
			{Sample: 0, Blind: stat.Count{K: 1, N: 2}, Sighted: stat.Count{K: 1, N: 1}}, {Sample: 700, Blind: stat.Count{K: 0, N: 1}},
		},
	}
	id, err := p.Add(t.Context(), want)
	must(t, err)
	want.ID = id
	back, err := p.Inspection("pool")
	must(t, err)
	same(t, back, want)
	if _, err := p.Add(t.Context(), want); !errors.Is(err, ErrInvalid) {
		t.Errorf("a name twice: %v", err)
	}
	other := want
	other.Name = "other"
	if other.ID, err = p.Add(t.Context(), other); err != nil || other.ID != id+1 {
		t.Errorf("another one: %d, %v", other.ID, err)
	}
	all, err := p.List()
	must(t, err)
	same(t, all, []curation.Inspection{want, other})
	if _, err := p.Inspection("none"); !errors.Is(err, eval.ErrNotFound) {
		t.Errorf("none: %v", err)
	}
}
