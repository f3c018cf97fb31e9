package agree_test

import (
	"fmt"

	"concord/annotate/agree"
)

// Two people label 125 items and nearly always say yes. They agree on 94 % of
// them, yet kappa is below zero; AC1 is not misled.
func Example() {
	var pairs [][2]string
	var table agree.Table
	for _, cell := range []struct {
		first, second string
		n             int
	}{{"yes", "yes", 118}, {"yes", "no", 5}, {"no", "yes", 2}} {
		for range cell.n {
			pairs = append(pairs, [2]string{cell.first, cell.second})
			table = append(table, []string{cell.first, cell.second})
		}
	}
	fmt.Printf("agreement %.3f\n", agree.Percent(table).Value)
	fmt.Printf("kappa     %.3f\n", agree.CohenKappa(pairs, 0.95).Value)
	fmt.Printf("AC1       %.3f\n", agree.GwetAC1(table, 0.95).Value)
	// Output:
	// agreement 0.944
	// kappa     -0.023
	// AC1       0.941
}
