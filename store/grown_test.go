package store

import (
	"testing"

	"concord/eval/dataset"

	"concord/eval"
)

// A dataset that grows counts the sample, keeps its hash, and lets the same
// import say that nothing is new.
func TestAddSample(t *testing.T) {
	s := openTest(t, Options{})
	d, ctx := s.Datasets(), t.Context()
	addDataset(t, s, "d", samples(3))
	addDataset(t, s, "dd", samples(5)) // a name that begins alike
	before := got[eval.Dataset](t)(d.Dataset("d"))
	picture := []byte("an image")
	item := dataset.Item{
		Sample: eval.Sample{
			ID: "0-r1", Kind: eval.KindOpen, Question: "What else?", Taxonomy: []string{"a", "b"}, Type: eval.Compound,
			Pictures: []eval.Picture{{Hash: hashOf(picture), Name: "a.png"}},
		},
		Pictures: map[eval.PictureHash][]byte{hashOf(picture): picture},
	}
	added := got[eval.Sample](t)(d.AddSample(ctx, "d", item))
	same(t, added.Ordinal, eval.Ordinal(3))
	same(t, got[eval.Sample](t)(d.SampleByID("d", "0-r1")), added)
	same(t, got[[]byte](t)(d.Picture(hashOf(picture))), picture)
	after := got[eval.Dataset](t)(d.Dataset("d"))
	want := before
	want.Samples, want.Added, want.NoTruth = 4, 1, before.NoTruth+1
	same(t, after, want)

	// Again is once; another sample under the id is refused.
	same(t, got[eval.Sample](t)(d.AddSample(ctx, "d", item)), added)
	same(t, got[eval.Dataset](t)(d.Dataset("d")), want)
	other := item
	other.Sample.Question = "Anything else?"
	wantErr(t, second(d.AddSample(ctx, "d", other)), ErrInvalid)
	wantErr(t, second(d.AddSample(ctx, "e", item)), eval.ErrNotFound)
	item.Sample.ID = ""
	wantErr(t, second(d.AddSample(ctx, "d", item)), ErrInvalid)
	must(t, d.BeginDataset(ctx, eval.Dataset{Name: "d", Hash: before.Hash}))
	must(t, d.FinishDataset(ctx, eval.Dataset{Name: "d", Hash: before.Hash, Samples: 3}))
	same(t, len(all(t, d.Samples(ctx, "d"))), 4)
	must(t, d.BeginDataset(ctx, eval.Dataset{Name: "f"}))
	item.Sample.ID = "x"
	wantErr(t, second(d.AddSample(ctx, "f", item)), ErrInvalid)
}
