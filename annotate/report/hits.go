package report

import (
	"concord/annotate/report/table"
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
	shares := make([]stat.Rate, len(hits))
	for i, h := range hits {
		shares[i] = h.Samples
	}
	drawn := table.MakeBars(shares)
	for i, h := range hits {
		t.Rows = append(t.Rows, []table.Cell{table.NewCount(h.Hits), opens(table.NewRate(h.Samples), h.Hits), drawn[i]})
	}
	return t
}
