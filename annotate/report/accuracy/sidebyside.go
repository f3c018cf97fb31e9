package accuracy

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// scoreCol is one column of figures of the table side by side.
type scoreCol struct {
	dataset     eval.DatasetName
	split, name string
	figure      func(*BaselinesRow) table.Cell
	random      func(*Random) table.Cell
	share       bool // a rate
}

// makeSideBySideTable lays rows out with a line for each model and columns for every dataset's measures, after
// what answers at random would reach. A model that has several runs on a dataset has several lines, and
// every line names its runs: as data they stay rows of their own. What was measured elsewhere stands in the
// model's first line where that has no run, and else below, in lines of its own. False without a measure.
func makeSideBySideTable(rows []*BaselinesRow, ext []*ExternalScoreRow) (table.Table, bool) {
	all := collectScoreColumns(rows)
	all = append(all, addExternalColumns(all, ext)...)
	if len(all) == 0 {
		return table.Table{}, false
	}
	t := table.Table{Name: "baselines", Columns: slices.Concat(table.ParseColumns("model modality runs extractor"), cardColumns)}
	random := append([]table.Cell{table.NewText("random"), table.NewBlank(), table.NewBlank(), table.NewBlank()}, (*CardInfo)(nil).makeCells()...)
	for _, m := range all {
		t.Columns = append(t.Columns, table.Column{Name: m.title(), Kind: table.KindScore})
		c := table.NewBlank()
		if i := slices.IndexFunc(rows, m.isColumnOf); m.random != nil && i >= 0 {
			c = report.AttachPicks(m.random(&rows[i].Random), rows[i].newWholeOpener(), report.Every)
		}
		random = append(random, c)
	}
	if len(rows) > 0 {
		t.Rows = append(t.Rows, append(random, table.NewBlank()))
	}
	first := len(t.Columns) - len(all)
	for _, line := range groupByModel(rows) {
		cells := line.makeCells(all)
		ext = line.fillExternal(cells[first:], all, ext)
		t.Rows = append(t.Rows, cells)
	}
	for _, line := range makeExternalLines(ext, all) {
		t.Rows = append(t.Rows, append(slices.Concat(line[:4], (*CardInfo)(nil).makeCells(), line[4:]), table.NewBlank()))
	}
	t.CompareFromColumn(first)
	t.Columns = append(t.Columns, table.Column{Name: "pending", Kind: table.KindCount})
	return t.WithoutEmpty(cardColumns), true
}

// isColumnOf reports whether the row is about what the measure is.
func (m *scoreCol) isColumnOf(r *BaselinesRow) bool {
	return r.Dataset == m.dataset && r.Split == m.split
}

func (m *scoreCol) title() string {
	return eval.Either(m.split == report.AllSplits, string(m.dataset)+" "+m.name, string(m.dataset)+" "+m.split+" "+m.name)
}

// collectScoreColumns collects those that any row has, by dataset and split.
func collectScoreColumns(rows []*BaselinesRow) []scoreCol {
	var out []scoreCol
	add := func(r *BaselinesRow, name string, figure func(*BaselinesRow) table.Cell, random func(*Random) table.Cell) {
		m := scoreCol{r.Dataset, r.Split, name, figure, random, name == "vanilla" || name == "circular"}
		if !slices.ContainsFunc(out, func(o scoreCol) bool { return o.isColumnOf(r) && o.name == name }) {
			out = append(out, m)
		}
	}
	for _, r := range rows {
		if r.MME == nil {
			add(r, "vanilla", func(r *BaselinesRow) table.Cell {
				return report.AttachPicks(table.NewRate(r.Vanilla), r.newOpener(), report.VanillaRight, report.VanillaWrong)
			}, func(x *Random) table.Cell { return table.NewComputed(x.Vanilla) })
		}
		if r.Strategy == eval.Circular.String() {
			add(r, "circular", func(r *BaselinesRow) table.Cell {
				return report.AttachPicks(table.NewRate(r.Circular), r.newOpener(), report.Right, report.Wrong)
			}, func(x *Random) table.Cell { return table.NewComputed(x.Circular) })
		}
		if r.MME != nil {
			add(r, "perception", func(r *BaselinesRow) table.Cell { return r.toMMERow().scoreCell(r.MME.Perception, eval.Perception) }, func(x *Random) table.Cell { return table.NewScore(x.MME.Perception) })
			add(r, "cognition", func(r *BaselinesRow) table.Cell { return r.toMMERow().scoreCell(r.MME.Cognition, eval.Cognition) }, func(x *Random) table.Cell { return table.NewScore(x.MME.Cognition) })
			add(r, "total", func(r *BaselinesRow) table.Cell { return r.toMMERow().scoreCell(r.MME.Total) }, func(x *Random) table.Cell { return table.NewScore(x.MME.Total) })
		}
	}
	slices.SortStableFunc(out, func(a, b scoreCol) int {
		return slices.Compare([]string{string(a.dataset), a.split}, []string{string(b.dataset), b.split})
	})
	return out
}

