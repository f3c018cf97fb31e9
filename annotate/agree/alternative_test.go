package agree

import (
	"math"
	"strconv"
	"testing"
)

// Published confusion counts of judges give the published macro-F1 (PaperBench,
// Table 3; its repository's tables).
func TestMacroF1(t *testing.T) {
	for name, c := range map[string]struct {
		tp, fp, fn, tn int
		want           float64
	}{
		"gpt-4o-mini": {418, 220, 771, 1284, .5896},
		"gpt-4o":      {718, 230, 471, 1274, .7281},
		"o1-mini":     {508, 41, 414, 1395, .7752},
		"o1":          {971, 202, 218, 1302, .8416},
		"o3-mini":     {1026, 302, 163, 1202, .8266},
	} {
		got := ComputeMacroF1(map[[2]string]int{{"met", "met"}: c.tp, {"unmet", "met"}: c.fp, {"met", "unmet"}: c.fn, {"unmet", "unmet"}: c.tn})
		if math.Abs(got.Value-c.want) > 5e-5 || got.N != c.tp+c.fp+c.fn+c.tn {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if got := ComputeMacroF1(nil); got.Undefined == "" {
		t.Errorf("of nothing: %v", got)
	}
}

// A judge that always says what the others do beats everybody; one that never
// does beats nobody, and ties count for both.
func TestAlternative(t *testing.T) {
	items := func(judge func(i int) string) []RatedItem {
		var out []RatedItem
		for i := range 60 {
			right := string(rune('a' + i%3))
			people := map[string]Saying{"0": {Class: right}, "1": {Class: right}, "2": {Class: right}}
			if i%4 == 0 {
				people[strconv.Itoa(i/4%3)] = Saying{Class: "z"}
			}
			out = append(out, RatedItem{Judge: Saying{Class: judge(i)}, People: people})
		}
		return out
	}
	good := RunAlternativeTest(items(func(i int) string { return string(rune('a' + i%3)) }), AlternativeEpsilon, AlternativeItems)
	if good.WinningRate.Value != 1 || good.WinningRate.N != 3 || good.Advantage.Value != 1 || !good.Passes {
		t.Errorf("good: %+v", good)
	}
	bad := RunAlternativeTest(items(func(int) string { return "y" }), AlternativeEpsilon, AlternativeItems)
	if bad.WinningRate.Value != 0 || bad.Passes || bad.Advantage.Value > .2 {
		t.Errorf("bad: %+v", bad)
	}
	if few := RunAlternativeTest(items(func(int) string { return "y" })[:20], AlternativeEpsilon, AlternativeItems); few.WinningRate.Undefined == "" || few.Few != 3 {
		t.Errorf("few: %+v", few)
	}
	alone := []RatedItem{{Judge: Saying{Class: "a"}, People: map[string]Saying{"0": {Class: "a"}}}}
	if got := RunAlternativeTest(alone, AlternativeEpsilon, 0); got.Advantage.Undefined == "" {
		t.Errorf("alone: %+v", got)
	}
	if got := countRejected([]float64{0.001, 0.2, 0.9}, .05); got != 1 {
		t.Errorf("rejected %d", got)
	}
}

// Labels of the raters' own tell kinds of one class apart, where both have one.
func TestSayings(t *testing.T) {
	na, dk, none := Saying{Class: "unable", Label: "NA"}, Saying{Class: "unable", Label: "?"}, Saying{Class: "unable"}
	if na.agreesWith(&dk) || !na.agreesWith(&none) || na.agreesWith(&Saying{Class: "met"}) {
		t.Error("labels and classes are mixed up")
	}
	two, three := Saying{Number: 2, Numeric: true, Class: "score"}, Saying{Number: 3, Numeric: true, Class: "score"}
	if two.agreesWith(&three) || two.agreesWith(&none) || !two.agreesWith(&two) {
		t.Error("numbers are mixed up")
	}
	it := RatedItem{Judge: two, People: map[string]Saying{"0": three, "1": {Number: 5, Numeric: true}, "2": {Number: 1, Numeric: true}}}
	judge, person := it.scoreAgainstOthers("0")
	if math.Abs(judge+math.Sqrt(5)) > 1e-12 || math.Abs(person+2) > 1e-12 {
		t.Errorf("%g and %g", judge, person)
	}
}

// Correlations are those that a hand counts; a side without spread has
// none.
func TestNumeric(t *testing.T) {
	n := CompareNumbers([][2]float64{{1, 2}, {2, 1}, {3, 4}, {4, 3}, {4, 4}})
	if math.Abs(*n.Kendall-4.0/9) > 1e-12 || math.Abs(*n.Pearson-12.0/17) > 1e-12 || n.N != 5 {
		t.Errorf("%+v: %g %g", n, *n.Kendall, *n.Pearson)
	}
	if n := CompareNumbers([][2]float64{{1, 2}, {2, 2}, {3, 2}}); n.Pearson != nil || n.Kendall != nil || n.Spearman != nil {
		t.Errorf("%+v", n)
	}
}
