package accuracy

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/chart"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// PositionsRow is where a run's predicted and true labels fall, over all
// passes (MMBench, Fig. 4): a model that prefers a position shows here.
type PositionsRow struct {
	report.ForEveryone
	report.Head
	report.Source
	Records   int                 `json:"records"`
	Predicted map[eval.Choice]int `json:"predicted"`
	Truth     map[eval.Choice]int `json:"truth"`
	Unread    int                 `json:"unread"`   // no option was read out of them
	NotRead   int                 `json:"not_read"` // of a kind that nobody reads; no records
	Errors    int                 `json:"errors"`
	Pending   int                 `json:"pending"` // questions whose further passes are still to come
	Right     stat.Rate           `json:"right"`   // of the records with a truth

	Shares map[eval.Choice]LabelShare `json:"shares"` // of every label

	strategy eval.Strategy
	none     [2]stat.Rate // unread, failed
}

// LabelShare is how often a label is predicted, of all records, and how often it
// is true, of those with a truth. The passes of a question are one cluster.
type LabelShare struct {
	Predicted stat.Rate `json:"predicted"`
	Truth     stat.Rate `json:"truth"`
}

// ReportPositions reports the distribution of labels.
func ReportPositions(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	return scanAndReport(ctx, facts, &o, newPositionsReport)
}

func newPositionsReport(f *report.Scanned) report.Report {
	out := report.Report{Name: "positions", Layout: positionsLayout, Confidence: stat.Confidence, Draw: drawPositions, Notes: f.DescribeNotRead()}
	for i := range f.Runs {
		r := &f.Runs[i]
		if !asksAllPasses(&r.Run) {
			out.Notes = append(out.Notes, fmt.Sprintf("Run %d stops at the first wrong pass of a question, so later positions are under-represented.", r.Run.ID))
		}
		for _, s := range f.SplitsOfRun(r) {
			p := &s.Counted.Positions
			row := &PositionsRow{
				Head: report.NewHead(r.Run, s.Name), Source: r.ReadingSource(),
				Predicted: p.Predicted.Counts(), Truth: p.Truth.Counts(), Unread: p.Unread, NotRead: p.NotRead, Errors: p.Failures,
				Pending: s.Counted.Root.Score(r.Run.Config.Strategy).Pending,
				Records: p.Predicted.N(), Right: p.Right.Rate(explainNoTruth(p)),
				Shares: make(map[eval.Choice]LabelShare), strategy: r.Run.Config.Strategy,
				none: [2]stat.Rate{p.Predicted.Rate(metric.LabelUnread, "no predictions"), p.Predicted.Rate(metric.LabelFailed, "no predictions")},
			}
			delete(row.Predicted, metric.LabelUnread)
			delete(row.Predicted, metric.LabelFailed)
			for _, c := range row.listLabels() {
				row.Shares[c] = LabelShare{Predicted: p.Predicted.Rate(c, "no predictions"), Truth: p.Truth.Rate(c, "no ground truth")}
			}
			out.Rows = append(out.Rows, row)
		}
	}
	return out
}

// explainNoTruth gives why the right predictions have no rate.
func explainNoTruth(p *metric.Positions) string {
	return eval.Either(p.NotRead > 0, notReadReason, "no ground truth")
}

var positionsLayout = report.NewLayout(report.HeadNames+"extractor label predicted:rate :bar truth:rate :bar pending:count", report.Head{})

