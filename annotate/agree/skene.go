package agree

import (
	"math"
	"slices"
)

// Word is what one rater says of an item, both as numbers from 0.
type Word struct{ Rater, Class int }

// Crowd is items with what raters say of them, for Dawid and Skene's model
// ("Maximum likelihood estimation of observer error-rates using the EM
// algorithm", Applied Statistics 28, 1979): every item has a true class, and a
// rater who is shown one says another with chances of their own, whatever the
// item and the others say. Items that are hard for everybody break that: their
// errors come together, and pass for the truth.
type Crowd struct {
	raters, classes int
	patterns        [][]Word // of items that got the same words
	of              []int    // the pattern of each item
}

// NewCrowd takes the words on each item, in the order of raters.
func NewCrowd(items [][]Word, raters, classes int) *Crowd {
	c := &Crowd{raters: raters, classes: classes}
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

// Fit is the model of a crowd: for each item how probable every class is.
// Confusion is by rater, true class and class that they say.
type Fit struct {
	Prior      []float64
	Confusion  [][][]float64
	Iterations int
	Converged  bool

	crowd     *Crowd
	posterior [][]float64 // by pattern
}

// Of is how probable each class is of an item.
func (f *Fit) Of(item int) []float64 { return f.posterior[f.crowd.of[item]] }

const (
	fitSteps = 2000
	fitClose = 1e-9 // the most that any probability moved in the last step
	nearly   = 1e-5 // the same, of a resample
)

// Fit finds the model by expectation and maximisation, from the shares of the
// votes on each item on, so that the same words give the same model. The prior of the classes and every
// line of a confusion matrix are smoothed by one label, spread over the classes.
func (c *Crowd) Fit() *Fit {
	n := make([]float64, len(c.patterns))
	for _, at := range c.of {
		n[at]++
	}
	f := &Fit{crowd: c, Prior: make([]float64, c.classes)}
	for _, words := range c.patterns {
		p := make([]float64, c.classes)
		for _, w := range words {
			p[w.Class] += 1 / float64(len(words))
		}
		f.posterior = append(f.posterior, p)
	}
	f.confusions(c)
	f.run(n, fitClose)
	return f
}

// Refit is the model of the items as often as weight says, from f on: so it
// takes few steps.
func (f *Fit) Refit(weight []int32) *Fit {
	out := &Fit{crowd: f.crowd, Prior: make([]float64, len(f.Prior))}
	n := make([]float64, len(f.posterior))
	for i, at := range f.crowd.of {
		n[at] += float64(weight[i])
	}
	for _, p := range f.posterior {
		out.posterior = append(out.posterior, slices.Clone(p))
	}
	out.confusions(f.crowd)
	out.run(n, nearly)
	return out
}

func (f *Fit) confusions(c *Crowd) {
	for range c.raters {
		m := make([][]float64, c.classes)
		for j := range m {
			m[j] = make([]float64, c.classes)
		}
		f.Confusion = append(f.Confusion, m)
	}
}

func (f *Fit) run(n []float64, near float64) {
	for f.Iterations < fitSteps && !f.Converged {
		f.Iterations++
		f.maximise(n)
		f.Converged = f.expect() < near
	}
}

// maximise finds prior and confusions from how probable the classes are.
func (f *Fit) maximise(n []float64) {
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
		for j, p := range f.posterior[at] {
			f.Prior[j] += n[at] * p
			for _, w := range words {
				f.Confusion[w.Rater][j][w.Class] += n[at] * p
			}
		}
	}
	share(f.Prior)
	for _, m := range f.Confusion {
		for _, line := range m {
			share(line)
		}
	}
}

func share(p []float64) {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	for j := range p {
		p[j] /= sum
	}
}

// expect finds how probable the classes are, and how far that moved.
func (f *Fit) expect() (moved float64) {
	logs, prior := make([]float64, len(f.Prior)), make([]float64, len(f.Prior))
	said := make([][]float64, len(f.Confusion)) // logarithms, by rater: of each said class those of the true ones
	for j, p := range f.Prior {
		prior[j] = math.Log(p)
	}
	for r, m := range f.Confusion {
		said[r] = make([]float64, len(prior)*len(prior))
		for j, line := range m {
			for k, p := range line {
				said[r][k*len(prior)+j] = math.Log(p)
			}
		}
	}
	for at, words := range f.crowd.patterns {
		most := math.Inf(-1)
		copy(logs, prior)
		for _, w := range words {
			for j, l := range said[w.Rater][w.Class*len(prior) : (w.Class+1)*len(prior)] {
				logs[j] += l
			}
		}
		for _, l := range logs {
			most = max(most, l)
		}
		for j := range logs {
			logs[j] = math.Exp(logs[j] - most)
		}
		share(logs)
		for j, p := range f.posterior[at] {
			moved = max(moved, math.Abs(p-logs[j]))
		}
		copy(f.posterior[at], logs)
	}
	return moved
}
