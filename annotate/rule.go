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
// decides; judged are the classes of what judges read. A call that failed has
// nothing to read, and a rule set that could not read says nothing.
func (r *Rule) Takes(p *eval.Prediction, read func() eval.Extraction, judged []eval.Choice) bool {
	if p.Failure != nil || !r.Concerns(p.Run) {
		return false
	}
	switch r.From {
	case FromAll:
		return true
	case FromUnparsable:
		return read().IsUnparsable()
	case FromDisagreements:
		e := read()
		return e.Status != eval.StatusUnset &&
			slices.ContainsFunc(judged, func(c eval.Choice) bool { return c != e.Class() })
	case FromUnset, FromPairs:
	}
	return false
}
