package annotate

import (
	"math"
	"slices"
	"strings"
	"testing"

	"concord/eval"
)

func TestDisagreement(t *testing.T) {
	check := func(classes string, want float64) {
		t.Helper()
		var list []eval.Choice
		for _, c := range strings.Fields(classes) {
			list = append(list, eval.Choice(c))
		}
		got := ComputeDisagreement(list)
		slices.Reverse(list)
		if back := ComputeDisagreement(list); math.Abs(got-want) > 1e-12 || back != got {
			t.Errorf("%q: %v and backwards %v, want %v", classes, got, back, want)
		}
	}
	check("", 0)
	check("A", 0)
	check("A A", 0)
	check("A B", 1)
	check("A x", 1)
	check("x x x", 0)
	check("A A B", 2.0/3)
	check("A B C", 1)
	check("A A B B", 4.0/6)
	check("A A A B", 3.0/6)
}
