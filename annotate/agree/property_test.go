package agree

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// ratings are 40 items that four raters rate from 1 to 5, much alike, with one
// rating in six missing.
func ratings(r *rand.Rand) Table {
	out := make(Table, 40)
	for i := range out {
		base := 1 + r.IntN(5)
		for range 4 {
			v := min(5, max(1, base+r.IntN(3)-1))
			cell := fmt.Sprint(v)
			if r.IntN(6) == 0 {
				cell = ""
			}
			out[i] = append(out[i], cell)
		}
	}
	return out
}

// mapped is a table with each rating changed.
func (t Table) mapped(to func(string) string) Table {
	out := make(Table, len(t))
	for i, item := range t {
		for _, c := range item {
			if c != "" {
				c = to(c)
			}
			out[i] = append(out[i], c)
		}
	}
	return out
}

// invariant is a coefficient, with the renamings of classes that change nothing
// in it: any, turning the scale round, or multiplying it.
type invariant struct {
	name                  string
	of                    func(Table) Coefficient
	any, turned, stretchy bool
	corrected             bool // for small samples
}

func invariants() []invariant {
	alpha := func(l Level) func(Table) Coefficient {
		return func(t Table) Coefficient { return Krippendorff(t, Scale{Level: l}) }
	}
	two := func(of func([][2]string) Coefficient) func(Table) Coefficient {
		return func(t Table) Coefficient {
			var pairs [][2]string
			for _, item := range t {
				pairs = append(pairs, [2]string{item[0], item[1]})
			}
			return of(pairs)
		}
	}
	cohen := two(func(p [][2]string) Coefficient { return CohenKappa(p, 0.95) })
	weighted := func(w Weights) func(Table) Coefficient {
		return two(func(p [][2]string) Coefficient { return WeightedKappa(p, Scale{Level: Ordinal}, w, 0.95) })
	}
	return []invariant{
		{name: "percent", of: func(t Table) Coefficient { r := Percent(t); return Coefficient{Value: r.Value, N: r.N} }, any: true, turned: true, stretchy: true},
		{name: "Cohen", of: cohen, any: true, turned: true, stretchy: true},
		{name: "linear", of: weighted(Linear), turned: true, stretchy: true},
		{name: "quadratic", of: weighted(Quadratic), turned: true, stretchy: true},
		{name: "Fleiss", of: Fleiss, any: true, turned: true, stretchy: true},
		{name: "AC1", of: func(t Table) Coefficient { return GwetAC1(t, 0.95) }, any: true, turned: true, stretchy: true},
		{name: "alpha nominal", of: alpha(Nominal), any: true, turned: true, stretchy: true, corrected: true},
		{name: "alpha ordinal", of: alpha(Ordinal), turned: true, stretchy: true, corrected: true},
		{name: "alpha interval", of: alpha(Interval), turned: true, stretchy: true, corrected: true},
		{name: "alpha ratio", of: alpha(Ratio), stretchy: true, corrected: true},
	}
}

// What holds of any table: identical raters agree fully; the order of items
// and of raters and the names of classes change nothing, as far as the scale
// allows; and items that stand there k times over give the same value, but for
// Krippendorff's correction for small samples, which is followed exactly.
func TestProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var table Table
	check := func(f invariant, what string, got Table, want float64) {
		t.Helper()
		if c := f.of(got); math.Abs(c.Value-want) > 1e-9 || c.Undefined != "" {
			t.Errorf("%s, %s: %+v, want %v", f.name, what, c, want)
		}
	}
	names := map[string]string{"1": "3", "2": "5", "3": "1", "4": "2", "5": "4"}
	for range 10 {
		table = ratings(r)
		items, raters := slices.Clone(table), make(Table, len(table))
		slices.Reverse(items)
		same := make(Table, len(table))
		for i, item := range table {
			raters[i] = []string{item[1], item[0], item[3], item[2]}
			same[i] = slices.Repeat([]string{fmt.Sprint(1 + i%5)}, 4)
		}
		pairable := 0
		for _, item := range table {
			if n := len(item) - count(item, ""); n > 1 {
				pairable += n
			}
		}
		for _, f := range invariants() {
			value := f.of(table).Value
			check(f, "identical raters", same, 1)
			check(f, "items in another order", items, value)
			check(f, "raters in another order", raters, value)
			if f.any {
				check(f, "classes renamed", table.mapped(func(c string) string { return names[c] }), value)
			}
			if f.turned {
				check(f, "the scale turned round", table.mapped(func(c string) string { return fmt.Sprint('6' - c[0]) }), value)
			}
			if f.stretchy {
				check(f, "the scale multiplied", table.mapped(func(c string) string { return c + "0" }), value)
			}
			for _, k := range []int{2, 50} {
				want := value
				if f.corrected {
					n := float64(pairable)
					want = 1 - (1-value)*(1-1/(float64(k)*n))/(1-1/n)
				}
				check(f, fmt.Sprintf("every item %d times", k), slices.Repeat(table, k), want)
			}
		}
	}
}

func count(cells []string, what string) int {
	n := 0
	for _, c := range cells {
		if c == what {
			n++
		}
	}
	return n
}

// Bounds by numerical integration of the beta density.
func TestJeffreys(t *testing.T) {
	check := func(k, n int, value, low, high float64) {
		t.Helper()
		e := JeffreysEstimate(k, n, 0.95)
		if math.Abs(e.Value-value) > 1e-4 || math.Abs(e.Low-low) > 1e-4 || math.Abs(e.High-high) > 1e-4 || e.N != n {
			t.Errorf("%d of %d: %+v", k, n, e)
		}
	}
	check(0, 10, 0.5/11, 0, 0.2172)
	check(10, 10, 10.5/11, 0.7828, 1)
	check(2, 20, 2.5/21, 0.0214, 0.2838)
	if e := JeffreysEstimate(0, 0, 0.95); e.WhyUndefined() == "" {
		t.Errorf("of nothing: %+v", e)
	}
}
