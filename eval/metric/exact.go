package metric

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// ExactMatch reports whether an open answer is the reference, both normalised
// as VQA's evaluation does before it compares (Antol et al. 2015; MMBench,
// Table 4). An answer that says more than the reference does not match. False
// for an empty reference.
func ExactMatch(answer, reference string) bool {
	want := Normalize(reference)
	return want != "" && Normalize(answer) == want
}

// Normalize writes an answer as VQA's evaluation does: on one line, in lower
// case, without the articles a, an and the, number words up to ten as digits
// (none is 0), and common contractions with their apostrophe. A period that no
// digit follows is dropped, and so is a comma between digits; the other
// punctuation that VQA lists divides words, as a space does.
func Normalize(s string) string {
	words := strings.Fields(unpunctuated(strings.ToLower(s)))
	kept := words[:0]
	for _, w := range words {
		if w == "a" || w == "an" || w == "the" {
			continue
		}
		if i := slices.Index(numberWords[:], w); i >= 0 {
			w = strconv.Itoa(i)
		}
		if w == "none" {
			w = "0"
		}
		kept = append(kept, contracted(w))
	}
	return strings.Join(kept, " ")
}

var numberWords = [...]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// divides is VQA's list of punctuation, with what is written for it elsewhere.
const divides = ";/[]\"{}()=+\\_-><@`,?!“”、，。？！；（）"

func unpunctuated(s string) string {
	r := []rune(s)
	digit := func(i int) bool { return i >= 0 && i < len(r) && unicode.IsDigit(r[i]) }
	var b strings.Builder
	for i, c := range r {
		switch {
		case c == '.' && !digit(i+1), c == ',' && digit(i-1) && digit(i+1), unicode.IsControl(c) && !unicode.IsSpace(c):
		case c == '’':
			b.WriteByte('\'')
		case strings.ContainsRune(divides, c):
			b.WriteByte(' ')
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// contracted writes a contraction that lost its apostrophe with it. Words that
// are words without it, too (were, ill, its), stay as they are.
func contracted(w string) string {
	switch w {
	case "aint", "arent", "cant", "couldnt", "didnt", "doesnt", "dont", "hadnt", "hasnt", "havent", "isnt", "mightnt",
		"mustnt", "neednt", "shouldnt", "wasnt", "werent", "wont", "wouldnt":
		return w[:len(w)-1] + "'t"
	case "hes", "shes", "thats", "theres", "whats", "wheres", "whos", "hows":
		return w[:len(w)-1] + "'s"
	case "theyre", "youre":
		return w[:len(w)-2] + "'re"
	case "ive", "theyve", "youve", "weve", "couldve", "shouldve", "wouldve":
		return w[:len(w)-2] + "'ve"
	case "im":
		return "i'm"
	}
	return w
}
