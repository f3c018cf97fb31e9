package accuracy

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// makeGainTables makes a table for each dataset and split, models as lines and their mean last (MMStar,
// Table 5), and of several benchmarks gain and leakage with a column for each (Table 6).
func makeGainTables(rows []*GainRow, means []*GainMean) []table.Table {
	var out []table.Table
	for _, group := range table.GroupBy(rows, (*GainRow).PlaceTitle) {
		mean, _ := eval.FirstWanted(means, func(m *GainMean) bool {
			return m.By == byBenchmark && m.Dataset == group[0].Dataset && m.Split == group[0].Split
		})
		out = append(out, makeGainTable(group, mean))
	}
	lines := groupGainLines(rows)
	if slices.ContainsFunc(lines, func(l []*GainRow) bool { return len(l) > 1 }) {
		out = append(out,
			makeGainBoard(lines, "multi-modal gain", func(r *GainRow) (*sideDifference, table.Cell) { return &r.gain, r.gainCell() }),
			makeGainBoard(lines, "multi-modal leakage", func(r *GainRow) (*sideDifference, table.Cell) { return &r.leakage, r.leakageCell() }),
			makeGainBoard(lines, "multi-modal leakage, signed", func(r *GainRow) (*sideDifference, table.Cell) {
				g := r.leakage
				g.floored, g.Estimate = false, g.signed
				return &g, r.leakageCellOf(g.signed)
			}))
	}
	return out
}

func makeGainTable(rows []*GainRow, mean *GainMean) table.Table {
	t := gainTable.NewTable("gain", rows[0].PlaceTitle())
	for _, r := range rows {
		t.Rows = append(t.Rows, gainTable.MakeRowLine(r, report.Cells{
			"text": r.attachSidePicks(&r.Text, r.Text.shortCell(), TextRight, TextWrong), "base": r.attachSidePicks(&r.Base, r.Base.shortCell(), BaseRight, BaseWrong),
		}))
	}
	if mean != nil {
		var names []string
		var gained, leaked []table.Cell
		for _, r := range rows {
			names, gained, leaked = append(names, r.Model), append(gained, r.gainCell()), append(leaked, r.leakageCell())
		}
		t.Rows = append(t.Rows, gainTable.MakeTableLine(report.Opener{}, report.Cells{
			"model": table.NewText("average"), "gain": report.WithOpenedSum(mean.gain.newCell(), names, gained), "leakage": report.WithOpenedSum(mean.leakage.newCell(), names, leaked),
			"leakage_signed": report.WithOpenedSum(mean.leakage.newCellOf(mean.leakage.signed), names, leaked),
		}, (*CardInfo)(nil)))
	}
	return t.WithoutEmpty(cardColumns)
}

func (r *GainRow) attachSidePicks(s *GainSide, c table.Cell, which ...report.Which) table.Cell {
	if s.Run == 0 {
		return c
	}
	return report.AttachPicks(c, newOpener(r, s.source.ReadBy()), which...)
}

// gainCell and leaked are the row's differences with the samples that make them.
func (r *GainRow) gainCell() table.Cell {
	if r.Visual.Run == 0 {
		return r.gain.newCell()
	}
	return r.attachSidePicks(&r.Text, r.gain.newCell(), Gained, Spoiled)
}

func (r *GainRow) leakageCell() table.Cell { return r.leakageCellOf(r.leakage.Estimate) }

func (r *GainRow) leakageCellOf(e stat.Estimate) table.Cell {
	c := r.leakage.newCellOf(e)
	if r.Text.Run == 0 {
		return c
	}
	return r.attachSidePicks(&r.Base, c, Leaked, Unleaked)
}

// shortCell is the side's figure; what it needs stands at the differences.
func (s *GainSide) shortCell() table.Cell {
	if !s.hasFigure() {
		return table.NewRate(stat.UndefinedRate("none"))
	}
	return s.newCell()
}

