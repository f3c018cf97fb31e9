package tune

import (
	"strings"
	"testing"

	"concord/annotate"
	"concord/eval"
)

// A sample stays in its part whatever else is labelled, and the parts are as large
// as asked for.
func TestSplitIsByTheSampleAlone(t *testing.T) {
	s := Split{Seed: 7, Share: 0.4}
	held := 0
	for u := range uint64(5000) {
		p := s.PartOf(u)
		if p != s.PartOf(u) {
			t.Fatalf("unit %d is in two parts", u)
		}
		if p == HeldOut {
			held++
		}
	}
	if held < 1900 || held > 2100 {
		t.Errorf("%d of 5000 are held out, want about 2000", held)
	}
	var moved int
	for u := range uint64(5000) {
		if s.PartOf(u) != (Split{Seed: 8, Share: 0.4}).PartOf(u) {
			moved++
		}
	}
	if moved < 2100 || moved > 2700 { // 2 x 0.4 x 0.6 of them, where seeds have nothing to do with each other
		t.Errorf("another seed moves %d of 5000, want about 2400", moved)
	}
	for _, share := range []float64{0, 1, -1} {
		if (Split{Share: share}).Validate() == nil {
			t.Errorf("a share of %g is taken", share)
		}
	}
}

func TestTargetedQueuesFeedNeitherPart(t *testing.T) {
	q := annotate.Queue{Name: "odd", Stratum: annotate.Priority}
	if err := CheckQueue(&q); err == nil || !strings.Contains(err.Error(), "targeted") {
		t.Errorf("a queue of targeted sampling: %v", err)
	}
	q.Stratum, q.Rule.From = annotate.Random, annotate.FromPairs
	if CheckQueue(&q) == nil {
		t.Error("a queue of pairs is taken")
	}
}

// reads makes items of one label each, and an extractor out of a line: a letter for
// what it reads in each item, "-" for none.
func reads(labels, readings string) ([]annotate.AlignItem, *annotate.Extractor) {
	items := make([]annotate.AlignItem, len(labels))
	for i := range items {
		items[i] = annotate.AlignItem{Key: annotate.NewItemKey(eval.Key{Run: 1, Sample: eval.Ordinal(i)}), Labels: []annotate.Label{
			{Annotator: "a", Reading: annotate.Reading{Verdict: annotate.PickedOption, Choice: eval.Choice(labels[i : i+1])}},
		}}
	}
	return items, &annotate.Extractor{Read: func(k eval.Key) (eval.Extraction, bool) {
		c := readings[k.Sample : k.Sample+1]
		return eval.Extraction{Status: eval.Found, Choice: eval.Choice(c)}, c != "-"
	}}
}

func TestFiguresOfACandidate(t *testing.T) {
	basis := annotate.Basis{Policy: annotate.Majority, Undecided: annotate.Dropped}
	items, first := reads("AABBC", "ABBA-")
	_, second := reads("AABBC", "AABBC")
	was, now := CompareWithPeople(items, basis, first, 1), CompareWithPeople(items, basis, second, 1)
	if was.Agreement.K != 2 || was.Agreement.N != 4 || was.Unread != 1 || was.Confusion[0].N != 1 {
		t.Errorf("first: %+v", was)
	}
	c := now.ChangeSince(&was)
	if len(c.Fixed) != 2 || c.Fixed[0].Sample != 1 || c.Fixed[1].Sample != 3 || len(c.Broken) != 0 || c.Difference.N != 4 || c.Difference.Value != 0.5 {
		t.Errorf("change: %+v", c)
	}
	if back := was.ChangeSince(&now); len(back.Broken) != 2 || len(back.Fixed) != 0 {
		t.Errorf("the other way: %+v", back)
	}
	wide := CompareWithPeople(items, basis, first, 10).Agreement
	if wide.Value != was.Agreement.Value || wide.Low >= was.Agreement.Low || wide.High <= was.Agreement.High {
		t.Errorf("over ten candidates %+v, over one %+v", wide, was.Agreement)
	}
}
