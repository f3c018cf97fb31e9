package alignment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

type named[T any] struct {
	name string
	of   T
}

// figureLines gathers the lines of a row.
type figureLines struct {
	columns []table.Column
	start   report.Cells
	out     [][]table.Cell
}

// add places the figures by what they are.
func (f *figureLines) add(figure, a, b string, figures ...table.Cell) {
	cells := report.Cells{"figure": table.Text(figure), "a": table.Text(a), "b": table.Text(b)}
	for _, c := range figures {
		cells[map[table.ColumnKind]string{
			table.KindRate: "rate", table.KindCoefficient: "coefficient", table.KindCount: "count", table.KindNumber: "seconds", table.KindText: "text",
		}[c.Kind()]] = c
	}
	f.out = append(f.out, (&report.Layout{Columns: f.columns}).Line(report.Opener{}, cells, f.start))
}

func (f *figureLines) left(figure, a, b string, reasons map[string]int) {
	for _, why := range slices.Sorted(maps.Keys(reasons)) {
		f.add(figure, a, b, table.Count(reasons[why]), table.Text(why))
	}
}

// figureSheet is the agreement of all together, a figure a line.
func figureSheet(name, title, things string, percent, baseline stat.Rate, coefficients []named[agree.Coefficient]) table.Table {
	t := table.Table{Name: name, Title: title, Columns: table.List("figure value n")}
	add := func(name, value, n string) {
		t.Rows = append(t.Rows, []table.Cell{table.Text(name), table.Text(value), table.Text(n)})
	}
	add("percent agreement", table.FormatRate(percent), "pairs of "+things)
	add("majority baseline", table.FormatRate(baseline), things)
	for _, c := range coefficients {
		add(c.name, table.FormatCoefficient(c.of), table.Grouped(c.of.N)+" items")
	}
	return t
}

// reasons are the counts of what is left out, by reason.
func reasons(of map[string]int) string {
	var parts []string
	for _, why := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, fmt.Sprintf("%s %s", why, table.Grouped(of[why])))
	}
	return strings.Join(parts, ", ")
}
