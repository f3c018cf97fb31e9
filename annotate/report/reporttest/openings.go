package reporttest

import (
	"iter"
	"math"
	"slices"
	"testing"

	"concord/annotate/report/table"
	"concord/eval"
)

// Opened is what a cell opens.
type Opened struct {
	N     []int // samples behind each pick
	Parts int   // of the picks, that are parts of the whole
	Every bool  // the first pick is all that the row is about
	Each  int   // samples that one counted thing is made of
}

// CheckCellsOpen checks that every figure of the tables opens what it counts: of a rate its k first, and
// where there are several parts all of its n; of a count as many. It gives how many cells open something.
func CheckCellsOpen(t *testing.T, tables []table.Table, open func(*table.Cell) *Opened) (opens int) {
	t.Helper()
	names := []string{"run", "base_run", "shots", "place", "hits", "pairs", "round"} // numbers that count nothing
	for _, tb := range tables {
		for _, line := range tb.Rows {
			for i := range line {
				c := &line[i]
				b := open(c)
				if b == nil {
					if name := tb.Columns[i].Name; c.IsFigure() && !c.IsEmpty() && !c.IsExternal() && !slices.Contains(names, name) {
						t.Errorf("%s %s: %s opens nothing: %s", tb.Name, tb.Title, name, c)
					}
					continue
				}
				opens++
				if !b.countsLikeCell(c) {
					t.Errorf("%s %s: %s %s opens %v (%+v)", tb.Name, tb.Title, tb.Columns[i].Name, c, b.N, b)
				}
			}
		}
	}
	return opens
}

func (b *Opened) countsLikeCell(c *table.Cell) bool {
	all := 0
	for _, k := range b.N[:b.Parts] {
		all += k
	}
	if count, ok := c.Count(); ok && all != count {
		return false
	}
	rate, ok := c.Rate()
	return !ok || (b.Every || b.N[0] == b.Each*rate.K) && (b.Parts <= 1 || all == b.Each*rate.N)
}

// CountKeys counts how many keys there are.
func CountKeys(t *testing.T, keys iter.Seq2[eval.Key, error]) (n int) {
	t.Helper()
	for _, err := range keys {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// CheckNear checks a figure to six decimals.
func CheckNear(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s: %.7f, want %.7f", what, got, want)
	}
}
