package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"concord/annotate"
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

func TestQueueRoundTrip(t *testing.T) {
	s := openTest(t, Options{})
	q, ctx := s.Queues(), t.Context()
	one := annotate.Queue{
		Name: "q/1", Stratum: annotate.Priority, Overlap: 3, Growing: true, Population: 9, Guideline: annotate.Guideline{Version: 1, Text: "read it"},
		Synthetic: true, By: "ann", Created: clock().Add(time.Minute),
		Rule: annotate.Rule{
			Dataset: "d", Runs: []eval.RunID{1, 2}, From: annotate.FromUnparsable, Rules: "concord@1", Rate: 0.1,
			Number: 5, Level: 2, PerLevel: 7, IDs: []eval.SampleID{"a", "b"}, Seed: 1 << 63,
		},
	}
	items := []annotate.QueueItem{
		{Index: 77, Key: item(1, 5, 0), Inclusion: 0.1, Group: "a / b"},
		{Key: item(1, 2, 1), Inclusion: 1},
		{Key: item(1, 5, 0), Inclusion: 1}, // again
	}
	must(t, q.CreateQueue(ctx, one, items))
	wantErr(t, q.CreateQueue(ctx, one, nil), annotate.ErrQueueExists)
	one.Items = 2
	one.Rule.IDs, one.Rule.Listed = nil, 2
	items = items[:2]
	items[0].Index, items[1].Index = 0, 1
	same(t, got[annotate.Queue](t)(q.Queue("q/1")), one)
	same(t, got[[]annotate.Queue](t)(q.List()), []annotate.Queue{one})
	same(t, all(t, q.QueueItems(ctx, "q/1")), items)
	same(t, got[annotate.QueueItem](t)(q.QueueItem("q/1", 1)), items[1])
	same(t, got[int](t)(q.IndexOfItem("q/1", item(1, 2, 1))), 1)
	for _, err := range []error{
		second(q.Queue("q")), second(q.QueueItem("q/1", 2)), second(q.QueueItem("q/1", -1)),
		second(q.IndexOfItem("q/1", item(1, 2, 0))), second(q.Item(ctx, "q/1", 0)), second(q.AppendItems(ctx, "q", items, 1)),
		q.FinishGrowing(ctx, "q"),
	} {
		wantErr(t, err, eval.ErrNotFound)
	}
}

func TestQueueGrows(t *testing.T) {
	s := openTest(t, Options{})
	q, ctx := s.Queues(), t.Context()
	run := addRun(t, s, "m")
	addQueue(t, s, "q", run.ID, 3)
	more := []annotate.QueueItem{{Key: item(run.ID, 2, 0)}, {Key: item(run.ID, 8, 0)}, {Key: item(run.ID, 9, 0)}}
	if n := got[int](t)(q.AppendItems(ctx, "q", more, 20)); n != 2 {
		t.Errorf("enrolled %d", n)
	}
	if n := got[int](t)(q.AppendItems(ctx, "q", more, 10)); n != 0 {
		t.Errorf("enrolled %d again", n)
	}
	one := got[annotate.Queue](t)(q.Queue("q"))
	if one.Items != 5 || one.Population != 20 || !one.Growing {
		t.Errorf("%+v", one)
	}
	for i, it := range all(t, q.QueueItems(ctx, "q")) {
		if it.Index != i || got[int](t)(q.IndexOfItem("q", it.Key)) != i {
			t.Errorf("item %d: %+v", i, it)
		}
	}
	must(t, q.FinishGrowing(ctx, "q"))
	if n := got[int](t)(q.AppendItems(ctx, "q", more, 12)); n != 0 {
		t.Errorf("enrolled %d in a finished queue", n)
	}
	wantErr(t, second(q.AppendItems(ctx, "q", []annotate.QueueItem{{Key: item(run.ID, 10, 0)}}, 12)), ErrFinished)
	one = got[annotate.Queue](t)(q.Queue("q"))
	if one.Items != 5 || one.Population != 20 || one.Growing {
		t.Errorf("%+v", one)
	}
}

