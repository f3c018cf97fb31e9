package accuracy

import (
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// mostColumns is how many abilities stand in one table. More are split up by
// the ability above them, as MMBench's Tables 9 to 14 are.
const mostColumns = 8

// abilitySheets lays rows out as tables with a column for each ability: one
// for each dataset and split, or for each ability above.
func abilitySheets(rows []*AbilitiesRow) []table.Table {
	type place struct {
		dataset eval.DatasetName
		split   string
	}
	var order []place
	groups := make(map[place][]*AbilitiesRow)
	for _, r := range rows {
		p := place{r.Dataset, r.Split}
		if groups[p] == nil {
			order = append(order, p)
		}
		groups[p] = append(groups[p], r)
	}
	var out []table.Table
	for _, p := range order {
		group := groups[p]
		paths := abilityPaths(group)
		if len(paths) <= mostColumns || group[0].Level < 2 {
			out = append(out, abilitySheet(group, nil, paths))
			continue
		}
		for len(paths) > 0 {
			parent := paths[0][:len(paths[0])-1]
			n := 0
			for n < len(paths) && report.Under(paths[n], parent) {
				n++
			}
			out = append(out, abilitySheet(group, parent, paths[:n]))
			paths = paths[n:]
		}
	}
	return out
}

// abilityPaths are the abilities that any of the rows has, in their order.
func abilityPaths(rows []*AbilitiesRow) [][]string {
	var out [][]string
	for _, r := range rows {
		for _, a := range r.Abilities {
			out = append(out, a.Path)
		}
	}
	slices.SortFunc(out, slices.Compare[[]string])
	return slices.CompactFunc(out, slices.Equal[[]string])
}

// abilitySheet is the table of the abilities, after the figure of the one above
// them all.
func abilitySheet(rows []*AbilitiesRow, parent []string, paths [][]string) table.Table {
	first, title := "overall", rows[0].Place()
	if len(parent) > 0 {
		first, title = parent[len(parent)-1], title+": "+eval.Path(parent)
	}
	t := table.Table{
		Name: "abilities", Title: title,
		Columns: table.Columns(report.SheetColumns, cardColumns, []table.Column{{Name: "extractor"}, {Name: "strategy"}, {Name: first, Kind: table.KindRate}}),
	}
	figures := len(t.Columns) - 1
	for _, p := range paths {
		t.Columns = append(t.Columns, table.Column{Name: p[len(p)-1], Kind: table.KindRate})
	}
	t.Columns = append(t.Columns, table.List("unplaced:count pending:count")...)
	for _, r := range rows {
		above := r.over(parent)
		line := slices.Concat(r.SheetCells(), r.Card.cells(), []table.Cell{table.Text(r.Extractor), table.Text(r.Strategy), report.Over(table.Rate(above.Accuracy), r.opener(parent), report.Right, report.Wrong)})
		unplaced := above.Accuracy.N
		for _, p := range paths {
			a := scoreOf(r.Abilities, p).Accuracy
			line = append(line, report.Over(table.Rate(a), r.opener(p), report.Right, report.Wrong))
			unplaced -= a.N
		}
		t.Rows = append(t.Rows, append(line, report.Over(table.Count(unplaced), r.opener(parent), Unplaced), report.Over(table.Count(above.Pending), r.opener(parent), Pending)))
	}
	t.MarkBest(figures)
	t.Rows = append(blindLines(rows, parent, paths), t.Rows...)
	return t.Without(cardColumns)
}

// over is the figure of the ability above those of a table.
func (r *AbilitiesRow) over(parent []string) AbilityScore {
	if len(parent) > 0 {
		return scoreOf(r.above, parent)
	}
	return AbilityScore{Accuracy: r.Accuracy, Frequent: r.Frequent, Random: r.Random, Pending: r.Pending}
}

// blindLines are the baselines of a model that never looks, as MMStar's Table 5
// has them above its models: they are of the dataset, whoever answers. No
// constant answer is right in all passes, so that under CircularEval there is
// but the random one.
func blindLines(rows []*AbilitiesRow, parent []string, paths [][]string) [][]table.Cell {
	var random, frequent [][]table.Cell
	var seen []string
	for _, r := range rows {
		if slices.Contains(seen, r.Strategy) {
			continue
		}
		seen = append(seen, r.Strategy)
		line := func(name string, figure func(AbilityScore) table.Cell) []table.Cell {
			out := make([]table.Cell, len(report.SheetColumns)+len(cardColumns)+2)
			out[1], out[len(out)-1] = table.Text(name), table.Text(r.Strategy)
			out = append(out, report.Over(figure(r.over(parent)), r.opener(parent), report.Every))
			for _, p := range paths {
				out = append(out, report.Over(figure(scoreOf(r.Abilities, p)), r.opener(p), report.Every))
			}
			return append(out, table.Blank(), table.Blank())
		}
		random = append(random, line("random choice", func(a AbilityScore) table.Cell { return table.Computed(a.Random) }))
		if r.Frequent.N > 0 {
			frequent = append(frequent, line("frequent choice", func(a AbilityScore) table.Cell { return table.Rate(a.Frequent) }))
		}
	}
	return slices.Concat(random, frequent)
}

// scoreOf is the figure of one ability, undefined where the row has none of it.
func scoreOf(all []AbilityScore, path []string) AbilityScore {
	for _, a := range all {
		if slices.Equal(a.Path, path) {
			return a
		}
	}
	const none = "no questions"
	return AbilityScore{Path: path, Accuracy: stat.Undefined(none), Frequent: stat.Undefined(none), Random: stat.NoEstimate(none)}
}
