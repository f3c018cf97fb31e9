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

// HitSheet is the table of how many samples have how many hits, each opened by opens.
func HitSheet(name, title string, hits []HitShare, opens func(table.Cell, int) table.Cell) table.Table {
	t := table.Table{Name: name, Title: title, Columns: table.List("hits:count samples:rate :bar")}
	shares := make([]stat.Rate, len(hits))
	for i, h := range hits {
		shares[i] = h.Samples
	}
	drawn := table.Bars(shares)
	for i, h := range hits {
		t.Rows = append(t.Rows, []table.Cell{table.Count(h.Hits), opens(table.Rate(h.Samples), h.Hits), drawn[i]})
	}
	return t
}
