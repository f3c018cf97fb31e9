package report

import (
	"context"
	"iter"
	"slices"

	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// gainSheets are a table for each dataset and split, models as lines and their
// mean last (MMStar, Table 5), and of several benchmarks gain and leakage with
// a column for each (Table 6).
func gainSheets(rows []*GainRow, means []*GainMean) []Table {
	var out []Table
	for _, group := range gainPlaces(rows) {
		i := slices.IndexFunc(means, func(m *GainMean) bool {
			return m.By == byBenchmark && m.Dataset == group[0].Dataset && m.Split == group[0].Split
		})
		var mean *GainMean
		if i >= 0 {
			mean = means[i]
		}
		out = append(out, gainSheet(group, mean))
	}
	lines := gainLines(rows)
	if slices.ContainsFunc(lines, func(l []*GainRow) bool { return len(l) > 1 }) {
		out = append(out,
			gainBoard(lines, "multi-modal gain", func(r *GainRow) (*gap, Cell) { return &r.gain, r.gained() }),
			gainBoard(lines, "multi-modal leakage", func(r *GainRow) (*gap, Cell) { return &r.leakage, r.leaked() }))
	}
	return out
}

func gainSheet(rows []*GainRow, mean *GainMean) Table {
	t := Table{Name: "gain", Title: rows[0].place(), Columns: columns(sheetColumns, cardColumns, []Column{
		{Name: "extractor"},
		{Name: "strategy"},
		{Name: "visual", Kind: KindRate},
		{Name: "text", Kind: KindRate},
		{Name: "base", Kind: KindRate},
		{Name: "shots"},
		{Name: "gain", Kind: KindPoints},
		{Name: "leakage", Kind: KindPoints},
	})}
	for _, r := range rows {
		t.Rows = append(t.Rows, slices.Concat(sheetCells(r.named()), r.Card.cells(), []Cell{
			text(r.Extractor), text(r.Strategy), r.opens(&r.Visual, r.Visual.cell(), Right, Wrong),
			r.opens(&r.Text, r.Text.short(), TextRight, TextWrong), r.opens(&r.Base, r.Base.short(), BaseRight, BaseWrong), r.Base.shots(),
			r.gained(), r.leaked(),
		}))
	}
	if mean != nil {
		line := make([]Cell, len(t.Columns))
		line[1], line[len(line)-2], line[len(line)-1] = text("average"), mean.gain.cell(), mean.leakage.cell()
		var names []string
		var gained, leaked []Cell
		for _, r := range rows {
			names, gained, leaked = append(names, r.Model), append(gained, r.gained()), append(leaked, r.leaked())
		}
		line[len(line)-2], line[len(line)-1] = line[len(line)-2].among(names, gained), line[len(line)-1].among(names, leaked)
		for i := range cardColumns {
			line[len(sheetColumns)+i] = Cell{kind: cellUnknown}
		}
		t.Rows = append(t.Rows, line)
	}
	return t.without(cardColumns)
}

// opens is a cell of one of the row's sides with what it counts.
func (r *GainRow) opens(s *GainSide, c Cell, which ...Which) Cell {
	if s.Run == 0 {
		return c
	}
	return c.over(opener{row: r, extractor: s.Extractor}, which...)
}

// gained and leaked are the row's differences with the samples that make them.
func (r *GainRow) gained() Cell {
	if r.Visual.Run == 0 {
		return r.gain.cell()
	}
	return r.opens(&r.Text, r.gain.cell(), Gained, Spoiled)
}

func (r *GainRow) leaked() Cell {
	if r.Text.Run == 0 {
		return r.leakage.cell()
	}
	return r.opens(&r.Base, r.leakage.cell(), Leaked, Unleaked)
}

// short is the side's figure; what it needs stands at the differences.
func (s *GainSide) short() Cell {
	if !s.there() {
		return rate(stat.Undefined("none"))
	}
	return s.cell()
}

// gainBoard is one difference with a column for each benchmark and for their
// mean, and a line for the mean of each benchmark.
func gainBoard(lines [][]*GainRow, title string, figure func(*GainRow) (*gap, Cell)) Table {
	t := Table{Name: "gain", Title: title, Columns: []Column{{Name: "model"}, {Name: "language_base"}, {Name: "runs"}}}
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
		t.Columns = append(t.Columns, Column{Name: string(d), Kind: KindPoints})
	}
	t.Columns = append(t.Columns, Column{Name: "average", Kind: KindPoints}, Column{Name: "over", Kind: KindCount})
	below := make([][]*gap, len(datasets))
	for _, line := range lines {
		cells := []Cell{line[0].cells()[3], line[0].Card.cells()[2], text(runNumbers(line))}
		var have []*gap
		for i, d := range datasets {
			at := slices.IndexFunc(line, func(r *GainRow) bool { return r.Dataset == d })
			if at < 0 {
				cells = append(cells, points(stat.NoEstimate("no run")))
				continue
			}
			g, cell := figure(line[at])
			cells = append(cells, cell)
			if g.Reason() == "" {
				have, below[i] = append(have, g), append(below[i], g)
			}
		}
		mean := meanGap(have, false)
		t.Rows = append(t.Rows, append(cells, mean.cell(), integer(len(have))))
	}
	if len(lines) > 1 {
		last := []Cell{text("average"), blank(), blank()}
		for _, some := range below {
			mean := meanGap(some, true)
			last = append(last, mean.cell())
		}
		t.Rows = append(t.Rows, append(last, blank(), blank()))
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
		out += grouped(int(r.Run))
	}
	return out
}

// keys yields the questions behind the row: of the visual run by Right and
// Wrong, of the others by TextRight, TextWrong, BaseRight and BaseWrong; and
// those in which two differ, of the first of the two.
func (r *GainRow) keys(_ context.Context, _ Facts, s Selection) iter.Seq2[eval.Key, error] {
	type want struct {
		first, second *GainSide
		a, b          metric.Mark
	}
	w, ok := map[Which]want{
		Right:     {&r.Visual, nil, metric.MarkRight, 0},
		Wrong:     {&r.Visual, nil, metric.MarkWrong, 0},
		TextRight: {&r.Text, nil, metric.MarkRight, 0},
		TextWrong: {&r.Text, nil, metric.MarkWrong, 0},
		BaseRight: {&r.Base, nil, metric.MarkRight, 0},
		BaseWrong: {&r.Base, nil, metric.MarkWrong, 0},
		Gained:    {&r.Visual, &r.Text, metric.MarkRight, metric.MarkWrong},
		Spoiled:   {&r.Visual, &r.Text, metric.MarkWrong, metric.MarkRight},
		Leaked:    {&r.Text, &r.Base, metric.MarkRight, metric.MarkWrong},
		Unleaked:  {&r.Text, &r.Base, metric.MarkWrong, metric.MarkRight},
	}[s.Which]
	return func(yield func(eval.Key, error) bool) {
		if !ok {
			return
		}
		for i, mark := range w.first.marks {
			o := eval.Ordinal(i) //nolint:gosec // an index of samples
			if mark != w.a || w.second != nil && w.second.marks.At(o) != w.b {
				continue
			}
			if !yield(eval.Key{Run: w.first.Run, Sample: o, Pass: w.first.passes[i]}, nil) {
				return
			}
		}
	}
}
