package store

import (
	"testing"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

func expertSays(who annotate.Annotator, n uint32, o eval.Ordinal, v curation.Verdict) curation.Act {
	return curation.Act{Dataset: "d", Expert: who, N: n, Sample: o, Kind: curation.Judged, Verdict: v, At: clock()}
}

func TestCuration(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(3))
	addDataset(t, s, "dd", samples(3)) // a name that begins with another
	c := s.Curation()
	add := func(acts ...curation.Act) error { return c.Append(t.Context(), acts) }

	first := expertSays("ann", 1, 2, curation.NeedsImage)
	must(t, add(first, expertSays("ann", 2, 0, curation.Wrong)))
	must(t, add(first)) // tried again
	must(t, add(expertSays("anna", 1, 0, curation.Duplicate)))
	must(t, add(expertSays("al", 1, 0, curation.Duplicate)))
	placed := curation.Act{Dataset: "d", Expert: "ann", N: 3, Sample: 0, Kind: curation.Placed, Axis: []string{"a", "b\xff"}, At: clock()}
	must(t, add(placed))

	changed := first
	changed.Verdict = curation.Wrong
	wantErr(t, add(changed), annotate.ErrConflict)
	wantErr(t, add(expertSays("ann", 5, 0, curation.Wrong)), annotate.ErrConflict)
	wantErr(t, add(expertSays("bob", 2, 0, curation.Wrong)), annotate.ErrConflict)
	wantErr(t, add(expertSays("ann", 4, 3, curation.Wrong)), eval.ErrNotFound)
	wantErr(t, add(expertSays("", 1, 0, curation.Wrong)), ErrInvalid)
	other := expertSays("ann", 1, 0, curation.Wrong)
	other.Dataset = "none"
	wantErr(t, add(other), eval.ErrNotFound)
	wantErr(t, add(expertSays("ann", 4, 0, curation.Wrong), expertSays("ann", 6, 0, curation.Wrong)), annotate.ErrConflict)

	same(t, got[[]curation.Act](t)(c.Acts("d", "ann")), []curation.Act{first, expertSays("ann", 2, 0, curation.Wrong), placed})
	var order []annotate.Annotator
	for _, a := range all(t, c.All(t.Context(), "d")) {
		order = append(order, a.Expert)
	}
	same(t, order, []annotate.Annotator{"al", "ann", "ann", "ann", "anna"})
	same(t, len(all(t, c.All(t.Context(), "dd"))), 0)
}

// A damaged act is named; the others are read.
func TestDamagedCuration(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(3))
	must(t, s.Curation().Append(t.Context(), []curation.Act{expertSays("ann", 1, 0, curation.Wrong), expertSays("ann", 2, 1, curation.Wrong)}))
	must(t, s.file.Apply(t.Context(), 0, func(tx *file.Tx) error {
		return tx.Table(record.TableCuration).Put(record.AppendU32(record.ExpertPrefix("d", "ann"), 1), []byte{record.RecordVersion, 0x80})
	}))
	acts, err := s.Curation().Acts("d", "ann")
	wantErr(t, err, ErrCorrupt)
	same(t, len(acts), 1)
}
