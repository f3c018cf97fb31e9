package accuracy

import (
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
)

// abilityCharts are models by ability as bars (MMBench, Fig. 1; MME, Fig. 3):
// one table for each dataset, split and strategy, the models of an ability one
// below the other, on one scale from 0 to 1.
func abilityCharts(rows []*AbilitiesRow) []table.Table {
	var out []table.Table
	for _, group := range table.GroupBy(rows, func(r *AbilitiesRow) string { return r.Place() + ", " + r.Strategy }) {
		t := table.Table{
			Name: "models by ability", Title: group[0].Place() + ", " + group[0].Strategy,
			Columns: table.List("ability model accuracy:rate :bar"),
		}
		for _, path := range abilityPaths(group) {
			name := table.Text(eval.Path(path))
			for _, r := range group {
				a := scoreOf(r.Abilities, path).Accuracy
				drawn := table.Blank()
				if a.N > 0 {
					drawn = table.Bar(a.Value)
				}
				t.Rows = append(t.Rows, []table.Cell{name, table.Text(r.Contender()), report.Over(table.Rate(a), r.opener(path), report.Right, report.Wrong), drawn})
			}
		}
		out = append(out, t)
	}
	return out
}
