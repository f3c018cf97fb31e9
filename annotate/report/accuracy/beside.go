package accuracy

import (
	"cmp"
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

// CardInfo is what is known of a row's model.
type CardInfo struct {
	Parameters   float64 `json:"parameters,omitempty"` // billions
	LanguageBase string  `json:"language_base,omitempty"`
	Vision       string  `json:"vision,omitempty"`
	Open         string  `json:"open,omitempty"` // open or closed
	Size         string  `json:"size,omitempty"` // the group of the papers' tables
}

// The groups that tables put models in by their size (MMBench, Tables 3 and 6;
// MLLM-Bench, Table 10).
const (
	SmallModels = "10B and below"
	LargeModels = "above 10B"
	sizeBound   = 10 // billions of parameters
)

// cardOf is what the options know of a model; nil when that is nothing.
func cardOf(o *report.Options, model string) *CardInfo {
	if o.Cards == nil {
		return nil
	}
	c, ok := o.Cards(model)
	if !ok {
		return nil
	}
	out := &CardInfo{Parameters: c.Parameters, LanguageBase: c.LanguageBase, Vision: c.Vision}
	if c.Open != eval.OpennessUnset {
		out.Open = c.Open.String()
	}
	switch {
	case c.Parameters <= 0:
	case c.Parameters <= sizeBound:
		out.Size = SmallModels
	default:
		out.Size = LargeModels
	}
	return out
}

// cardNames are the measures of a card in a layout.
const cardNames = table.SizeColumn + " parameters language_base vision open "

var cardColumns = table.List(cardNames)

// Measured are the cells of a card by their names.
func (c *CardInfo) Measured() report.Cells {
	out := make(report.Cells)
	for i, cell := range c.cells() {
		out[cardColumns[i].Name] = cell
	}
	return out
}

// cells of a card, which say what is not known.
func (c *CardInfo) cells() []table.Cell {
	if c == nil {
		c = &CardInfo{}
	}
	parameters := ""
	if c.Parameters > 0 {
		parameters = strconv.FormatFloat(c.Parameters, 'g', -1, 64) + "B"
	}
	out := make([]table.Cell, 0, len(cardColumns))
	for _, s := range []string{c.Size, parameters, c.LanguageBase, c.Vision, c.Open} {
		if s == "" {
			out = append(out, table.Unknown())
		} else {
			out = append(out, table.Text(s))
		}
	}
	return out
}

// bySize orders cards by size; models of which nothing is known come last.
func bySize(a, b *CardInfo) int {
	return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.parameters(), b.parameters()))
}

func (c *CardInfo) parameters() float64 {
	if c == nil {
		return 0
	}
	return c.Parameters
}

func (c *CardInfo) rank() int {
	switch {
	case c == nil:
		return 2
	case c.Parameters <= 0:
		return 1
	}
	return 0
}
