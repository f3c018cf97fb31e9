package report

import (
	"slices"

	"concord/eval"
	"concord/eval/stat"
)

// mostColumns is how many abilities stand in one table. More are split up by
// the ability above them, as MMBench's Tables 9 to 14 are.
const mostColumns = 8

// abilitySheets lays rows out as tables with a column for each ability: one
// for each dataset and split, or for each ability above.
func abilitySheets(rows []*AbilitiesRow) []Table {
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
	var out []Table
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
			for n < len(paths) && under(paths[n], parent) {
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
func abilitySheet(rows []*AbilitiesRow, parent []string, paths [][]string) Table {
	first, title := "overall", rows[0].place()
	if len(parent) > 0 {
		first, title = parent[len(parent)-1], title+": "+eval.Path(parent)
	}
	t := Table{
		Name: "abilities", Title: title,
		Columns: columns(sheetColumns, cardColumns, []Column{{Name: "extractor"}, {Name: "strategy"}, {Name: first, Kind: KindRate}}),
	}
	figures := len(t.Columns) - 1
	for _, p := range paths {
		t.Columns = append(t.Columns, Column{Name: p[len(p)-1], Kind: KindRate})
	}
	t.Columns = append(t.Columns, countColumns("unplaced", "pending")...)
	for _, r := range rows {
		above := r.over(parent)
		line := slices.Concat(r.sheetCells(), r.Card.cells(), []Cell{text(r.Extractor), text(r.Strategy), rate(above.Accuracy).over(r.opener(parent), Right, Wrong)})
		unplaced := above.Accuracy.N
		for _, p := range paths {
			a := scoreOf(r.Abilities, p).Accuracy
			line = append(line, rate(a).over(r.opener(p), Right, Wrong))
			unplaced -= a.N
		}
		t.Rows = append(t.Rows, append(line, integer(unplaced).over(r.opener(parent), Unplaced), integer(above.Pending).over(r.opener(parent), Pending)))
	}
	t.mark(figures)
	t.Rows = append(blindLines(rows, parent, paths), t.Rows...)
	return t.without(cardColumns)
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
func blindLines(rows []*AbilitiesRow, parent []string, paths [][]string) [][]Cell {
	var random, frequent [][]Cell
	var seen []string
	for _, r := range rows {
		if slices.Contains(seen, r.Strategy) {
			continue
		}
		seen = append(seen, r.Strategy)
		line := func(name string, figure func(AbilityScore) Cell) []Cell {
			out := make([]Cell, len(sheetColumns)+len(cardColumns)+2)
			out[1], out[len(out)-1] = text(name), text(r.Strategy)
			out = append(out, figure(r.over(parent)).over(r.opener(parent), Every))
			for _, p := range paths {
				out = append(out, figure(scoreOf(r.Abilities, p)).over(r.opener(p), Every))
			}
			return append(out, blank(), blank())
		}
		random = append(random, line("random choice", func(a AbilityScore) Cell { return computed(a.Random) }))
		if r.Frequent.N > 0 {
			frequent = append(frequent, line("frequent choice", func(a AbilityScore) Cell { return rate(a.Frequent) }))
		}
	}
	return slices.Concat(random, frequent)
}

// sheetColumns are those of a head, in a table whose title says dataset and
// split.
var sheetColumns = []Column{{Name: "run", Kind: KindCount}, {Name: "model"}, {Name: "modality"}}

func (h *Head) sheetCells() []Cell { return sheetCells(h.cells()) }

// sheetCells are those of a head's cells that such a table has.
func sheetCells(head []Cell) []Cell { return []Cell{head[0], head[3], head[4]} }

// place is what the title of a table says of its rows.
func (h *Head) place() string { return string(h.Dataset) + ", split " + h.Split }

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

// without leaves out those of the columns that say nothing in any row.
func (t Table) without(some []Column) Table {
	out := t
	out.Columns, out.Rows = nil, make([][]Cell, len(t.Rows))
	for i, c := range t.Columns {
		empty := slices.Contains(some, c)
		for _, r := range t.Rows {
			empty = empty && (r[i].kind == cellUnknown || r[i].kind == cellBlank)
		}
		if empty {
			continue
		}
		out.Columns = append(out.Columns, c)
		for j, r := range t.Rows {
			out.Rows[j] = append(out.Rows[j], r[i])
		}
	}
	return out
}
