package session

import (
	"testing"

	"concord/annotate"
	"concord/eval"
)

func TestSides(t *testing.T) {
	pair := annotate.ItemKey{Key: eval.Key{Run: 1, Sample: 7}, Against: 2}
	open := func(who annotate.Annotator, sides int, acts ...annotate.Act) *Session {
		s, err := New(Opening{
			Queue: annotate.Queue{Name: "q", Rule: annotate.Rule{From: annotate.FromPairs, Seed: 3}}, Annotator: who,
			Items: []annotate.QueueItem{{Key: pair}}, Acts: acts, Sides: map[annotate.ItemKey]int{pair: sides},
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if open("a", 1).IsSwapped(pair) || !open("a", -1).IsSwapped(pair) {
		t.Error("the order that fewer have seen is not the one shown")
	}
	first := 0
	for i := range 200 {
		if open(annotate.Annotator(rune('A'+i)), 0).IsSwapped(pair) {
			first++
		}
	}
	if first < 70 || first > 130 {
		t.Errorf("%d of 200 people see the pair swapped", first)
	}
	s := open("a", -1)
	act, ok := s.LabelAndAdvance(annotate.Reading{Kind: annotate.Voted, Vote: eval.Answer1}, 0)
	if !ok || !act.Reading.Swapped {
		t.Fatalf("a vote on a swapped pair says %+v", act.Reading)
	}
	undo, _, _ := s.Undo()
	if s := open("a", 1, act, undo); !s.IsSwapped(pair) {
		t.Error("a pair that came back after an undo is shown in another order")
	}
}
