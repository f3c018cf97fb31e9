package agree

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var boot = Bootstrap{Times: 400, Seed: 1, Confidence: 0.95}

// holed takes ratings out of a table.
func holed(t Table, share float64) Table {
	r := rand.New(rand.NewPCG(5, 5))
	for _, item := range t {
		for j := range item {
			if r.Float64() < share {
				item[j] = ""
			}
		}
	}
	return t
}

func figures(s *Summary) map[string]Coefficient {
	return map[string]Coefficient{"observed": s.Observed, "Fleiss": s.Fleiss, "alpha": s.Alpha, "AC1": s.AC1}
}

// The order of items and of raters, and the names of classes, change nothing:
// the intervals neither, where the classes keep their order.
func TestSurveyOfAPermutedTable(t *testing.T) {
	for _, s := range []Scale{{}, {Level: Ordinal}, {Level: Interval}, {Level: Ratio}} {
		table := holed(drawTable(150, 4, 5), 0.2)
		want := table.NewPanel(s).summary(boot)
		check := func(what string, other Table, s Scale, intervals bool) {
			t.Helper()
			got := other.NewPanel(s).summary(boot)
			for name, c := range figures(&want) {
				g := figures(&got)[name]
				if !intervals {
					g.Low, g.High = c.Low, c.High
				}
				if math.Abs(g.Value-c.Value) > 1e-12 || math.Abs(g.Low-c.Low) > 1e-12 || math.Abs(g.High-c.High) > 1e-12 || g.N != c.N {
					t.Errorf("%v, %s, %s: %+v, want %+v", s, what, name, g, c)
				}
			}
			if got.Percent != want.Percent || got.Majority != want.Majority || got.Ratings != want.Ratings {
				t.Errorf("%v, %s: %+v, want %+v", s, what, got, want)
			}
		}
		r := rand.New(rand.NewPCG(1, 2))
		items, raters, renamed := Table{}, Table{}, Table{}
		for _, i := range r.Perm(len(table)) {
			items = append(items, table[i])
		}
		order := r.Perm(4)
		for _, item := range table {
			var turned, named []string
			for _, j := range order {
				turned = append(turned, item[j])
			}
			for _, class := range item {
				if class != "" && s.isNominal() {
					class = string('z' - rune(class[0]))
				}
				named = append(named, class)
			}
			raters, renamed = append(raters, turned), append(renamed, named)
		}
		check("items", items, s, true)
		check("raters", raters, s, true)
		check("classes", renamed, s, false)
		check("rows of several lengths", append(Table{{}, {"", ""}}, table...), s, true)
	}
}

// Items that all come twice leave every figure as it is, but for alpha, which
// corrects for the size of the sample, and AC1's interval, which narrows.
func TestSurveyOfATableTwice(t *testing.T) {
	table := holed(drawTable(80, 3, 4), 0.1)
	one, two := table.NewPanel(Scale{}).summary(boot), append(table, table...).NewPanel(Scale{}).summary(boot)
	for name, c := range figures(&one) {
		if g := figures(&two)[name]; name != "alpha" && math.Abs(c.Value-g.Value) > 1e-12 {
			t.Errorf("%s: %v once, %v twice", name, c.Value, g.Value)
		}
	}
	if one.AC1.High-one.AC1.Low <= two.AC1.High-two.AC1.Low {
		t.Errorf("AC1 %+v once, %+v twice", one.AC1, two.AC1)
	}
}

// Raters who always agree have every coefficient 1, and fewer items leave more
// room below.
func TestSurveyOfFullAgreement(t *testing.T) {
	for _, s := range []Scale{{}, {Level: Ordinal}, {Level: Interval}, {Level: Ratio}} {
		low := make(map[string]float64)
		for _, n := range []int{12, 400} {
			var table Table
			for i := range n {
				class := fmt.Sprint(i % 3)
				table = append(table, []string{class, class, class})
			}
			got := table.NewPanel(s).summary(boot)
			for name, c := range figures(&got) {
				if math.Abs(c.Value-1) > 1e-12 || !c.Interval || c.High != 1 || c.Low >= 1 || c.Low <= low[name] {
					t.Errorf("%v, %d items, %s: %+v", s, n, name, c)
				}
				low[name] = c.Low
			}
		}
	}
}

