package main

import (
	"errors"
	"testing"

	"concord/annotate/curation"
	"concord/cmd/concord/config"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/stat"
	"concord/store"
)

// What is curated is the candidates of the newest inspection, of a named one,
// or the whole dataset.
func TestCandidatesOfAnInspection(t *testing.T) {
	st, err := store.Open(t.TempDir()+"/p.db", store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	ds := eval.Dataset{Name: "d", Hash: "h", Samples: 3}
	var items []dataset.Item
	var marks []curation.Mark
	for o := range eval.Ordinal(3) {
		items = append(items, dataset.Item{Sample: eval.Sample{Ordinal: o, ID: eval.SampleID(rune('a' + o)), Kind: eval.KindOpen}})
		marks = append(marks, curation.Mark{Sample: o, Blind: stat.Count{K: int(o), N: 2}})
	}
	sink := st.Datasets()
	in := curation.Inspection{Name: "first", Dataset: "d", Settings: curation.Paper(), Inspectors: make([]curation.Inspector, 2), Marks: marks}
	second := in
	second.Name, second.Settings.Keep = "second", curation.Share{K: 1, Of: 2}
	err = errors.Join(sink.BeginDataset(t.Context(), ds), sink.PutSamples(t.Context(), "d", items), sink.FinishDataset(t.Context(), ds))
	for _, i := range []curation.Inspection{in, second} {
		_, aerr := st.Inspections().Add(t.Context(), i)
		err = errors.Join(err, aerr)
	}
	if err != nil {
		t.Fatal(err)
	}
	conf, err := config.Load(config.Options{})
	if err != nil {
		t.Fatal(err)
	}
	given := func(inspection string) curating {
		return curating{flags: curateFlags{inspection: inspection, given: map[string]bool{"inspection": true}}, conf: conf}
	}
	check := func(inspection string, cards, found int, name string) {
		t.Helper()
		o, err := curator{st, given(inspection)}.Open(t.Context(), "d", "ann")
		n := 0
		for _, c := range o.Cards {
			if c.Finding != nil && c.Finding.Sample == c.Sample.Ordinal {
				n++
			}
		}
		if err != nil || len(o.Cards) != cards || len(o.Board.Items()) != cards || n != found || o.Inspection != name {
			t.Errorf("%q: %d cards, %d with findings, of %q: %v", inspection, len(o.Cards), n, o.Inspection, err)
		}
	}
	check("", 2, 2, "second")
	check("first", 1, 1, "first")
	check("none", 3, 0, "")
	if _, err := (curator{st, given("other")}).Open(t.Context(), "d", "ann"); !errors.Is(err, eval.ErrNotFound) {
		t.Errorf("an inspection that is not there: %v", err)
	}
}
