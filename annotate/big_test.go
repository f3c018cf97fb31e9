package annotate

import (
	"testing"
)

// A key in a queue of a million items must be answered within a frame.
func BenchmarkLabelInAMillion(b *testing.B) {
	items := make([]QueueItem, 1_000_000)
	for i := range items {
		items[i] = QueueItem{Index: i, Key: s_keyOf(i)}
	}
	s, err := NewSession(Opening{Queue: Queue{Name: "q", Overlap: 1}, Items: items})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s.Label(Reading{Verdict: SaidNone}, 0)
		s.Ahead(5)
	}
}

func BenchmarkUndoOfTenThousand(b *testing.B) {
	s, err := NewSession(Opening{Queue: Queue{Name: "q", Overlap: 1}, Items: s_itemsOf(0, 10_000)})
	if err != nil {
		b.Fatal(err)
	}
	for range 10_000 {
		s.Label(Reading{Verdict: SaidNone}, 0)
	}
	for b.Loop() {
		s.Undo()
		s.Redo()
	}
}