// makeGainBoard makes one difference with a column for each benchmark and for their
// mean, and a line for the mean of each benchmark.
func makeGainBoard(lines [][]*GainRow, title string, figure func(*GainRow) (*sideDifference, table.Cell)) table.Table {
	t := table.Table{Name: "gain", Title: title, Columns: table.ParseColumns("model language_base runs")}
	var datasets []eval.DatasetName
	for _, line := range lines {
		datasets = eval.AppendUnique(datasets, eval.Map(line, func(r *GainRow) eval.DatasetName { return r.Dataset })...)
	}
	slices.Sort(datasets)
	t.Columns = slices.Concat(t.Columns, table.NewColumnsOfKind(table.KindPoints, datasets), table.ParseColumns("average:points over:count"))
	below := make([][]*sideDifference, len(datasets))
	for _, line := range lines {
		cells := []table.Cell{line[0].Cells()[3], line[0].Card.ExtraCells()["language_base"], table.NewText(runNumbers(line))}
		var have []*sideDifference
		for i, d := range datasets {
			at := slices.IndexFunc(line, func(r *GainRow) bool { return r.Dataset == d })
			if at < 0 {
				cells = append(cells, table.NewPoints(stat.NewUndefinedEstimate("no run")))
				continue
			}
			g, cell := figure(line[at])
			cells = append(cells, cell)
			if g.WhyUndefined() == "" {
				have, below[i] = append(have, g), append(below[i], g)
			}
		}
		mean := averageDifferences(have, false)
		t.Rows = append(t.Rows, append(cells, mean.newCell(), table.NewCount(len(have))))
	}
	if len(lines) > 1 {
		means := eval.Map(below, func(some []*sideDifference) table.Cell {
			mean := averageDifferences(some, true)
			return mean.newCell()
		})
		blank := []table.Cell{table.NewBlank(), table.NewBlank()}
		t.Rows = append(t.Rows, slices.Concat([]table.Cell{table.NewText("average")}, blank, means, blank))
	}
	return t
}

func runNumbers(rows []*GainRow) string {
	ran := slices.DeleteFunc(slices.Clone(rows), func(r *GainRow) bool { return r.Run == 0 })
	return eval.JoinList(ran, func(r *GainRow) string { return table.FormatGrouped(int(r.Run)) })
}

// KeysBehind yields the questions behind the row: of the visual run by Right and Wrong, of the others by
// TextRight, TextWrong, BaseRight and BaseWrong; and those in which two differ, of the first of the two.
func (r *GainRow) KeysBehind(_ context.Context, _ report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	type want struct {
		first, second *GainSide
		a, b          metric.Mark
	}
	w, ok := map[report.Which]want{
		report.Right: {&r.Visual, nil, metric.MarkRight, 0},
		report.Wrong: {&r.Visual, nil, metric.MarkWrong, 0},
		TextRight:    {&r.Text, nil, metric.MarkRight, 0},
		TextWrong:    {&r.Text, nil, metric.MarkWrong, 0},
		BaseRight:    {&r.Base, nil, metric.MarkRight, 0},
		BaseWrong:    {&r.Base, nil, metric.MarkWrong, 0},
		Gained:       {&r.Visual, &r.Text, metric.MarkRight, metric.MarkWrong},
		Spoiled:      {&r.Visual, &r.Text, metric.MarkWrong, metric.MarkRight},
		Leaked:       {&r.Text, &r.Base, metric.MarkRight, metric.MarkWrong},
		Unleaked:     {&r.Text, &r.Base, metric.MarkWrong, metric.MarkRight},
	}[s.Which]
	if !ok {
		return report.YieldKeys(nil)
	}
	return report.SelectKeys(report.EachOrdinal(len(w.first.marks)), func(o eval.Ordinal) (eval.Key, bool) {
		if w.first.marks.At(o) != w.a || w.second != nil && w.second.marks.At(o) != w.b {
			return eval.Key{}, false
		}
		return eval.Key{Run: w.first.Run, Sample: o, Pass: w.first.passes[o]}, true
	})
}

