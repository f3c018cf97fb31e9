package alignment

import (
	"fmt"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

const methodWeighted = "inverse probability, by uncertainty"

// weighted is how far an extractor reads as people do over all predictions that
// a queue by uncertainty was drawn from: labels count by 1 over their probability,
// and how many predictions are uncertain is known (a regression estimator: Särndal,
// Swensson and Wretman, "Model Assisted Survey Sampling", 1992, Sec. 6.4). Nil of
// other queues.
func (rv *reviewedQueue) weighted(run eval.RunID, items []annotate.AlignItem, x *annotate.Extractor) *report.Corrected {
	rule := &rv.queue.Rule
	if rule.Order != annotate.ByUncertainty || x.LeftOut != "" {
		return nil
	}
	drawn, compared := make([]report.DrawnItem, len(items)), make([]annotate.ComparedReading, len(items))
	for i := range items {
		it := &items[i]
		compared[i] = rv.basis.CompareItem(it, x)
		drawn[i] = report.DrawnItem{
			Key: it.Key, Hash: rule.Rank(it.Key, rv.uncertain[it.Key]), Said: compared[i].LeftOut == "",
			Open: it.Open && (it.Ruling == nil || rv.basis.Policy != annotate.Adjudicated),
		}
	}
	of := func(d *report.DrawnItem) bool { _, ok := rv.uncertain[d.Key]; return ok }
	count, left := report.CountOf(drawn, of), rv.population(run)
	strata, lacks := report.NewStrata(), 0
	for i := range drawn {
		d, uncertain := &drawn[i], report.OneIf(rv.uncertain[drawn[i].Key])
		if !of(d) || !count.LabelCounts("", d.Hash) {
			continue
		}
		left[uncertain]--
		strata.Cluster, strata.Weight = items[i].Cluster, count.WeightBy(&rule.Drawing, uncertain == 1)
		lacks += report.OneIf(compared[i].LeftOut == annotate.LeftNoReading)
		if machine := float64(1 - uncertain); d.Said {
			strata.AddLabelled("", machine, float64(report.OneIf(compared[i].Alignment == annotate.Aligned)))
		} else {
			strata.AddMissing("", machine)
		}
	}
	strata.Cluster = 0
	for uncertain, n := range left {
		for range n {
			strata.AddUnlabelled("", float64(1-uncertain))
		}
	}
	score := report.ScoreOf(&report.Correcting{}, strata.List(), correct.Options{High: 1, Confidence: stat.Confidence},
		report.CountedLabels{Waiting: count.Labels - count.Counted, More: count.More, Unfinished: count.Open > 0})
	if lacks > 0 {
		score = score.WithoutCorrection(fmt.Sprintf("%s has not read %s of the items", x.Name, table.FormatGrouped(lacks)))
	}
	out := report.NewCorrected(&score, methodWeighted)
	if e := out.Estimate; out.Alike > 0 && !e.Sequence {
		out.Alike = correct.Alike(e)
	}
	return &out
}

// population is how many predictions of a run, or of all for 0, the queue was drawn
// from: those that are not uncertain, and those that are.
func (rv *reviewedQueue) population(run eval.RunID) (out [2]int) {
	d := &rv.queue.Rule.Drawing
	for i, of := range rv.queue.Rule.Runs {
		if run == 0 || run == of {
			out[0] += d.Sizes[i] - d.Unsure[i]
			out[1] += d.Unsure[i]
		}
	}
	return out
}

// weightedLine is the weighted rate as the name of a part of its row.
func (r *Row) weightedLine() string {
	e := r.Weighted.Estimate
	if reason := e.Reason(); reason != "" {
		return "weighted: - (" + reason + ")"
	}
	return fmt.Sprintf("weighted, of all that was drawn from: %s [%s, %s]", table.FormatPercent(e.Value), table.FormatPercent(e.Low), table.FormatPercent(e.High))
}

// weightedNotes say what a drawing by uncertainty means for the numbers.
func (rv *reviewedQueue) weightedNotes(rows []report.Row) []string {
	if rv.queue.Rule.Order != annotate.ByUncertainty {
		return nil
	}
	out := []string{fmt.Sprintf("Items that extractors leave uncertain were %.3g times as likely to be drawn. The weighted rates allow for it, and are of all predictions that were drawn from; the other numbers describe the items.", rv.queue.Rule.Drawing.Lift)}
	for _, row := range rows {
		r := row.(*Row)
		if r.Weighted == nil {
			continue
		}
		if worth := r.Weighted.DescribeDesignEffect(); worth != "" {
			out = append(out, r.Extractor+" on "+r.Model+": "+worth)
		}
		if n := r.Weighted.Missing; n > 0 && r.Weighted.Bounds != nil {
			out = append(out, fmt.Sprintf("%s: drawn and without a say of people: %s; whatever they would say, the weighted rate is within [%s, %s].",
				r.Extractor+" on "+r.Model, table.FormatGrouped(n), table.FormatPercent(r.Weighted.Bounds.Low), table.FormatPercent(r.Weighted.Bounds.High)))
		}
	}
	return out
}
