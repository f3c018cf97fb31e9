package report

import (
	_ "embed"
	"fmt"
	"io"
	"time"

	template "github.com/DataDog/datadog-agent/pkg/template/html"

	"concord/annotate/report/chart"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/text"
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
		"visible": func(s string) string { return text.Outside(s).ForCell() }, "tables": Report.Tables, "drawings": Report.makeCharts, "settings": Report.listSettings,
		"view": func(t table.Table) table.View { return t.View() }, "rgb": seriesClass, "when": formatTime,
	}).Parse(pageText)
	if err != nil {
		return fmt.Errorf("parse page: %w", err)
	}
	return eval.WrapError(t.Execute(w, p), "write page")
}

// formatTime gives a time in words; "" for none.
func formatTime(at time.Time) string {
	return eval.Either(at.IsZero(), "", at.UTC().Format("2006-01-02 15:04"))
}

func seriesClass(series int) string { return fmt.Sprintf("s%d", series%chart.Series) }
