package accuracy

import (
	"slices"
	"strconv"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// makeTables makes the language models, after answers at random (MMStar, Table 1),
// and each vision-language model's three forms (Tables 2, 4 and 7), with a column for each
// benchmark and for their average.
func (k *baseModels) makeTables() []table.Table {
	var out []table.Table
	if len(k.alone) > 0 {
		t := k.newTable("language models")
		figures := len(t.Columns) - len(k.places) - 2
		for _, l := range k.alone {
			t.Rows = append(t.Rows, k.makeCells(l, l.model))
		}
		t.MarkBest(figures)
		t.Rows = slices.Concat(k.makeRandomLines(), t.Rows)
		out = append(out, t.WithoutEmpty(cardColumns))
	}
	if len(k.groups) > 0 {
		t := k.newTable("models beside their language base")
		for _, group := range k.groups {
			for _, l := range group {
				t.Rows = append(t.Rows, k.makeCells(l, group[len(group)-1].model))
			}
		}
		out = append(out, t.WithoutEmpty(cardColumns))
	}
	return out
}

func (k *baseModels) newTable(title string) table.Table {
	t := table.Table{Name: "text-only", Title: title, Columns: slices.Concat(table.ParseColumns("of"), cardColumns, table.ParseColumns("form model shots modality strategy runs"))}
	for _, p := range k.places {
		t.Columns = append(t.Columns, table.Column{Name: k.columnTitle(p), Kind: table.KindRate})
	}
	t.Columns = append(t.Columns, table.Column{Name: "average", Kind: table.KindScore})
	return table.Table{Name: t.Name, Title: t.Title, Columns: append(t.Columns, table.ParseColumns("pending:count")...)}
}

// columnTitle names a split where a benchmark has several columns.
func (k *baseModels) columnTitle(p baseModelPlace) string {
	several := slices.ContainsFunc(k.places, func(o baseModelPlace) bool { return o.dataset == p.dataset && o.split != p.split })
	if several {
		return string(p.dataset) + " " + p.split
	}
	return string(p.dataset)
}

func (k *baseModels) makeCells(l *baseModelLine, of string) []table.Cell {
	named := report.Head{Model: l.model, Setting: k.setting(l), Synthetic: l.synthetic}
	out := slices.Concat([]table.Cell{table.NewText(of)}, newCardInfo(k.o, of).makeCells(), []table.Cell{table.NewText(string(l.form)), report.NameOrUnknown(named.ModelName())})
	if len(l.cells) == 0 {
		out = append(out, table.NewBlank(), table.NewBlank(), table.NewBlank(), table.NewBlank())
	} else {
		out = append(out, table.NewText(strconv.Itoa(l.shots)), table.NewText(l.modality), table.NewText(l.strategy), table.NewText(l.formatRuns()))
	}
	var parts []stat.Estimate
	var names []string
	var left []table.Cell
	pending, first := 0, len(out)
	for _, p := range k.places {
		r := l.rowAt(p)
		if r == nil {
			out = append(out, table.NewRate(l.undefinedRate()))
			continue
		}
		o := newOpener(r, r.ReadBy())
		out = append(out, report.OpenCell(table.NewRate(r.Accuracy), o, report.Right, report.Wrong))
		pending += r.Pending
		names, left = append(names, k.columnTitle(p)), append(left, report.OpenCell(table.NewCount(r.Pending), o, Pending))
		if a := r.Accuracy; a.N > 0 {
			parts = append(parts, report.EstimateOf(a))
		}
	}
	return append(out, report.SumOpened(k.averageCell(parts), eval.Map(k.places, k.columnTitle), out[first:]), report.SumOpened(table.NewCount(pending), names, left))
}

// averageCell is the mean of the benchmarks, where there is a figure of each.
func (k *baseModels) averageCell(parts []stat.Estimate) table.Cell {
	if len(parts) < len(k.places) {
		return table.NewComputed(stat.NewUndefinedEstimate("not of all"))
	}
	return table.NewComputed(averageEstimates(parts))
}

// averageEstimates is the mean of independent figures.
func averageEstimates(parts []stat.Estimate) stat.Estimate {
	sum, n := stat.SumEstimates(parts...), float64(len(parts))
	if sum.Reason() == "" {
		sum.Value, sum.Low, sum.High = sum.Value/n, sum.Low/n, sum.High/n
	}
	return sum
}

// formatRuns gives the numbers of the line's runs.
func (l *baseModelLine) formatRuns() string {
	var out []string
	for _, r := range l.cells {
		out = eval.AddNew(out, strconv.Itoa(int(r.Run)))
	}
	return strings.Join(out, ", ")
}

// makeRandomLines makes the lines of answers at random, one for each strategy in which a
// language model was asked.
func (k *baseModels) makeRandomLines() [][]table.Cell {
	var out [][]table.Cell
	var seen []string
	for _, l := range k.alone {
		if slices.Contains(seen, l.strategy) {
			continue
		}
		seen = append(seen, l.strategy)
		line := make([]table.Cell, 1+len(cardColumns)+6)
		line[0], line[len(line)-2] = table.NewText("random choice"), table.NewText(l.strategy)
		var parts []stat.Estimate
		for _, p := range k.places {
			e, cell := k.expectedAtRandom(p, l.strategy)
			if line = append(line, cell); e.Reason() == "" {
				parts = append(parts, e)
			}
		}
		out = append(out, append(line, report.SumOpened(k.averageCell(parts), eval.Map(k.places, k.columnTitle), line[len(line)-len(k.places):]), table.NewBlank()))
	}
	return out
}

// expectedAtRandom is what answers at random reach, which is of the benchmark, whoever
// was asked; with the benchmark's questions.
func (k *baseModels) expectedAtRandom(p baseModelPlace, strategy string) (stat.Estimate, table.Cell) {
	for _, l := range k.lines {
		if r := l.rowAt(p); r != nil && l.strategy == strategy {
			return r.Random, report.OpenCell(table.NewComputed(r.Random), newOpener(r, r.ReadBy()), report.Every)
		}
	}
	none := stat.NewUndefinedEstimate("no run")
	return none, table.NewComputed(none)
}
