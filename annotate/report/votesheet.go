package report

import (
	"fmt"
	"slices"

	"concord/eval/stat"
)

// voteSheets lays the rows of one judge out as people read them: win, ties
// and lose with the win rate, the same per level of the taxonomy, and every
// outcome apart.
func voteSheets(rows []*VotesRow) []Table {
	title := rows[0].place()
	folded := Table{
		Name: "votes", Title: title,
		Columns: columns([]Column{{Name: "model"}, {Name: "win_rate", Kind: KindRate}}, countColumns("win", "ties", "lose", "n", "incomplete")),
	}
	detailed := Table{
		Name: "outcomes", Title: title,
		Columns: columns([]Column{{Name: "model"}}, countColumns(outcomeNames...), countColumns(reasonNames...),
			[]Column{{Name: "same_vote", Kind: KindRate}}),
	}
	placed := false
	most := 0
	for _, r := range rows {
		most = max(most, r.N)
	}
	anchor := func() {
		folded.Rows = append(folded.Rows, []Cell{
			text(rows[0].Anchor + " (anchor)"), computed(stat.Expected(0.5, most)),
			blank(), blank(), blank(), blank(), blank(),
		})
		placed = true
	}
	for _, r := range rows {
		if !placed && r.WinRate.Value < 0.5 {
			anchor()
		}
		model := r.Head.cells()[3]
		folded.Rows = append(folded.Rows, []Cell{
			model, rate(r.WinRate), integer(r.Win), integer(r.Folded), integer(r.Lose), integer(r.N), integer(r.Incomplete),
		})
		detailed.Rows = append(detailed.Rows, slices.Concat([]Cell{model}, r.Outcomes.cells(), r.reasons(), []Cell{rate(r.Position.Same)}))
	}
	if !placed {
		anchor()
	}
	folded.Notes = []string{"The anchor's own win rate is 50% by definition."}
	out := []Table{folded}
	if levels := levelSheet(rows, title); len(levels.Columns) > 1 {
		out = append(out, levels)
	}
	return append(out, detailed)
}

// levelSheet is win/ties/lose under each first level of the taxonomy.
func levelSheet(rows []*VotesRow, title string) Table {
	t := Table{Name: "levels", Title: title, Columns: []Column{{Name: "model"}}, Notes: []string{"Each cell is win/ties/lose."}}
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
		t.Columns = append(t.Columns, Column{Name: n, Kind: KindCount})
	}
	for _, r := range rows {
		line := []Cell{r.Head.cells()[3]}
		for _, n := range names {
			i := slices.IndexFunc(r.Levels, func(l VotesLevel) bool { return len(l.Path) == 1 && l.Path[0] == n })
			if i < 0 {
				line = append(line, blank())
				continue
			}
			l := &r.Levels[i]
			line = append(line, text(fmt.Sprintf("%d/%d/%d", l.Win, l.Folded, l.Lose)))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}
