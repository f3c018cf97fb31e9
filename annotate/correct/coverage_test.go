package correct

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"concord/eval/stat"
)

// repeats is how many draws a coverage test makes: some thousands, or as many as
// CONCORD_COVERAGE says.
func repeats(t *testing.T, short int) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("CONCORD_COVERAGE"))
	if err != nil {
		t.Logf("%d draws a setting; CONCORD_COVERAGE=20000 makes so many", short)
		return short
	}
	return n
}

// setting is a population of equal strata, of which labels are drawn.
type setting struct {
	strata, size, labels int
	wrong                float64 // share of items that the machine reads wrong
	low, high            float64 // truth of the first and of the last stratum
}

func (c setting) truth(i int) float64 {
	if c.strata == 1 {
		return c.low
	}
	return c.low + (c.high-c.low)*float64(i)/float64(c.strata-1)
}

// measured is what came of the draws of a setting.
type measured struct {
	corrected, people float64 // coverage
	width, alone      float64
	bias              float64
}

func (c setting) measure(draws int) (out measured) {
	r := rand.New(rand.NewPCG(uint64(c.labels), uint64(c.strata)))
	each, truth := 1/float64(draws), 0.0
	for i := range c.strata {
		truth += c.truth(i) / float64(c.strata)
	}
	for range draws {
		strata := make([]Stratum, c.strata)
		for g := range strata {
			s := &strata[g]
			for i := range c.size {
				people := r.Float64() < c.truth(g)
				it := Item{People: one(people), Machine: one(people != (r.Float64() < c.wrong))}
				if i < c.labels {
					s.Labelled = append(s.Labelled, it)
				} else {
					s.Unlabelled = append(s.Unlabelled, it.Machine)
				}
			}
		}
		got := ComputeScore(strata, Options{High: 1, Confidence: stat.Confidence})
		out.corrected += each * one(covers(got.Corrected, truth))
		out.people += each * one(covers(got.People, truth))
		out.width += each * (got.Corrected.High - got.Corrected.Low)
		out.alone += each * (got.People.High - got.People.Low)
		out.bias += each * (got.Corrected.Value - truth)
	}
	return out
}

// hold checks that intervals cover the truth as often as they say, up to the
// error of the simulation.
func (c setting) hold(t *testing.T, draws int, least float64) {
	t.Helper()
	m := c.measure(draws)
	t.Logf("%+v: corrected %.3f, width %.3f; people alone %.3f, width %.3f; bias %+.4f", c, m.corrected, m.width, m.people, m.alone, m.bias)
	least -= 2.6 * math.Sqrt(least*(1-least)/float64(draws))
	if m.corrected < least {
		t.Errorf("%+v: the corrected interval covers %.3f", c, m.corrected)
	}
	if n := c.strata * c.labels; n >= 20 && m.people < least-0.02 {
		t.Errorf("%+v: people's interval covers %.3f", c, m.people)
	}
	if c.strata > 1 && math.Abs(m.bias) > 0.003 {
		t.Errorf("%+v: bias %+.4f", c, m.bias)
	}
}

// The interval of one stratum holds from ten labels on, also near 0 and 1,
// where the normal interval covers 0.16 to 0.9.
func TestCoverageOfOneStratum(t *testing.T) {
	draws := repeats(t, 1500)
	for _, wrong := range []float64{0.1, 0.3} {
		for _, truth := range []float64{0.05, 0.2, 0.5, 0.9, 0.97} {
			for _, labels := range []int{10, 30, 50, 100} {
				setting{strata: 1, size: 600, labels: labels, wrong: wrong, low: truth}.hold(t, draws, 0.93)
			}
		}
	}
}

// With one lambda the interval holds for any number of labels a stratum. With
// one of each stratum it covered 0.79 at 20 labels, and 0.61 with 50 strata.
func TestCoverageOfStrata(t *testing.T) {
	draws := repeats(t, 500)
	for _, labels := range []int{10, 19, 20, 30, 50} {
		setting{strata: 20, size: 100, labels: labels, wrong: 0.2, low: 0.05, high: 0.95}.hold(t, draws, 0.94)
	}
	for _, c := range []setting{
		{strata: 50, size: 100, labels: 20, wrong: 0.2, low: 0.05, high: 0.95},
		{strata: 40, size: 25, labels: 2, wrong: 0.2, low: 0.05, high: 0.95},
		{strata: 10, size: 100, labels: 5, wrong: 0.1, low: 0.1, high: 0.9},
		{strata: 3, size: 300, labels: 25, wrong: 0.1, low: 0.3, high: 0.9},
		{strata: 20, size: 200, labels: 10, wrong: 0.1, low: 0.9, high: 0.99},
	} {
		c.hold(t, draws, 0.94)
	}
}

// Scores near the end of their scale, and labels of a small part of the items.
func TestCoverageOfScores(t *testing.T) {
	draws := repeats(t, 1500)
	chances := []float64{0.02, 0.03, 0.05, 0.2, 0.7} // of 1 to 5
	truth := 0.0
	for i, p := range chances {
		truth += p * float64(i+1)
	}
	r := rand.New(rand.NewPCG(7, 7))
	score := func() float64 {
		u := r.Float64()
		for i, p := range chances {
			if u -= p; u < 0 {
				return float64(i + 1)
			}
		}
		return 5
	}
	for _, labels := range []int{10, 30, 100} {
		covered := 0.0
		for range draws {
			var s Stratum
			for i := range 500 {
				people := score()
				machine := people
				if r.Float64() < 0.3 {
					machine = score()
				}
				if i < labels {
					s.Labelled = append(s.Labelled, Item{People: people, Machine: machine})
				} else {
					s.Unlabelled = append(s.Unlabelled, machine)
				}
			}
			got := ComputeScore([]Stratum{s}, Options{Low: 1, High: 5, Confidence: stat.Confidence})
			covered += one(covers(got.Corrected, truth)) / float64(draws)
		}
		t.Logf("scores, %d labels: %.3f", labels, covered)
		if covered < 0.92 {
			t.Errorf("%d labels: %.3f", labels, covered)
		}
	}
}