// A queue of several transactions is there whole or not at all.
func TestLargeQueue(t *testing.T) {
	s := openTest(t, Options{})
	q, ctx := s.Queues(), t.Context()
	run := addRun(t, s, "m")
	// What a crash in the middle would leave behind.
	must(t, s.file.Apply(ctx, 0, func(tx *file.Tx) error {
		_, err := q.appendNewItems(tx, "q", 0, []annotate.QueueItem{{Key: item(run.ID, 1<<20, 0)}})
		return err
	}))
	n := queueBatch*2 + 5
	addQueue(t, s, "q", run.ID, n)
	if one := got[annotate.Queue](t)(q.Queue("q")); one.Items != n {
		t.Errorf("%d items", one.Items)
	}
	at := 0
	for it, err := range q.QueueItems(ctx, "q") {
		if err != nil || it.Index != at || int(it.Key.Sample) != at {
			t.Fatalf("item %d: %+v, %v", at, it, err)
		}
		at++
	}
	if at != n {
		t.Errorf("%d items", at)
	}
}

func TestItemIsBlind(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(3))
	run := addRun(t, s, "m")
	for i := range 3 {
		f := fact(key(run.ID, i, 0), "it is B", eval.Found)
		f.Prediction.Finish = "length"
		must(t, s.Runs().Record(t.Context(), f))
	}
	addQueue(t, s, "q", run.ID, 3)
	it := got[annotate.Item](t)(s.Queues().Item(t.Context(), "q", 1))
	sample := samples(3)[1].Sample
	same(t, it, annotate.Item{
		Queue: "q", Index: 1, Key: item(run.ID, 1, 0), Kind: eval.KindChoice, Sample: "1", Question: sample.Question,
		Options: sample.Options, Prediction: "it is B", Truncated: true,
	})
}

// An item may be a sample alone, or a pair of answers to it.
func TestItemsBeyondPredictions(t *testing.T) {
	s := openTest(t, Options{})
	q, ctx := s.Queues(), t.Context()
	addDataset(t, s, "d", samples(3))
	a, b := addRun(t, s, "a"), addRun(t, s, "b")
	must(t, s.Runs().Record(ctx, fact(key(a.ID, 1, 0), "it is A", eval.Found)))
	must(t, s.Runs().Record(ctx, fact(key(b.ID, 1, 0), "it is B", eval.Found)))
	alone := annotate.NewItemKey(eval.Key{Sample: 1})
	pair := annotate.ItemKey{Key: key(a.ID, 1, 0), Against: b.ID}
	single := item(a.ID, 1, 0)
	unanswered := annotate.ItemKey{Key: key(a.ID, 2, 0), Against: b.ID}
	items := []annotate.QueueItem{{Key: alone}, {Key: pair}, {Key: single}, {Key: unanswered}}
	must(t, q.CreateQueue(ctx, annotate.Queue{Name: "q", Rule: annotate.Rule{Dataset: "d"}}, items))
	for i, it := range all(t, q.QueueItems(ctx, "q")) {
		same(t, it.Key, items[i].Key)
		same(t, got[int](t)(q.IndexOfItem("q", it.Key)), i)
	}
	for i, want := range [][2]string{{"", ""}, {"it is A", "it is B"}, {"it is A", ""}} {
		it := got[annotate.Item](t)(q.Item(ctx, "q", i))
		same(t, [2]string{it.Prediction, it.Against}, want)
		same(t, it.Sample, eval.SampleID("1"))
	}
	wantErr(t, second(q.Item(ctx, "q", 3)), eval.ErrNotFound)
	must(t, s.Acts().Append(ctx, []annotate.Act{label("q", "ann", 1, pair, "A"), label("q", "ann", 2, alone, "A")}))
	acts := got[[]annotate.Act](t)(s.Acts().Acts("q", "ann"))
	same(t, []annotate.ItemKey{acts[0].Item, acts[1].Item}, []annotate.ItemKey{pair, alone})
	same(t, got[map[annotate.Annotator]Tally](t)(s.Acts().Tallies("q"))["ann"], Tally{Acts: 2, Labelled: 2})
}

