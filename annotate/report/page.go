package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"concord/annotate/report/chart"
)

// Page is a set of reports as one file of HTML: no scripts, nothing from
// elsewhere, charts within it.
type Page struct {
	Title    string
	Project  string // the project's file
	Version  string // of the program; "" when unknown
	At       time.Time
	Sections []Section
	Settings Settings  // what led to the figures, of all sections
	Missing  []Lacking // reports that could not be printed
}

// Section is one report of a page.
type Section struct {
	Name    string // unique on the page: links lead to it
	Title   string
	Command string // that prints it alone
	Report  Report
}

// Lacking is a report that cannot be printed, and why.
type Lacking struct {
	Title   string `json:"title"`
	Command string `json:"command"`
	Reason  string `json:"reason"`
}

//go:embed page.html
var pageText string

// WritePage writes the page. Whatever comes from outside is escaped, and its
// control characters are made visible.
func WritePage(w io.Writer, p *Page) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"visible": visible, "tables": Report.tables, "drawings": Report.drawings, "settings": Report.settings,
		"view": func(t Table) pageTable { return t.page() }, "rgb": colour,
	}).Parse(pageText)
	if err != nil {
		return fmt.Errorf("parse page: %w", err)
	}
	if err := t.Execute(w, p); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// page prints one report as a page of its own.
func (r Report) page(w io.Writer) error {
	return WritePage(w, &Page{Title: r.Name, Sections: []Section{{Name: r.Name, Title: r.Name, Report: r}}})
}

// pageTable is a table as the page's template reads it.
type pageTable struct {
	Title   string
	Columns []pageColumn
	Rows    [][]pageCell
	Notes   []string
}

type (
	pageColumn struct {
		Name   string
		Number bool
	}
	pageCell struct {
		Text         string
		Number, Best bool
	}
)

// page is the table without what only a terminal shows.
func (t Table) page() pageTable {
	t = t.plain()
	out := pageTable{Title: visible(t.Name), Rows: make([][]pageCell, len(t.Rows))}
	if t.Title != "" {
		out.Title = visible(t.heading())
	}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, pageColumn{visible(strings.ReplaceAll(c.Name, "_", " ")), c.Kind != KindText})
	}
	for i, row := range t.Rows {
		for j, c := range row {
			out.Rows[i] = append(out.Rows[i], pageCell{visible(c.String()), t.Columns[j].Kind != KindText, c.best})
		}
	}
	for _, n := range t.Notes {
		out.Notes = append(out.Notes, visible(n))
	}
	return out
}

// colour is the class of a series.
func colour(series int) string { return fmt.Sprintf("s%d", series%chart.Series) }
