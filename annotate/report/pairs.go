package report

import (
	"iter"

	"concord/eval"
)

// Pairs yields the pairs behind a figure of a row over votes, in the order of
// samples: First is the run that the row is about, Second the one that it was
// set against. Of a row about samples alone, a dataset's say, they have no
// runs. A row about something else has none.
//
// What people voted stands behind some of them: whoever shows that a pair is
// of a figure over people's votes asks annotate.Veil first.
func Pairs(row Row, s Selection) iter.Seq[eval.Pair] {
	if p, ok := row.(paired); ok {
		return p.PairsBehind(s)
	}
	return func(func(eval.Pair) bool) {}
}

// paired is a row whose figures are over pairs or samples.
type paired interface {
	PairsBehind(Selection) iter.Seq[eval.Pair]
}

// Tagged is a pair and the figures that it stands behind.
type Tagged struct {
	Pair eval.Pair
	Path []string
	Tags []Which
}

// Of yields those that stand behind a figure under a prefix of the taxonomy.
func Of(all []Tagged, s Selection) iter.Seq[eval.Pair] {
	return func(yield func(eval.Pair) bool) {
		for i := range all {
			if t := &all[i]; t.Is(s.Which) && Under(t.Path, s.Level) && !yield(t.Pair) {
				return
			}
		}
	}
}

// Is reports whether the pair stands behind a figure.
func (t *Tagged) Is(w Which) bool {
	if w == Every {
		return true
	}
	for _, tag := range t.Tags {
		if tag == w && w != "" {
			return true
		}
	}
	return false
}

// RunKeys are the predictions of the pairs' first runs, as Drill yields them.
func RunKeys(pairs iter.Seq[eval.Pair]) iter.Seq2[eval.Key, error] {
	return func(yield func(eval.Key, error) bool) {
		for p := range pairs {
			if p.First != 0 && !yield(eval.Key{Run: p.First, Sample: p.Sample}, nil) {
				return
			}
		}
	}
}
