package store

import (
	"path/filepath"
	"testing"
	"time"

	"concord/annotate"
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// twoQueues is a project with two queues over the same responses of one run.
func twoQueues(t *testing.T, s *Store) eval.Run {
	t.Helper()
	addDataset(t, s, "d", samples(3))
	run := addRun(t, s, "m")
	addQueue(t, s, "q", run.ID, 3)
	addQueue(t, s, "p", run.ID, 3)
	return run
}

func informed(t *testing.T, s *Store, q annotate.QueueName, who annotate.Annotator, k annotate.ItemKey) bool {
	t.Helper()
	st := annotate.FoldActs(got[[]annotate.Act](t)(s.Acts().Acts(q, who)))
	if l, ok := st.Labels[k]; ok {
		return l.Informed
	}
	return st.Rulings[k].Informed
}

func TestALabelIsInformedByWhatAnyQueueShowed(t *testing.T) {
	s := openTest(t, Options{})
	run := twoQueues(t, s)
	ctx, k := t.Context(), item(run.ID, 0, 0)
	look := annotate.Act{Queue: "q", Annotator: "ann", N: 2, Item: k, Kind: annotate.Looked, At: clock()}
	must(t, s.Acts().Append(ctx, []annotate.Act{label("q", "ann", 1, k, "A"), look}))
	second := label("p", "ann", 1, k, "B")
	must(t, s.Acts().Append(ctx, []annotate.Act{second, label("p", "ann", 2, item(run.ID, 1, 0), "A")}))
	must(t, s.Acts().Append(ctx, []annotate.Act{label("p", "bob", 1, k, "B")}))
	same(t, informed(t, s, "q", "ann", k), false)
	same(t, informed(t, s, "p", "ann", k), true)
	same(t, informed(t, s, "p", "ann", item(run.ID, 1, 0)), false)
	same(t, informed(t, s, "p", "bob", k), false)
	must(t, s.Acts().Append(ctx, []annotate.Act{second})) // comes again, as it was
	second.Reading.Choice = "A"
	wantErr(t, s.Acts().Append(ctx, []annotate.Act{second}), annotate.ErrConflict)
}

// Undo, other grounds and another choice after a reveal.
func TestWhatALabelKeeps(t *testing.T) {
	s := openTest(t, Options{})
	run := twoQueues(t, s)
	ctx, k := t.Context(), item(run.ID, 0, 0)
	n := 0
	do := func(a annotate.Act, want bool) {
		t.Helper()
		n++
		a.Queue, a.Annotator, a.N, a.Item, a.At = "q", "ann", uint32(n), k, clock()
		must(t, s.Acts().Append(ctx, []annotate.Act{a}))
		if got := informed(t, s, "q", "ann", k); got != want {
			t.Errorf("after act %d, %s: informed %v", n, a.Kind, got)
		}
	}
	read := func(c eval.Choice) annotate.Act { return label("", "", 0, k, c) }
	do(read("A"), false)                                        // 1
	do(read("B"), false)                                        // 2
	do(annotate.Act{Kind: annotate.TookBack, Target: 2}, false) // 3: A again
	do(annotate.Act{Kind: annotate.TookBack, Target: 3}, false) // 4: B again
	must(t, s.Disclosures().Record(ctx, []annotate.Disclosure{{
		Person: "ann", Dataset: "d", Key: eval.Key{}, Content: annotate.TruthContent, Screen: "samples", At: clock(),
	}}))
	because := read("B")
	because.Reason, because.Target = "it says so", 2
	do(because, false)                                          // 5: other grounds
	do(annotate.Act{Kind: annotate.TookBack, Target: 5}, false) // 6: without them
	do(annotate.Act{Kind: annotate.TookBack, Target: 4}, true)  // 7: A, chosen after the truth was shown
	do(annotate.Act{Kind: annotate.TookBack, Target: 7}, true)  // 8: B
	again := read("B")
	again.Reason, again.Target = "still", 2
	do(again, true) // 9: other grounds for an informed label
	do(read("C"), true)
}

func TestLedger(t *testing.T) {
	s := openTest(t, Options{})
	run := twoQueues(t, s)
	ctx := t.Context()
	one := annotate.Disclosure{Person: annotate.Unnamed, Dataset: "d", Key: eval.Key{Run: run.ID, Sample: annotate.EverySample}, Content: annotate.ModelContent, Screen: "export", At: clock()}
	must(t, s.Disclosures().Record(ctx, []annotate.Disclosure{one}))
	later := one
	later.At, later.Screen = clock().Add(time.Hour), "samples"
	must(t, s.Disclosures().Record(ctx, []annotate.Disclosure{later}))
	same(t, all(t, s.Disclosures().ShownTo(ctx, annotate.Unnamed)), []annotate.Disclosure{one})
	must(t, s.Disclosures().AssignName(ctx, "ann"))
	one.Person = "ann"
	same(t, all(t, s.Disclosures().All(ctx)), []annotate.Disclosure{one})
	must(t, s.Acts().Append(ctx, []annotate.Act{label("q", "ann", 1, item(run.ID, 2, 0), "A")}))
	same(t, informed(t, s, "q", "ann", item(run.ID, 2, 0)), true)
	elsewhere := label("q", "ann", 2, item(run.ID, 1, 0), "A") // given before, and read from a file
	elsewhere.Imported, elsewhere.At = true, clock().Add(-time.Minute)
	must(t, s.Acts().Append(ctx, []annotate.Act{elsewhere}))
	same(t, informed(t, s, "q", "ann", item(run.ID, 1, 0)), false)
	wantErr(t, s.Disclosures().Record(ctx, []annotate.Disclosure{{Person: "ann", Dataset: "d"}}), ErrInvalid)
}

// A project from before the ledger: what is known of what people saw is taken
// from their reveals, and their labels are classified by it.
func TestLabelsAreClassifiedAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := got[*Store](t)(Open(path, Options{Now: clock}))
	run := twoQueues(t, s)
	ctx := t.Context()
	a, b := item(run.ID, 0, 0), item(run.ID, 1, 0)
	at := func(one annotate.Act, minutes int) annotate.Act {
		one.At = clock().Add(time.Duration(minutes) * time.Minute)
		return one
	}
	looked := func(n int, k annotate.ItemKey) annotate.Act {
		return annotate.Act{Queue: "q", Annotator: "ann", N: uint32(n), Item: k, Kind: annotate.Looked}
	}
	because := label("q", "ann", 3, a, "A")
	because.Reason = "grounds, given after the reveal"
	must(t, s.Acts().Append(ctx, []annotate.Act{
		at(label("q", "ann", 1, a, "A"), 1), at(looked(2, a), 5), at(because, 6), at(label("q", "ann", 4, b, "A"), 7), at(looked(5, b), 20),
	}))
	must(t, s.Acts().Append(ctx, []annotate.Act{at(label("p", "ann", 1, a, "A"), 9), at(label("p", "ann", 2, b, "A"), 10)}))
	must(t, s.file.Apply(ctx, 0, func(tx *file.Tx) error { return forget(tx, s) }))
	saved := annotate.SavedReport{LabelsHash: annotate.HashLabels(labelsOf(t, s, "p", "ann"))}
	must(t, s.Close())
	older(t, path, 10, record.TableDisclosures) // the next one has the ledger
	s = openAt(t, path, Options{})
	for _, c := range []struct {
		q    annotate.QueueName
		k    annotate.ItemKey
		want bool
	}{{"q", a, false}, {"q", b, false}, {"p", a, true}, {"p", b, false}} {
		if got := informed(t, s, c.q, "ann", c.k); got != c.want {
			t.Errorf("the label on %s of queue %s: informed %v", c.k, c.q, got)
		}
	}
	if len(all(t, s.Disclosures().ShownTo(ctx, "ann"))) == 0 {
		t.Error("nothing is known of what was shown")
	}
	now := annotate.Inputs{LabelsHash: annotate.HashLabels(labelsOf(t, s, "p", "ann"))}
	same(t, saved.StaleChanges(now), []annotate.Change{{Why: annotate.StaleLabels}})
}

func labelsOf(t *testing.T, s *Store, q annotate.QueueName, who annotate.Annotator) (out []annotate.Label) {
	t.Helper()
	for _, l := range annotate.FoldActs(got[[]annotate.Act](t)(s.Acts().Acts(q, who))).Labels {
		out = append(out, l)
	}
	return out
}

// forget has no act know that it was informed.
func forget(tx *file.Tx, s *Store) error {
	b := tx.Table(record.TableActs)
	for k := range eachKeyUnder(b, nil) {
		a, err := decodeRecord(s, record.Acts, k, b.Get(k))
		if err != nil {
			return err
		}
		a.Informed = false
		if err := putValue(s, record.Acts, tx, &a); err != nil {
			return err
		}
	}
	return nil
}
