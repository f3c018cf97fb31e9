package metric

import (
	"strings"
	"testing"
)

func TestLengths(t *testing.T) {
	l := NewLengths()
	text := func(n int) string { return strings.Repeat("ü", n) }
	l.Add(text(100), text(1), Win)  // longer by 99
	l.Add(text(1), text(101), Win)  // shorter by 100
	l.Add(text(1), text(200), Lose) // shorter by 199, and lost
	l.Add(text(2000), text(1), Tie) // longer by 1999
	l.Add(text(7), text(7), Win)    // equal
	l.Add(text(7), "", Incomplete)  // no result
	l.Add(text(801), text(1), Win)  // longer by 800
	l.Add(text(800), text(1), Lose) // longer by 799, and lost
	l.Merge(NewLengths())
	want := [LengthBins][3]int{{1, 1, 0}, {1, 2, 0}, {0, 0, 0}, {0, 1, 0}, {1, 1, 1}}
	for i, b := range l.Bins {
		if got := [3]int{b.Longer.K, b.Longer.N, b.Undecided}; got != want[i] {
			t.Errorf("from %d to %d: %v, want %v", b.From, b.To, got, want[i])
		}
	}
	if all := l.All(); all.Longer.K != 3 || all.Longer.N != 5 || all.Undecided != 1 || l.Equal != 1 {
		t.Errorf("%+v, equal %d", all, l.Equal)
	}
}
