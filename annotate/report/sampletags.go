package report

import (
	"context"
	"iter"

	"concord/annotate/criteria"
	"concord/annotate/report/table"
	"concord/eval"
)

// sampleKeys yields samples that are no run's: their keys have run 0.
func sampleKeys(pairs iter.Seq[eval.Pair]) iter.Seq2[eval.Key, error] {
	return func(yield func(eval.Key, error) bool) {
		for p := range pairs {
			if !yield(eval.Key{Sample: p.Sample}, nil) {
				return
			}
		}
	}
}

// The figures of a CriteriaRow that can be opened: its states by their names,
// and with what they are about behind them the others.
const (
	Discarded Which = "discarded"
	Replaced  Which = "replaced"
	Covered   Which = "covered" // accepted or verified
	Written   Which = "written:"
	Reviewed  Which = "reviewed:"
	Checked   Which = "verified:"
	Assigned  Which = "assigned:"
	Removed   Which = "discarded:"
	Ticked    Which = "passed:"
	Unticked  Which = "failed:"
	Warned    Which = "warning:"
)

// inRound is a figure of a round of review.
func inRound(what string, n int) Which { return Which(what + " in round " + table.Grouped(n)) }

// criteriaTags are the figures that a sample is behind: what a survey of it alone
// counts.
func criteriaTags(s *eval.Sample, set *criteria.Set, warnings []criteria.Warning) tagged {
	var v criteria.Survey
	v.Add(s, set, warnings...)
	t := tagged{pair: eval.Pair{Sample: s.Ordinal}, path: s.Taxonomy}
	add := func(w Which, n int) {
		if n > 0 {
			t.tags = append(t.tags, w)
		}
	}
	g := v.Groups(nil)[0]
	add(AllSamples, g.Samples)
	add(Discarded, g.Discarded)
	add(Replaced, g.Replaced)
	add(Covered, g.Done())
	for state, n := range g.States {
		add(Which(criteria.State(state).String()), n) //nolint:gosec // an index of states
	}
	for _, r := range v.Rounds() {
		add(inRound("reviewed", r.Number), r.Samples)
		add(inRound("changes requested", r.Number), r.Requested)
		add(inRound("accepted", r.Number), r.Accepted)
		add(inRound("revised", r.Number), r.Revised)
	}
	for _, w := range v.People() {
		who := Which(w.Who)
		add(Written+who, w.Samples)
		add(Reviewed+who, w.Reviewed)
		add(Checked+who, w.Verified)
		add(Assigned+who, w.Assigned)
		add(Removed+who, w.Discarded)
	}
	for _, p := range criteria.Checklist() {
		add(Ticked+Which(p.Item), v.Points[p.Item].Passed)
		add(Unticked+Which(p.Item), v.Points[p.Item].Failed)
	}
	for _, w := range criteria.Warnings() {
		add(Warned+Which(w.String()), v.Warnings[w])
	}
	return t
}

func (r *CriteriaRow) opener() opener { return opener{row: r, dataset: r.Dataset, open: true} }

// Keys yields the samples behind a figure; Selection.Level names a group.
func (r *CriteriaRow) Keys(_ context.Context, _ Facts, s Selection) iter.Seq2[eval.Key, error] {
	return sampleKeys(of(r.behind, s))
}

func (r *DatasetRow) opener() opener { return opener{row: r, dataset: r.Dataset, open: true} }

// Keys yields the samples behind a figure; Selection.Level names a group.
func (r *DatasetRow) Keys(_ context.Context, _ Facts, s Selection) iter.Seq2[eval.Key, error] {
	return sampleKeys(of(r.behind, s))
}
