package report

import (
	"fmt"
	"slices"

	"concord/annotate/report/chart"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// drawGains is gain and leakage of every model, in points (MMStar, Tables 5 and
// 6).
func drawGains(rows []*GainRow) []chart.Drawing {
	var out []chart.Drawing
	for _, group := range table.GroupBy(rows, func(r *GainRow) string { return r.place() }) {
		var bars []chart.Bar
		for i, name := range []string{"multi-modal gain", "leakage"} {
			for _, r := range group {
				label := r.Head.named()
				if r.Run != 0 {
					label = r.contender()
				}
				b := gapBar(label, []*gap{&r.gain, &r.leakage}[i])
				b.Group, b.Series = name, i
				bars = append(bars, b)
			}
		}
		if slices.ContainsFunc(bars, func(b chart.Bar) bool { return b.Missing == "" }) {
			out = append(out, chart.Diverging("Gain and leakage in points, "+group[0].place(), 0, "", bars))
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
		Label: label, Value: hundred * g.Value, Low: hundred * g.Low, High: hundred * g.High, Interval: !g.Exact,
		Figure: figure, Tip: c.String(),
	}
}

// drawBias is what order and length do to votes (MLLM-Bench, Fig. 5 and 6):
// how votes fall over both orders, and how often the answer shown first and the
// longer one is preferred, which is half of the time without a bias.
func drawBias(rows []*BiasRow) []chart.Drawing {
	var out []chart.Drawing
	for _, group := range table.GroupBy(rows, func(r *BiasRow) string { return r.place() }) {
		var stacks []chart.Stack
		var bars []chart.Bar
		for _, r := range group {
			p := &r.Position
			if p.Same.N > 0 {
				stacks = append(stacks, chart.Stack{Label: r.sways(), Parts: []int{p.Same.K, p.First.K, p.Second.K, p.Other.K}})
			}
		}
		for i, name := range []string{"votes for the answer shown first", "questions won by the longer answer"} {
			for _, r := range group {
				b := rateBar(r.sways(), []stat.Rate{r.FirstShown, r.Longer}[i])
				b.Group, b.Series = name, i
				bars = append(bars, b)
			}
		}
		if len(stacks) > 0 {
			out = append(out, chart.Stacks("Votes over both orders, "+group[0].place(), []string{"same", "first", "second", "other"}, stacks))
		}
		out = append(out, drawBars("What is preferred, 50% without a bias, "+group[0].place(), hundred, "%", bars)...)
	}
	return out
}

// sways names whose votes a row is of.
func (r *BiasRow) sways() string {
	switch {
	case r.Person != "":
		return string(r.Person)
	case r.Queue != "":
		return "majority"
	case r.Run == 0:
		return allModels
	}
	return r.contender()
}

// drawRanks is how alike every two rankings are; where too few models are in
// both, the tables say so.
func drawRanks(rows []*RanksRow) []chart.Drawing {
	var bars []chart.Bar
	for _, r := range rows {
		if c := &r.Correlation; c.Undefined == "" {
			figure := fmt.Sprintf("%.3f  n %d", c.Rho, c.N)
			bars = append(bars, chart.Bar{Group: r.A.Name + ", beside", Label: r.B.Name, Value: c.Rho, Figure: figure, Tip: figure})
		}
	}
	if len(bars) == 0 {
		return nil
	}
	return []chart.Drawing{chart.Diverging("Spearman's correlation of rankings", 1, "", bars)}
}
