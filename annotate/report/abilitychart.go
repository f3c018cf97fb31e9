package report

import "concord/eval"

// abilityCharts are models by ability as bars (MMBench, Fig. 1; MME, Fig. 3):
// one table for each dataset, split and strategy, the models of an ability one
// below the other, on one scale from 0 to 1.
func abilityCharts(rows []*AbilitiesRow) []Table {
	var out []Table
	for _, group := range grouping(rows, func(r *AbilitiesRow) string { return r.place() + ", " + r.Strategy }) {
		t := Table{
			Name: "models by ability", Title: group[0].place() + ", " + group[0].Strategy,
			Columns: []Column{{Name: "ability"}, {Name: "model"}, {Name: "accuracy", Kind: KindRate}, {Kind: KindBar}},
		}
		for _, path := range abilityPaths(group) {
			name := text(eval.Path(path))
			for _, r := range group {
				a := scoreOf(r.Abilities, path).Accuracy
				drawn := blank()
				if a.N > 0 {
					drawn = Cell{kind: cellBar, num: a.Value}
				}
				t.Rows = append(t.Rows, []Cell{name, text(r.contender()), rate(a).over(r.opener(path), Right, Wrong), drawn})
			}
		}
		out = append(out, t)
	}
	return out
}
