package report

import (
	"fmt"
	"slices"
	"strings"

	figures "concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/tui/widget"
)

// savedReports are the rows of each saved report, oldest first.
func savedReports(r figures.Report) [][]*alignment.Row {
	var out [][]*alignment.Row
	at := make(map[uint64]int)
	for _, row := range slices.Concat(r.Overall, r.Rows) {
		a, ok := row.(*alignment.Row)
		if !ok || a.Saved == 0 {
			continue
		}
		i, known := at[a.Saved]
		if !known {
			i = len(out)
			at[a.Saved] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], a)
	}
	slices.SortFunc(out, func(a, b []*alignment.Row) int { return int(a[0].Saved) - int(b[0].Saved) })
	return out
}

// savedLines are a saved report: whether it is stale, and its figures as they
// were.
func (m *Model) savedLines(rows []*alignment.Row) []line {
	first := rows[0]
	if first.Run == 0 { // the whole queue says it all
		rows = slices.DeleteFunc(slices.Clone(rows), func(r *alignment.Row) bool { return r.Run != 0 })
	}
	out := m.alignedGroup(fmt.Sprintf("saved report %d", first.Saved), rows, false)
	note := ""
	if first.SavedAt != nil {
		note = first.SavedAt.Format("2006-01-02 15:04 UTC")
	}
	note += " by " + widget.Line(first.SavedBy)
	today := "as it would come out today"
	if first.Stale != nil && *first.Stale {
		today = "STALE: " + widget.Line(strings.Join(first.Reasons, "; "))
	}
	out[0].note = note + " · " + today
	out[0].beside = func() [][2]string {
		return append([][2]string{{"saved", note}, {"now", today}}, m.remarks()...)
	}
	return out
}
