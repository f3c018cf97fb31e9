package pairwise

import (
	"fmt"
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/chart"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// drawVotes is win, ties and lose against the anchor, by judge.
func drawVotes(rep *report.Report) []chart.Drawing {
	rows := report.RowsOf[*VotesRow](rep.Rows)
	var out []chart.Drawing
	for _, group := range table.GroupBy(rows, func(r *VotesRow) string { return r.place() }) {
		var stacks []chart.Stack
		for _, r := range group {
			stacks = append(stacks, chart.Stack{Label: r.Contender(), Parts: []int{r.Win, r.Folded, r.Lose}})
		}
		out = append(out, chart.Stacks("Votes, "+group[0].place(), []string{"win", "ties", "lose"}, stacks))
	}
	return out
}

// drawBias is what order and length do to votes (MLLM-Bench, Fig. 5 and 6):
// how votes fall over both orders, and how often the answer shown first and the
// longer one is preferred. The first is half of the time without a bias where both
// orders of a pair were voted on. Who sees one order, and how often the longer one
// wins, tells nothing of a bias by itself: a better answer may stand first, and may
// be longer.
func drawBias(rep *report.Report) []chart.Drawing {
	rows := report.RowsOf[*BiasRow](slices.Concat(rep.Overall, rep.Rows))
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
		both := slices.ContainsFunc(group, func(r *BiasRow) bool { return r.BothOrders.N > 0 })
		first := "votes for the answer shown first (one order of each pair)"
		if both {
			first = "votes for the answer shown first, over both orders of a pair (50% without a bias)"
		}
		for i, name := range []string{first, "questions won by the longer answer"} {
			for _, r := range group {
				shown := r.FirstShown
				if both {
					shown = r.BothOrders
				}
				b := report.RateBar(r.sways(), []stat.Rate{shown, r.Longer}[i])
				b.Group, b.Series = name, i
				bars = append(bars, b)
			}
		}
		if len(stacks) > 0 {
			out = append(out, chart.Stacks("Votes over both orders, "+group[0].place(), []string{"same", "first", "second", "other"}, stacks))
		}
		out = append(out, report.DrawBars("What is preferred, "+group[0].place(), report.Percent, "%", bars)...)
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
	return r.Contender()
}

// drawRanks is how alike every two rankings are; where too few models are in
// both, the tables say so.
func drawRanks(rep *report.Report) []chart.Drawing {
	rows := report.RowsOf[*RanksRow](rep.Rows)
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
