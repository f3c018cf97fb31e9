package accuracy

import (
	"context"
	"iter"
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// gainSheets are a table for each dataset and split, models as lines and their
// mean last (MMStar, Table 5), and of several benchmarks gain and leakage with
// a column for each (Table 6).
func gainSheets(rows []*GainRow, means []*GainMean) []table.Table {
	var out []table.Table
	for _, group := range gainPlaces(rows) {
		var mean *GainMean
		for _, m := range means {
			if m.By == byBenchmark && m.Dataset == group[0].Dataset && m.Split == group[0].Split {
				mean = m
			}
		}
		out = append(out, gainSheet(group, mean))
	}
	lines := gainLines(rows)
	if slices.ContainsFunc(lines, func(l []*GainRow) bool { return len(l) > 1 }) {
		out = append(out,
			gainBoard(lines, "multi-modal gain", func(r *GainRow) (*gap, table.Cell) { return &r.gain, r.gained() }),
			gainBoard(lines, "multi-modal leakage", func(r *GainRow) (*gap, table.Cell) { return &r.leakage, r.leaked() }),
			gainBoard(lines, "multi-modal leakage, signed", func(r *GainRow) (*gap, table.Cell) {
				g := r.leakage
				g.floored, g.Estimate = false, g.signed
				return &g, r.leakedBy(g.signed)
			}))
	}
	return out
}

func gainSheet(rows []*GainRow, mean *GainMean) table.Table {
	t := gainTable.Table("gain", rows[0].Place())
	for _, r := range rows {
		t.Rows = append(t.Rows, gainTable.RowLine(r, report.Cells{
			"text": r.opens(&r.Text, r.Text.short(), TextRight, TextWrong), "base": r.opens(&r.Base, r.Base.short(), BaseRight, BaseWrong),
		}))
	}
	if mean != nil {
		var names []string
		var gained, leaked []table.Cell
		for _, r := range rows {
			names, gained, leaked = append(names, r.Model), append(gained, r.gained()), append(leaked, r.leaked())
		}
		t.Rows = append(t.Rows, gainTable.Line(report.Opener{}, report.Cells{
			"model": table.Text("average"), "gain": report.Among(mean.gain.cell(), names, gained), "leakage": report.Among(mean.leakage.cell(), names, leaked),
			"leakage_signed": report.Among(mean.leakage.cellOf(mean.leakage.signed), names, leaked),
		}, (*CardInfo)(nil)))
	}
	return t.Without(cardColumns)
}

// opens is a cell of one of the row's sides with what it counts.
func (r *GainRow) opens(s *GainSide, c table.Cell, which ...report.Which) table.Cell {
	if s.Run == 0 {
		return c
	}
	return report.Over(c, opens(r, s.Extractor), which...)
}

// gained and leaked are the row's differences with the samples that make them.
func (r *GainRow) gained() table.Cell {
	if r.Visual.Run == 0 {
		return r.gain.cell()
	}
	return r.opens(&r.Text, r.gain.cell(), Gained, Spoiled)
}

func (r *GainRow) leaked() table.Cell { return r.leakedBy(r.leakage.Estimate) }

func (r *GainRow) leakedBy(e stat.Estimate) table.Cell {
	c := r.leakage.cellOf(e)
	if r.Text.Run == 0 {
		return c
	}
	return r.opens(&r.Base, c, Leaked, Unleaked)
}

// short is the side's figure; what it needs stands at the differences.
func (s *GainSide) short() table.Cell {
	if !s.there() {
		return table.Rate(stat.Undefined("none"))
	}
	return s.cell()
}

// gainBoard is one difference with a column for each benchmark and for their
// mean, and a line for the mean of each benchmark.
func gainBoard(lines [][]*GainRow, title string, figure func(*GainRow) (*gap, table.Cell)) table.Table {
	t := table.Table{Name: "gain", Title: title, Columns: table.List("model language_base runs")}
	var datasets []eval.DatasetName
	for _, line := range lines {
		for _, r := range line {
			if !slices.Contains(datasets, r.Dataset) {
				datasets = append(datasets, r.Dataset)
			}
		}
	}
	slices.Sort(datasets)
	for _, d := range datasets {
		t.Columns = append(t.Columns, table.Column{Name: string(d), Kind: table.KindPoints})
	}
	t.Columns = append(t.Columns, table.Column{Name: "average", Kind: table.KindPoints}, table.Column{Name: "over", Kind: table.KindCount})
	below := make([][]*gap, len(datasets))
	for _, line := range lines {
		cells := []table.Cell{line[0].Cells()[3], line[0].Card.cells()[2], table.Text(runNumbers(line))}
		var have []*gap
		for i, d := range datasets {
			at := slices.IndexFunc(line, func(r *GainRow) bool { return r.Dataset == d })
			if at < 0 {
				cells = append(cells, table.Points(stat.NoEstimate("no run")))
				continue
			}
			g, cell := figure(line[at])
			cells = append(cells, cell)
			if g.Reason() == "" {
				have, below[i] = append(have, g), append(below[i], g)
			}
		}
		mean := meanGap(have, false)
		t.Rows = append(t.Rows, append(cells, mean.cell(), table.Count(len(have))))
	}
	if len(lines) > 1 {
		last := []table.Cell{table.Text("average"), table.Blank(), table.Blank()}
		for _, some := range below {
			mean := meanGap(some, true)
			last = append(last, mean.cell())
		}
		t.Rows = append(t.Rows, append(last, table.Blank(), table.Blank()))
	}
	return t
}

func runNumbers(rows []*GainRow) string {
	out := ""
	for _, r := range rows {
		if r.Run == 0 {
			continue
		}
		if out != "" {
			out += ", "
		}
		out += table.Grouped(int(r.Run))
	}
	return out
}

// Keys yields the questions behind the row: of the visual run by Right and
// Wrong, of the others by TextRight, TextWrong, BaseRight and BaseWrong; and
// those in which two differ, of the first of the two.
func (r *GainRow) Keys(_ context.Context, _ report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
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
		return report.Listed(nil)
	}
	return report.KeysOf(report.Ordinals(len(w.first.marks)), func(o eval.Ordinal) (eval.Key, bool) {
		if w.first.marks.At(o) != w.a || w.second != nil && w.second.marks.At(o) != w.b {
			return eval.Key{}, false
		}
		return eval.Key{Run: w.first.Run, Sample: o, Pass: w.first.passes[o]}, true
	})
}
