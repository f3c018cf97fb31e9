package pairwise

import (
	"fmt"
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// voteSheets lays the rows of one judge out as people read them: win, ties
// and lose with the win rate, the same per level of the taxonomy, and every
// outcome apart.
func voteSheets(rows []*VotesRow) []table.Table {
	title := rows[0].place()
	folded, detailed := foldedLayout.Table("votes", title), outcomesLayout.Table("outcomes", title)
	placed := false
	most := 0
	for _, r := range rows {
		most = max(most, r.N)
	}
	anchor := func() {
		folded.Rows = append(folded.Rows, foldedLayout.Line(report.Opener{}, report.Cells{
			"model": table.Text(rows[0].Anchor + " (anchor)"), "win_rate": table.Computed(stat.Expected(0.5, most)),
		}))
		placed = true
	}
	for _, r := range rows {
		if !placed && r.WinRate.Value < 0.5 {
			anchor()
		}
		by := r.opener(r)
		cells := r.measured(by)
		cells["same_vote"] = r.Position.cells(by, r.Incomplete)[0]
		folded.Rows = append(folded.Rows, foldedLayout.Line(by, cells, r))
		detailed.Rows = append(detailed.Rows, outcomesLayout.Line(by, cells, r))
	}
	if !placed {
		anchor()
	}
	folded.Notes = []string{"The anchor's own win rate is 50% by definition."}
	out := []table.Table{folded}
	if levels := levelSheet(rows, title); len(levels.Columns) > 1 {
		out = append(out, levels)
	}
	return append(out, detailed)
}

// levelSheet is win/ties/lose under each first level of the taxonomy.
func levelSheet(rows []*VotesRow, title string) table.Table {
	t := table.Table{Name: "levels", Title: title, Columns: table.List("model"), Notes: []string{"Each cell is win/ties/lose."}}
	var names []string
	for _, r := range rows {
		for _, l := range r.Levels {
			if len(l.Path) == 1 && !slices.Contains(names, l.Path[0]) {
				names = append(names, l.Path[0])
			}
		}
	}
	slices.Sort(names)
	for _, n := range names {
		t.Columns = append(t.Columns, table.Column{Name: n, Kind: table.KindCount})
	}
	for _, r := range rows {
		line := []table.Cell{r.Cells()[3]}
		for _, n := range names {
			i := slices.IndexFunc(r.Levels, func(l VotesLevel) bool { return len(l.Path) == 1 && l.Path[0] == n })
			if i < 0 {
				line = append(line, table.Blank())
				continue
			}
			l := &r.Levels[i]
			line = append(line, report.Like(table.Text(fmt.Sprintf("%d/%d/%d", l.Win, l.Folded, l.Lose)), l.rate(r.opener(r).Under(l.Path...))))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}
