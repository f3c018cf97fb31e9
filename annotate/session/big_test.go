package session

import (
	"testing"

	"concord/annotate"
)

// A key in a queue of a million items must be answered within a frame.
func BenchmarkLabelInAMillion(b *testing.B) {
	items := make([]annotate.QueueItem, 1_000_000)
	for i := range items {
		items[i] = annotate.QueueItem{Index: i, Key: keyOf(i)}
	}
	s, err := New(Opening{Queue: annotate.Queue{Name: "q", Overlap: 1}, Items: items})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s.LabelAndAdvance(annotate.Reading{Kind: annotate.SaidNone}, 0)
		s.Walk.UpcomingIndices(5)
	}
}

func BenchmarkUndoOfTenThousand(b *testing.B) {
	s, err := New(Opening{Queue: annotate.Queue{Name: "q", Overlap: 1}, Items: itemsOf(0, 10_000)})
	if err != nil {
		b.Fatal(err)
	}
	for range 10_000 {
		s.LabelAndAdvance(annotate.Reading{Kind: annotate.SaidNone}, 0)
	}
	for b.Loop() {
		s.Undo()
		s.Redo()
	}
}