func TestActRoundTrip(t *testing.T) {
	s := openTest(t, Options{})
	a, ctx := s.Acts(), t.Context()
	run := addRun(t, s, "m")
	addQueue(t, s, "q", run.ID, 3)
	k := item(run.ID, 1, 0)
	acts := []annotate.Act{
		{Kind: annotate.Skipped},
		{
			Kind: annotate.Labelled, Reason: "says so", Confidence: 0.75, Imported: true, Spent: 3 * time.Second,
			Reading: annotate.Reading{Kind: annotate.SaidAmbiguous, Several: []eval.Choice{"A", "B"}},
		},
		{Kind: annotate.Flagged},
		{Kind: annotate.Noted, Text: "a \x00 note"},
		{Kind: annotate.TookBack, Target: 2},
	}
	for i := range acts {
		acts[i].Queue, acts[i].Annotator, acts[i].N, acts[i].Item, acts[i].At = "q", "ann", uint32(i+1), k, clock()
	}
	must(t, a.Append(ctx, acts[:2]))
	must(t, a.Append(ctx, acts)) // an answer was lost: again, with more
	must(t, a.Append(ctx, []annotate.Act{label("q", "bob", 1, k, "A")}))
	same(t, got[[]annotate.Act](t)(a.Acts("q", "ann")), acts)
	same(t, len(all(t, a.QueueActs(ctx, "q"))), len(acts)+1)
	same(t, all(t, a.StreamActs(ctx, "q", "ann")), acts)
	same(t, got[annotate.Act](t)(a.Act("q", "ann", 2)), acts[1])
	_, err := a.Act("q", "ann", 6)
	wantErr(t, err, eval.ErrNotFound)
	same(t, got[[]annotate.Annotator](t)(a.Annotators("q")), []annotate.Annotator{"ann", "bob"})
	same(t, got[map[annotate.Annotator]Tally](t)(a.Tallies("q")), map[annotate.Annotator]Tally{
		"ann": {Acts: 5, Skipped: 1, Flagged: 1}, "bob": {Acts: 1, Labelled: 1},
	})
	same(t, len(got[map[annotate.Annotator]Tally](t)(a.Tallies("none"))), 0)
}

// A person's last acts are read from the last one back.
func TestRecentActs(t *testing.T) {
	s := openTest(t, Options{NoSync: true})
	a := s.Acts()
	run := addRun(t, s, "m")
	addQueue(t, s, "q", run.ID, 3)
	at := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	var acts []annotate.Act
	for n := 1; n <= 4; n++ {
		one := label("q", "ann", n, item(run.ID, n%3, 0), "A")
		one.At = at.Add(time.Duration(n) * time.Minute)
		acts = append(acts, one)
	}
	must(t, a.Append(t.Context(), append(acts, label("q", "bob", 1, item(run.ID, 0, 0), "B"))))
	numbers := func(who annotate.Annotator, since time.Time, most int) (out []uint32) {
		for _, one := range got[[]annotate.Act](t)(a.RecentActs("q", who, since, most)) {
			out = append(out, one.N)
		}
		return out
	}
	same(t, numbers("ann", at.Add(2*time.Minute), 10), []uint32{4, 3, 2})
	same(t, numbers("ann", at, 2), []uint32{4, 3})
	same(t, len(numbers("ann", at.Add(time.Hour), 10))+len(numbers("nobody", at, 10)), 0)
}

func TestActsKeepTheirOrder(t *testing.T) {
	s := openTest(t, Options{})
	a, ctx := s.Acts(), t.Context()
	run := addRun(t, s, "m")
	addQueue(t, s, "q", run.ID, 3)
	k := item(run.ID, 1, 0)
	must(t, a.Append(ctx, []annotate.Act{label("q", "ann", 1, k, "A")}))
	for _, acts := range [][]annotate.Act{
		{label("q", "ann", 1, k, "B")}, // another act under the same number
		{label("q", "ann", 3, k, "B")}, // a gap
		{label("q", "ann", 0, k, "B")},
		{label("q", "ann", 2, k, "B"), label("q", "ann", 2, k, "A")}, // all or none
	} {
		wantErr(t, a.Append(ctx, acts), annotate.ErrConflict)
	}
	wantErr(t, a.Append(ctx, []annotate.Act{label("q", "ann", 2, item(run.ID, 9, 0), "A")}), eval.ErrNotFound)
	wantErr(t, a.Append(ctx, []annotate.Act{label("none", "ann", 1, k, "A")}), eval.ErrNotFound)
	wantErr(t, a.Append(ctx, []annotate.Act{label("q", "", 1, k, "A")}), ErrInvalid)
	undo := annotate.Act{Queue: "q", Annotator: "ann", N: 2, Item: k, Kind: annotate.TookBack, Target: 2}
	wantErr(t, a.Append(ctx, []annotate.Act{undo}), ErrInvalid)
	if n := len(got[[]annotate.Act](t)(a.Acts("q", "ann"))); n != 1 {
		t.Errorf("%d acts", n)
	}
}

