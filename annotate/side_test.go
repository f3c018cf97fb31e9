package annotate

import (
	"testing"

	"concord/eval"
)

func TestSides(t *testing.T) {
	pair := ItemKey{Key: eval.Key{Run: 1, Sample: 7}, Against: 2}
	open := func(who Annotator, sides int, acts ...Act) *Session {
		s, err := NewSession(Opening{
			Queue: Queue{Name: "q", Rule: Rule{From: FromPairs, Seed: 3}}, Annotator: who,
			Items: []QueueItem{{Key: pair}}, Acts: acts, Sides: map[ItemKey]int{pair: sides},
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if open("a", 1).Swapped(pair) || !open("a", -1).Swapped(pair) {
		t.Error("the order that fewer have seen is not the one shown")
	}
	first := 0
	for i := range 200 {
		if open(Annotator(rune('A'+i)), 0).Swapped(pair) {
			first++
		}
	}
	if first < 70 || first > 130 {
		t.Errorf("%d of 200 people see the pair swapped", first)
	}
	s := open("a", -1)
	act, ok := s.Label(Reading{Verdict: Voted, Vote: eval.Answer1}, 0)
	if !ok || !act.Reading.Swapped {
		t.Fatalf("a s_vote on a swapped pair says %+v", act.Reading)
	}
	undo, _, _ := s.Undo()
	if s := open("a", 1, act, undo); !s.Swapped(pair) {
		t.Error("a pair that came back after an undo is shown in another order")
	}
}
