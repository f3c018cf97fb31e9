package alignment

import (
	"strings"
	"testing"

	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// The recipe "add a coefficient of agreement" of ARCHITECTURE.md, followed: a function
// as it would stand in annotate/agree, and the field of a row that prints it.

// toyPi is Scott's pi of two raters, without an interval (Scott 1955).
func toyPi(pairs [][2]string) agree.Coefficient {
	alike, said := 0, make(map[string]float64)
	for _, p := range pairs {
		said[p[0]]++
		said[p[1]]++
		if p[0] == p[1] {
			alike++
		}
	}
	observed, expected := float64(alike)/float64(len(pairs)), 0.0
	for _, k := range said {
		share := k / float64(2*len(pairs))
		expected += share * share
	}
	return agree.Coefficient{Value: (observed - expected) / (1 - expected), N: len(pairs)}
}

// toyPair is two people on the items that both labelled, with the field.
type toyPair struct {
	Agreement stat.Rate         `json:"agreement" line:"pair"`
	Pi        agree.Coefficient `json:"scott_pi" line:"pair_scott_pi" like:"agreement"`
}

func TestACoefficientIsAFunctionAndAField(t *testing.T) {
	pairs := [][2]string{{"A", "A"}, {"A", "A"}, {"B", "B"}, {"A", "B"}}
	row := &toyPair{Agreement: stat.NewRate(3, 4), Pi: toyPi(pairs)}
	if got := row.Pi.Value; got < 0.4666 || got > 0.4667 { // (3/4 - 34/64) / (1 - 34/64)
		t.Errorf("pi %v", got)
	}
	layout := report.NewLayout("agreement scott_pi", toyPair{})
	sheet := layout.NewTable("pairs", "Pairs")
	sheet.Rows = append(sheet.Rows, layout.MakeTableLine(report.Opener{}, row))
	data, err := sheet.RenderCSV()
	if err != nil || !strings.Contains(string(data), "scott_pi,scott_pi_low,scott_pi_high,scott_pi_n") || !strings.Contains(string(data), ",0.466") {
		t.Errorf("%s, %v", data, err)
	}
	f := figureLines{layout: annotatorLayout, start: report.Cells{"dataset": table.NewText("d")}}
	f.addPart(row, "ann", "bob")
	if len(f.out) != 2 || f.out[1][4].String() != "pair_scott_pi" {
		t.Errorf("lines %v", f.out)
	}
}
