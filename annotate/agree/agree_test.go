package agree

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
)

func TestUndefined(t *testing.T) {
	check := func(name string, c Coefficient, want string) {
		t.Helper()
		if c.Undefined != want || c.Interval {
			t.Errorf("%s: %+v, want undefined: %s", name, c, want)
		}
	}
	one := Table{{"A", "A"}, {"A", "A"}}
	check("kappa of nothing", CohenKappa(nil, 0.95), "no items")
	check("kappa of blanks", CohenKappa([][2]string{{"A", ""}}, 0.95), "no items")
	check("kappa of one class", CohenKappa([][2]string{{"A", "A"}, {"A", "A"}}, 0.95), "only one class is used")
	check("kappa of two alphabets", CohenKappa([][2]string{{"A", "1"}, {"B", "2"}}, 0.95), "the raters share no class")
	check("AC1 of nothing", GwetAC1(nil, 0.95), "no items")
	check("AC1 of one class", GwetAC1(one, 0.95), "only one class is used")
	check("AC1 of one rater", GwetAC1(Table{{"A"}, {"B", ""}}, 0.95), "no item has two ratings")
	check("Fleiss of one class", Fleiss(one), "only one class is used")
	check("alpha of one class", Krippendorff(one, Scale{}), "only one class is used")
	check("alpha of lone others", Krippendorff(Table{{"A", "A"}, {"B", ""}}, Scale{}), "only one class is used")
	if r := Percent(Table{{"A"}}); r.Undefined == "" {
		t.Errorf("percent of one rater: %+v", r)
	}
}

// What does not depend on the data: identical raters agree fully, and names
// of classes, the order of items and the order of raters change nothing.
func TestIdentities(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var table, renamed, turned Table
	var same, pairs, swapped [][2]string
	names := map[string]string{"A": "z", "B": "y", "C": "x"}
	for range 60 {
		a, b := string(rune('A'+r.IntN(3))), string(rune('A'+r.IntN(3)))
		table = append(table, []string{a, b})
		renamed = append(renamed, []string{names[a], names[b]})
		turned = append(Table{{b, a}}, turned...)
		same, pairs = append(same, [2]string{a, a}), append(pairs, [2]string{a, b})
		swapped = append(swapped, [2]string{names[b], names[a]})
	}
	near := func(what string, a, b Coefficient) {
		t.Helper()
		if math.Abs(a.Value-b.Value) > 1e-12 || math.Abs(a.Low-b.Low) > 1e-12 || a.N != b.N {
			t.Errorf("%s: %+v and %+v", what, a, b)
		}
	}
	near("kappa", CohenKappa(pairs, 0.95), CohenKappa(swapped, 0.95))
	for _, other := range []Table{renamed, turned} {
		near("AC1", GwetAC1(table, 0.95), GwetAC1(other, 0.95))
		near("Fleiss", Fleiss(table), Fleiss(other))
		near("alpha", Krippendorff(table, Scale{}), Krippendorff(other, Scale{}))
	}
	if c := CohenKappa(same, 0.95); math.Abs(c.Value-1) > 1e-12 || c.High > 1 {
		t.Errorf("kappa of identical raters: %+v", c)
	}
}

// Full agreement on a few items is less certain than on many, and a rater who
// never varies leaves kappa at 0 however sure that is.
func TestIntervalWithoutSpread(t *testing.T) {
	full := func(n int) (pairs [][2]string, table Table) {
		for i := range n {
			class := string(rune('A' + i%2))
			pairs, table = append(pairs, [2]string{class, class}), append(table, []string{class, class})
		}
		return pairs, table
	}
	check := func(what string, few, many Coefficient) {
		t.Helper()
		for _, c := range []Coefficient{few, many} {
			if !c.Interval || c.High < c.Value || c.Low >= c.Value {
				t.Errorf("%s: %+v", what, c)
			}
		}
		if few.Low >= many.Low {
			t.Errorf("%s: [%v, 1] of few, [%v, 1] of many", what, few.Low, many.Low)
		}
	}
	few, fewTable := full(10)
	many, manyTable := full(1000)
	check("kappa", CohenKappa(few, 0.95), CohenKappa(many, 0.95))
	check("AC1", GwetAC1(fewTable, 0.95), GwetAC1(manyTable, 0.95))
	c := CohenKappa([][2]string{{"A", "A"}, {"B", "A"}, {"A", "A"}}, 0.95)
	if c.Value != 0 || c.Low >= 0 || c.High <= 0 {
		t.Errorf("kappa of a constant rater: %+v", c)
	}
	if c := GwetAC1(Table{{"A", "B"}}, 0.95); !c.Interval || c.Low > c.Value || c.Value > c.High {
		t.Errorf("AC1 of one item: %+v", c)
	}
}

func TestCoefficientAsJSON(t *testing.T) {
	check := func(c Coefficient, want string) {
		t.Helper()
		b, err := json.Marshal(c)
		if err != nil || string(b) != want {
			t.Errorf("%s, %v, want %s", b, err, want)
		}
		var back Coefficient
		if err := json.Unmarshal(b, &back); err != nil || back != c && c.N > 0 {
			t.Errorf("back: %+v, %v, want %+v", back, err, c)
		}
	}
	check(Coefficient{Value: 0.5, Low: 0.25, High: 0.75, Interval: true, N: 40}, `{"value":0.5,"low":0.25,"high":0.75,"n":40}`)
	check(Coefficient{Value: 0.5, N: 4}, `{"value":0.5,"low":null,"high":null,"n":4}`)
	check(Coefficient{N: 4, Undefined: "why"}, `{"value":null,"low":null,"high":null,"n":4,"undefined":"why"}`)
	check(Coefficient{}, `{"value":null,"low":null,"high":null,"n":0,"undefined":"no items"}`)
}

func TestMajority(t *testing.T) {
	got := Majority(Table{{"A", "B"}, {"A", ""}, {"C"}})
	if got.K != 2 || got.N != 4 || got.Clusters != 3 || got.Low >= got.Value || got.High <= got.Value {
		t.Errorf("%+v", got)
	}
}
