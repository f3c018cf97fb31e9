package metric

import "testing"

func TestLengths(t *testing.T) {
	l := NewLengths()
	l.Add(24, Win)   // longer by 24
	l.Add(-25, Win)  // shorter by 25
	l.Add(-49, Lose) // shorter by 49, and lost
	l.Add(499, Tie)  // longer, for neither
	l.Add(0, Win)
	l.Add(6, Incomplete) // no vote
	l.Add(200, Win)
	l.Add(199, Lose) // longer by 199, and lost
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

// Lengths by the published vocabulary: tiktoken's own examples.
func TestTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "tiktoken is great!": 6, "antidisestablishmentarianism": 6, "2 + 2 = 4": 7, "お誕生日おめでとう": 9} {
		if got := Tokens(text); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
}
