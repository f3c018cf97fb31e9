package table

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"concord/annotate/agree"
	"concord/eval"
	"concord/eval/stat"
)

// ColumnKind is what the cells of a column hold. The zero value is text.
type ColumnKind uint8

// The kinds of columns.
const (
	KindText ColumnKind = iota
	KindCount
	KindNumber
	KindRate
	KindCoefficient
	KindPoints // differences of rates
	KindScore
	KindBar // for the terminal alone
)

// Column is one column of a table.
type Column struct {
	Name string
	Kind ColumnKind

	compared bool // more of it is better, whatever its name
}

// Cell is one figure or name, kept as what it is until a renderer prints it.
type Cell struct {
	kind  cellKind
	text  string
	count int
	num   float64
	rate  stat.Rate

	coefficient agree.Coefficient
	estimate    stat.Estimate // also of a rate and a coefficient; exact: without an interval
	places      int           // of a score, behind the point; 0: one
	share       bool          // of an external score: in percent, beside rates
	marked      bool          // of a difference: one of its sides was measured elsewhere
	best        bestMark      // in its column
	style       Style
	detail      any // what it was counted over, for whoever opens it; nil: nothing
}

type cellKind uint8

const (
	cellBlank cellKind = iota
	cellText
	cellCount
	cellNumber
	cellRate // from here to cellExpected: of an estimate
	cellCoefficient
	cellPoints   // a difference of rates, in percentage points
	cellScore    // a score as it is
	cellExpected // a share that was computed, in percent
	cellBar
	cellUnknown  // a name that nobody gave; empty where machines read
	cellExternal // a score that was measured elsewhere, in num, over count items
)

// NewBlank gives a cell that says nothing.
func NewBlank() Cell { return Cell{} }

// NewText gives a name.
func NewText(s string) Cell { return Cell{kind: cellText, text: s} }

// NewCount gives a number of things.
func NewCount(n int) Cell { return Cell{kind: cellCount, count: n} }

// NewRate gives a share with its counts and its interval.
func NewRate(r stat.Rate) Cell {
	return Cell{kind: cellRate, rate: r, estimate: stat.Estimate{N: r.N, Value: r.Value, Low: r.Low, High: r.High, Undefined: r.Undefined}}
}

// NewCoefficient gives a coefficient of agreement.
func NewCoefficient(c agree.Coefficient) Cell {
	e := stat.Estimate{N: c.N, Value: c.Value, Low: c.Low, High: c.High, Exact: !c.Interval && c.N > 0, Undefined: c.Undefined}
	return Cell{kind: cellCoefficient, coefficient: c, estimate: e}
}

// NewPoints gives a difference of rates, in percentage points.
func NewPoints(e stat.Estimate) Cell { return Cell{kind: cellPoints, estimate: e} }

// NewScore gives a score as it is, with one place behind the point.
func NewScore(e stat.Estimate) Cell { return Cell{kind: cellScore, estimate: e} }

// NewMean gives a score with two places behind the point.
func NewMean(e stat.Estimate) Cell { return Cell{kind: cellScore, estimate: e, places: 2} }

// NewComputed gives a share that was computed and not counted, in percent.
func NewComputed(e stat.Estimate) Cell { return Cell{kind: cellExpected, estimate: e} }

// NewUnknown gives a name that nobody gave.
func NewUnknown() Cell { return Cell{kind: cellUnknown} }

// NewBar gives a share of the longest bar, drawn.
func NewBar(share float64) Cell { return Cell{kind: cellBar, num: share} }

// NewExternal gives a score that was measured elsewhere, over n items; 0 where its source does not tell.
func NewExternal(value float64, n int) Cell { return Cell{kind: cellExternal, num: value, count: n} }

// AsPercentage gives a score that was measured elsewhere as a share in percent.
func (c Cell) AsPercentage() Cell {
	c.share = true
	return c
}

// WithDagger gives a difference of which a side was measured elsewhere.
func (c Cell) WithDagger() Cell {
	c.marked = true
	return c
}

// NewNumber gives a figure that may be absent.
func NewNumber(f *float64) Cell {
	if f == nil {
		return NewBlank()
	}
	return Cell{kind: cellNumber, num: *f}
}

