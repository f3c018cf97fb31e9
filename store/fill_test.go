package store_test

import (
	"errors"
	"testing"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
)

// The store itself fills what is absent and refuses what contradicts, the
// whole batch.
func TestFillSamples(t *testing.T) {
	st, err := store.Open(t.TempDir()+"/p.db", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	ds, ctx := st.Datasets(), t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	open := func(id eval.SampleID) eval.Sample {
		return eval.Sample{ID: id, Kind: eval.KindOpen, Question: "q" + string(id)}
	}
	one, two := open("1"), open("2")
	two.Ordinal = 1
	d := eval.Dataset{Name: "d", Samples: 2, NoTruth: 2, Hash: "h", Origin: "p.xlsx"}
	must(ds.BeginDataset(ctx, d))
	must(ds.PutSamples(ctx, "d", []dataset.Item{{Sample: one}, {Sample: two}}))
	must(ds.FinishDataset(ctx, d))

	full, wrong := open("1"), open("2")
	full.Taxonomy, full.Ordinal = []string{"a", "b"}, 9
	wrong.Question = "another"
	if err := ds.FillSamples(ctx, "d", []dataset.Item{{Sample: full}, {Sample: wrong}}); !errors.Is(err, dataset.ErrOtherContent) {
		t.Error(err)
	}
	if s, err := ds.Sample("d", 0); err != nil || len(s.Taxonomy) != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	must(ds.FillSamples(ctx, "d", []dataset.Item{{Sample: full}}))
	must(ds.FillDataset(ctx, eval.Dataset{Name: "d", Hash: "h2", Origin: "d.tsv", NoTruth: 1}))
	if s, err := ds.SampleByID("d", "1"); err != nil || s.Ordinal != 0 || len(s.Taxonomy) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	if got, err := ds.Dataset("d"); err != nil || got.Samples != 2 || got.NoTruth != 1 || got.Hash != "h2" || !got.Complete {
		t.Errorf("%+v, %v", got, err)
	}

	// What a run of our own asks stays as it is: the rest of it is still filled.
	_, err = st.Runs().CreateRun(ctx, eval.Config{
		Dataset: "d", Model: "m", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Asked, Rules: "concord",
	})
	must(err)
	hinted, placed := open("2"), open("2")
	hinted.Hint, placed.Taxonomy = "look", []string{"a"}
	if err := ds.FillSamples(ctx, "d", []dataset.Item{{Sample: hinted}}); !errors.Is(err, dataset.ErrOtherContent) {
		t.Errorf("a hint under a run: %v", err)
	}
	must(ds.FillSamples(ctx, "d", []dataset.Item{{Sample: placed}}))
}
