package markdown

import (
	"strings"

	"github.com/pmezard/go-difflib/difflib"
)

// most is how many words of a text are compared: more take seconds.
const most = 4000

// Difference is where two texts differ, word by word.
type Difference struct {
	A, B   []bool // of each word: the other text does not have it here
	Common int    // words that both have
}

// Differ compares two documents by their words, whatever their case and
// punctuation. It looks for the longest passages that both have (Ratcliff and
// Obershelp), and takes words that meet by chance, one or two between long
// differences, for different too. It reports false when a text is too long.
func Differ(a, b *Doc) (Difference, bool) {
	if len(a.words) > most || len(b.words) > most {
		return Difference{}, false
	}
	d := Difference{A: make([]bool, len(a.words)), B: make([]bool, len(b.words))}
	for i := range d.A {
		d.A[i] = true
	}
	for i := range d.B {
		d.B[i] = true
	}
	blocks := difflib.NewMatcherWithJunk(keys(a), keys(b), true, nil).GetMatchingBlocks()
	endA, endB := 0, 0 // behind the last passage that both have
	for i, m := range blocks {
		nextA, nextB := len(a.words), len(b.words)
		if i+1 < len(blocks) {
			nextA, nextB = blocks[i+1].A, blocks[i+1].B
		}
		around := m.A - endA + m.B - endB + nextA - m.A - m.Size + nextB - m.B - m.Size
		if m.Size < 3 && around > 6*m.Size {
			continue // by chance
		}
		endA, endB = m.A+m.Size, m.B+m.Size
		for k := range m.Size {
			d.A[m.A+k], d.B[m.B+k] = false, false
		}
		d.Common += m.Size
	}
	hush(a, d.A)
	hush(b, d.B)
	return d, true
}

// hush takes the marks off what is punctuation alone.
func hush(d *Doc, marks []bool) {
	for i := range marks {
		marks[i] = marks[i] && strings.Trim(d.words[i].text, silent) != ""
	}
}

// silent is the punctuation that says nothing by itself: "50", "50.", "(50)"
// are the same word, but "-50" and "50%" are not.
const silent = ".,;:!?\"'()[]…“”‘’«»"

// keys are the words as they are compared.
func keys(d *Doc) []string {
	out := make([]string, len(d.words))
	for i := range d.words {
		s := d.words[i].text
		out[i] = strings.ToLower(strings.Trim(s, silent))
		if out[i] == "" {
			out[i] = s
		}
	}
	return out
}
