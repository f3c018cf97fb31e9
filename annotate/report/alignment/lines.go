package alignment

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
)

// figureLines gathers the lines of a row.
type figureLines struct {
	layout *report.Layout
	start  report.Cells
	out    [][]table.Cell
}

// addPart adds the figures of a part of the row, which is about two.
func (f *figureLines) addPart(of any, a, b string) {
	for name, cells := range report.EachMeasure(of) {
		f.addLine(name, a, b, cells...)
	}
}

// addLine places the figures by what they are.
func (f *figureLines) addLine(figure, a, b string, figures ...table.Cell) {
	cells := report.Cells{"figure": table.NewText(figure), "a": table.NewText(a), "b": table.NewText(b)}
	for _, c := range figures {
		cells[map[table.ColumnKind]string{
			table.KindRate: "rate", table.KindCoefficient: "coefficient", table.KindScore: "coefficient", table.KindCount: "count", table.KindNumber: "seconds", table.KindText: "text",
		}[c.Kind()]] = c
	}
	f.out = append(f.out, f.layout.MakeLine(report.Opener{}, cells, f.start))
}

func (f *figureLines) addLeftOut(figure, a, b string, reasons map[string]int) {
	for _, why := range slices.Sorted(maps.Keys(reasons)) {
		f.addLine(figure, a, b, table.NewCount(reasons[why]), table.NewText(why))
	}
}

// makeFigureTable makes the agreement of all together, a figure a line: of what all of them
// is over, on a level.
func makeFigureTable(name, title, things, level string, all any) table.Table {
	titles := map[string]string{
		"fleiss_kappa": "Fleiss' kappa", "krippendorff_alpha": "Krippendorff's alpha, " + level, "gwet_ac1": "Gwet's AC1", "one_against_rest": "one rater against the rest",
		"weighted_fleiss_kappa": "Fleiss' kappa, weighted", "gwet_ac2": "Gwet's AC2",
	}
	t := table.Table{Name: name, Title: title, Columns: table.ParseColumns("figure value n")}
	for name, cells := range report.EachMeasure(all) {
		n, c := map[string]string{"percent_agreement": "pairs of " + things, "majority_baseline": things}[name], cells[0]
		if c.Kind() == table.KindCoefficient {
			n = table.FormatGrouped(c.CountUnits()) + " items"
		}
		if n != "" {
			t.Rows = append(t.Rows, []table.Cell{table.NewText(cmp.Or(titles[name], strings.ReplaceAll(name, "_", " "))), table.NewText(c.String()), table.NewText(n)})
		}
	}
	return t
}

// formatReasons gives the counts of what is left out, by reason.
func formatReasons(of map[string]int) string {
	return eval.List(slices.Sorted(maps.Keys(of)), func(why string) string { return why + " " + table.FormatGrouped(of[why]) })
}

// compareClasses puts options before words.
func compareClasses(a, b string) int {
	if (len(a) == 1) != (len(b) == 1) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}
