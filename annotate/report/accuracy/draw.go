package accuracy

import (
	"slices"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/chart"
	"concord/annotate/report/table"
	"concord/eval"
)

func drawAccuracy(rep *report.Report) []chart.Drawing {
	rows := report.RowsOf[*Row](rep.Rows)
	var out []chart.Drawing
	for _, group := range table.GroupBy(rows, func(r *Row) string { return r.Place() }) {
		var bars []chart.Bar
		for _, r := range group {
			b := report.RateBar(r.Contender(), r.Accuracy)
			b.Group, b.Series = r.Strategy+", read by "+r.Extractor, 0
			if r.Strategy == eval.Circular.String() {
				b.Series = 1
			}
			bars = append(bars, b)
		}
		slices.SortStableFunc(bars, func(a, b chart.Bar) int { return strings.Compare(b.Group, a.Group) })
		out = append(out, report.DrawBars("Accuracy, "+group[0].Place(), report.Percent, "%", bars)...)
	}
	return out
}

func drawAbilities(rep *report.Report) []chart.Drawing {
	rows := report.RowsOf[*AbilitiesRow](rep.Rows)
	var out []chart.Drawing
	for _, group := range table.GroupBy(rows, func(r *AbilitiesRow) string { return r.Place() + r.Strategy }) {
		var names report.Series
		var bars []chart.Bar
		for _, path := range abilityPaths(group) {
			for _, r := range group {
				b := report.RateBar(r.Contender(), scoreOf(r.Abilities, path).Accuracy)
				b.Group, b.Series = eval.Path(path), names.Of(b.Label)
				bars = append(bars, b)
			}
		}
		out = append(out, report.DrawBars("Models by ability, "+group[0].Place()+", "+group[0].Strategy, report.Percent, "%", bars)...)
	}
	return out
}

func drawMME(rep *report.Report) []chart.Drawing {
	rows := report.RowsOf[*MMERow](rep.Rows)
	var out []chart.Drawing
	for _, group := range table.GroupBy(rows, func(r *MMERow) string { return r.Place() }) {
		var names report.Series
		var bars []chart.Bar
		for _, ability := range []string{eval.Perception, eval.Cognition} {
			for _, subtask := range subtaskNames(group, ability) {
				for _, r := range group {
					if s := r.find(subtask); s != nil {
						b := report.ScoreBar(r.Contender(), s.Score)
						b.Group, b.Series = subtask, names.Of(b.Label)
						bars = append(bars, b)
					}
				}
			}
		}
		const most = 200 // of a subtask
		out = append(out, report.DrawBars("MME, score per subtask, "+group[0].Place(), most, "", bars)...)
	}
	return out
}

// drawPositions is where predicted and true labels fall (MMBench, Fig. 4).
func drawPositions(rep *report.Report) []chart.Drawing {
	rows := report.RowsOf[*PositionsRow](rep.Rows)
	var out []chart.Drawing
	for _, r := range rows {
		var bars []chart.Bar
		for _, c := range r.labels() {
			predicted, truth := report.RateBar("predicted", r.Shares[c].Predicted), report.RateBar("truth", r.Shares[c].Truth)
			predicted.Group, truth.Group, truth.Series = string(c), string(c), 1
			bars = append(bars, predicted, truth)
		}
		out = append(out, report.DrawBars("Labels, "+r.Contender()+", "+r.Place(), 0, "%", bars)...)
	}
	return out
}
