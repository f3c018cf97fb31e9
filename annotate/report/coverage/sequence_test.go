package coverage

import (
	"fmt"
	"math"
	"math/rand/v2"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/eval/stat"
)

// path is a series of intervals, one after each label: it holds where all of
// them do, and is as wide as its last.
type path struct {
	missed bool
	width  float64
}

func (p *path) look(truth, low, high float64) {
	p.missed = p.missed || truth < low || high < truth
	p.width = high - low
}

// all is the path as one look.
func (p *path) all() look {
	if p.missed {
		return look{truth: 2, high: p.width}
	}
	return look{high: p.width}
}

const (
	sequence = "confidence sequence, all looks"
	atOnce   = "the interval for one look, all looks"
)

// sequenceSettings are figures that somebody looks at after every label from
// the tenth on.
func sequenceSettings() []setting {
	var out []setting
	for _, c := range []struct {
		labels int
		right  float64
	}{{100, 0.5}, {300, 0.9}, {300, 0.97}} {
		what := fmt.Sprintf("up to %d labels, %g read right", c.labels, c.right)
		out = append(out,
			setting{figure: "while labelling: alignment", what: what, method: sequence, other: atOnce, path: true, draw: func(r *rand.Rand) []look {
				items, readers := aligned(r, c.labels, 1, c.right)
				var seq, once path
				for n := 10; n <= c.labels; n = next(n) {
					got := alignedBy(items[:n], readers[:1], ongoing)[0].Alignment
					seq.look(c.right, got.Low, got.High)
					low, high := stat.WilsonInterval(got.K, got.N, stat.Confidence)
					once.look(c.right, low, high)
				}
				return []look{seq.all(), once.all()}
			}},
			setting{figure: "while labelling: a share", what: what, method: sequence, other: "betting", path: true, draw: func(r *rand.Rand) []look {
				return betting(r, c.right, c.labels, math.Inf(1))
			}})
	}
	out = append(out, setting{
		figure: "while labelling: a share of the queue's own items", what: "150 labels of 300, 0.9 read right", method: sequence, other: "betting without replacement", path: true,
		draw: func(r *rand.Rand) []look { return betting(r, 0.9, 150, 300) },
	})
	for _, c := range []struct {
		strata, size, labels int
		right, misread       float64
	}{{1, 600, 200, 0.7, 0.1}, {1, 600, 200, 0.95, 0.1}, {10, 60, 300, 0.6, 0.2}} {
		what := fmt.Sprintf("%d strata of %d, up to %d labels, %g right, %g misread", c.strata, c.size, c.labels, c.right, c.misread)
		out = append(out, setting{figure: "while labelling: corrected", what: what, method: sequence, other: atOnce, path: true, draw: func(r *rand.Rand) []look {
			all := make([][]correct.Item, c.strata)
			for i := range all {
				for range c.size {
					people := bit(chance(r, c.right))
					machine := people
					if chance(r, c.misread) {
						machine = 1 - people
					}
					all[i] = append(all[i], correct.Item{Machine: machine, People: people})
				}
			}
			var seq, once path
			for n := max(10, 2*c.strata); n <= c.labels; n = next(n) {
				strata := make([]correct.Stratum, c.strata)
				for i := range strata {
					of := (n + i) / c.strata
					strata[i].Labelled = all[i][:of]
					for _, it := range all[i][of:] {
						strata[i].Unlabelled = append(strata[i].Unlabelled, it.Machine)
					}
				}
				for p, o := range map[*path]correct.Options{
					&seq:  {High: 1, Confidence: stat.Confidence, Sequence: true},
					&once: {High: 1, Confidence: stat.Confidence},
				} {
					got := correct.ComputeScore(strata, o).Corrected
					p.look(c.right, got.Low, got.High)
				}
			}
			return []look{seq.all(), once.all()}
		}})
	}
	return append(out, setting{
		figure: "while labelling: alignment", what: "up to 60 questions, 4 models, 0.8 read right", method: sequence, other: atOnce, path: true,
		draw: func(r *rand.Rand) []look {
			items, readers := aligned(r, 60, 4, 0.8)
			var seq, once path
			for n := 10; n <= 60; n = next(n) {
				got := alignedBy(items[:4*n], readers[:1], ongoing)[0].Alignment
				seq.look(0.8, got.Low, got.High)
				got = alignedBy(items[:4*n], readers[:1], unanimous)[0].Alignment
				once.look(0.8, got.Low, got.High)
			}
			return []look{seq.all(), once.all()}
		},
	})
}

