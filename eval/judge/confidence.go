package judge

import (
	"math"
	"strings"

	"concord/eval"
	"concord/eval/prompt"
)

// confidenceIn gives the probability that a judge gave to the words of the choice
// that was read in its reply, where they stand last: that of all tokens which spell
// a part of them. It is 0 where the tokens do not spell the reply, or nothing was read.
func confidenceIn(i prompt.Item, r eval.Reply, read eval.Extraction) float64 {
	if len(r.Tokens) == 0 || read.Status == eval.StatusUnset {
		return 0
	}
	var all strings.Builder
	for _, t := range r.Tokens {
		all.WriteString(t.Text)
	}
	reply := strings.TrimSpace(r.Text)
	start := strings.LastIndex(all.String(), reply)
	if start < 0 {
		return 0
	}
	var folded strings.Builder
	var places [][2]int // for each byte of folded: of the character in the reply that it comes of
	for at, c := range reply {
		written := upperASCII(foldReply(string(c)))
		folded.WriteString(written)
		for range len(written) {
			places = append(places, [2]int{start + at, start + at + len(string(c))})
		}
	}
	at, end := -1, -1
	for word, is := range newChoiceWords(i).valid {
		if k := lastWord(folded.String(), word); is == read && k >= 0 && k+len(word) > end {
			at, end = k, k+len(word)
		}
	}
	if at < 0 {
		return 0
	}
	return probabilityOf(r.Tokens, places[at][0], places[end-1][1])
}

// lastWord finds where a word stands last in a text: letters next to it make it part
// of another one. It is -1 where it does not stand.
func lastWord(text, word string) int {
	letterAt := func(at int) bool {
		return at >= 0 && at < len(text) && isLetter(text[at:at+1]) && isLetter(word[:1])
	}
	for end := len(text); ; {
		at := strings.LastIndex(text[:end], word)
		if at < 0 {
			return -1
		}
		if !letterAt(at-1) && !letterAt(at+len(word)) {
			return at
		}
		end = at + len(word) - 1
	}
}

// probabilityOf gives that of all tokens with a part of what stands from one place
// to another, in bytes.
func probabilityOf(tokens []eval.Token, from, to int) float64 {
	sum, at := 0.0, 0
	for _, t := range tokens {
		if at < to && at+len(t.Text) > from {
			sum += t.LogProb
		}
		at += len(t.Text)
	}
	return min(max(math.Exp(sum), math.SmallestNonzeroFloat64), 1)
}
