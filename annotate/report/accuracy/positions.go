package accuracy

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"concord/annotate/report"
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

// Positions reports the distribution of labels.
func Positions(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	f, err := report.Scan(ctx, facts, o)
	if err != nil {
		return report.Report{}, err
	}
	return positionsOf(f), nil
}

// positionsOf is the positions report of what was scanned.
func positionsOf(f *report.Scanned) report.Report {
	out := report.Report{Name: "positions", Confidence: stat.Confidence, Draw: drawPositions, Notes: f.NotRead()}
	for i := range f.Runs {
		r := &f.Runs[i]
		if !asksAllPasses(&r.Run) {
			out.Notes = append(out.Notes, fmt.Sprintf(
				"Run %d stops at the first wrong pass of a question, so later positions are under-represented.", r.Run.ID))
		}
		for _, s := range f.Splits(r) {
			p := &s.Counted.Positions
			row := &PositionsRow{
				Head: report.HeadOf(r.Run, s.Name), Source: r.Source(),
				Predicted: p.Predicted.Counts(), Truth: p.Truth.Counts(), Unread: p.Unread, NotRead: p.NotRead, Errors: p.Failures,
				Pending: s.Counted.Root.Score(r.Run.Config.Strategy).Pending,
				Records: p.Predicted.N(), Right: p.Right.Rate(noTruth(p)),
				Shares: make(map[eval.Choice]LabelShare), strategy: r.Run.Config.Strategy,
				none: [2]stat.Rate{p.Predicted.Rate(metric.LabelUnread, "no predictions"), p.Predicted.Rate(metric.LabelFailed, "no predictions")},
			}
			delete(row.Predicted, metric.LabelUnread)
			delete(row.Predicted, metric.LabelFailed)
			for _, c := range row.labels() {
				row.Shares[c] = LabelShare{Predicted: p.Predicted.Rate(c, "no predictions"), Truth: p.Truth.Rate(c, "no ground truth")}
			}
			out.Rows = append(out.Rows, row)
		}
	}
	return out
}

// noTruth is why the right predictions have no rate.
func noTruth(p *metric.Positions) string {
	if p.NotRead > 0 {
		return notReadReason
	}
	return "no ground truth"
}

// Columns names the columns of the lines that Lines gives.
func (r *PositionsRow) Columns() []table.Column {
	return table.Columns(report.HeadColumns, table.List("extractor label predicted:rate :bar truth:rate :bar pending:count"))
}

// Lines gives one line for each label, the unread ones and errors last. The
// bars of a run are of one scale, so that they compare.
func (r *PositionsRow) Lines() [][]table.Cell {
	labels := r.labels()
	var rates []stat.Rate // predicted and true by turns
	for _, c := range labels {
		rates = append(rates, r.Shares[c].Predicted, r.Shares[c].Truth)
	}
	drawn := table.Bars(rates)
	all := opens(r, r.Extractor)
	var out [][]table.Cell
	line := func(label string, figures ...table.Cell) {
		out = append(out, append(append(r.Cells(), table.Text(r.Extractor), table.Text(label)), figures...))
	}
	for i, c := range labels {
		o := opens(r, r.Extractor).With(Part{Label: c})
		line(string(c), report.Over(table.Rate(rates[2*i]), o, Predicted), drawn[2*i], report.Over(table.Rate(rates[2*i+1]), o, Truth), drawn[2*i+1], table.Blank())
	}
	if r.NotRead > 0 {
		line("(not read)", table.Rate(stat.Undefined(table.Grouped(r.NotRead)+" "+notReadReason)), table.Blank(), table.Blank(), table.Blank(), table.Blank())
	}
	if r.Records > 0 || r.NotRead == 0 {
		pending := opens(&Row{Head: r.Head, Source: r.Source, Strategy: r.strategy.String()}, r.Extractor)
		line("(unread)", report.Over(table.Rate(r.none[0]), all, Unread), table.Blank(), table.Blank(), table.Blank(), report.Over(table.Count(r.Pending), pending, Pending))
	}
	if r.Errors > 0 {
		line("(errors)", report.Over(table.Rate(r.none[1]), all, Errors), table.Blank(), table.Blank(), table.Blank(), table.Blank())
	}
	return out
}

// labels are those that were predicted or are true, in their order.
func (r *PositionsRow) labels() []eval.Choice {
	all := make(map[eval.Choice]bool)
	for c := range r.Predicted {
		all[c] = true
	}
	for c := range r.Truth {
		all[c] = true
	}
	return slices.Sorted(maps.Keys(all))
}
