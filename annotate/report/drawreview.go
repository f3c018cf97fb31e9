package report

import (
	"slices"
	"strings"

	"concord/annotate/report/chart"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// drawPositions is where predicted and true labels fall (MMBench, Fig. 4).
func drawPositions(rows []*PositionsRow) []chart.Drawing {
	var out []chart.Drawing
	for _, r := range rows {
		truths := 0
		for _, n := range r.Truth {
			truths += n
		}
		var bars []chart.Bar
		for _, c := range r.labels() {
			predicted := rateBar("predicted", stat.Count{K: r.Predicted[c], N: r.Records}.Rate("no predictions"))
			truth := rateBar("truth", stat.Count{K: r.Truth[c], N: truths}.Rate("no ground truth"))
			predicted.Group, truth.Group, truth.Series = string(c), string(c), 1
			bars = append(bars, predicted, truth)
		}
		out = append(out, drawBars("Labels, "+r.contender()+", "+r.place(), 0, "%", bars)...)
	}
	return out
}

// drawVotes is win, ties and lose against the anchor, by judge.
func drawVotes(rows []*VotesRow) []chart.Drawing {
	var out []chart.Drawing
	for _, group := range table.GroupBy(rows, func(r *VotesRow) string { return r.place() }) {
		var stacks []chart.Stack
		for _, r := range group {
			stacks = append(stacks, chart.Stack{Label: r.contender(), Parts: []int{r.Win, r.Folded, r.Lose}})
		}
		out = append(out, chart.Stacks("Votes, "+group[0].place(), []string{"win", "ties", "lose"}, stacks))
	}
	return out
}

// drawAlignment is the alignment of every extractor (MMBench, Fig. 5), of the
// whole queue where it has several runs, and the confusion of each.
func drawAlignment(overall, rows []*AlignmentRow) []chart.Drawing {
	if len(overall) > 0 {
		rows = overall
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(r *AlignmentRow) bool { return r.LeftOut != "" || r.Saved != 0 })
	var out []chart.Drawing
	for _, group := range table.GroupBy(rows, func(r *AlignmentRow) string { return string(r.Queue) + ", policy " + r.Policy }) {
		var bars []chart.Bar
		for _, r := range group {
			b := rateBar(r.Extractor, r.Alignment)
			if r.Run != 0 {
				b.Group = r.contender()
			}
			bars = append(bars, b)
		}
		at := "queue " + string(group[0].Queue) + ", policy " + group[0].Policy
		out = append(out, drawBars("Alignment with people, "+at, hundred, "%", bars)...)
	}
	for _, r := range rows {
		if d, ok := drawConfusion(r); ok {
			out = append(out, d)
		}
	}
	return out
}

func drawConfusion(r *AlignmentRow) (chart.Drawing, bool) {
	if len(r.Confusion) == 0 {
		return chart.Drawing{}, false
	}
	var people, machine []string
	cells := make([]chart.Cell, 0, len(r.Confusion))
	for _, c := range r.Confusion {
		people, machine = append(people, c.People), append(machine, c.Machine)
		cells = append(cells, chart.Cell{Row: c.People, Column: c.Machine, N: c.N})
	}
	title := "Confusion, " + r.Extractor + ", queue " + string(r.Queue)
	if r.Run != 0 {
		title += ", " + r.contender()
	}
	return chart.Heat(title, "people", "machine", sortedOnce(people), sortedOnce(machine), cells), true
}

// sortedOnce is every name once: letters, and then the words.
func sortedOnce(names []string) []string {
	slices.SortFunc(names, func(a, b string) int {
		if d := min(len(a), 2) - min(len(b), 2); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(names)
}
