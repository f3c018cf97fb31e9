package extract

import (
	"math/rand/v2"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/lexicon"
)

// TestMayBeStated makes texts and options of the same pieces: where an option's tokens stand at a text's
// start or behind a word that names the answer or joins it, the text may state it.
func TestMayBeStated(t *testing.T) {
	pieces := strings.Fields("a A an the The cat Cat cats dog's it's It's is are answer Answer was 3 12 3.50 1,200 200 three one percent % $5 -7 x=3 3cats 5is 'is the_ a, A. (a) a; in of No I don't , . : ; ? ' é 猫")
	r := rand.New(rand.NewPCG(7, 8))
	draw := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(pieces[r.IntN(len(pieces))])
			b.WriteString([]string{" ", " ", " ", "", "\n", ". "}[r.IntN(6)])
		}
		return chars.FoldForRules(b.String())
	}
	refused := 0
	for range 200_000 {
		a := answerText{draw(1 + r.IntN(9)), newChoices([]eval.Option{{Letter: "A", Text: draw(1 + r.IntN(2))}, {Letter: "B", Text: draw(1 + r.IntN(3))}})}
		if a.choices.mayBeStated(a.text, 0) {
			continue
		}
		refused++
		c := a.tokenizeContents(0)
		for _, s := range c.findSpans() {
			if s.from == 0 || lexicon.ClassOfWord(c.text[s.from-1].Text)&(lexicon.Copula|lexicon.Answer) != 0 {
				t.Fatalf("%q states %q", a.text, a.choices.options[s.option].Text)
			}
		}
		c.returnBuffers()
	}
	if refused < 50_000 {
		t.Errorf("only %d texts were passed over", refused)
	}
}
