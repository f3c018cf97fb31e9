package curation

import (
	"slices"

	"concord/eval"
)

// otherExperts holds what the other experts of a panel say of each candidate.
type otherExperts struct {
	words   map[eval.Ordinal][]Word
	rulings map[eval.Ordinal][]Word
}

// take adds the words and rulings that follow from one expert's acts.
func (w *otherExperts) take(acts []Act) {
	st := Fold(acts)
	for o := range st.Words {
		word, _ := st.Word(o)
		w.words[o] = append(w.words[o], word)
	}
	for o := range st.Rulings {
		ruling, _ := st.Ruling(o)
		w.rulings[o] = append(w.rulings[o], ruling)
	}
}

// spoke reports whether another expert has a word or a ruling on a candidate.
func (w *otherExperts) spoke(o eval.Ordinal) bool { return len(w.words[o])+len(w.rulings[o]) > 0 }

// axes lists axes without repeats, in the order in which they were added.
type axes [][]string

// add appends an axis; nil and those that are listed already add nothing.
func (a *axes) add(axis []string) {
	if axis != nil && !slices.ContainsFunc(*a, func(p []string) bool { return slices.Equal(p, axis) }) {
		*a = append(*a, axis)
	}
}
