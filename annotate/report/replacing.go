package report

import (
	"fmt"

	"concord/annotate/agree"
	"concord/annotate/report/table"
)

// Replacing is the alternative annotator test of a judge, as a part of a row.
type Replacing struct {
	WinningRate agree.Coefficient `json:"winning_rate"`
	Advantage   agree.Coefficient `json:"advantage_probability"`
	Passes      bool              `json:"may_replace"` // at least half of the people are beaten
	Epsilon     float64           `json:"epsilon"`
	Few         int               `json:"people_with_few_items,omitempty"`
}

// ReplacingOf is the test of a judge on items, of which a person needs a number.
func ReplacingOf(items []agree.Rated, epsilon float64, fewest int) Replacing {
	test := agree.Alternative(items, epsilon, fewest)
	return Replacing{test.WinningRate(), test.AdvantageProbability(), test.Passes(), epsilon, test.Few}
}

// ReplacingNote says what the figures of the test are.
func ReplacingNote(epsilon float64) string {
	return fmt.Sprintf("Winning rate and advantage probability are of the alternative annotator test, epsilon %g: the share of people whom the judge beats, and how often it is as close to the others as one of them; from a winning rate of 0.5 on it may take the place of a person.", epsilon)
}

var replacingLayout = Lay("judge winning_rate advantage_probability may_replace people_with_few_items epsilon", Replacing{})

// ReplacingTable is the tests of judges, a line each; without any test it has no
// rows.
func ReplacingTable(judges []string, tests []*Replacing) table.Table {
	t := replacingLayout.Table("alternative annotator test", "whether a judge may take the place of a person")
	for i, test := range tests {
		if test != nil && test.WinningRate.Undefined == "" {
			t.Rows = append(t.Rows, replacingLayout.Line(Opener{}, test, Cells{"judge": table.Text(judges[i])}))
		}
	}
	return t
}
