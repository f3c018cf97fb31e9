package table

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
	"concord/eval/text"
)

// Format is how a report is printed. The zero value is unset.
type Format uint8

// The formats.
const (
	FormatUnset Format = iota
	FormatTable
	FormatJSON
	FormatCSV
	FormatMarkdown
	FormatLaTeX
	FormatHTML
	FormatSVG // the charts of a report alone
	FormatPGF // the same for LaTeX
)

var formatNames = []string{"", "table", "json", "csv", "markdown", "latex", "html", "svg", "pgf"}

// String returns the name that --format takes.
func (f Format) String() string {
	if int(f) >= len(formatNames) {
		return "invalid"
	}
	return formatNames[f]
}

// ParseFormat reads what String writes.
func ParseFormat(s string) (Format, error) {
	if i := slices.Index(formatNames, s); i > 0 {
		return Format(i), nil
	}
	return FormatUnset, fmt.Errorf("unknown format %q: want one of %s", s, strings.Join(formatNames[1:], ", "))
}

// The columns that a figure takes in CSV, each with the column's name before.
var (
	rateFields        = []string{"", "_low", "_high", "_k", "_n", "_undefined"}
	coefficientFields = []string{"", "_low", "_high", "_n", "_undefined"}
	plainFields       = []string{""}
)

func (c Column) fieldSuffixes() []string {
	switch c.Kind {
	case KindRate:
		return rateFields
	case KindCoefficient, KindPoints, KindScore:
		return coefficientFields
	case KindText, KindCount, KindNumber, KindBar:
	}
	return plainFields
}

// RenderCSV prints the table with every number in a column of its own. The last one,
// warning, names the row's figures over few units.
func (t Table) RenderCSV() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	var head []string
	for _, c := range t.Columns {
		for _, s := range c.fieldSuffixes() {
			head = append(head, c.Name+s)
		}
	}
	warns := slices.ContainsFunc(t.Columns, func(c Column) bool { return len(c.fieldSuffixes()) > 1 })
	if warns {
		head = append(head, "warning")
	}
	lines := [][]string{head}
	for _, row := range t.Rows {
		var line []string
		for i, c := range row {
			fields := c.csvFields()
			room := len(t.Columns[i].fieldSuffixes())
			line = append(line, slices.Concat(fields, make([]string, room-len(fields)))...)
		}
		if warns {
			line = append(line, t.rowWarning(row))
		}
		lines = append(lines, line)
	}
	err := w.WriteAll(lines)
	return b.Bytes(), err
}

// WithDamageColumn gives the table with a column more, which says in every row what was left out
// of its figures, since CSV has no notes; "" is nothing.
func (t Table) WithDamageColumn(damaged string) Table {
	if damaged == "" {
		return t
	}
	t.Columns = append(slices.Clip(t.Columns), Column{Name: "damaged", Kind: KindText})
	t.Rows = eval.Map(t.Rows, func(row []Cell) []Cell { return append(slices.Clip(row), NewText(damaged)) })
	return t
}

// rowWarning names the figures of a row that are over few units.
func (t Table) rowWarning(row []Cell) string {
	var few []string
	for i, c := range row {
		if c.figureWarning() != "" {
			few = append(few, t.Columns[i].Name)
		}
	}
	return eval.Either(len(few) == 0, "", "few units: "+strings.Join(few, ", "))
}

// csvFields is the cell as bare values, in the order of the column's suffixes.
func (c Cell) csvFields() []string {
	switch c.kind {
	case cellText:
		return []string{safeText(c.text)}
	case cellCount:
		return []string{strconv.Itoa(c.count)}
	case cellNumber:
		return []string{formatExact(c.num)}
	case cellRate, cellCoefficient, cellPoints, cellScore, cellExpected:
		e, out := &c.estimate, make([]string, 3)
		if e.WhyUndefined() == "" {
			out[0] = formatExact(e.Value)
			if !e.Exact {
				out[1], out[2] = formatExact(e.Low), formatExact(e.High)
			}
		}
		if c.kind == cellRate {
			out = append(out, strconv.Itoa(c.rate.K))
		}
		return append(out, strconv.Itoa(e.N), safeText(e.WhyUndefined()))
	case cellExternal:
		n := eval.Either(c.count > 0, strconv.Itoa(c.count), "")
		if c.share { // among rates
			return []string{formatExact(PercentToShare(c.num)), "", "", "", n, ""}
		}
		return []string{formatExact(c.num), "", "", n, ""}
	case cellBlank, cellBar, cellUnknown:
	}
	return nil
}

// PercentToShare is a percentage as a share, without the digits that dividing adds.
func PercentToShare(percent float64) float64 { return math.Round(percent*1e8) / 1e10 }

func formatExact(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// safeText is text from outside, and a reason that may quote some, in a cell.
func safeText(s string) string { return text.Outside(visibleText(s)).ForCSV() }

// RenderMarkdown prints the table as a GitHub-flavoured one.
func (t Table) RenderMarkdown() []byte {
	var b strings.Builder
	if t.Title != "" {
		fmt.Fprintf(&b, "**%s**\n\n", escapeMarkdown(t.heading()))
	}
	if len(t.Columns) > 0 {
		head, rule := make([]string, len(t.Columns)), make([]string, len(t.Columns))
		for i, c := range t.Columns {
			head[i], rule[i] = escapeMarkdown(c.Name), "---"
			if c.Kind != KindText {
				rule[i] = "--:"
			}
		}
		fmt.Fprintf(&b, "| %s |\n| %s |\n", strings.Join(head, " | "), strings.Join(rule, " | "))
	}
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, c := range row {
			if cells[i] = escapeMarkdown(c.String()); c.IsBest() {
				cells[i] = "**" + cells[i] + "**"
			}
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	for _, n := range append(t.explainBold(), t.Notes...) {
		fmt.Fprintf(&b, "\n%s\n", escapeMarkdown(n))
	}
	return []byte(b.String())
}

// EscapeMarkdown makes text from outside safe to stand in Markdown.
func EscapeMarkdown(s string) string { return escapeMarkdown(s) }

func escapeMarkdown(s string) string { return text.Outside(s).ForMarkdown() }
