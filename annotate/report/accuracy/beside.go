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

// measure is one column of figures of the table side by side.
type measure struct {
	dataset eval.DatasetName
	split   string
	name    string
	figure  func(*BaselinesRow) table.Cell
	random  func(*Random) table.Cell
	share   bool // a rate
}

// sideBySide lays rows out with a line for each model and columns for every
// dataset's measures, after what answers at random would reach. A model that
// has several runs on a dataset has several lines, and every line names its runs: as
// data they stay rows of their own. What was measured elsewhere stands in the
// model's first line where that has no run, and else below, in lines of its own.
// False without a measure.
func sideBySide(rows []*BaselinesRow, ext []*MeasureRow) (table.Table, bool) {
	all := measures(rows)
	all = append(all, elsewhere(all, ext)...)
	if len(all) == 0 {
		return table.Table{}, false
	}
	t := table.Table{Name: "baselines", Columns: table.Columns(table.List("model modality runs extractor"), cardColumns)}
	random := append([]table.Cell{table.Text("random"), table.Blank(), table.Blank(), table.Blank()}, (*CardInfo)(nil).cells()...)
	for _, m := range all {
		t.Columns = append(t.Columns, table.Column{Name: m.title(), Kind: table.KindScore})
		c := table.Blank()
		if i := slices.IndexFunc(rows, m.of); m.random != nil && i >= 0 {
			c = report.Over(m.random(&rows[i].Random), rows[i].whole(), report.Every)
		}
		random = append(random, c)
	}
	if len(rows) > 0 {
		t.Rows = append(t.Rows, append(random, table.Blank()))
	}
	first := len(t.Columns) - len(all)
	for _, line := range besides(rows) {
		cells := line.cells(all)
		ext = line.fill(cells[first:], all, ext)
		t.Rows = append(t.Rows, cells)
	}
	for _, line := range externalLines(ext, all) {
		t.Rows = append(t.Rows, append(slices.Concat(line[:4], (*CardInfo)(nil).cells(), line[4:]), table.Blank()))
	}
	t.MarkBest(first)
	t.Columns = append(t.Columns, table.Column{Name: "pending", Kind: table.KindCount})
	return t.Without(cardColumns), true
}

// of reports whether the row is about what the measure is.
func (m *measure) of(r *BaselinesRow) bool { return r.Dataset == m.dataset && r.Split == m.split }

func (m *measure) title() string {
	if m.split == report.AllSplits {
		return string(m.dataset) + " " + m.name
	}
	return string(m.dataset) + " " + m.split + " " + m.name
}

// measures are those that any row has, by dataset and split.
func measures(rows []*BaselinesRow) []measure {
	var out []measure
	add := func(r *BaselinesRow, name string, figure func(*BaselinesRow) table.Cell, random func(*Random) table.Cell) {
		m := measure{r.Dataset, r.Split, name, figure, random, name == "vanilla" || name == "circular"}
		if !slices.ContainsFunc(out, func(o measure) bool { return o.of(r) && o.name == name }) {
			out = append(out, m)
		}
	}
	for _, r := range rows {
		if r.MME == nil {
			add(r, "vanilla", func(r *BaselinesRow) table.Cell {
				return report.Over(table.Rate(r.Vanilla), r.opener(), VanillaRight, VanillaWrong)
			}, func(x *Random) table.Cell { return table.Computed(x.Vanilla) })
		}
		if r.Strategy == eval.Circular.String() {
			add(r, "circular", func(r *BaselinesRow) table.Cell {
				return report.Over(table.Rate(r.Circular), r.opener(), report.Right, report.Wrong)
			}, func(x *Random) table.Cell { return table.Computed(x.Circular) })
		}
		if r.MME != nil {
			add(r, "perception", func(r *BaselinesRow) table.Cell { return r.mme().scored(r.MME.Perception, eval.Perception) }, func(x *Random) table.Cell { return table.Score(x.MME.Perception) })
			add(r, "cognition", func(r *BaselinesRow) table.Cell { return r.mme().scored(r.MME.Cognition, eval.Cognition) }, func(x *Random) table.Cell { return table.Score(x.MME.Cognition) })
			add(r, "total", func(r *BaselinesRow) table.Cell { return r.mme().scored(r.MME.Total) }, func(x *Random) table.Cell { return table.Score(x.MME.Total) })
		}
	}
	slices.SortStableFunc(out, func(a, b measure) int {
		return slices.Compare([]string{string(a.dataset), a.split}, []string{string(b.dataset), b.split})
	})
	return out
}

// beside is the runs of one model that stand in one line.
type beside []*BaselinesRow

// besides deals rows out to lines: one row of a dataset and split in each.
func besides(rows []*BaselinesRow) []beside {
	var out []beside
	for _, r := range rows {
		i := slices.IndexFunc(out, func(b beside) bool {
			return b[0].Model == r.Model && b[0].Modality == r.Modality && b[0].Synthetic == r.Synthetic && b[0].asking == r.asking &&
				!slices.ContainsFunc(b, func(o *BaselinesRow) bool { return o.Dataset == r.Dataset && o.Split == r.Split && o.Run != r.Run })
		})
		if i < 0 {
			out = append(out, beside{r})
		} else {
			out[i] = append(out[i], r)
		}
	}
	slices.SortStableFunc(out, func(a, b beside) int { return bySize(a[0].Card, b[0].Card) })
	return out
}

func (b beside) cells(all []measure) []table.Cell {
	head := b[0].Cells()
	var runs, extractors []string
	pending := 0
	var names []string
	var left []table.Cell
	for _, r := range b {
		if id := strconv.Itoa(int(r.Run)); !slices.Contains(runs, id) {
			runs = append(runs, id)
			pending += r.Pending // of the run's first row, which is the whole
			names, left = append(names, "run "+id), append(left, report.Over(table.Count(r.Pending), r.whole(), Pending))
		}
		if !slices.Contains(extractors, r.Extractor) {
			extractors = append(extractors, r.Extractor)
		}
	}
	out := append([]table.Cell{head[3], head[4], table.Text(strings.Join(runs, ", ")), table.Text(strings.Join(extractors, ", "))}, b[0].Card.cells()...)
	for _, m := range all {
		c := table.Rate(stat.Undefined("no run"))
		if i := slices.IndexFunc(b, m.of); m.figure != nil && i >= 0 {
			c = m.figure(b[i])
		}
		out = append(out, c)
	}
	return append(out, report.Among(table.Count(pending), names, left))
}
