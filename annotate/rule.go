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
