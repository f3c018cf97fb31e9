package report

import (
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// HitShare is the samples that so many runs answer right.
type HitShare struct {
	Hits    int       `json:"hits"`
	Samples stat.Rate `json:"samples"`
}

// MakeHitTable makes the table of how many samples have how many hits, each opened by opens.
func MakeHitTable(name, title string, hits []HitShare, opens func(table.Cell, int) table.Cell) table.Table {
	t := table.Table{Name: name, Title: title, Columns: table.ParseColumns("hits:count samples:rate :bar")}
	drawn := table.MakeBars(eval.Map(hits, func(h HitShare) stat.Rate { return h.Samples }))
	for i, h := range hits {
		t.Rows = append(t.Rows, []table.Cell{table.NewCount(h.Hits), opens(table.NewRate(h.Samples), h.Hits), drawn[i]})
	}
	return t
}