// The tally that is kept act by act is what folding all acts gives, whatever
// is undone and redone.
func TestTallyEqualsFold(t *testing.T) {
	s := openTest(t, Options{NoSync: true})
	a := s.Acts()
	run := addRun(t, s, "m")
	addQueue(t, s, "q", run.ID, 6)
	rng := rand.New(rand.NewPCG(1, 2))
	var acts []annotate.Act
	for n := 1; n <= 400; n++ {
		act := label("q", "ann", n, item(run.ID, rng.IntN(6), 0), "A")
		act.Kind = annotate.ActKind(1 + rng.IntN(6))
		if act.Kind == annotate.TookBack {
			if n == 1 {
				act.Kind = annotate.Skipped
			} else {
				back := 1 + rng.IntN(min(n-1, 8))
				act.Target = uint32(n - back)
				act.Item = acts[act.Target-1].Item
			}
		}
		acts = append(acts, act)
		must(t, a.Append(t.Context(), []annotate.Act{act}))
		if n%20 > 0 {
			continue
		}
		st := annotate.FoldActs(acts)
		want := Tally{Acts: uint32(n), Labelled: len(st.Labels), Skipped: len(st.Skipped), Flagged: len(st.Flagged)}
		same(t, got[map[annotate.Annotator]Tally](t)(a.Tallies("q"))["ann"], want)
	}
}

func TestJudgments(t *testing.T) {
	s := openTest(t, Options{})
	j, ctx := s.Judgments(), t.Context()
	one := eval.Judgment{
		Key: key(1, 2, 3), Judge: "gpt", Extraction: eval.Extraction{Choice: "A", Status: eval.Found, Method: "m"},
		Raw: "A \xff", Call: eval.Call{Prompt: "p", Usage: eval.Usage{Prompt: 1, Completion: 2, Reasoning: 3}, Latency: time.Second, At: clock()},
	}
	later := one
	later.At = clock().Add(time.Hour)
	revised := one
	revised.Extraction.Choice = "B"
	other := one
	other.Judge = "gpt-4"
	elsewhere := one
	elsewhere.Run = 2
	same(t, got[int](t)(j.Put(ctx, []eval.Judgment{one, later})), 1)
	same(t, got[int](t)(j.Put(ctx, []eval.Judgment{one, revised, other, elsewhere})), 3)
	same(t, got[int](t)(j.Put(ctx, []eval.Judgment{one, revised, other, elsewhere})), 0)
	same(t, got[[]eval.Judgment](t)(j.OfPrediction(one.Key)), []eval.Judgment{one, revised, other})
	same(t, all(t, j.Calls(ctx, 1)), []eval.Judgment{one, revised, other})
	same(t, got[[]string](t)(j.Judges(1)), []string{"gpt", "gpt-4"})
	same(t, len(got[[]string](t)(j.Judges(3))), 0)
	wantErr(t, second(j.Put(ctx, []eval.Judgment{{Key: one.Key}})), ErrInvalid)
}

func TestReports(t *testing.T) {
	s := openTest(t, Options{})
	r, ctx := s.Reports(), t.Context()
	one := annotate.SavedReport{
		ID: 1, Name: "alignment", Queue: "q", Policy: "majority", Rules: []string{"concord@1"},
		Judges: []string{"gpt p"}, LabelsHash: "h", Rows: []byte(`[{}]`), By: "ann", At: clock(), RulingsHash: "g",
	}
	other := annotate.SavedReport{ID: 2, Name: "alignment", Queue: "r", At: clock()}
	same(t, got[uint64](t)(r.SaveReport(ctx, one)), uint64(1))
	same(t, got[uint64](t)(r.SaveReport(ctx, annotate.SavedReport{Name: "alignment", Queue: "r"})), uint64(2))
	same(t, got[[]annotate.SavedReport](t)(r.SavedReports("")), []annotate.SavedReport{one, other})
	same(t, got[[]annotate.SavedReport](t)(r.SavedReports("r")), []annotate.SavedReport{other})
	same(t, len(got[[]annotate.SavedReport](t)(r.SavedReports("s"))), 0)
}

