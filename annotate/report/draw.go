package report

import (
	"slices"
	"strconv"

	"concord/annotate/report/chart"
	"concord/annotate/report/table"
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
