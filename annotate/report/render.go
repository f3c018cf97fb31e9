package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
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
)

var formatNames = []string{"", "table", "json", "csv", "markdown", "latex", "html"}

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

// Render prints the report. Width is how many cells of a terminal the table
// format may take; 0 is no limit, and no terminal: then nothing is drawn below
// the tables.
func Render(w io.Writer, r Report, f Format, width int) error {
	var out []byte
	var err error
	switch f {
	case FormatJSON:
		out, err = encode(r)
	case FormatCSV:
		out, err = r.Table().plain().csv()
	case FormatMarkdown:
		out = sheets(r, func(t Table) []byte { return t.plain().markdown() })
	case FormatLaTeX:
		out = sheets(r, func(t Table) []byte { return t.plain().latex() })
	case FormatHTML:
		var page bytes.Buffer
		err = r.page(&page)
		out = page.Bytes()
	case FormatTable, FormatUnset:
		out = sheets(r, func(t Table) []byte { return t.text(width) })
		if drawn := barChart(r.charts(), width); drawn != nil { // on a terminal alone
			out = append(append(out, '\n'), drawn...)
		}
	}
	if err != nil {
		return fmt.Errorf("render report %s: %w", r.Name, err)
	}
	if _, err := w.Write(out); err != nil {
		return fmt.Errorf("write report %s: %w", r.Name, err)
	}
	return nil
}

// sheets prints the tables one below the other.
func sheets(r Report, print func(Table) []byte) []byte {
	var all [][]byte
	for _, t := range r.tables() {
		all = append(all, print(t))
	}
	return bytes.Join(all, []byte("\n"))
}

// encode is the report as one JSON object on one line per nesting level. The
// encoder escapes C0 controls; DEL and C1, which terminals obey as well, are
// escaped here: they can only stand within strings.
func encode(r Report) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, c := range b.String() {
		if c >= 0x7f && c <= 0x9f {
			fmt.Fprintf(&out, `\u%04x`, c)
		} else {
			out.WriteRune(c)
		}
	}
	return out.Bytes(), nil
}
