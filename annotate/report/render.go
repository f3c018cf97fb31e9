package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"concord/annotate/report/table"
)

// Render prints the report. Width is how many cells of a terminal the table
// format may take; 0 is no limit, and no terminal: then nothing is drawn below
// the tables.
func Render(w io.Writer, r Report, f table.Format, width int) error {
	var out []byte
	var err error
	switch f {
	case table.FormatJSON:
		out, err = encode(r)
	case table.FormatCSV:
		out, err = r.Table().Plain().Marked(r.Damaged).CSV()
	case table.FormatMarkdown:
		out = sheets(r, func(t table.Table) []byte { return t.Plain().Markdown() })
	case table.FormatLaTeX:
		out = sheets(r, func(t table.Table) []byte { return t.Plain().LaTeX() })
	case table.FormatHTML:
		var page bytes.Buffer
		err = r.page(&page)
		out = page.Bytes()
	case table.FormatTable, table.FormatUnset:
		out = sheets(r, func(t table.Table) []byte { return t.Text(width) })
		if drawn := table.BarChart(r.bars(), width); drawn != nil { // on a terminal alone
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
func sheets(r Report, print func(table.Table) []byte) []byte {
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
