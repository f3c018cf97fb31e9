package token

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestHeads makes texts and options of the same pieces: an option whose tokens are in a text may be held
// by it, and most that are not may not.
func TestHeads(t *testing.T) {
	pieces := strings.Fields("a an the A cat Cat dog don't I'm it's red 3 12 3.50 1,200 2144 three two people vitamin is $5 -7 50% x=3 3cats (blue) well-known b2b to in of ,. ? é 猫 ox")
	r := rand.New(rand.NewPCG(3, 4))
	draw := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(pieces[r.IntN(len(pieces))])
			b.WriteString([]string{" ", " ", " ", "", "\n", ", "}[r.IntN(6)])
		}
		return b.String()
	}
	tokens := func(s string) []Token { return AppendTokens(nil, strings.ToLower(s), 1000) }
	same := func(a, b Token) bool { return a.Text == b.Text }
	refused := 0
	for range 200_000 {
		text, option := strings.TrimFunc(draw(1+r.IntN(12)), func(r rune) bool { return r > 0x7f }), draw(1+r.IntN(3))
		if strings.ContainsAny(text, "é猫") {
			continue
		}
		heads, have, want := NewHeads(text), tokens(text), tokens(option)
		if heads.MayHoldOption(option) {
			continue
		}
		refused++
		for i := 0; i+len(want) <= len(have); i++ {
			inWord := i > 0 && have[i].Glued // the cats of "3cats" are no option
			if !inWord && len(want) > 0 && slices.EqualFunc(have[i:i+len(want)], want, same) {
				t.Fatalf("text %q has %q at token %d, which it may not hold", text, option, i)
			}
		}
	}
	if refused < 50_000 {
		t.Errorf("only %d options were told from their texts", refused)
	}
}
