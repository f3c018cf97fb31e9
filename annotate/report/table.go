package report

import (
	"slices"
	"strconv"

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
	estimate    stat.Estimate
	places      int  // of a score, behind the point; 0: one
	share       bool // of an external score: in percent, beside rates
	marked      bool // of a difference: one of its sides was measured elsewhere
	best        bool // of its column
	style       Style
	behind      *Behind // what it was counted over; nil: nothing is to be opened
}

type cellKind uint8

const (
	cellBlank cellKind = iota
	cellText
	cellCount
	cellNumber
	cellRate
	cellCoefficient
	cellPoints   // a difference of rates, in percentage points
	cellScore    // a score as it is
	cellExpected // a share that was computed, in percent
	cellBar
	cellUnknown  // a name that nobody gave; empty where machines read
	cellExternal // a score that was measured elsewhere, in num, over count items
)

func blank() Cell           { return Cell{} }
func text(s string) Cell    { return Cell{kind: cellText, text: s} }
func integer(n int) Cell    { return Cell{kind: cellCount, count: n} }
func rate(r stat.Rate) Cell { return Cell{kind: cellRate, rate: r} }

func coefficient(c agree.Coefficient) Cell { return Cell{kind: cellCoefficient, coefficient: c} }

func points(e stat.Estimate) Cell   { return Cell{kind: cellPoints, estimate: e} }
func score(e stat.Estimate) Cell    { return Cell{kind: cellScore, estimate: e} }
func mean(e stat.Estimate) Cell     { return Cell{kind: cellScore, estimate: e, places: 2} }
func computed(e stat.Estimate) Cell { return Cell{kind: cellExpected, estimate: e} }

// number is a figure that may be absent.
func number(f *float64) Cell {
	if f == nil {
		return blank()
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
		return grouped(c.count)
	case cellNumber:
		return strconv.FormatFloat(c.num, 'f', 4, 64)
	case cellRate:
		return formatRate(c.rate)
	case cellCoefficient:
		return formatCoefficient(c.coefficient)
	case cellPoints, cellScore, cellExpected:
		return c.formatEstimate()
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
	case cellRate:
		return c.rate.Value, c.rate.N > 0
	case cellExternal:
		if c.share {
			return c.num / 100, true // beside rates
		}
		return c.num, true
	case cellScore:
		return c.estimate.Value, c.estimate.Reason() == "" && !c.estimate.Exact
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
		return stat.Rate{N: e.N, Value: e.Value, Low: e.Value, High: e.Value}, e.Reason() == ""
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

// tables are the report's tables as people read them: those that a report laid
// out itself, or the one of its rows. Notes are the last one's.
func (r Report) tables() []Table {
	out := slices.Clone(r.sheets)
	if len(out) == 0 {
		out = []Table{r.Table()}
	} else {
		out[len(out)-1].Notes = slices.Concat(out[len(out)-1].Notes, r.Notes)
	}
	for i := range out {
		out[i] = out[i].best().styled(r.Style)
	}
	return out
}

// plain is the table without what only a terminal shows.
func (t Table) plain() Table {
	out := t
	out.Columns, out.Rows = nil, make([][]Cell, len(t.Rows))
	for i, c := range t.Columns {
		if c.Kind == KindBar {
			continue
		}
		out.Columns = append(out.Columns, c)
		for j := range t.Rows {
			out.Rows[j] = append(out.Rows[j], t.Rows[j][i])
		}
	}
	return out
}

// Table is the report's rows as one table: sums over runs first, and last what
// was measured elsewhere.
func (r Report) Table() Table {
	t := Table{Name: r.Name, Notes: r.Notes}
	for _, row := range slices.Concat(r.Overall, r.Rows, r.External) {
		if t.Columns == nil {
			t.Columns = row.columns()
		}
		t.Rows = append(t.Rows, row.lines()...)
	}
	return t
}

func columns(parts ...[]Column) []Column { return slices.Concat(parts...) }

func countColumns(names ...string) []Column {
	out := make([]Column, len(names))
	for i, n := range names {
		out[i] = Column{Name: n, Kind: KindCount}
	}
	return out
}

// clip makes an append to a shared start copy it.
func clip(cells []Cell) []Cell { return cells[:len(cells):len(cells)] }

// formatRate is a rate with its interval and its counts.
func formatRate(r stat.Rate) string {
	if r.N == 0 {
		reason := r.Undefined
		if reason == "" {
			reason = "nothing to count"
		}
		return "- (" + reason + ")"
	}
	return percent(r.Value) + "% [" + percent(r.Low) + ", " + percent(r.High) + "]  " +
		grouped(r.K) + "/" + grouped(r.N)
}

// formatCoefficient is a coefficient with its interval; its n stands beside
// the rate of the same row.
func formatCoefficient(c agree.Coefficient) string {
	switch {
	case c.Undefined != "":
		return "- (" + c.Undefined + ")"
	case c.N == 0:
		return "- (no items)"
	case !c.Interval:
		return decimal(c.Value)
	}
	return decimal(c.Value) + " [" + decimal(c.Low) + ", " + decimal(c.High) + "]"
}

// decimal has three places, and no sign before nothing.
func decimal(v float64) string {
	if s := strconv.FormatFloat(v, 'f', 3, 64); s != "-0.000" {
		return s
	}
	return "0.000"
}

func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) }

// grouped writes a count with commas between thousands.
func grouped(n int) string {
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