// Names are parts of keys: one that begins like another, or holds what could
// be taken for a separator, meets nobody else's records.
func TestNamesStayApart(t *testing.T) {
	s := openTest(t, Options{})
	run := addRun(t, s, "m")
	names := []annotate.QueueName{"a", "ab", "a\x00", "a\x00\x00\x00\x01", "a/b", "\xff"}
	for i, name := range names {
		addQueue(t, s, name, run.ID, i+1)
		for _, who := range []annotate.Annotator{"x", "xy", "x\x00"} {
			must(t, s.Acts().Append(t.Context(), []annotate.Act{label(name, who, 1, item(run.ID, 0, 0), "A")}))
		}
	}
	for i, name := range names {
		items, acts := all(t, s.Queues().QueueItems(t.Context(), name)), all(t, s.Acts().QueueActs(t.Context(), name))
		if len(items) != i+1 || len(acts) != 3 {
			t.Errorf("%q: %d items, %d acts", name, len(items), len(acts))
		}
		same(t, fmt.Sprint(len(got[[]annotate.Act](t)(s.Acts().Acts(name, "x")))), "1")
	}
}

// What a queue asks about one sample is one range of keys.
func TestOfSample(t *testing.T) {
	s := openTest(t, Options{})
	q, ctx := s.Queues(), t.Context()
	want := []annotate.ItemKey{ // in the order of keys: pass, run, against
		annotate.NewItemKey(eval.Key{Sample: 1}), item(1, 1, 0), {Key: key(1, 1, 0), Against: 2}, item(2, 1, 0), item(1, 1, 1),
	}
	var items []annotate.QueueItem
	for _, k := range want {
		items = append(items, annotate.QueueItem{Key: k})
	}
	items = append(items, annotate.QueueItem{Key: item(1, 0, 0)}, annotate.QueueItem{Key: item(1, 2, 0)}, annotate.QueueItem{Key: item(1, 257, 0)})
	must(t, q.CreateQueue(ctx, annotate.Queue{Name: "q"}, items))
	must(t, q.CreateQueue(ctx, annotate.Queue{Name: "q\x00\x00\x00\x01"}, items[1:3]))
	same(t, got[[]annotate.ItemKey](t)(q.ItemsOfSample("q", 1)), want)
	same(t, len(got[[]annotate.ItemKey](t)(q.ItemsOfSample("q", 3))), 0)
	same(t, len(got[[]annotate.ItemKey](t)(q.ItemsOfSample("none", 1))), 0)
}

// The ids that a rule asks for do not weigh on whoever lists queues.
func TestQueueIDs(t *testing.T) {
	s := openTest(t, Options{NoSync: true})
	q, ctx := s.Queues(), t.Context()
	ids := make([]eval.SampleID, queueBatch+7)
	for i := range ids {
		ids[i] = eval.SampleID(fmt.Sprint("sample ", len(ids)-i))
	}
	one := annotate.Queue{Name: "q", Growing: true, Rule: annotate.Rule{Dataset: "d", IDs: ids}}
	must(t, q.CreateQueue(ctx, one, nil))
	must(t, q.CreateQueue(ctx, annotate.Queue{Name: "r"}, nil))
	must(t, q.FinishGrowing(ctx, "q"))
	same(t, got[[]eval.SampleID](t)(q.askedIDs("q")), ids)
	same(t, len(got[[]eval.SampleID](t)(q.askedIDs("r"))), 0)
	for i, listed := range []int{len(ids), 0} {
		all := got[[]annotate.Queue](t)(q.List())
		if all[i].Rule.Listed != listed || all[i].Rule.IDs != nil {
			t.Errorf("%s: listed %d, %d ids", all[i].Name, all[i].Rule.Listed, len(all[i].Rule.IDs))
		}
	}
	raw := got[[]byte](t)(s.file.Get(record.TableQueues, []byte("q")))
	if len(raw) > 100 {
		t.Errorf("the record has %d bytes", len(raw))
	}
}

// askedIDs gives the samples that a queue's rule asks for, in the order given;
// none when it asks for all.
func (q *Queues) askedIDs(name annotate.QueueName) ([]eval.SampleID, error) {
	pairs := q.s.file.Scan(context.Background(), record.TableQueueIDs, record.AppendName(nil, string(name)), nil)
	return file.Collect(file.DecodeRecords(pairs, func(_, value []byte) (eval.SampleID, error) { return eval.SampleID(value), nil }))
}
