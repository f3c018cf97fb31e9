package session

import (
	"math/rand/v2"
	"testing"

	"concord/annotate"
	"concord/eval"
)

// The score moves only after every tenth label and by whole blocks of five, and
// the first label of an item is the one that counts.
func TestChecks(t *testing.T) {
	const n = 60
	rng := rand.New(rand.NewPCG(1, 2))
	var items []annotate.QueueItem
	var golds []annotate.Gold
	known := make(map[annotate.ItemKey]bool)
	for i := range n {
		items = append(items, annotate.QueueItem{Index: i, Key: keyOf(i)})
		if i%4 == 1 {
			golds = append(golds, annotate.Gold{Key: keyOf(i), Reading: pick("A")})
			known[keyOf(i)] = true
		}
	}
	open := Opening{Queue: annotate.Queue{Name: "q", Overlap: 1, GoldItems: len(golds)}, Annotator: "ann", Items: items, Hidden: NewHidden(golds, nil)}
	s, err := New(open)
	if err != nil {
		t.Fatal(err)
	}
	first, labelled := 0, 0
	var right []bool
	for range n {
		_, k, _ := s.Walk.Current()
		before := s.Own.CountGoldHits()
		c := eval.Choice("A")
		if rng.IntN(3) == 0 {
			c = "B"
		}
		s.LabelAndAdvance(pick(c), 0)
		labelled++
		if known[k] {
			right = append(right, c == "A")
			first++
		}
		if got := s.Own.CountGoldHits(); got != before && (labelled%10 > 0 || got.N%5 > 0) {
			t.Errorf("after %d labels: %+v", labelled, got)
		}
		before = s.Own.CountGoldHits()
		s.Undo() // to try another answer tells nothing
		s.LabelAndAdvance(pick("C"), 0)
		if s.Own.CountGoldHits() != before {
			t.Errorf("another answer to %s moved the score", k)
		}
	}
	k := 0
	for _, r := range right {
		if r {
			k++
		}
	}
	if got := s.Own.CountGoldHits(); got.N != 15 || got.K != k || first != 15 {
		t.Errorf("%+v of %d known, %d right", got, first, k)
	}
	open.Acts = s.Own.acts
	again, err := New(open)
	if err != nil || again.Own.CountGoldHits() != s.Own.CountGoldHits() {
		t.Errorf("opened again: %+v, %v", again.Own.CountGoldHits(), err)
	}
}
