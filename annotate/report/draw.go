package report

import (
	"slices"
	"strconv"

	"concord/annotate/report/chart"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// DrawBars draws a chart of bars; none where no figure is there to draw.
func DrawBars(title string, most float64, unit string, bars []chart.Bar) []chart.Drawing {
	if !slices.ContainsFunc(bars, func(b chart.Bar) bool { return b.Missing == "" }) {
		return nil
	}
	return []chart.Drawing{chart.DrawBars(title, most, unit, bars)}
}

// SelectRows selects the rows of one kind.
func SelectRows[T Row](rows []Row) []T {
	var out []T
	for _, r := range rows {
		if t, ok := r.(T); ok {
			out = append(out, t)
		}
	}
	return out
}

// Percent is the whole of what charts draw in percent.
const Percent = 100

// NewRateBar gives a rate in percent.
func NewRateBar(label string, r stat.Rate) chart.Bar {
	c := table.NewRate(r)
	if r.N == 0 {
		return chart.Bar{Label: label, Missing: c.String()}
	}
	return chart.Bar{
		Label: label, Value: Percent * r.Value, Low: Percent * r.Low, High: Percent * r.High, Interval: true,
		Figure: table.FormatPercent(r.Value) + "%  " + table.FormatGrouped(r.K) + "/" + table.FormatGrouped(r.N), Tip: c.String(),
	}
}

// ScoreBar gives a score as it is.
func ScoreBar(label string, e stat.Estimate) chart.Bar {
	if e.Reason() != "" {
		return chart.Bar{Label: label, Missing: table.NewScore(e).String()}
	}
	return chart.Bar{
		Label: label, Value: e.Value, Low: e.Low, High: e.High, Interval: !e.Exact,
		Figure: strconv.FormatFloat(e.Value, 'f', 1, 64) + "  n " + table.FormatGrouped(e.N), Tip: table.NewScore(e).String(),
	}
}

// Series numbers names in the order in which they come.
type Series []string

// NumberOf is the number of a name, a new one's the next.
func (s *Series) NumberOf(name string) int {
	if i := slices.Index(*s, name); i >= 0 {
		return i
	}
	*s = append(*s, name)
	return len(*s) - 1
}

// HitShare is the samples that so many runs answer right.
type HitShare struct {
	Hits    int       `json:"hits"`
	Samples stat.Rate `json:"samples"`
}

// MakeHitTable makes the table of how many samples have how many hits, each opened by opens.
func MakeHitTable(name, title string, hits []HitShare, opens func(table.Cell, int) table.Cell) table.Table {
	t := table.Table{Name: name, Title: title, Columns: table.ParseColumns("hits:count samples:rate :bar")}
	drawn := table.MakeBars(eval.Map(hits, func(h HitShare) stat.Rate { return h.Samples }))
	for i, h := range hits {
		t.Rows = append(t.Rows, []table.Cell{table.NewCount(h.Hits), opens(table.NewRate(h.Samples), h.Hits), drawn[i]})
	}
	return t
}
