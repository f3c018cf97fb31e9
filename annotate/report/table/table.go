package table

import (
	"slices"
	"strconv"
	"strings"

	"concord/annotate/agree"
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
	best        bool          // of its column
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

// Blank is a cell that says nothing.
func Blank() Cell { return Cell{} }

// Text is a name.
func Text(s string) Cell { return Cell{kind: cellText, text: s} }

// Count is a number of things.
func Count(n int) Cell { return Cell{kind: cellCount, count: n} }

// Rate is a share with its counts and its interval.
func Rate(r stat.Rate) Cell {
	return Cell{kind: cellRate, rate: r, estimate: stat.Estimate{N: r.N, Value: r.Value, Low: r.Low, High: r.High, Undefined: r.Undefined}}
}

// Coefficient is a coefficient of agreement.
func Coefficient(c agree.Coefficient) Cell {
	e := stat.Estimate{N: c.N, Value: c.Value, Low: c.Low, High: c.High, Exact: !c.Interval && c.N > 0, Undefined: c.Undefined}
	return Cell{kind: cellCoefficient, coefficient: c, estimate: e}
}

// Points is a difference of rates, in percentage points.
func Points(e stat.Estimate) Cell { return Cell{kind: cellPoints, estimate: e} }

// Score is a score as it is, with one place behind the point.
func Score(e stat.Estimate) Cell { return Cell{kind: cellScore, estimate: e} }

// Mean is a score with two places behind the point.
func Mean(e stat.Estimate) Cell { return Cell{kind: cellScore, estimate: e, places: 2} }

// Computed is a share that was computed and not counted, in percent.
func Computed(e stat.Estimate) Cell { return Cell{kind: cellExpected, estimate: e} }

// Unknown is a name that nobody gave.
func Unknown() Cell { return Cell{kind: cellUnknown} }

// Bar is a share of the longest bar, drawn.
func Bar(share float64) Cell { return Cell{kind: cellBar, num: share} }

// External is a score that was measured elsewhere, over n items; 0 where its
// source does not tell.
func External(value float64, n int) Cell { return Cell{kind: cellExternal, num: value, count: n} }

// BesideRates is a score that was measured elsewhere as a share in percent.
func (c Cell) BesideRates() Cell {
	c.share = true
	return c
}

// Daggered is a difference of which a side was measured elsewhere.
func (c Cell) Daggered() Cell {
	c.marked = true
	return c
}

// Number is a figure that may be absent.
func Number(f *float64) Cell {
	if f == nil {
		return Blank()
	}
	return Cell{kind: cellNumber, num: *f}
}

// String is the cell for people's eyes: "67.7% [65.0, 70.3]  796/1,176", or
// what its style leaves of that.
func (c Cell) String() string {
	if c.style == (Style{}) {
		return c.full()
	}
	return c.style.cut(c.full())
}

func (c Cell) full() string {
	switch c.kind {
	case cellText:
		return c.text
	case cellCount:
		return Grouped(c.count)
	case cellNumber:
		return strconv.FormatFloat(c.num, 'f', 4, 64)
	case cellRate:
		return FormatRate(c.rate)
	case cellCoefficient:
		return FormatCoefficient(c.coefficient)
	case cellPoints, cellScore, cellExpected:
		return c.FormatEstimate()
	case cellBar:
		return bar(c.num)
	case cellUnknown:
		return "-"
	case cellExternal:
		return c.formatExternal()
	case cellBlank:
	}
	return ""
}

// value is what the best cell of a column is found by; false without one.
func (c Cell) value() (float64, bool) {
	switch c.kind {
	case cellRate, cellScore:
		return c.estimate.Value, c.estimate.Reason() == "" && !c.estimate.Exact
	case cellExternal:
		if c.share {
			return c.num / 100, true // beside rates
		}
		return c.num, true
	default:
		return 0, false
	}
}

// Share is a cell's figure where it is a share, from 0 to 1, with its interval;
// one that was computed is its own interval. False without one.
func (c Cell) Share() (stat.Rate, bool) {
	switch c.kind {
	case cellRate:
		return c.rate, c.rate.N > 0
	case cellExpected:
		e := c.estimate
		if e.Exact {
			e.Low, e.High = e.Value, e.Value
		}
		return stat.Rate{N: e.N, Value: e.Value, Low: e.Low, High: e.High}, e.Reason() == ""
	default:
		return stat.Rate{}, false
	}
}

// Table is a report as columns and lines, what renderers print. Title is what
// it is about, where a report has several.
type Table struct {
	Name    string
	Title   string
	Columns []Column
	Rows    [][]Cell
	Notes   []string
}

// heading names a titled table in a text that is pasted elsewhere: tables of a
// report share their titles.
func (t Table) heading() string { return t.Name + " · " + t.Title }

// Plain is the table without what only a terminal shows.
func (t Table) Plain() Table {
	return t.pick(func(i int) bool { return t.Columns[i].Kind != KindBar })
}

// pick is the table with the columns that are wanted.
func (t Table) pick(wanted func(column int) bool) Table {
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

// Head is the column's name as people read it. Scripts read Name.
func (c Column) Head() string {
	if h, ok := heads[c.Name]; ok {
		return h
	}
	if c.Name == "undecided" && c.Kind == KindText { // what becomes of items, and no count
		return "no consensus"
	}
	return strings.ReplaceAll(c.Name, "_", " ")
}

// Parse reads a column as it is written: its name, in which + is a blank, and its
// kind behind a colon where it is no text, as in "hits:count". It panics at a word
// that is no kind.
func Parse(written string) Column {
	name, kind, _ := strings.Cut(strings.ReplaceAll(written, "+", " "), ":")
	k, ok := kinds[kind]
	if !ok {
		panic("column " + written + ": no such kind")
	}
	return Column{name, k}
}

// List is columns as Parse reads them, with spaces between.
func List(written string) []Column {
	var out []Column
	for w := range strings.FieldsSeq(written) {
		out = append(out, Parse(w))
	}
	return out
}

// Columns joins lists of columns.
func Columns(parts ...[]Column) []Column { return slices.Concat(parts...) }

// Clip makes an append to a shared start copy it.
func Clip(cells []Cell) []Cell { return cells[:len(cells):len(cells)] }

// FormatRate is a rate with its interval and its counts.
func FormatRate(r stat.Rate) string {
	if r.N == 0 {
		reason := r.Undefined
		if reason == "" {
			reason = "nothing to count"
		}
		return "- (" + reason + ")"
	}
	out := Percent(r.Value) + "% [" + looks(r.Sequence) + Percent(r.Low) + ", " + Percent(r.High) + "]  " +
		Grouped(r.K) + "/" + Grouped(r.N)
	if r.DesignEffect >= worthTelling {
		out += " deff " + strconv.FormatFloat(r.DesignEffect, 'f', 1, 64)
	}
	return out + few(r.Warning())
}

// worthTelling is the design effect from which on it stands beside its rate.
const worthTelling = 1.2

// fewMark stands behind a figure over few units.
const fewMark = " few"

func few(warning string) string {
	if warning == "" {
		return ""
	}
	return fewMark
}

// FewNote explains the mark of such figures.
const FewNote = "few: under 30 units (or clusters), or 10 of the rarer outcome: the interval may hold less often."

// Few reports whether a figure of the table is over few units.
func (t *Table) Few() bool {
	return slices.ContainsFunc(t.Rows, func(row []Cell) bool {
		return slices.ContainsFunc(row, func(c Cell) bool { return c.warning() != "" })
	})
}

// warning is that of the cell's figure.
func (c Cell) warning() string {
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

// looks marks an interval that holds at every look.
func looks(sequence bool) string {
	if sequence {
		return "seq "
	}
	return ""
}

// SequenceNote explains the mark of such intervals.
const SequenceNote = "seq: people are still labelling, and the interval is of a confidence sequence: it holds at every look, however often anybody looks and whenever they stop, and is wider than one for a single look. Meanwhile coefficients have no interval, and p-values hold for one look alone. Once all is labelled, intervals are for one look."

// FormatCoefficient is a coefficient with its interval; its n stands beside
// the rate of the same row.
func FormatCoefficient(c agree.Coefficient) string {
	switch {
	case c.Undefined != "":
		return "- (" + c.Undefined + ")"
	case c.N == 0:
		return "- (no items)"
	case !c.Interval:
		return Decimal(c.Value)
	}
	return Decimal(c.Value) + " [" + Decimal(c.Low) + ", " + Decimal(c.High) + "]" + few(c.Warning())
}

// Decimal has three places, and no sign before nothing.
func Decimal(v float64) string {
	if s := strconv.FormatFloat(v, 'f', 3, 64); s != "-0.000" {
		return s
	}
	return "0.000"
}

// Percent writes a share as a percentage with one decimal, without the sign.
func Percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) }

// Grouped writes a count with commas between thousands.
func Grouped(n int) string {
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

// Without leaves out those of the columns that say nothing in any row.
func (t Table) Without(some []Column) Table {
	return t.pick(func(i int) bool {
		says := func(r []Cell) bool { return r[i].kind != cellUnknown && r[i].kind != cellBlank }
		return !slices.Contains(some, t.Columns[i]) || slices.ContainsFunc(t.Rows, says)
	})
}
