package alignment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// ConfidenceRow sets a judge's confidence beside how often it reads as people do: over all labelled
// items of a queue, over a bin of them by confidence, or over the held-out half of the samples.
type ConfidenceRow struct {
	report.ForEveryone
	Queue      annotate.QueueName `json:"queue"`
	Policy     string             `json:"policy"`
	Undecided  string             `json:"undecided"`
	Judge      string             `json:"judge"`
	Part       string             `json:"part"`
	From       *float64           `json:"from"` // the least confidence of its items, and the largest
	To         *float64           `json:"to"`
	Confidence stat.Estimate      `json:"confidence" as:"share"` // their mean
	Agreement  stat.Rate          `json:"agreement"`
	// Error is how far confidence and agreement are apart in the bins, on average by
	// items (expected calibration error: Guo et al., ICML 2017). ErrorByChance is about
	// what it would be if the confidence were right: it is never 0 in bins of few items.
	Error         *stat.Estimate `json:"calibration_error,omitempty" as:"share"`
	ErrorByChance *stat.Estimate `json:"error_by_chance,omitempty" as:"share"`
	Brier         *stat.Estimate `json:"brier,omitempty" as:"mean"`
	LeftOut       map[string]int `json:"excluded,omitempty"`
}

var confidenceLayout = report.NewLayout("queue judge part from to confidence agreement calibration_error error_by_chance brier", ConfidenceRow{})

// KeysBehind names no items: report alignment opens those that a judge reads otherwise.
func (r *ConfidenceRow) KeysBehind(context.Context, report.Facts, report.Selection) iter.Seq2[eval.Key, error] {
	return report.YieldError(errors.New("open a bin: report alignment opens the items of a judge"))
}

// SureItem is a reading of a judge beside people's word.
type SureItem struct {
	Cluster uint64
	Told    float64 // the judge's confidence
	Agrees  bool
}

const mostBins, leastInBin = 10, 20 // with fewer items in each there are fewer bins

// MeasureConfidence sets confidence beside agreement, over all items and in bins of them. Below 20 items
// there are no figures, but why. A sequence has intervals that hold at every look while labels come in.
func MeasureConfidence(items []SureItem, sequence bool) (all ConfidenceRow, bins []ConfidenceRow) {
	if len(items) < leastInBin {
		return undefinedConfidence(fmt.Sprintf("%s, and at least %d are needed", report.FormatCount(len(items), "item"), leastInBin)), nil
	}
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b SureItem) int { return cmp.Compare(a.Told, b.Told) })
	n := min(mostBins, len(items)/leastInBin)
	off, byChance := 0.0, 0.0
	for i := range n {
		in := items[i*len(items)/n : (i+1)*len(items)/n]
		bin, variance := newConfidenceRow(in, sequence), eval.Sum(in, func(it SureItem) float64 { return it.Told * (1 - it.Told) })
		bin.Part, bin.Brier = fmt.Sprintf("bin %d of %d", i+1, n), nil
		off += float64(len(in)) * math.Abs(bin.Agreement.Value-bin.Confidence.Value)
		byChance += math.Sqrt(2 * variance / math.Pi) // E|x| of a normal variable
		bins = append(bins, bin)
	}
	all = newConfidenceRow(items, sequence)
	e, c := stat.NewExactEstimate(off/float64(len(items)), len(items)), stat.NewExactEstimate(byChance/float64(len(items)), len(items))
	all.Error, all.ErrorByChance = &e, &c
	return all, bins
}

func newConfidenceRow(items []SureItem, sequence bool) (row ConfidenceRow) {
	told, right, squares := 0.0, stat.Clusters{Sequence: sequence}, stat.Clusters{Sequence: sequence}
	for _, it := range items {
		y := float64(report.OneIf(it.Agrees))
		told += it.Told
		right.AddToCluster(it.Cluster, y, 1)
		squares.AddToCluster(it.Cluster, (it.Told-y)*(it.Told-y), 1)
	}
	brier := squares.MeanOnScale(0, 1, "no item")
	row.From, row.To, row.Brier = &items[0].Told, &items[len(items)-1].Told, &brier
	row.Confidence, row.Agreement = stat.NewExactEstimate(told/float64(len(items)), len(items)), right.Rate("no item")
	return row
}

func undefinedConfidence(why string) ConfidenceRow {
	none := stat.NewUndefinedEstimate(why)
	return ConfidenceRow{Confidence: none, Agreement: stat.UndefinedRate(why), Error: &none, ErrorByChance: &none, Brier: &none}
}

// calibrateConfidence gives items the confidence that isotonic regression on others makes
// of theirs (Zadrozny and Elkan, KDD 2002).
func calibrateConfidence(on, items []SureItem) []SureItem {
	f := stat.FitIsotonic(eval.Map(on, func(it SureItem) [2]float64 { return [2]float64{it.Told, float64(report.OneIf(it.Agrees))} }))
	return eval.Map(items, func(it SureItem) SureItem { return SureItem{it.Cluster, f.ValueAt(it.Told), it.Agrees} })
}