// makeTables makes the language models, after answers at random (MMStar, Table 1), and each vision-language
// model's three forms (Tables 2, 4 and 7), with a column for each benchmark and for their average.
func (k *baseModels) makeTables() []table.Table {
	var out []table.Table
	if len(k.alone) > 0 {
		t := k.newTable("language models")
		figures := len(t.Columns) - len(k.places) - 2
		t.Rows = eval.Map(k.alone, func(l *baseModelLine) []table.Cell { return k.makeCells(l, l.model) })
		t.CompareFromColumn(figures)
		t.Rows = slices.Concat(k.makeRandomLines(), t.Rows)
		out = append(out, t.WithoutEmpty(cardColumns))
	}
	if len(k.groups) > 0 {
		t := k.newTable("models beside their language base")
		for _, group := range k.groups {
			t.Rows = append(t.Rows, eval.Map(group, func(l *baseModelLine) []table.Cell { return k.makeCells(l, group[len(group)-1].model) })...)
		}
		out = append(out, t.WithoutEmpty(cardColumns))
	}
	return out
}

func (k *baseModels) newTable(title string) table.Table {
	figures := table.NewColumnsOfKind(table.KindRate, eval.Map(k.places, k.columnTitle))
	return table.Table{
		Name: "text-only", Title: title,
		Columns: slices.Concat(table.ParseColumns("of"), cardColumns, table.ParseColumns("form model shots modality strategy runs"), figures, table.ParseColumns("average:score pending:count")),
	}
}

// columnTitle names a split where a benchmark has several columns.
func (k *baseModels) columnTitle(p baseModelPlace) string {
	several := slices.ContainsFunc(k.places, func(o baseModelPlace) bool { return o.dataset == p.dataset && o.split != p.split })
	return eval.Either(several, string(p.dataset)+" "+p.split, string(p.dataset))
}

func (k *baseModels) makeCells(l *baseModelLine, of string) []table.Cell {
	named := report.Head{Model: l.model, Setting: k.distinguishingSetting(l), Synthetic: l.synthetic}
	out := slices.Concat([]table.Cell{table.NewText(of)}, newCardInfo(k.o, of).makeCells(), []table.Cell{table.NewText(string(l.form)), report.NameOrUnknown(named.ModelName())})
	out = append(out, eval.Either(len(l.cells) == 0, []table.Cell{table.NewBlank(), table.NewBlank(), table.NewBlank(), table.NewBlank()},
		[]table.Cell{table.NewText(strconv.Itoa(l.shots)), table.NewText(l.modality), table.NewText(l.strategy), table.NewText(l.formatRuns())})...)
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
		out = append(out, report.AttachPicks(table.NewRate(r.Accuracy), o, report.Right, report.Wrong))
		pending += r.Pending
		names, left = append(names, k.columnTitle(p)), append(left, report.AttachPicks(table.NewCount(r.Pending), o, Pending))
		if a := r.Accuracy; a.N > 0 {
			parts = append(parts, report.EstimateOfRate(a))
		}
	}
	return append(out, report.WithOpenedSum(k.averageCell(parts), eval.Map(k.places, k.columnTitle), out[first:]), report.WithOpenedSum(table.NewCount(pending), names, left))
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
	if sum.WhyUndefined() == "" {
		sum.Value, sum.Low, sum.High = sum.Value/n, sum.Low/n, sum.High/n
	}
	return sum
}

func (l *baseModelLine) formatRuns() string {
	runs := eval.Map(l.cells, func(r *BaseModelRow) string { return strconv.Itoa(int(r.Run)) })
	return strings.Join(eval.AppendUnique(nil, runs...), ", ")
}

// makeRandomLines makes the lines of answers at random, one for each strategy in which a language model was asked.
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
			if line = append(line, cell); e.WhyUndefined() == "" {
				parts = append(parts, e)
			}
		}
		out = append(out, append(line, report.WithOpenedSum(k.averageCell(parts), eval.Map(k.places, k.columnTitle), line[len(line)-len(k.places):]), table.NewBlank()))
	}
	return out
}

// expectedAtRandom is what answers at random reach, which is of the benchmark, whoever
// was asked; with the benchmark's questions.
func (k *baseModels) expectedAtRandom(p baseModelPlace, strategy string) (stat.Estimate, table.Cell) {
	for _, l := range k.lines {
		if r := l.rowAt(p); r != nil && l.strategy == strategy {
			return r.Random, report.AttachPicks(table.NewComputed(r.Random), newOpener(r, r.ReadBy()), report.Every)
		}
	}
	none := stat.NewUndefinedEstimate("no run")
	return none, table.NewComputed(none)
}
