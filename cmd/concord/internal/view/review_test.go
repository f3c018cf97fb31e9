package view

import (
	"testing"

	"concord/annotate"
)

// What others remarked on an item is shown to who has answered it, and to those
// who decide and take no part in the queue; all that is shown is in the ledger.
func TestRemarksWaitForTheOwnAnswer(t *testing.T) {
	w := newWalk(t, 3)
	q, items := w.alone()
	it, other := items[0], items[1]
	look := func(decides bool) Review {
		return Review{SecondLook: SecondLook{Store: w.st, Now: w.now}, Policy: w.policies, Decides: decides}
	}
	label := annotate.Act{Queue: q.Name, Item: it.Key, Kind: annotate.Labelled, Reading: annotate.Reading{Kind: annotate.SaidNone}}
	elsewhere := label
	elsewhere.Item = other.Key
	do := func(who annotate.Annotator, a annotate.Act) {
		t.Helper()
		_, err := look(true).StoreDecisions(w.ctx, who, []annotate.Act{a})
		w.must(err)
	}
	comment := annotate.Act{Queue: q.Name, Item: it.Key, Kind: annotate.Commented, Text: "I read B"}
	do("ada", label)
	do("ada", comment)
	do("bob", elsewhere) // takes part, and has the item open
	do("eve", elsewhere)
	check := func(who annotate.Annotator, decides bool, want int) {
		t.Helper()
		list, err := look(decides).ListVisibleEntries(w.ctx, who)
		w.must(err)
		got := 0
		for _, r := range list.Rows {
			if r.Item == it.Key && r.Matter == annotate.CommentMatter {
				got++
			}
		}
		if got != want {
			t.Errorf("%s is shown %d comments, want %d", who, got, want)
		}
		told := false
		named := who
		if who == "" {
			named = annotate.Unnamed
		}
		for d, err := range w.st.Disclosures().ShownTo(w.ctx, named) {
			w.must(err)
			told = told || d.Content == annotate.OthersContent && d.Key == it.Key.Key
		}
		if told != (want > 0 && who != "ada") {
			t.Errorf("the ledger has it of %s: %v", who, told)
		}
	}
	check("ada", false, 1)
	check("bob", false, 0)
	check("eve", true, 0)
	check("", false, 0)
	check("", true, 1)
	check("di", false, 0)
	check("di", true, 1)
	do("bob", label)
	check("bob", false, 1)
}

// alone finds a queue of labels with two items on samples of which no other queue
// asks anything.
func (w *walk) alone() (annotate.Queue, []annotate.QueueItem) {
	for _, q := range w.queues {
		if q.Rule.From == annotate.FromPairs {
			continue
		}
		var out []annotate.QueueItem
		for it, err := range w.st.Queues().QueueItems(w.ctx, q.Name) {
			w.must(err)
			asked := 0
			for _, other := range w.queues {
				keys, err := w.st.Queues().ItemsOfSample(other.Name, it.Key.Sample)
				w.must(err)
				asked += len(keys)
			}
			if asked == 1 {
				out = append(out, it)
			}
		}
		if len(out) >= 2 {
			return q, out
		}
	}
	w.t.Fatal("no queue has two items of its own")
	return annotate.Queue{}, nil
}
