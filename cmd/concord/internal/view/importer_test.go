package view

import "testing"

func TestIndexFold(t *testing.T) {
	check := func(text, name string, want int) {
		t.Helper()
		if got := indexIgnoringCase(text, name); got != want {
			t.Errorf("indexFold(%q, %q) = %d, want %d", text, name, got, want)
		}
	}
	check("llava_MME", "mme", 6)
	check("mme", "MMBench", -1)
	check("\u023a\u023a_mme", "mme", 5) // lowered, these letters take more bytes
	check("", "", -1)
}
