package agree

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// drawTable makes ratings by raters who mostly agree.
func drawTable(items, raters, classes int) Table {
	r := rand.New(rand.NewPCG(7, uint64(items)))
	t := make(Table, items)
	for i := range t {
		truth := r.IntN(classes)
		for range raters {
			class := truth
			if r.IntN(4) == 0 {
				class = r.IntN(classes)
			}
			t[i] = append(t[i], fmt.Sprint(class))
		}
	}
	return t
}

// 100,000 ratings with 2,000 resamples take well under a second of the two
// that concord agree may take.
func BenchmarkSurvey(b *testing.B) {
	boot := Bootstrap{Times: 2000, Seed: 1, Confidence: 0.95}
	run := func(name string, items, raters, classes int, s Scale) {
		t := drawTable(items, raters, classes)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				t.NewPanel(s).summary(boot)
			}
		})
		b.Run(name+"/pairs", func(b *testing.B) {
			for b.Loop() {
				t.NewPanel(s).ComparePairs(0.95, 5000)
			}
		})
	}
	run("five raters", 20_000, 5, 5, Scale{})
	run("two raters", 50_000, 2, 3, Scale{})
	run("hundred raters", 1000, 100, 5, Scale{})
	run("numbers", 20_000, 5, 10_000, Scale{Level: Interval})
	run("measures", 20_000, 5, 1_000_000, Scale{Level: Interval})
	run("ranks", 20_000, 5, 7, Scale{Level: Ordinal})
}
