package accuracy

import (
	"context"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval/metric"
	"concord/eval/stat"
)

// StepsRow is how far the steps of the reading got on a run (MMBench, Table 1).
// Step 1 is over the predictions that have a text, of kinds that the rules
// read; step 2 is over all that step 1 left. Of those, the judge replied to
// Asked, and its calls failed for Failed, which are no readings. Neither is how
// many predictions no step has read, whatever the reason.
type StepsRow struct {
	report.ForEveryone
	report.Head
	report.Source
	Judge    *string   `json:"judge"`
	Step1    stat.Rate `json:"step1"`
	Step2    stat.Rate `json:"step2"`
	Fallback int       `json:"fallback" opens:"fallback"`
	Asked    int       `json:"asked"`
	Unparsed int       `json:"unparsed" opens:"unparsed"` // of Asked: the reply says nothing
	Failed   int       `json:"judge_errors" opens:"judge_errors"`
	Neither  int       `json:"neither" opens:"neither"`
	Errors   int       `json:"errors" opens:"errors"`
	Pending  int       `json:"pending"` // questions
}

// Steps reports the success rates of the steps: for the judge of the options,
// or for every judge that has readings of a run, or for the rules alone.
func Steps(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	f, err := report.Scan(ctx, facts, o)
	if err != nil {
		return report.Report{}, err
	}
	return stepsOf(f), nil
}

// stepsOf is the steps report of what was scanned.
func stepsOf(f *report.Scanned) report.Report {
	out := report.Report{Name: "steps", Layout: stepsLayout, Confidence: stat.Confidence, Notes: f.NotRead()}
	for i := range f.Runs {
		r := &f.Runs[i]
		for _, s := range f.Splits(r) {
			for _, row := range stepsRows(r, s) {
				out.Rows = append(out.Rows, row)
			}
		}
	}
	return out
}

func stepsRows(r *report.ScannedRun, s report.ScannedSplit) []*StepsRow {
	steps := &s.Counted.Steps
	base := StepsRow{
		Head: report.HeadOf(r.Run, s.Name), Source: r.Source(),
		Step1:   steps.Rules.Rate(noStep(s.Counted)),
		Step2:   stat.Undefined("no judge"),
		Neither: steps.Rules.N - steps.Rules.K,
		Errors:  s.Counted.Circular.Failures,
		Pending: s.Counted.Root.Score(r.Run.Config.Strategy).Pending,
	}
	var out []*StepsRow
	base.Extractor = "rules:" + r.Rules.Name()
	for i, name := range r.Judges {
		if r.Named && name != r.Second {
			continue
		}
		j, row := &steps.Judges[i], base
		row.Judge, row.Extractor = &name, name
		row.Step2 = j.Read.Rate("step 1 left nothing")
		switch {
		case j.Asked == 0 && j.Failed > 0:
			row.Step2 = stat.Undefined("every call of the judge failed")
		case j.Asked == 0 && j.Read.N > 0:
			row.Step2 = stat.Undefined("the judge was not asked")
		}
		row.Fallback, row.Asked, row.Unparsed, row.Failed = j.Fallback, j.Asked, j.Unparsed, j.Failed
		row.Neither = j.Read.N - j.Read.K - j.Fallback
		out = append(out, &row)
	}
	if len(out) == 0 {
		out = append(out, &base)
	}
	return out
}

// noStep is why step 1 has no rate.
func noStep(f *metric.RunCounts) string {
	if f.Positions.NotRead > 0 {
		return notReadReason
	}
	return "no predictions"
}

// notReadReason is why answers of a kind that nobody reads have no figures.
const notReadReason = "not read by these rules"

var stepsLayout = report.Lay(report.HeadNames+"rules judge step1 step2 fallback asked unparsed judge_errors neither errors pending", StepsRow{})

// Opener opens the row's figures, whose parts are all there is.
func (r *StepsRow) Opener() report.Opener {
	o := opens(r, r.Extractor)
	o.Whole = true
	return o
}

// Measured opens the first step by the rules, and the second by all that comes of
// it.
func (r *StepsRow) Measured() report.Cells {
	o := r.Opener()
	rules := o
	rules.Extractor = report.RulesPrefix + r.Rules
	left := []report.Which{Step2, Neither}
	if r.Fallback > 0 {
		left = append(left, Fallback)
	}
	return report.Cells{"step1": report.Over(table.Rate(r.Step1), rules, Step1, Step1Not), "step2": report.Over(table.Rate(r.Step2), o, left...)}
}
