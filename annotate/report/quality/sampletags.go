package quality

import (
	"context"
	"iter"

	"concord/annotate/criteria"
	"concord/annotate/report"
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
	Discarded report.Which = "discarded"
	Replaced  report.Which = "replaced"
	Covered   report.Which = "covered" // accepted or verified
	Written   report.Which = "written:"
	Reviewed  report.Which = "reviewed:"
	Checked   report.Which = "verified:"
	Assigned  report.Which = "assigned:"
	Removed   report.Which = "discarded:"
	Ticked    report.Which = "passed:"
	Unticked  report.Which = "failed:"
	Warned    report.Which = "warning:"
)

// inRound is a figure of a round of review.
func inRound(what string, n int) report.Which {
	return report.Which(what + "_in_round:" + table.Grouped(n))
}

// criteriaTags are the figures that a sample is behind: what a survey of it alone
// counts.
func criteriaTags(s *eval.Sample, set *criteria.Set, warnings []criteria.Warning) report.Tagged {
	var v criteria.Coverage
	v.Add(s, set, warnings...)
	t := report.Tagged{Pair: eval.Pair{Sample: s.Ordinal}, Path: s.Taxonomy}
	add := func(w report.Which, n int) {
		if n > 0 {
			t.Tags = append(t.Tags, w)
		}
	}
	g := v.Groups(nil)[0]
	add(AllSamples, g.Samples)
	add(Discarded, g.Discarded)
	add(Replaced, g.Replaced)
	add(Covered, g.Done())
	for state, n := range g.States {
		add(report.Which(criteria.State(state).String()), n) //nolint:gosec // an index of states
	}
	for _, r := range v.Rounds() {
		add(inRound("reviewed", r.Number), r.Samples)
		add(inRound("changes_requested", r.Number), r.Requested)
		add(inRound("accepted", r.Number), r.Accepted)
		add(inRound("revised", r.Number), r.Revised)
	}
	for _, w := range v.People() {
		who := report.Which(w.Who)
		add(Written+who, w.Samples)
		add(Reviewed+who, w.Reviewed)
		add(Checked+who, w.Verified)
		add(Assigned+who, w.Assigned)
		add(Removed+who, w.Discarded)
	}
	for _, p := range criteria.Checklist() {
		add(Ticked+report.Which(p.Item), v.Points[p.Item].Passed)
		add(Unticked+report.Which(p.Item), v.Points[p.Item].Failed)
	}
	for _, w := range criteria.Warnings() {
		add(Warned+report.Which(w.String()), v.Warnings[w])
	}
	return t
}

func (r *CriteriaRow) opener() report.Opener {
	return report.Opener{Row: r, Dataset: r.Dataset, Open: true}
}

// Keys yields the samples behind a figure; Selection.Level names a group.
func (r *CriteriaRow) Keys(_ context.Context, _ report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	return sampleKeys(report.Of(r.behind, s))
}

func (r *DatasetRow) opener() report.Opener {
	return report.Opener{Row: r, Dataset: r.Dataset, Open: true}
}

// Keys yields the samples behind a figure; Selection.Level names a group.
func (r *DatasetRow) Keys(_ context.Context, _ report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	return sampleKeys(report.Of(r.behind, s))
}