// ReportConfidence tells of each judge with confidences on a queue whether they are right.
// It is calibrated on the development half of the samples, and measured on the other.
func ReportConfidence(ctx context.Context, facts report.Facts, o Options) (report.Report, error) {
	o.judgesOnly, o.unweighted = true, true
	rv, err := newReviewedQueue(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "confidence", Layout: confidenceLayout, Confidence: stat.Confidence, Bars: makeConfidenceBars}
	var silent []string
	for i := range rv.judges {
		j := &rv.judges[i]
		if eval.JudgeOfCandidate(j.name) != "" {
			continue
		}
		rows, sure := rv.measureJudgeConfidence(j)
		if sure == 0 {
			silent = append(silent, j.name)
			continue
		}
		out.Rows = append(out.Rows, report.ToRows(rows)...)
		out.Notes = append(out.Notes, fmt.Sprintf("%s: of %s of the queue, left out: %s.", j.name, report.FormatCount(len(rv.items), "item"), cmp.Or(formatLeftOut(rows[0].LeftOut), "none")))
	}
	if len(out.Rows) > 0 {
		out.Notes = append(out.Notes, "The calibration error is too high by chance, the more so the fewer items a bin has: a judge whose confidence is right has about the error by chance.")
	}
	if len(silent) > 0 || len(out.Rows) == 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("No confidence is known of: %s. logprobs = true in the judge's section of concord.toml keeps it of what it reads from then on.", cmp.Or(eval.JoinList(silent, func(s string) string { return s }), "any judge")))
	}
	out.Notes = append(out.Notes, rv.listNotes(&o)...)
	return out, nil
}

// measureJudgeConfidence gives the rows of a judge, and how many items it tells its confidence of.
func (rv *reviewedQueue) measureJudgeConfidence(j *judge) (rows []*ConfidenceRow, sure int) {
	var items []SureItem
	var halves [2][]SureItem // development, held out
	left, ongoing := make(map[string]int), rv.hasLabelsToCome()
	for i := range rv.items {
		it := &rv.items[i]
		told, cluster := j.confidence(it.Key.Key), it.ClusterNumber()
		sure += report.OneIf(told > 0)
		c := rv.basis.CompareItem(it, &annotate.Extractor{Name: j.name, Read: j.read})
		switch {
		case c.LeftOut != "":
			left[c.LeftOut]++
		case told == 0:
			left["no confidence known"]++
		default:
			one, half := SureItem{cluster, told, c.Alignment == annotate.Aligned}, report.OneIf(IsHeldOut(rv.queue.Rule.Seed, cluster))
			items, halves[half] = append(items, one), append(halves[half], one)
		}
	}
	all, bins := MeasureConfidence(items, ongoing)
	told, _ := MeasureConfidence(halves[1], ongoing)
	calibrated := undefinedConfidence(fmt.Sprintf("the development half has %s, and at least %d are needed", report.FormatCount(len(halves[0]), "item"), leastInBin))
	switch {
	case rv.queue.Stratum == annotate.Priority || rv.queue.Rule.Order == annotate.ByUncertainty:
		calibrated = undefinedConfidence("the queue is no even random sample, which a fit needs")
	case len(halves[0]) >= leastInBin:
		calibrated, _ = MeasureConfidence(calibrateConfidence(halves[0], halves[1]), ongoing)
	}
	all.Part, all.LeftOut, told.Part, calibrated.Part = "all", left, "held-out, uncalibrated", "held-out, calibrated"
	for _, r := range slices.Concat([]ConfidenceRow{all}, bins, []ConfidenceRow{told, calibrated}) {
		r.Queue, r.Judge, r.Policy, r.Undecided = rv.queue.Name, j.name, rv.basis.Policy.String(), rv.basis.Undecided.String()
		rows = append(rows, &r)
	}
	return rows, sure
}

// makeConfidenceBars makes a reliability plot (DeGroot and Fienberg, The Statistician 32,
// 1983): where the confidence is right, its mark is on the agreement.
func makeConfidenceBars(r *report.Report) (out []table.BarGroup) {
	for _, row := range report.SelectRows[*ConfidenceRow](r.Rows) {
		switch {
		case row.Part == "all":
			out = append(out, table.BarGroup{Title: row.Judge + " on queue " + string(row.Queue) + ", agreement by confidence", Baseline: "the judge's mean confidence"})
		case row.From != nil && row.Error == nil:
			told := stat.Rate{N: row.Confidence.N, Value: row.Confidence.Value}
			out[len(out)-1].AddRate(fmt.Sprintf("%.2f to %.2f", *row.From, *row.To), row.Agreement, told)
		}
	}
	return out
}