// String is the cell for people's eyes: "67.7% [65.0, 70.3]  796/1,176", or what its style leaves of that.
func (c Cell) String() string {
	if c.style == (Style{}) {
		return c.fullText()
	}
	return c.style.cutFigure(c.fullText())
}

func (c Cell) fullText() string {
	switch c.kind {
	case cellText:
		return c.text
	case cellCount:
		return FormatGrouped(c.count)
	case cellNumber:
		return strconv.FormatFloat(c.num, 'f', 4, 64)
	case cellRate:
		return FormatRate(c.rate)
	case cellCoefficient:
		return FormatCoefficient(c.coefficient)
	case cellPoints, cellScore, cellExpected:
		return c.FormatEstimate()
	case cellBar:
		return drawBar(c.num)
	case cellUnknown:
		return "-"
	case cellExternal:
		return c.formatExternal()
	case cellBlank:
	}
	return ""
}

// AsShare gives a cell's figure where it is a share, from 0 to 1, with its interval;
// one that was computed is its own interval. False without one.
func (c Cell) AsShare() (stat.Rate, bool) {
	switch c.kind {
	case cellRate:
		return c.rate, c.rate.N > 0
	case cellExpected:
		e := c.estimate
		if e.Exact {
			e.Low, e.High = e.Value, e.Value
		}
		return stat.Rate{N: e.N, Value: e.Value, Low: e.Low, High: e.High}, e.WhyUndefined() == ""
	default:
		return stat.Rate{}, false
	}
}

// Table is a report as columns and lines, what renderers print. Title is what
// it is about, where a report has several.
type Table struct {
	Name, Title string
	Columns     []Column
	Rows        [][]Cell
	Notes       []string
}

// heading names a titled table in a text that is pasted elsewhere: tables of a report share their titles.
func (t Table) heading() string { return t.Name + " · " + t.Title }

// WithoutTerminalColumns gives the table without what only a terminal shows.
func (t Table) WithoutTerminalColumns() Table {
	return t.selectColumns(func(i int) bool { return t.Columns[i].Kind != KindBar })
}

func (t Table) selectColumns(wanted func(column int) bool) Table {
	out := t
	out.Columns, out.Rows = nil, make([][]Cell, len(t.Rows))
	for i, c := range t.Columns {
		if !wanted(i) {
			continue
		}
		out.Columns = append(out.Columns, c)
		for j, r := range t.Rows {
			out.Rows[j] = append(out.Rows[j], r[i])
		}
	}
	return out
}

// kinds are the kinds of columns by the words for them.
var kinds = map[string]ColumnKind{
	"": KindText, "text": KindText, "count": KindCount, "number": KindNumber, "rate": KindRate,
	"coefficient": KindCoefficient, "points": KindPoints, "score": KindScore, "bar": KindBar,
}

// heads are the columns whose name is an older word than people read.
var heads = map[string]string{
	"alignment": "agreement with humans", "with_alignment": "with: agreement with humans", "case_one": "none (Case I)", "case_two": "other (Case II)",
	"unparsable": "unparsed", "no_truth": "no ground truth",
	"answer_given": "ground truth", "answerable": "answerable without image", "found": "extracted",
	"hits": "correct", "needs_image": "image needed", "picture": "image", "pictured": "with image",
	"pictures_held": "images held", "rulings": "adjudications", "settled": "adjudicated", "truth": "ground truth",
}

// ReadableName is the column's name as people read it. Scripts read Name.
func (c Column) ReadableName() string {
	if h, ok := heads[c.Name]; ok {
		return h
	}
	if c.Name == "undecided" && c.Kind == KindText { // what becomes of items, and no count
		return "no consensus"
	}
	return strings.ReplaceAll(c.Name, "_", " ")
}

// ParseColumn reads a column as it is written: its name, in which + is a blank, and its kind behind a
// colon where it is no text, as in "hits:count". It panics at a word that is no kind.
func ParseColumn(written string) Column {
	name, kind, _ := strings.Cut(strings.ReplaceAll(written, "+", " "), ":")
	k, ok := kinds[kind]
	if !ok {
		panic("column " + written + ": no such kind")
	}
	return Column{Name: name, Kind: k}
}