// TableLines gives one line for each label, the unread ones and errors last. The
// bars of a run are of one scale, so that they compare.
func (r *PositionsRow) TableLines() [][]table.Cell {
	labels := r.listLabels()
	var rates []stat.Rate // predicted and true by turns
	for _, c := range labels {
		rates = append(rates, r.Shares[c].Predicted, r.Shares[c].Truth)
	}
	drawn := table.MakeBars(rates)
	all := newOpener(r, r.ReadBy())
	var out [][]table.Cell
	line := func(label string, figures ...table.Cell) {
		out = append(out, append(append(r.Cells(), table.NewText(r.Extractor), table.NewText(label)), figures...))
	}
	for i, c := range labels {
		o := newOpener(r, r.ReadBy()).WithPart(FigurePart{Label: c})
		line(string(c), report.AttachPicks(table.NewRate(rates[2*i]), o, Predicted), drawn[2*i], report.AttachPicks(table.NewRate(rates[2*i+1]), o, Truth), drawn[2*i+1], table.NewBlank())
	}
	if r.NotRead > 0 {
		line("(not read)", table.NewRate(stat.UndefinedRate(table.FormatGrouped(r.NotRead)+" "+notReadReason)), table.NewBlank(), table.NewBlank(), table.NewBlank(), table.NewBlank())
	}
	if r.Records > 0 || r.NotRead == 0 {
		pending := newOpener(&Row{Head: r.Head, Source: r.Source, Strategy: r.strategy.String()}, r.ReadBy())
		line("(unread)", report.AttachPicks(table.NewRate(r.none[0]), all, Unread), table.NewBlank(), table.NewBlank(), table.NewBlank(), report.AttachPicks(table.NewCount(r.Pending), pending, Pending))
	}
	if r.Errors > 0 {
		line("(errors)", report.AttachPicks(table.NewRate(r.none[1]), all, Errors), table.NewBlank(), table.NewBlank(), table.NewBlank(), table.NewBlank())
	}
	return out
}

// listLabels lists those that were predicted or are true, in their order.
func (r *PositionsRow) listLabels() []eval.Choice {
	all := make(map[eval.Choice]int)
	maps.Copy(all, r.Predicted)
	maps.Copy(all, r.Truth)
	return slices.Sorted(maps.Keys(all))
}

func drawAccuracy(rep *report.Report) []chart.Drawing {
	rows := report.SelectRows[*Row](rep.Rows)
	return eval.FlatMap(table.GroupBy(rows, (*Row).PlaceTitle), func(group []*Row) []chart.Drawing {
		var bars []chart.Bar
		for _, r := range group {
			b := report.NewRateBar(r.RunLabel(), r.Accuracy)
			b.Group, b.Series = r.Strategy+", read by "+r.Extractor, 0
			if r.Strategy == eval.Circular.String() {
				b.Series = 1
			}
			bars = append(bars, b)
		}
		slices.SortStableFunc(bars, func(a, b chart.Bar) int { return strings.Compare(b.Group, a.Group) })
		return report.DrawBars("Accuracy, "+group[0].PlaceTitle(), report.Percent, "%", bars)
	})
}

func drawAbilities(rep *report.Report) []chart.Drawing {
	rows := report.SelectRows[*AbilitiesRow](rep.Rows)
	return eval.FlatMap(table.GroupBy(rows, func(r *AbilitiesRow) string { return r.PlaceTitle() + r.Strategy }), func(group []*AbilitiesRow) []chart.Drawing {
		var names report.Series
		var bars []chart.Bar
		for _, path := range collectAbilityPaths(group) {
			for _, r := range group {
				b := report.NewRateBar(r.RunLabel(), scoreOfAbility(r.Abilities, path).Accuracy)
				b.Group, b.Series = eval.JoinPath(path), names.NumberOf(b.Label)
				bars = append(bars, b)
			}
		}
		return report.DrawBars("Models by ability, "+group[0].PlaceTitle()+", "+group[0].Strategy, report.Percent, "%", bars)
	})
}

