package coverage

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"

	"concord/annotate/agree"
	"concord/eval/stat"
)

// ordinalSettings are grades from 1 to 5 by raters who are off by one now and
// then, some of them missing.
func ordinalSettings() []setting {
	table := func(r *rand.Rand, items, raters int, off float64) agree.Table {
		t := make(agree.Table, items)
		for i := range t {
			truth := 1 + r.IntN(5)
			for range raters {
				class := truth
				if chance(r, off) {
					class = min(5, max(1, truth+1-2*r.IntN(2)))
				}
				rating := strconv.Itoa(class)
				if chance(r, 0.1) {
					rating = ""
				}
				t[i] = append(t[i], rating)
			}
		}
		return t
	}
	scale := agree.Scale{Level: agree.Ordinal}
	var out []setting
	for _, c := range []struct {
		items, raters int
		off           float64
	}{{50, 3, 0.5}, {200, 3, 0.3}, {200, 5, 0.6}} {
		truth := sync.OnceValue(func() agree.Summary {
			return summary(table(rand.New(rand.NewPCG(1, 1)), 300_000, c.raters, c.off).NewPanel(scale), agree.Bootstrap{})
		})
		what := fmt.Sprintf("%d items, %d raters, %g off by one", c.items, c.raters, c.off)
		for _, f := range []struct {
			name string
			how  string
			of   func(*agree.Summary) agree.Coefficient
		}{
			{"agreement: AC2", "Student's over the standard error", func(s *agree.Summary) agree.Coefficient { return *s.AC2 }},
			{"agreement: weighted Fleiss", "resamples of items", func(s *agree.Summary) agree.Coefficient { return *s.Weighted }},
		} {
			out = append(out, setting{figure: f.name, what: what, method: f.how, draw: func(r *rand.Rand) []look {
				b := agree.Bootstrap{Times: 500, Seed: r.Uint64(), Confidence: stat.Confidence}
				s := summary(table(r, c.items, c.raters, c.off).NewPanel(scale), b)
				got, all := f.of(&s), truth()
				return []look{{f.of(&all).Value, got.Low, got.High}}
			}})
		}
	}
	return out
}
