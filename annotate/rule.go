package annotate

import (
	"slices"

	"concord/eval"
)

// Concerns reports whether the rule is about a run's predictions.
func (r *Rule) Concerns(run eval.RunID) bool {
	return len(r.Runs) == 0 || slices.Contains(r.Runs, run)
}

// Takes reports whether a prediction is of the population that the rule draws
// from, for a queue that is drawn at once and for one that grows alike. read
// gives what the rule's rule set reads in it, and is called only where that
// decides; others are the classes that judges, and the rule sets of Among, read.
// A call that failed has nothing to read, and a rule set that could not read
// says nothing.
func (r *Rule) Takes(p *eval.Prediction, read func() eval.Extraction, others []eval.Choice) bool {
	if p.Failure != nil || !r.Concerns(p.Run) {
		return false
	}
	switch r.From {
	case FromAll:
		return true
	case FromUnparsable:
		return read().IsUnparsable()
	case FromDisagreements:
		classes := others
		if e := read(); e.Status != eval.StatusUnset {
			classes = append([]eval.Choice{e.Class()}, others...)
		}
		return Disagreement(classes) > 0
	case FromUnset, FromPairs:
	}
	return false
}

// DrawsByRate reports whether the rule of a growing queue draws a prediction.
// Only a rate can decide that without knowing the predictions to come.
func (r *Rule) DrawsByRate(k ItemKey) bool { return r.UnderRate(r.Unit(k).Hash(r.Seed)) }

// UnderRate reports whether the rate draws what has this hash. The hash counts
// as a number in [0, 1), with the 53 bits that a float64 can hold.
func (r *Rule) UnderRate(hash uint64) bool {
	return r.Rate > 0 && float64(hash>>11)/(1<<53) < r.Rate
}

// DrawsSamples reports that samples are drawn, with all that there is of them.
func (r *Rule) DrawsSamples() bool { return r.Whole || r.From == FromPairs }

// Unit is what is drawn so that the queue gets the item: the item itself, or its
// sample.
func (r *Rule) Unit(k ItemKey) ItemKey {
	if r.DrawsSamples() {
		return ItemOf(eval.Key{Sample: k.Sample})
	}
	return k
}

// Group is the taxonomy group that a sample is drawn in, "" without groups.
func (r *Rule) Group(taxonomy []string) string {
	if r.PerLevel == 0 {
		return ""
	}
	return eval.Path(taxonomy[:min(r.Level, len(taxonomy))])
}