func drawMME(rep *report.Report) []chart.Drawing {
	rows := report.SelectRows[*MMERow](rep.Rows)
	return eval.FlatMap(table.GroupBy(rows, (*MMERow).PlaceTitle), func(group []*MMERow) []chart.Drawing {
		var names report.Series
		var bars []chart.Bar
		for _, ability := range []string{eval.Perception, eval.Cognition} {
			for _, subtask := range collectSubtaskNames(group, ability) {
				for _, r := range group {
					if s := r.findSubtask(subtask); s != nil {
						b := report.NewScoreBar(r.RunLabel(), s.Score)
						b.Group, b.Series = subtask, names.NumberOf(b.Label)
						bars = append(bars, b)
					}
				}
			}
		}
		const most = 200 // of a subtask
		return report.DrawBars("MME, score per subtask, "+group[0].PlaceTitle(), most, "", bars)
	})
}

// drawPositions gives where predicted and true labels fall (MMBench, Fig. 4).
func drawPositions(rep *report.Report) []chart.Drawing {
	rows := report.SelectRows[*PositionsRow](rep.Rows)
	var out []chart.Drawing
	for _, r := range rows {
		var bars []chart.Bar
		for _, c := range r.listLabels() {
			predicted, truth := report.NewRateBar("predicted", r.Shares[c].Predicted), report.NewRateBar("truth", r.Shares[c].Truth)
			predicted.Group, truth.Group, truth.Series = string(c), string(c), 1
			bars = append(bars, predicted, truth)
		}
		out = append(out, report.DrawBars("Labels, "+r.RunLabel()+", "+r.PlaceTitle(), 0, "%", bars)...)
	}
	return out
}

// StepsRow is how far the steps of the reading got on a run (MMBench, Table 1). Step 1 is over
// the predictions that have a text, of kinds that the rules read; step 2 is over all that step
// 1 left. Of those, the judge replied to Asked, and its calls failed for Failed, which are no
// readings. Neither is how many predictions no step has read, whatever the reason.
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

// ReportSteps reports the success rates of the steps: for the judge of the options,
// or for every judge that has readings of a run, or for the rules alone.
func ReportSteps(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	return scanAndReport(ctx, facts, &o, newStepsReport)
}

func newStepsReport(f *report.Scanned) report.Report {
	out := report.Report{Name: "steps", Layout: stepsLayout, Confidence: stat.Confidence, Notes: f.DescribeNotRead()}
	for r, s := range f.EachSplit() {
		out.Rows = append(out.Rows, report.ToRows(newStepsRows(r, s))...)
	}
	return out
}

func newStepsRows(r *report.ScannedRun, s report.ScannedSplit) []*StepsRow {
	steps := &s.Counted.Steps
	base := StepsRow{
		Head: report.NewHead(r.Run, s.Name), Source: r.ReadingSource(),
		Step1:   steps.Rules.Rate(eval.Either(s.Counted.Positions.NotRead > 0, notReadReason, "no predictions")),
		Step2:   stat.UndefinedRate("no judge"),
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
			row.Step2 = stat.UndefinedRate("every call of the judge failed")
		case j.Asked == 0 && j.Read.N > 0:
			row.Step2 = stat.UndefinedRate("the judge was not asked")
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

// notReadReason is why answers of a kind that nobody reads have no figures.
const notReadReason = "not read by these rules"

var stepsLayout = report.NewLayout(report.HeadNames+"rules judge step1 step2 fallback asked unparsed judge_errors neither errors pending", StepsRow{})

// NewOpener opens the row's figures, whose parts are all there is.
func (r *StepsRow) NewOpener() report.Opener {
	o := newOpener(r, r.ReadBy())
	o.Whole = true
	return o
}

// ExtraCells opens the first step by the rules, and the second by all that comes of it.
func (r *StepsRow) ExtraCells() report.Cells {
	o := r.NewOpener()
	rules := o
	rules.Extractor = report.RulesPrefix + r.Rules
	left := []report.Which{Step2, Neither}
	if r.Fallback > 0 {
		left = append(left, Fallback)
	}
	return report.Cells{"step1": report.AttachPicks(table.NewRate(r.Step1), rules, Step1, Step1Not), "step2": report.AttachPicks(table.NewRate(r.Step2), o, left...)}
}
