package agree

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// graded are ratings from 1 to 5 by up to four raters, some of them missing.
func graded(r *rand.Rand, items int) Table {
	t := make(Table, items)
	for i := range t {
		truth := 1 + r.IntN(5)
		for range 4 {
			class := ""
			if r.Float64() < 0.85 {
				class = strconv.Itoa(min(5, max(1, truth+r.IntN(3)-1)))
			}
			t[i] = append(t[i], class)
		}
	}
	return t
}

// weightedByHand are Fleiss' weighted kappa and AC2 as Gwet writes them (2014, ch.
// 3): by a matrix of weights and sums over items, raters and classes.
func weightedByHand(t Table, classes int) (fleiss, gwet float64) {
	weight := func(k, l int) float64 { return 1 - math.Pow(float64(k-l)/float64(classes-1), 2) }
	pi := make([]float64, classes)
	n, paired, pa := 0.0, 0.0, 0.0
	for _, item := range t {
		count, raters := make([]float64, classes), 0.0
		for _, c := range item {
			if v, err := strconv.Atoi(c); err == nil {
				count[v-1]++
				raters++
			}
		}
		if raters == 0 {
			continue
		}
		n++
		for k := range count {
			pi[k] += count[k] / raters
		}
		if raters < 2 {
			continue
		}
		paired++
		for k := range count {
			near := 0.0
			for l := range count {
				near += weight(k, l) * count[l]
			}
			pa += count[k] * (near - 1) / (raters * (raters - 1))
		}
	}
	pa /= paired
	all, chanceOf, guess := 0.0, 0.0, 0.0
	for k := range pi {
		for l := range pi {
			all += weight(k, l)
			chanceOf += weight(k, l) * pi[k] / n * pi[l] / n
		}
		guess += pi[k] / n * (1 - pi[k]/n)
	}
	guess *= all / float64(classes*(classes-1))
	return (pa - chanceOf) / (1 - chanceOf), (pa - guess) / (1 - guess)
}

func TestWeightedOfManyRaters(t *testing.T) {
	for _, s := range []Scale{{Level: Ordinal}, {Level: Interval}, {Level: Ratio}} {
		table := graded(rand.New(rand.NewPCG(5, 5)), 60)
		fleiss, gwet := weightedByHand(table, 5)
		got := table.NewPanel(s).summary(Bootstrap{Times: 500, Seed: 1, Confidence: 0.95})
		for what, c := range map[string]struct {
			of   *Coefficient
			want float64
		}{"fleiss": {got.Weighted, fleiss}, "ac2": {got.AC2, gwet}} {
			if math.Abs(c.of.Value-c.want) > 1e-12 || !c.of.Interval || c.of.Low >= c.want || c.of.High <= c.want || c.of.High-c.of.Low > 0.3 {
				t.Errorf("%s, %s: %+v, want %g", s.Level, what, c.of, c.want)
			}
		}
		if got.AC2.Value <= got.AC1.Value || got.Weighted.Value <= got.Fleiss.Value {
			t.Errorf("%s: near misses count as misses: %+v", s.Level, got)
		}
	}
	table := graded(rand.New(rand.NewPCG(5, 5)), 20)
	if got := table.NewPanel(Scale{}).summary(Bootstrap{}); got.Weighted != nil || got.AC2 != nil {
		t.Errorf("nominal: %+v", got)
	}
	alike := Table{{"1", "1"}, {"2", "2"}, {"1", "1"}, {"5", "5"}}
	got := alike.NewPanel(Scale{Level: Ordinal}).summary(Bootstrap{Times: 200, Seed: 1, Confidence: 0.95})
	if c := got.AC2; c.Value != 1 || !c.Interval || c.Low > 0.5 {
		t.Errorf("all alike: %+v", c)
	}
}
