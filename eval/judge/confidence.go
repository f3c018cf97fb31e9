package judge

import (
	"math"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/prompt"
)

const lastTokens = 1 << 10 // of a reply, those in which a choice is looked for: it ends with one

// confidenceIn gives the probability that a judge gave to the words of the choice
// that was read in its reply, where they were written last: that of all tokens which
// spell a part of them. It is 0 where the tokens do not spell the reply, or nothing was
// read.
func confidenceIn(i prompt.Item, r eval.Reply, read eval.Extraction) float64 {
	valid := newChoiceWords(i).valid
	says := func(tokens []eval.Token) bool {
		text := upperASCII(foldReply(joinTokens(tokens)))
		words := strings.FieldsFunc(text, func(c rune) bool { return c < 'A' || c > 'Z' })
		for word, is := range valid {
			if is == read && (slices.Contains(words, word) || !isLetter(word[:1]) && strings.Contains(text, word)) {
				return true
			}
		}
		return false
	}
	tokens := r.Tokens[max(0, len(r.Tokens)-lastTokens):]
	if !strings.Contains(joinTokens(r.Tokens), strings.TrimSpace(r.Text)) || !says(tokens) {
		return 0
	}
	from, to := len(tokens), len(tokens)
	for !says(tokens[from:]) {
		from--
	}
	for says(tokens[from : to-1]) {
		to--
	}
	sum := 0.0
	for _, t := range tokens[from:to] {
		sum += t.LogProb
	}
	return min(max(math.Exp(sum), math.SmallestNonzeroFloat64), 1)
}

func joinTokens(all []eval.Token) string {
	var text strings.Builder
	for _, t := range all {
		text.WriteString(t.Text)
	}
	return text.String()
}
