package report

import (
	"fmt"

	"concord/annotate/report/table"
)

// charts are the rates of the report as bars: of alignment every extractor on
// the whole queue and on each run (MMBench, Fig. 5), of calibrations each line
// over time. Other reports have none.
func (r Report) charts() []table.BarGroup {
	var out []table.BarGroup
	group := func(title string) *table.BarGroup {
		if n := len(out); n == 0 || out[n-1].Title != title {
			out = append(out, table.BarGroup{Title: title})
		}
		return &out[len(out)-1]
	}
	for _, row := range append(r.Overall[:len(r.Overall):len(r.Overall)], r.Rows...) {
		switch x := row.(type) {
		case *AlignmentRow:
			if x.Saved != 0 {
				continue
			}
			title := "all runs"
			if x.Run != 0 {
				title = fmt.Sprintf("run %d, %s", x.Run, x.cells()[3].String())
			}
			g := group(fmt.Sprintf("%s, %s items", title, table.Grouped(x.Items)))
			g.Add(x.Extractor, x.Alignment, x.Baseline)
		case *CalibrationRow:
			g := group(x.Extractor + " on queue " + string(x.Queue) + ", " + x.Policy + ", undecided " + x.Undecided)
			name := fmt.Sprintf("report %d", x.Saved)
			if x.Stale {
				name += " (stale)"
			}
			g.Add(name, x.Alignment, x.Baseline)
		}
	}
	return out
}
