package view

import (
	"errors"
	"testing"
	"time"

	"concord/eval/dataset"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/stat"
	"concord/store"
	"concord/tui/samples"
)

// poolOf is a project with a dataset of three samples.
func poolOf(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.Open(t.TempDir()+"/p.db", store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	ds := eval.Dataset{Name: "d", Hash: "h", Samples: 3}
	var items []dataset.Item
	for o := range eval.Ordinal(3) {
		items = append(items, dataset.Item{Sample: eval.Sample{Ordinal: o, ID: eval.SampleID(rune('a' + o)), Kind: eval.KindOpen}})
	}
	sink := st.Datasets()
	if err := errors.Join(sink.BeginDataset(t.Context(), ds), sink.PutSamples(t.Context(), "d", items), sink.FinishDataset(t.Context(), ds)); err != nil {
		t.Fatal(err)
	}
	return st
}

// What experts say is listed for nobody who may yet give a blind word, or change
// one: that others are enough already does not make a later word a blind one.
func TestExpertsWordsWait(t *testing.T) {
	st := poolOf(t)
	conf, err := config.Load(config.Options{})
	if err != nil {
		t.Fatal(err)
	}
	act := func(who annotate.Annotator, n uint32, k curation.Kind, o eval.Ordinal) {
		t.Helper()
		a := curation.Act{Dataset: "d", Expert: who, N: n, Sample: o, Kind: k}
		if k == curation.Judged {
			a.Verdict = curation.Wrong
		}
		if err := st.Curation().Append(t.Context(), []curation.Act{a}); err != nil {
			t.Fatal(err)
		}
	}
	check := func(who annotate.Annotator, o eval.Ordinal, want bool) {
		t.Helper()
		source := Samples{facts.NewSource(st), NewPolicies(st), time.Now, curating.Settings{Conf: conf}}
		keys := func(yield func(eval.Key, error) bool) { yield(eval.Key{Sample: o}, nil) }
		rows := 0
		for r, err := range source.RowsOfKeys(t.Context(), samples.Ask{Who: who, Experts: true, Dataset: "d"}, keys) {
			if rows++; err != nil || r.LeftOut == want {
				t.Errorf("sample %d for %q: %+v, %v", o, who, r, err)
			}
		}
		if rows != 1 {
			t.Errorf("%d rows", rows)
		}
	}
	act("bob", 1, curation.Judged, 0)
	check("ann", 0, false) // not needed, and may yet answer
	check("", 0, false)
	check("bob", 0, true) // nobody else has spoken
	act("ann", 1, curation.Judged, 0)
	check("ann", 0, false) // may change it, and no look is stored
	act("ann", 2, curation.Looked, 0)
	check("ann", 0, true)
	check("bob", 0, false)
	check("ann", 1, false)
}

// What is curated is the candidates of the newest inspection, of a named one,
// or the whole dataset.
func TestCandidatesOfAnInspection(t *testing.T) {
	st := poolOf(t)
	var marks []curation.HitMark
	for o := range eval.Ordinal(3) {
		marks = append(marks, curation.HitMark{Sample: o, Blind: stat.Count{K: int(o), N: 2}})
	}
	in := curation.Inspection{Name: "first", Dataset: "d", Settings: curation.MMStarSettings(), Probes: make([]curation.Inspector, 2), Marks: marks}
	second := in
	second.Name, second.Settings.Keep = "second", curation.Share{K: 1, Of: 2}
	var err error
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
	given := func(inspection string) curating.Settings {
		return curating.Settings{Flags: curating.Flags{Inspection: inspection, Given: map[string]bool{"inspection": true}}, Conf: conf}
	}
	check := func(inspection string, cards, found int, name string) {
		t.Helper()
		o, err := Curation{facts.NewSource(st), given(inspection), NewPolicies(st)}.Open(t.Context(), "d", "ann")
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
	if _, err := (Curation{facts.NewSource(st), given("other"), NewPolicies(st)}).Open(t.Context(), "d", "ann"); !errors.Is(err, eval.ErrNotFound) {
		t.Errorf("an inspection that is not there: %v", err)
	}
}
