package accuracy

import (
	"context"
	"iter"

	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// CircularRow sets a run's accuracy by pass 0 beside that by all passes
// (MMBench, Table 2). Each rate is over the questions that its strategy has
// decided; Difference is circular less vanilla, over those that both have. The
// counts are of questions under CircularEval.
type CircularRow struct {
	report.ForEveryone
	report.Head
	report.Source
	Vanilla    stat.Rate     `json:"vanilla" opens:"vanilla_right vanilla_wrong"`
	Circular   stat.Rate     `json:"circular" opens:"right wrong"`
	Difference stat.Estimate `json:"difference" as:"points" opens:"lost"`

	Pending    int `json:"pending" opens:"pending"`
	Irregular  int `json:"irregular" opens:"irregular"`
	NoTruth    int `json:"no_truth" opens:"no_truth"`
	Unanswered int `json:"unanswered" opens:"unanswered"`
	NoRules    int `json:"no_rules" opens:"no_rules"`
}

var circularLayout = report.Lay(report.HeadNames+"extractor vanilla circular difference pending irregular no_truth unanswered no_rules", CircularRow{}).Named(accuracyNames)

// Circular reports vanilla beside circular accuracy of the runs that have
// both.
func Circular(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	f, err := report.ScanServing(ctx, facts, &o,
		"a run under CircularEval (ask one with --strategy circular, or import a file in the circular layout)",
		func(r *eval.Run) bool { return r.Config.Strategy == eval.Circular })
	if err != nil {
		return report.Report{}, err
	}
	return circularOf(f), nil
}

// circularOf is the circular report of what was scanned: without rows when no
// run was asked that way.
func circularOf(f *report.Scanned) report.Report {
	out := report.Report{Name: "circular", Layout: circularLayout, Confidence: stat.Confidence, Notes: f.NotRead()}
	for i := range f.Runs {
		r := &f.Runs[i]
		if r.Run.Config.Strategy != eval.Circular {
			continue
		}
		for _, s := range f.Splits(r) {
			root := s.Counted.Root
			score := &root.Circular
			row := &CircularRow{
				Head: report.HeadOf(r.Run, s.Name), Source: r.Source(),
				Vanilla: root.Vanilla.Rate(), Circular: score.Rate(),
				Difference: root.Difference("no question decided under both"),
				Pending:    score.Pending, Irregular: score.Irregular, NoTruth: score.NoTruth,
				Unanswered: score.Unanswered, NoRules: score.NoRules,
			}
			if reason := row.Circular.Undefined; reason != "" {
				row.Difference = stat.NoEstimate(reason)
			}
			out.Rows = append(out.Rows, row)
		}
	}
	return out
}

// Keys yields the questions behind the circular accuracy; VanillaRight,
// VanillaWrong and Lost those behind the others.
func (r *CircularRow) Keys(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	var want func(o *metric.Outcome) bool
	switch s.Which {
	case VanillaRight:
		want = func(o *metric.Outcome) bool { return o.Vanilla == metric.Right }
	case VanillaWrong:
		want = func(o *metric.Outcome) bool { return o.Vanilla == metric.NotRight }
	case Lost:
		want = func(o *metric.Outcome) bool { return o.Vanilla == metric.Right && o.Circular == metric.NotRight }
	default:
		return accuracyKeys(ctx, facts, &r.Head, &r.Source, eval.Circular, s)
	}
	return r.Drill(ctx, facts, r.ReadAs, s, func(q *report.Drilled) []eval.Key {
		if !want(&q.Outcome) {
			return nil
		}
		return q.Key(r.Run)
	})
}

// accuracyKeys yields what is behind an accuracy, whatever the row that shows it.
func accuracyKeys(
	ctx context.Context, facts report.Facts, h *report.Head, src *report.Source, strategy eval.Strategy, s report.Selection,
) iter.Seq2[eval.Key, error] {
	row := &Row{Head: *h, Source: *src, Strategy: strategy.String()}
	return row.Keys(ctx, facts, s)
}