// A shift of numbers changes no interval alpha, a stretch no ratio alpha, and
// any rising change of numbers no ordinal one.
func TestScales(t *testing.T) {
	table := holed(drawTable(60, 3, 6), 0.1)
	change := func(f func(float64) float64) (out Table) {
		for _, item := range table {
			var row []string
			for _, class := range item {
				if class != "" {
					class = fmt.Sprint(f(float64(class[0] - '0')))
				}
				row = append(row, class)
			}
			out = append(out, row)
		}
		return out
	}
	check := func(l Level, f func(float64) float64) {
		t.Helper()
		a, b := Krippendorff(table, Scale{Level: l}), Krippendorff(change(f), Scale{Level: l})
		if a.Undefined != "" || math.Abs(a.Value-b.Value) > 1e-9 {
			t.Errorf("%v: %+v, then %+v", l, a, b)
		}
	}
	check(Interval, func(x float64) float64 { return 3*x + 1e6 })
	check(Ratio, func(x float64) float64 { return 0.001 * x })
	check(Ordinal, func(x float64) float64 { return math.Exp(x) - 7 })
	if c := Krippendorff(table, Scale{Level: Ordinal, Order: []string{"5", "4", "3", "2", "1", "0"}}); c != Krippendorff(table, Scale{Level: Ordinal}) {
		t.Errorf("turned order: %+v", c)
	}
	if c := Krippendorff(Table{{"a", "1"}}, Scale{Level: Interval}); c.Undefined != `"a" is no number` {
		t.Errorf("letters: %+v", c)
	}
}

func TestClass(t *testing.T) {
	check := func(s Scale, in, want string) {
		t.Helper()
		got, err := s.NormalizeClass(in)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%v %q: %q, want %q", s, in, got, want)
		}
	}
	check(Scale{}, "1.0", "1.0")
	check(Scale{Level: Interval}, "1.0", "1")
	check(Scale{Level: Interval}, "-0", "0")
	check(Scale{Level: Interval}, "NaN", "error")
	check(Scale{Level: Interval}, "", "")
	check(Scale{Level: Ratio}, "-1", "error")
	check(Scale{Level: Ordinal}, "good", "error")
	check(Scale{Level: Ordinal, Order: []string{"bad", "good"}}, "good", "good")
	check(Scale{Level: Ordinal, Order: []string{"bad", "good"}}, "fair", "error")
	for _, l := range []Level{Nominal, Ordinal, Interval, Ratio} {
		if got, err := ParseLevel(l.String()); got != l || err != nil {
			t.Errorf("%v came back as %v, %v", l, got, err)
		}
	}
}

// Classes that are not on the scale leave what needs it undefined, and no more.
func TestOffTheScale(t *testing.T) {
	table := Table{{"A", "A"}, {"B", "A"}, {"B", "B"}}
	s := Scale{Level: Interval}
	got := table.NewPanel(s).summary(boot)
	pairs, _ := table.NewPanel(s).ComparePairs(0.95, 10)
	if got.Alpha.Undefined != `"A" is no number` || got.Observed.Value != 2.0/3 || got.Percent.K != 2 {
		t.Errorf("%+v", got)
	}
	if pairs[0].Kappa.Undefined != "" || pairs[0].Linear.Undefined != `"A" is no number` {
		t.Errorf("%+v", pairs)
	}
	if got := CompareWithReference([][2]string{{"A", "A"}, {"A", "B"}}, s, 0.95); got.Agreement.K != 1 || got.Kappa.Undefined != "" {
		t.Errorf("%+v", got)
	}
}

// One rater with another alphabet spoils what is over all, and is named.
func TestForeign(t *testing.T) {
	got := Table{{"A", "A", "1"}, {"B", "A", "2"}, {"B", "B", "2"}}.NewPanel(Scale{}).summary(boot)
	if len(got.Foreign) != 1 || got.Foreign[0] != 2 || got.Fleiss.Undefined != foreigner || got.AC1.Undefined != foreigner || got.Alpha.Undefined != foreigner {
		t.Errorf("%+v", got)
	}
	// One class that nobody else gives is a reading.
	if got := (Table{{"A", "none"}, {"B", ""}, {"A", ""}}).NewPanel(Scale{}).summary(boot); len(got.Foreign) != 0 || got.Fleiss.Undefined != "" {
		t.Errorf("%+v", got)
	}
}

// Drawing profiles as a multinomial and drawing items one by one are the same
// bootstrap: the share of agreeing items is binomial in both.
func TestDrawers(t *testing.T) {
	var few, many Table
	for i := range 1000 {
		other := "A"
		if i%10 == 0 {
			other = "B"
		}
		few = append(few, []string{"A", other})
		many = append(many, []string{fmt.Sprint(i), fmt.Sprint(i)})
	}
	s := few.NewPanel(Scale{}).summary(Bootstrap{Times: 4000, Seed: 1, Confidence: 0.95})
	if math.Abs(s.Observed.Low-0.881) > 0.003 || math.Abs(s.Observed.High-0.918) > 0.003 {
		t.Errorf("%+v, want about [0.881, 0.918]", s.Observed)
	}
	for i := range many {
		if i%10 == 0 {
			many[i][1] = "x"
		}
	}
	m := many.NewPanel(Scale{}).summary(Bootstrap{Times: 4000, Seed: 1, Confidence: 0.95})
	if math.Abs(m.Observed.Low-s.Observed.Low) > 0.003 || math.Abs(m.Observed.High-s.Observed.High) > 0.003 {
		t.Errorf("item by item %+v, as a multinomial %+v", m.Observed, s.Observed)
	}
}

