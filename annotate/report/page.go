package report

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	template "github.com/DataDog/datadog-agent/pkg/template/html"

	"concord/annotate/report/chart"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
	"concord/eval/text"
)

// DrawBars draws a chart of bars; none where no figure is there to draw.
func DrawBars(title string, most float64, unit string, bars []chart.Bar) []chart.Drawing {
	if !slices.ContainsFunc(bars, func(b chart.Bar) bool { return b.Missing == "" }) {
		return nil
	}
	return []chart.Drawing{chart.DrawBars(title, most, unit, bars)}
}

// SelectRows selects the rows of one kind.
func SelectRows[T Row](rows []Row) []T {
	return eval.FilterMap(rows, func(r Row) (T, bool) {
		t, ok := r.(T)
		return t, ok
	})
}

// Percent is the whole of what charts draw in percent.
const Percent = 100

// NewRateBar gives a rate in percent.
func NewRateBar(label string, r stat.Rate) chart.Bar {
	c := table.NewRate(r)
	if r.N == 0 {
		return chart.Bar{Label: label, Missing: c.String()}
	}
	return chart.Bar{
		Label: label, Value: Percent * r.Value, Low: Percent * r.Low, High: Percent * r.High, Interval: true,
		Figure: table.FormatPercent(r.Value) + "%  " + table.FormatGrouped(r.K) + "/" + table.FormatGrouped(r.N), Tip: c.String(),
	}
}

// NewScoreBar gives a score as it is.
func NewScoreBar(label string, e stat.Estimate) chart.Bar {
	if e.WhyUndefined() != "" {
		return chart.Bar{Label: label, Missing: table.NewScore(e).String()}
	}
	return chart.Bar{
		Label: label, Value: e.Value, Low: e.Low, High: e.High, Interval: !e.Exact,
		Figure: strconv.FormatFloat(e.Value, 'f', 1, 64) + "  n " + table.FormatGrouped(e.N), Tip: table.NewScore(e).String(),
	}
}

// Series numbers names in the order in which they come.
type Series []string

// NumberOf is the number of a name, a new one's the next.
func (s *Series) NumberOf(name string) int {
	if i := slices.Index(*s, name); i >= 0 {
		return i
	}
	*s = append(*s, name)
	return len(*s) - 1
}

// HitShare is the samples that so many runs answer right.
type HitShare struct {
	Hits    int       `json:"hits"`
	Samples stat.Rate `json:"samples"`
}

// MakeHitCountTable makes the table of how many samples have how many hits, each opened by opens.
func MakeHitCountTable(name, title string, hits []HitShare, opens func(table.Cell, int) table.Cell) table.Table {
	t := table.Table{Name: name, Title: title, Columns: table.ParseColumns("hits:count samples:rate :bar")}
	drawn := table.MakeBars(eval.Map(hits, func(h HitShare) stat.Rate { return h.Samples }))
	for i, h := range hits {
		t.Rows = append(t.Rows, []table.Cell{table.NewCount(h.Hits), opens(table.NewRate(h.Samples), h.Hits), drawn[i]})
	}
	return t
}

// Ranking is what models are ranked by.
type Ranking struct {
	Name    string           `json:"name"`
	Kind    string           `json:"kind"` // votes, people, accuracy, mme or external
	Dataset eval.DatasetName `json:"dataset"`
	Sources []string         `json:"sources,omitempty"` // of external ones

	Values map[string]float64 `json:"-"` // by model
}

// FindOrAddRanking finds the ranking of a name in a list, and adds it at the end.
func FindOrAddRanking(all *[]*Ranking, r Ranking) *Ranking {
	return *eval.FindOrAdd(all, func(have **Ranking) bool { return (*have).Name == r.Name }, func() *Ranking {
		r.Values = make(map[string]float64)
		return &r
	})
}

// Page is a set of reports as one file of HTML: no scripts, nothing from elsewhere, charts within it.
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
