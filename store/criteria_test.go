package store

import (
	"context"
	"fmt"
	"testing"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// actOn does one act on a sample as it stands.
func actOn(t testing.TB, s *Store, o eval.Ordinal, kind criteria.Kind, who annotate.Annotator, more func(*criteria.Act)) (criteria.Act, error) {
	t.Helper()
	set := got[criteria.Set](t)(s.Criteria().Set("d", o))
	a := set.NewAct(kind, who, clock())
	if more != nil {
		more(&a)
	}
	return a, s.Criteria().Append(t.Context(), a)
}

func draft(text string) func(*criteria.Act) {
	return func(a *criteria.Act) { a.Criteria = []criteria.Criterion{{Type: criteria.Range, Text: text}} }
}

func TestCriteria(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(3))
	addDataset(t, s, "dd", samples(3)) // a name that begins with another
	first, err := actOn(t, s, 1, criteria.Drafted, "ann", draft("x"))
	must(t, err)
	must(t, s.Criteria().Append(t.Context(), first)) // tried again
	_, err = actOn(t, s, 1, criteria.Accepted, "bob", nil)
	wantErr(t, err, criteria.ErrNotInReview)
	_, err = actOn(t, s, 1, criteria.Submitted, "ann", nil)
	must(t, err)
	_, err = actOn(t, s, 1, criteria.Accepted, "ann", nil)
	wantErr(t, err, criteria.ErrOwn)
	other := first
	other.Criteria = nil
	wantErr(t, s.Criteria().Append(t.Context(), other), criteria.ErrConflict)
	_, err = actOn(t, s, 9, criteria.Drafted, "ann", draft("x"))
	wantErr(t, err, eval.ErrNotFound)
	_, err = actOn(t, s, 2, criteria.Drafted, "", draft("x"))
	wantErr(t, err, ErrInvalid)
	_, err = actOn(t, s, 0, criteria.Drafted, "bob", draft("y"))
	must(t, err)

	_, err = actOn(t, s, 2, criteria.Discarded, "bob", func(a *criteria.Act) { a.Reason = "blurred" })
	must(t, err)
	by := func(other eval.SampleID) error {
		_, err := actOn(t, s, 2, criteria.Replaced, "bob", func(a *criteria.Act) { a.Other = other })
		return err
	}
	wantErr(t, by("9"), eval.ErrNotFound)
	wantErr(t, by("2"), criteria.ErrNothing)
	must(t, by("0"))

	set := got[criteria.Set](t)(s.Criteria().Set("d", 1))
	same(t, set.History.Acts[0], first)
	sets := all(t, s.Criteria().All(t.Context(), "d"))
	same(t, len(sets), 3)
	same(t, []eval.Ordinal{sets[0].Sample, sets[1].Sample, sets[2].Sample}, []eval.Ordinal{0, 1, 2})
	same(t, sets[1], set)
	same(t, len(all(t, s.Criteria().All(t.Context(), "dd"))), 0)
	same(t, sets[2].Removed.By, eval.SampleID("0"))
	same(t, got[criteria.Set](t)(s.Criteria().Set("dd", 2)).State, criteria.Unwritten)
}

// A batch is all or none, each act on where the one before it leaves the
// sample.
func TestCriteriaBatch(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(3))
	set := criteria.NewSet("d", 0)
	var acts []criteria.Act
	for _, kind := range []criteria.Kind{criteria.Drafted, criteria.Submitted, criteria.Accepted} {
		a := set.NewAct(kind, "ann", clock())
		if kind == criteria.Drafted {
			draft("x")(&a)
		}
		if kind == criteria.Accepted {
			a.Who = "bob"
		}
		set = got[criteria.Set](t)(set.WithAct(a))
		acts = append(acts, a)
	}
	bad := acts[2]
	bad.N, bad.Who = 4, "ann"
	wantErr(t, s.Criteria().Append(t.Context(), append(acts, bad)...), criteria.ErrOwn)
	same(t, len(all(t, s.Criteria().All(t.Context(), "d"))), 0)
	must(t, s.Criteria().Append(t.Context(), acts...))
	same(t, got[criteria.Set](t)(s.Criteria().Set("d", 0)), set)
	same(t, all(t, s.Criteria().Acts(t.Context(), "d")), acts)
	same(t, got[[]eval.SampleID](t)(s.Datasets().SampleIDs(t.Context(), "d")), []eval.SampleID{"0", "1", "2"})
}

// A damaged act hides its sample, not the others, and nothing is done on it.
func TestDamagedCriteria(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(3))
	for o := range eval.Ordinal(3) {
		_, err := actOn(t, s, o, criteria.Drafted, "ann", draft("x"))
		must(t, err)
	}
	must(t, s.file.Apply(t.Context(), 0, func(tx *file.Tx) error {
		return tx.Table(record.TableCriteria).Put(record.AppendU32(record.SampleKey("d", 1), 1), []byte{record.RecordVersion, 0x80})
	}))
	var found []eval.Ordinal
	errors := 0
	for set, err := range s.Criteria().All(t.Context(), "d") {
		if err != nil {
			wantErr(t, err, ErrCorrupt)
			errors++
			continue
		}
		found = append(found, set.Sample)
	}
	same(t, found, []eval.Ordinal{0, 2})
	same(t, errors, 1)
	_, err := s.Criteria().Set("d", 1)
	wantErr(t, err, ErrCorrupt)
	a := (&criteria.Set{Dataset: "d", Sample: 1, History: criteria.History{Acts: make([]criteria.Act, 1)}}).NewAct(criteria.Drafted, "ann", clock())
	wantErr(t, s.Criteria().Append(t.Context(), a), ErrCorrupt)
}

// A list of 10,000 samples, each with a reviewed set, is one scan.
func BenchmarkCriteria(b *testing.B) {
	const n = 10_000
	s := openTest(b, Options{NoSync: true})
	addDataset(b, s, "d", samples(n))
	var acts []criteria.Act
	for o := range eval.Ordinal(n) {
		set := criteria.NewSet("d", o)
		for i, kind := range []criteria.Kind{criteria.Drafted, criteria.Submitted, criteria.RequestedChanges, criteria.Revised, criteria.Accepted} {
			a := set.NewAct(kind, annotate.Annotator([]string{"ann", "ann", "bob", "ann", "bob"}[i]), clock())
			a.Reason, a.Text = "because", "why"
			for c := range 3 {
				a.Criteria = append(a.Criteria, criteria.Criterion{Type: criteria.Range, Text: fmt.Sprintf("Identify the %d. object as number %d of them.", c, i)})
			}
			next, err := set.WithAct(a)
			must(b, err)
			set, acts = next, append(acts, a)
		}
	}
	must(b, s.Criteria().Append(context.Background(), acts...))
	for b.Loop() {
		if len(all(b, s.Criteria().All(context.Background(), "d"))) != n {
			b.Fatal("sets are missing")
		}
	}
}
