package accuracy

import (
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/chart"
	"concord/annotate/report/table"
)

// drawGains is gain and leakage of every model, in points (MMStar, Tables 5 and
// 6).
func drawGains(rep *report.Report) []chart.Drawing {
	rows := report.RowsOf[*GainRow](rep.Rows)
	var out []chart.Drawing
	for _, group := range table.GroupBy(rows, func(r *GainRow) string { return r.Place() }) {
		var bars []chart.Bar
		for i, name := range []string{"multi-modal gain", "leakage"} {
			for _, r := range group {
				label := r.Named()
				if r.Run != 0 {
					label = r.Contender()
				}
				b := gapBar(label, []*gap{&r.gain, &r.leakage}[i])
				b.Group, b.Series = name, i
				bars = append(bars, b)
			}
		}
		if slices.ContainsFunc(bars, func(b chart.Bar) bool { return b.Missing == "" }) {
			out = append(out, chart.Diverging("Gain and leakage in points, "+group[0].Place(), 0, "", bars))
		}
	}
	return out
}

// gapBar is a difference in points.
func gapBar(label string, g *gap) chart.Bar {
	c := g.cell()
	if g.Reason() != "" {
		return chart.Bar{Label: label, Missing: c.String()}
	}
	figure := table.Signed(g.Value)
	if g.marked {
		figure += table.Dagger
	}
	return chart.Bar{
		Label: label, Value: report.Percent * g.Value, Low: report.Percent * g.Low, High: report.Percent * g.High, Interval: !g.Exact,
		Figure: figure, Tip: c.String(),
	}
}
