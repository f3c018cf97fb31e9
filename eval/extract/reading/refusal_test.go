package reading

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPhrasebook finds every phrase at the start of words, wherever it stands
// to a block of 64 bytes.
func TestPhrasebook(t *testing.T) {
	for _, list := range [][]string{nones, inabilities, undetermined, ignorances} {
		for _, w := range list {
			for before := range 66 {
				for lead, want := range map[string]bool{" ": true, "é": true, "x": false, "1": false} {
					s, found := strings.Repeat("-", before)+lead+strings.ToUpper(w), false
					for i, p := range declinePhrases.FindPhrases(s) {
						found = found || p.Text == w && i == before+len(lead)
					}
					if found != want {
						t.Fatalf("%q in %q: found is %t", w, s, found)
					}
				}
			}
		}
	}
}

// TestLeavesOpen puts what may leave a question open between words of all kinds: what is passed over
// for want of what stands beside it, the whole expression does not find either.
func TestLeavesOpen(t *testing.T) {
	pieces := strings.Split("cannot|can't|can not|couldn't|could not|unable to|not able to|hard to|difficult to|impossible to|no way to|not sure|unsure|leave|keep|remains|stays|it|this|that|"+
		"the question|open|undecided|is|isn't|is not|does not seem|doesn't seem|be|right|correct|the answer|that's not|it's not|would not|wouldn't|choose|pick|either|any|torn|I|do not|don't|"+
		"really|know|now I'm|now I am|coin flip|toss-up|give up|between|which|decide|say|tell|.|,|?|simply|a dog|B", "|")
	r := rand.New(rand.NewPCG(5, 6))
	opens := 0
	for range 100_000 {
		var words []string
		for range 1 + r.IntN(9) {
			words = append(words, pieces[r.IntN(len(pieces))])
		}
		s := strings.Join(words, " ")
		phrase := false
		for range openPhrases.FindPhrases(s) {
			phrase = true
		}
		want := phrase && open.MatchString(dropEmphatics(strings.ToLower(s)))
		if got := SaysUndecided(s); got != want {
			t.Fatalf("%q: got %v, want %v", s, got, want)
		}
		if want {
			opens++
		}
	}
	if opens < 5000 {
		t.Errorf("only %d texts leave a question open", opens)
	}
}
