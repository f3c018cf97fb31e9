package agree

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"concord/eval/stat"
)

// RaterWord is what one rater says of an item, both as numbers from 0.
type RaterWord struct{ Rater, Class int }

// SkeneItems is items with what raters say of them, for Dawid and Skene's model ("Maximum likelihood estimation of
// observer error-rates using the EM algorithm", Applied Statistics 28, 1979): every item has a true class, and a
// rater who is shown one says another with chances of their own, whatever the item and the others say. Items that are
// hard for everybody break that: their errors come together, and pass for the truth.
type SkeneItems struct {
	raters, classes int
	patterns        [][]RaterWord // of items that got the same words
	of              []int         // the pattern of each item
}

// NewSkeneItems takes the words on each item, in the order of raters.
func NewSkeneItems(items [][]RaterWord, raters, classes int) *SkeneItems {
	c := &SkeneItems{raters: raters, classes: classes}
	seen := make(map[string]int)
	for _, words := range items {
		key := make([]byte, 0, 4*len(words))
		for _, w := range words {
			key = append(key, byte(w.Rater>>8), byte(w.Rater), byte(w.Class>>8), byte(w.Class)) //nolint:gosec // people and classes are few
		}
		at, ok := seen[string(key)]
		if !ok {
			at = len(c.patterns)
			seen[string(key)] = at
			c.patterns = append(c.patterns, words)
		}
		c.of = append(c.of, at)
	}
	return c
}

// SkeneFit is the model of a crowd: for each item how probable every class is.
// Confusion is by rater, true class and class that they say.
type SkeneFit struct {
	Prior      []float64
	Confusion  [][][]float64
	Iterations int
	Converged  bool

	crowd     *SkeneItems
	prior     []float64   // logarithms
	said      [][]float64 // likewise, by rater: of each said class those of the true ones
	posterior []float64   // by pattern and class; nil where it would take too much room
}

// PatternNumber is the number of the words on an item: items that got the same words have the same.
func (c *SkeneItems) PatternNumber(item int) int { return c.of[item] }

// ClassChances is how probable each class is of the items of a pattern.
func (f *SkeneFit) ClassChances(pattern int) []float64 {
	k := len(f.Prior)
	if f.posterior != nil {
		return f.posterior[pattern*k : (pattern+1)*k]
	}
	out := make([]float64, k)
	f.fillClassChances(pattern, out)
	return out
}

const (
	fitSteps = 2000
	fitClose = 1e-9 // the most that any probability moved in the last step
	nearly   = 1e-5 // the same, of a resample
	fitKept  = 1 << 14
)

// FitModel finds the model by expectation and maximisation, from the shares of the
// votes on each item on, so that the same words give the same model. The prior of the classes and every
// line of a confusion matrix are smoothed by one label, spread over the classes.
func (c *SkeneItems) FitModel() *SkeneFit {
	n, start := make([]float64, len(c.patterns)), make([]float64, len(c.patterns)*c.classes)
	for _, at := range c.of {
		n[at]++
	}
	for at, words := range c.patterns {
		for _, w := range words {
			start[at*c.classes+w.Class] += 1 / float64(len(words))
		}
	}
	return c.runEM(n, start, fitClose)
}

// RefitResamples are models of resamples of the items, each from f on, so that it takes few steps: units say which
// items come up together. They keep no more than the confusions where items come with many patterns.
func (f *SkeneFit) RefitResamples(ctx context.Context, b Bootstrap, units []uint64) ([]*SkeneFit, error) {
	out, c := make([]*SkeneFit, b.Times), f.crowd
	err := b.drawResamples(ctx, func() func(*rand.Rand, int) {
		n, start := make([]float64, len(c.patterns)), make([]float64, len(c.patterns)*c.classes)
		return func(_ *rand.Rand, r int) {
			clear(n)
			resample := stat.NewResample(b.Seed, r)
			for i, at := range c.of {
				n[at] += float64(resample.DrawCount(units[i]))
			}
			for at := range c.patterns {
				copy(start[at*c.classes:], f.ClassChances(at))
			}
			if out[r] = c.runEM(n, start, nearly); len(start) <= fitKept {
				out[r].posterior = slices.Clone(start)
			} else {
				out[r].posterior = nil
			}
		}
	})
	return out, err
}

// runEM finds the model of patterns that count n, from how probable their classes are, which it changes.
func (c *SkeneItems) runEM(n, posterior []float64, near float64) *SkeneFit {
	f := &SkeneFit{crowd: c, Prior: make([]float64, c.classes), prior: make([]float64, c.classes), posterior: posterior}
	for range c.raters {
		m := make([][]float64, c.classes)
		for j := range m {
			m[j] = make([]float64, c.classes)
		}
		f.Confusion, f.said = append(f.Confusion, m), append(f.said, make([]float64, c.classes*c.classes))
	}
	for f.Iterations < fitSteps && !f.Converged {
		f.Iterations++
		f.maximizeStep(n)
		f.Converged = f.expectStep() < near
	}
	return f
}

// maximizeStep finds prior and confusions from how probable the classes are.
func (f *SkeneFit) maximizeStep(n []float64) {
	spread := 1 / float64(len(f.Prior))
	fill := func(p []float64) {
		for j := range p {
			p[j] = spread
		}
	}
	fill(f.Prior)
	for _, m := range f.Confusion {
		for _, line := range m {
			fill(line)
		}
	}
	for at, words := range f.crowd.patterns {
		for j, p := range f.ClassChances(at) {
			f.Prior[j] += n[at] * p
			for _, w := range words {
				f.Confusion[w.Rater][j][w.Class] += n[at] * p
			}
		}
	}
	normalizeShares(f.Prior)
	for j, p := range f.Prior {
		f.prior[j] = math.Log(p)
	}
	for r, m := range f.Confusion {
		for j, line := range m {
			normalizeShares(line)
			for k, p := range line {
				f.said[r][k*len(f.Prior)+j] = math.Log(p)
			}
		}
	}
}

func normalizeShares(p []float64) {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	for j := range p {
		p[j] /= sum
	}
}

// fillClassChances is how probable the classes are of the items of a pattern.
func (f *SkeneFit) fillClassChances(pattern int, out []float64) {
	k, most := len(f.Prior), math.Inf(-1)
	copy(out, f.prior)
	for _, w := range f.crowd.patterns[pattern] {
		for j, l := range f.said[w.Rater][w.Class*k : (w.Class+1)*k] {
			out[j] += l
		}
	}
	for _, l := range out {
		most = max(most, l)
	}
	for j := range out {
		out[j] = math.Exp(out[j] - most)
	}
	normalizeShares(out)
}

// expectStep finds how probable the classes are, and how far that moved.
func (f *SkeneFit) expectStep() (moved float64) {
	next := make([]float64, len(f.Prior))
	for at := range f.crowd.patterns {
		f.fillClassChances(at, next)
		for j, p := range f.ClassChances(at) {
			moved = max(moved, math.Abs(p-next[j]))
		}
		copy(f.ClassChances(at), next)
	}
	return moved
}