// next gives the label after which somebody looks again: the next one, or one more
// in twenty.
func next(n int) int { return n + 1 + n/20 }

// betting sets the sequence beside betting, over labels of a population, of
// whose own share the latter is where that is finite.
func betting(r *rand.Rand, right float64, labels int, of float64) []look {
	truth := right
	hits := make([]float64, labels)
	for i := range hits {
		hits[i] = bit(chance(r, right))
	}
	if rest := of - float64(labels); rest > 0 && !math.IsInf(of, 1) {
		truth = 0
		for range int(rest) {
			truth += bit(chance(r, right)) / of
		}
		for _, y := range hits {
			truth += y / of
		}
	}
	units, bets := stat.Clusters{Sequence: true}, newBets(of)
	var seq, bet path
	for n, y := range hits {
		units.AddSingle(y, 1)
		bets.add(y)
		if n >= 9 {
			got := units.Rate("")
			seq.look(truth, got.Low, got.High)
			low, high := bets.interval()
			bet.look(truth, low, high)
		}
	}
	return []look{seq.all(), bet.all()}
}

var ongoing = annotate.Basis{Policy: annotate.Unanimous, Undecided: annotate.Dropped, Growing: true}

func bit(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// bets are the hedged capital of Waudby-Smith and Ramdas ("Estimating means of
// bounded random variables by betting", JRSS B 86, 2024, Sec. 4 and 5), of
// units without replacement.
type bets struct {
	of, n        float64
	sum, squares float64
	up, down     []float64 // log capital at each mean of a grid
	variance     float64
}

func newBets(of float64) *bets {
	return &bets{of: of, up: make([]float64, 201), down: make([]float64, 201), variance: 0.25}
}

func (b *bets) add(y float64) {
	b.n++
	bet := math.Sqrt(2 * math.Log(2/0.05) / (b.variance * b.n * math.Log(b.n+1)))
	for i := range b.up {
		mean := float64(i) / 200
		if !math.IsInf(b.of, 1) {
			mean = (b.of*mean - b.sum) / (b.of - b.n + 1) // of those that are left
		}
		switch {
		case mean <= 0:
			b.down[i] = step(b.down[i], mean < 0 || y > 0)
			continue
		case mean >= 1:
			b.up[i] = step(b.up[i], mean > 1 || y < 1)
			continue
		}
		b.up[i] += math.Log1p(min(bet, 0.5/mean) * (y - mean))
		b.down[i] += math.Log1p(-min(bet, 0.5/(1-mean)) * (y - mean))
	}
	b.sum += y
	mean := (0.5 + b.sum) / (b.n + 1)
	b.squares += (y - mean) * (y - mean)
	b.variance = (0.25 + b.squares) / (b.n + 1)
}

// step is the capital where a mean cannot be.
func step(now float64, impossible bool) float64 {
	if impossible {
		return math.Inf(1)
	}
	return now
}

func (b *bets) interval() (low, high float64) {
	low, high = 1, 0
	for i := range b.up {
		if max(b.up[i], b.down[i])+math.Log(0.5) < math.Log(1/0.05) {
			low, high = min(low, float64(i)/200), max(high, float64(i)/200)
		}
	}
	return max(0, low-0.005), min(1, high+0.005)
}