// modelLine is the runs of one model that stand in one line.
type modelLine []*BaselinesRow

// groupByModel deals rows out to lines: one row of a dataset and split in each.
func groupByModel(rows []*BaselinesRow) []modelLine {
	var out []modelLine
	for _, r := range rows {
		line := eval.FindOrAdd(&out, func(line *modelLine) bool {
			first := (*line)[0]
			return first.Model == r.Model && first.Modality == r.Modality && first.Synthetic == r.Synthetic && first.asking == r.asking &&
				!slices.ContainsFunc(*line, func(o *BaselinesRow) bool { return o.Dataset == r.Dataset && o.Split == r.Split && o.Run != r.Run })
		}, func() modelLine { return nil })
		*line = append(*line, r)
	}
	slices.SortStableFunc(out, func(a, b modelLine) int { return compareBySize(a[0].Card, b[0].Card) })
	return out
}

func (b modelLine) makeCells(all []scoreCol) []table.Cell {
	head := b[0].Cells()
	var runs, extractors []string
	pending := 0
	var names []string
	var left []table.Cell
	for _, r := range b {
		if id := strconv.Itoa(int(r.Run)); !slices.Contains(runs, id) {
			runs = append(runs, id)
			pending += r.Pending // of the run's first row, which is the whole
			names, left = append(names, "run "+id), append(left, report.AttachPicks(table.NewCount(r.Pending), r.newWholeOpener(), Pending))
		}
		extractors = eval.AppendUnique(extractors, r.Extractor)
	}
	out := append([]table.Cell{head[3], head[4], table.NewText(strings.Join(runs, ", ")), table.NewText(strings.Join(extractors, ", "))}, b[0].Card.makeCells()...)
	for _, m := range all {
		c := table.NewRate(stat.UndefinedRate("no run"))
		if i := slices.IndexFunc(b, m.isColumnOf); m.figure != nil && i >= 0 {
			c = m.figure(b[i])
		}
		out = append(out, c)
	}
	return append(out, report.WithOpenedSum(table.NewCount(pending), names, left))
}

// CardInfo is what is known of a row's model.
type CardInfo struct {
	Parameters   float64 `json:"parameters,omitempty"` // billions
	Trainable    float64 `json:"trainable,omitempty"`  // of those, billions (MMBench, Table 6)
	LanguageBase string  `json:"language_base,omitempty"`
	Vision       string  `json:"vision,omitempty"`
	Open         string  `json:"open,omitempty"` // open or closed
	Size         string  `json:"size,omitempty"` // the group of the papers' tables
}

// The groups that tables put models in by their size (MMBench, Tables 3 and 6; MLLM-Bench, Table 10).
const (
	SmallModels = "10B and below"
	LargeModels = "above 10B"
	sizeBound   = 10 // billions of parameters
)

// newCardInfo gives what the options know of a model; nil when that is nothing.
func newCardInfo(o *report.Options, model string) *CardInfo {
	if o.Cards == nil {
		return nil
	}
	c, ok := o.Cards(model)
	if !ok {
		return nil
	}
	out := &CardInfo{Parameters: c.Parameters, Trainable: c.Trainable, LanguageBase: c.LanguageBase, Vision: c.Vision}
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
const cardNames = table.SizeColumn + " parameters trainable language_base vision open "

var cardColumns = table.ParseColumns(cardNames)

// ExtraCells are the cells of a card by their names.
func (c *CardInfo) ExtraCells() report.Cells {
	out := make(report.Cells)
	for i, cell := range c.makeCells() {
		out[cardColumns[i].Name] = cell
	}
	return out
}

// makeCells of a card, which say what is not known.
func (c *CardInfo) makeCells() []table.Cell {
	c = cmp.Or(c, &CardInfo{})
	billions := func(n float64) string { return eval.Either(n > 0, strconv.FormatFloat(n, 'g', -1, 64)+"B", "") }
	return eval.Map([]string{c.Size, billions(c.Parameters), billions(c.Trainable), c.LanguageBase, c.Vision, c.Open}, report.NameOrUnknown)
}

// compareBySize orders cards by size; those without one come behind, and models of which nothing is known last.
func compareBySize(a, b *CardInfo) int { return cmp.Compare(a.sizeForSorting(), b.sizeForSorting()) }

func (c *CardInfo) sizeForSorting() float64 {
	switch {
	case c == nil:
		return math.Inf(1)
	case c.Parameters <= 0:
		return math.MaxFloat64
	}
	return c.Parameters
}