// NewColumnsOfKind are columns of one kind by their names.
func NewColumnsOfKind[T ~string](kind ColumnKind, names []T) []Column {
	return eval.Map(names, func(n T) Column { return Column{Name: string(n), Kind: kind} })
}

// ParseColumns is columns as Parse reads them, with spaces between.
func ParseColumns(written string) []Column { return eval.Map(strings.Fields(written), ParseColumn) }

// FormatRate gives a rate with its interval and its counts.
func FormatRate(r stat.Rate) string {
	if r.N == 0 {
		return "- (" + cmp.Or(r.Undefined, "nothing to count") + ")"
	}
	out := FormatPercent(r.Value) + "% [" + sequenceMark(r.Sequence) + FormatPercent(r.Low) + ", " + FormatPercent(r.High) + "]  " +
		FormatGrouped(r.K) + "/" + FormatGrouped(r.N)
	if r.DesignEffect >= worthTelling {
		out += " deff " + strconv.FormatFloat(r.DesignEffect, 'f', 1, 64)
	}
	return out + fewUnitsMark(r.Warning())
}

// worthTelling is the design effect from which on it stands beside its rate.
const worthTelling = 1.2

// fewMark stands behind a figure over few units.
const fewMark = " few"

func fewUnitsMark(warning string) string { return eval.Either(warning == "", "", fewMark) }

// FewNote explains the mark of such figures.
const FewNote = "few: under 30 units (or clusters), or 10 of the rarer outcome: the interval may hold less often."

// HasFewUnits reports whether a figure of the table is over few units.
func (t *Table) HasFewUnits() bool {
	return slices.ContainsFunc(t.Rows, func(row []Cell) bool {
		return slices.ContainsFunc(row, func(c Cell) bool { return c.figureWarning() != "" })
	})
}

func (c Cell) figureWarning() string {
	switch c.kind {
	case cellRate:
		return c.rate.Warning()
	case cellCoefficient:
		return c.coefficient.Warning()
	case cellPoints, cellScore, cellExpected:
		return c.estimate.Warning()
	default:
		return ""
	}
}

// sequenceMark marks an interval that holds at every look.
func sequenceMark(sequence bool) string { return eval.Either(sequence, "seq ", "") }

// SequenceNote explains the mark of such intervals.
const SequenceNote = "seq: people are still labelling, and the interval is of a confidence sequence: it holds at every look, however often anybody looks and whenever they stop, and is wider than one for a single look. Meanwhile coefficients have no interval, and p-values hold for one look alone. Once all is labelled, intervals are for one look."

// FormatCoefficient gives a coefficient with its interval; its n stands beside the rate of the same row.
func FormatCoefficient(c agree.Coefficient) string {
	switch {
	case c.Undefined != "":
		return "- (" + c.Undefined + ")"
	case c.N == 0:
		return "- (no items)"
	case !c.Interval:
		return FormatDecimal(c.Value)
	}
	return FormatDecimal(c.Value) + " [" + FormatDecimal(c.Low) + ", " + FormatDecimal(c.High) + "]" + fewUnitsMark(c.Warning())
}

// FormatDecimal has three places, and no sign before nothing.
func FormatDecimal(v float64) string {
	if s := strconv.FormatFloat(v, 'f', 3, 64); s != "-0.000" {
		return s
	}
	return "0.000"
}

// FormatPercent writes a share as a percentage with one decimal, without the sign.
func FormatPercent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) }

// FormatGrouped writes a count with commas between thousands.
func FormatGrouped(n int) string {
	s := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// WithoutEmpty leaves out those of the columns that say nothing in any row.
func (t Table) WithoutEmpty(some []Column) Table {
	return t.selectColumns(func(i int) bool {
		says := func(r []Cell) bool { return r[i].kind != cellUnknown && r[i].kind != cellBlank }
		return !slices.Contains(some, t.Columns[i]) || slices.ContainsFunc(t.Rows, says)
	})
}
