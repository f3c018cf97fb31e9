package metric

import "testing"

// Lengths by the published vocabulary: tiktoken's own examples.
func TestTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "tiktoken is great!": 6, "antidisestablishmentarianism": 6, "2 + 2 = 4": 7, "お誕生日おめでとう": 9} {
		if got := CountTokens(text); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
}