func TestPairs(t *testing.T) {
	table := holed(drawTable(200, 5, 3), 0.5)
	listed, left := table.NewPanel(Scale{Level: Ordinal}).ComparePairs(0.95, 10)
	if len(listed) != 10 || left != 0 {
		t.Errorf("%d pairs, %d left", len(listed), left)
	}
	for _, p := range listed {
		var pairs [][2]string
		for _, item := range table {
			pairs = append(pairs, [2]string{item[p.First], item[p.Last]})
		}
		if want := CohenKappa(pairs, 0.95); p.Kappa != want || p.Agreement.N != want.N {
			t.Errorf("%d and %d: %+v, want %+v", p.First, p.Last, p.Kappa, want)
		}
		if p.Quadratic.Undefined != "" || p.Linear.Undefined != "" {
			t.Errorf("%d and %d: %+v", p.First, p.Last, p)
		}
	}
	few, left := table.NewPanel(Scale{}).ComparePairs(0.95, 4)
	for _, p := range few {
		for _, o := range listed {
			if left == 6 && len(few) == 4 && o.Agreement.N > p.Agreement.N && !slices.ContainsFunc(few, func(f RaterPair) bool { return f.First == o.First && f.Last == o.Last }) {
				t.Errorf("%+v is listed and %+v is not", p, o)
			}
		}
	}
	got, _ := Table{{"A", "A"}, {"", "", "B"}}.NewPanel(Scale{}).ComparePairs(0.95, 3)
	if len(got) != 3 || got[0].Agreement.K != 1 || got[1].Agreement.Undefined != Apart || got[2].Kappa.Undefined != Apart {
		t.Errorf("%+v", got)
	}
	// Beyond the triangle, only pairs with an item.
	wide := make([]string, everyTwoUpTo+1)
	wide[3], wide[1000] = "A", "A"
	if got, left := (Table{wide}).NewPanel(Scale{}).ComparePairs(0.95, 50); len(got) != 1 || left != 1001*500-1 || got[0].First != 3 || got[0].Last != 1000 {
		t.Errorf("%+v", got)
	}
}

func TestCompare(t *testing.T) {
	got := CompareWithReference([][2]string{{"A", "A"}, {"A", "B"}, {"B", "B"}, {"C", "B"}, {"", "A"}, {"A", ""}}, Scale{}, 0.95)
	if got.Agreement.K != 2 || got.Agreement.N != 4 || got.Baseline.K != 2 {
		t.Errorf("%+v", got)
	}
	want := []Confusion{{"A", "A", 1}, {"A", "B", 1}, {"B", "B", 1}, {"C", "B", 1}}
	if fmt.Sprint(got.Confusion) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got.Confusion, want)
	}
	b, c := got.Classes[1], got.Classes[2]
	if b.Precision.K != 1 || b.Precision.N != 3 || b.Recall.N != 1 || c.Precision.Undefined == "" || c.Recall.N != 1 {
		t.Errorf("%+v", got.Classes)
	}
	if none := CompareWithReference(nil, Scale{}, 0.95); none.Agreement.Undefined == "" || none.Kappa.Undefined == "" {
		t.Errorf("%+v", none)
	}
}

// Weighted kappa with quadratic weights is the intraclass correlation in
// disguise: it is Pearson's r where both raters have the same margins.
func TestWeightedIdentities(t *testing.T) {
	var same, turned [][2]string
	for i := range 30 {
		a, b := fmt.Sprint(i%5), fmt.Sprint((i*7)%5)
		same, turned = append(same, [2]string{a, a}), append(turned, [2]string{b, a})
	}
	for _, w := range []Weights{Plain, Linear, Quadratic} {
		if c := WeightedKappa(same, Scale{Level: Interval}, w, 0.95); math.Abs(c.Value-1) > 1e-12 {
			t.Errorf("%v of identical raters: %+v", w, c)
		}
	}
	mean, cov, spread := 2.0, 0.0, 0.0
	for _, p := range turned {
		x, y := float64(p[0][0]-'0')-mean, float64(p[1][0]-'0')-mean
		cov, spread = cov+x*y, spread+x*x
	}
	if c := WeightedKappa(turned, Scale{Level: Interval}, Quadratic, 0.95); math.Abs(c.Value-cov/spread) > 1e-12 {
		t.Errorf("%v, want %v", c.Value, cov/spread)
	}
	if c := WeightedKappa(turned, Scale{}, Linear, 0.95); c.Undefined == "" {
		t.Errorf("nominal: %+v", c)
	}
	// Linear weights over two classes are no weights.
	two := [][2]string{{"0", "0"}, {"0", "1"}, {"1", "1"}, {"1", "1"}, {"0", "0"}}
	if a, b := WeightedKappa(two, Scale{Level: Ordinal}, Linear, 0.95), CohenKappa(two, 0.95); math.Abs(a.Value-b.Value) > 1e-12 || math.Abs(a.Low-b.Low) > 1e-12 {
		t.Errorf("%+v, want %+v", a, b)
	}
}
