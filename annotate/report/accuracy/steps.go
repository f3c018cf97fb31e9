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
	Fallback int       `json:"fallback"`
	Asked    int       `json:"asked"`
	Unparsed int       `json:"unparsed"` // of Asked: the reply says nothing
	Failed   int       `json:"judge_errors"`
	Neither  int       `json:"neither"`
	Errors   int       `json:"errors"`
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
	out := report.Report{Name: "steps", Confidence: stat.Confidence, Notes: f.NotRead()}
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

// Columns names the columns of the lines that Lines gives.
func (r *StepsRow) Columns() []table.Column {
	return table.Columns(report.HeadColumns, []table.Column{
		{Name: "rules"},
		{Name: "judge"},
		{Name: "step1", Kind: table.KindRate},
		{Name: "step2", Kind: table.KindRate},
	}, table.CountColumns("fallback", "asked", "unparsed", "judge_errors", "neither", "errors", "pending"))
}

// Lines lays the row out as lines of its table.
func (r *StepsRow) Lines() [][]table.Cell {
	judge := table.Blank()
	if r.Judge != nil {
		judge = table.Text(*r.Judge)
	}
	rules, o := opens(r, report.RulesPrefix+r.Rules), opens(r, r.Extractor)
	rules.Whole, o.Whole = true, true
	left := []report.Which{Step2, Neither}
	if r.Fallback > 0 {
		left = append(left, Fallback)
	}
	return [][]table.Cell{append(r.Cells(), table.Text(r.Rules), judge,
		report.Over(table.Rate(r.Step1), rules, Step1, Step1Not), report.Over(table.Rate(r.Step2), o, left...),
		report.Over(table.Count(r.Fallback), o, Fallback), table.Count(r.Asked), report.Over(table.Count(r.Unparsed), o, Unparsed), report.Over(table.Count(r.Failed), o, Failed),
		report.Over(table.Count(r.Neither), o, Neither), report.Over(table.Count(r.Errors), o, Errors), table.Count(r.Pending))}
}
