package alignment

import (
	"fmt"
	"slices"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/chart"
	"concord/annotate/report/table"
)

// drawAlignment is the alignment of every extractor (MMBench, Fig. 5), of the
// whole queue where it has several runs, and the confusion of each.
func drawAlignment(rep *report.Report) []chart.Drawing {
	overall, rows := report.RowsOf[*Row](rep.Overall), report.RowsOf[*Row](rep.Rows)
	if len(overall) > 0 {
		rows = overall
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(r *Row) bool { return r.LeftOut != "" || r.Saved != 0 })
	var out []chart.Drawing
	for _, group := range table.GroupBy(rows, func(r *Row) string { return string(r.Queue) + ", policy " + r.Policy }) {
		var bars []chart.Bar
		for _, r := range group {
			b := report.RateBar(r.Extractor, r.Alignment)
			if r.Run != 0 {
				b.Group = r.Contender()
			}
			bars = append(bars, b)
		}
		at := "queue " + string(group[0].Queue) + ", policy " + group[0].Policy
		out = append(out, report.DrawBars("Alignment with people, "+at, report.Percent, "%", bars)...)
	}
	for _, r := range rows {
		if d, ok := drawConfusion(r); ok {
			out = append(out, d)
		}
	}
	return out
}

func drawConfusion(r *Row) (chart.Drawing, bool) {
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
		title += ", " + r.Contender()
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

// alignmentBars are the rates of an alignment report as bars: every extractor on
// the whole queue and on each run (MMBench, Fig. 5), and of calibrations each
// line over time.
func alignmentBars(r *report.Report) []table.BarGroup {
	var out []table.BarGroup
	group := func(title string) *table.BarGroup {
		if n := len(out); n == 0 || out[n-1].Title != title {
			out = append(out, table.BarGroup{Title: title})
		}
		return &out[len(out)-1]
	}
	for _, row := range append(r.Overall[:len(r.Overall):len(r.Overall)], r.Rows...) {
		switch x := row.(type) {
		case *Row:
			if x.Saved != 0 {
				continue
			}
			title := "all runs"
			if x.Run != 0 {
				title = fmt.Sprintf("run %d, %s", x.Run, x.Cells()[3].String())
			}
			g := group(fmt.Sprintf("%s, %s items", title, table.Grouped(x.Items)))
			g.Add(x.Extractor, x.Alignment, x.Baseline)
		case *CalibrationRow:
			g := group(x.Extractor + " on queue " + string(x.Queue) + ", " + x.Policy + ", undecided " + x.Undecided)
			name := fmt.Sprintf("report %d", x.Saved)
			if x.Stale {
				name += " (stale)"
			}
			g.Add(name, x.Alignment, x.Baseline)
		}
	}
	return out
}
