package agree

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"concord/eval/stat"
)

// Bootstrap says how to resample.
type Bootstrap struct {
	Times      int // 2,000 or more
	Seed       uint64
	Confidence float64
	Sequence   bool // of a survey: items come in still, as of Classified

	// Progress is told how many resamples of how many are drawn; nil: nobody asks.
	Progress func(done, total int)
}

// drawResamples calls draw for every resample, in blocks that workers share out, each with a draw of its
// own from begin. The context ends it early, with its error; no worker goes on behind that.
func (b Bootstrap) drawResamples(ctx context.Context, begin func() func(r *rand.Rand, resample int)) error {
	var wait sync.WaitGroup
	var done atomic.Int64
	workers := min(runtime.GOMAXPROCS(0), (b.Times+block-1)/block)
	for w := range workers {
		wait.Go(func() {
			draw := begin()
			for at := w * block; at < b.Times && ctx.Err() == nil; at += workers * block {
				r := rand.New(rand.NewPCG(b.Seed, uint64(at)))
				for i := at; i < min(at+block, b.Times) && ctx.Err() == nil; i++ {
					draw(r, i)
					if n := int(done.Add(1)); w == 0 && b.Progress != nil {
						b.Progress(n, b.Times)
					}
				}
			}
		})
	}
	wait.Wait()
	return ctx.Err()
}

// SetPercentileInterval gives a coefficient the percentile interval of what resamples gave (Efron 1979). Those in
// which it is undefined are left out; when they are more than the tails hold, there is no interval.
func (b Bootstrap) SetPercentileInterval(c Coefficient, values []float64, tail float64) Coefficient {
	if float64(len(values)) < (1-tail)*float64(b.Times) || len(values) == 0 {
		return c
	}
	slices.Sort(values)
	return c.withInterval(stat.Quantile(values, tail), stat.Quantile(values, 1-tail))
}

// The figures of a survey that are drawn anew.
const (
	ofObserved = iota
	ofFleiss
	ofAlpha
	ofWeighted // Fleiss' kappa with weights
	surveyed
)

// drawnFigures is what one resample gives of each figure of a survey; NaN: nothing.
type drawnFigures [surveyed]float64

// MostRatios is the most different numbers of which alpha on the ratio scale
// has an interval: it takes every two of them, in each resample.
const MostRatios = 1000

// block is how many resamples share a stream of random numbers: the streams
// hang on the seed alone, not on how many processors draw.
const block = 64

// addSurveyIntervals gives a survey's figures their intervals, all from the same resamples of items.
func (p *ratingProfiles) addSurveyIntervals(ctx context.Context, s Scale, b Bootstrap, out *Summary) error {
	if out.Paired == 0 || p.foul != "" || b.Times <= 0 {
		return nil
	}
	draw, order := p.newResampler(), p.newWeightedProfiles()
	all := make([]drawnFigures, b.Times)
	err := b.drawResamples(ctx, func() func(*rand.Rand, int) {
		e, weight := p.newEstimator(s), make([]int32, len(p.all))
		return func(r *rand.Rand, i int) {
			draw(r, weight)
			all[i] = e.computeDrawnFigures(weight, order)
		}
	})
	if err != nil {
		return err
	}
	for i, c := range [surveyed]*Coefficient{&out.Observed, &out.Fleiss, &out.Alpha, out.Weighted} {
		if c != nil && c.Undefined == "" {
			*c = p.intervalOfFigure(*c, i, all, s, b)
			c.Few = p.warnFewDiffering()
		}
	}
	return nil
}

// newResampler gives what draws as many items as there are, with replacement, and counts them by profile.
func (p *ratingProfiles) newResampler() func(*rand.Rand, []int32) {
	if p.clusters != nil {
		return func(r *rand.Rand, weight []int32) {
			clear(weight)
			for range p.clusters {
				for _, i := range p.clusters[r.IntN(len(p.clusters))] {
					weight[i]++
				}
			}
		}
	}
	of := make([]int32, 0, p.items) // the profile of each item
	for i, n := range p.weight {
		of = append(of, slices.Repeat([]int32{int32(i)}, int(n))...)
	}
	return stat.NewResampler(of, len(p.all))
}

func (e *estimator) computeDrawnFigures(weight []int32, order *weightedProfiles) drawnFigures {
	none := math.NaN()
	out := drawnFigures{none, none, none, none}
	e.countByWeights(weight)
	if e.paired == 0 {
		return out
	}
	take := func(which int, c chanceCorrected) {
		if v, ok := c.computeCoefficient(); ok {
			out[which] = v
		}
	}
	out[ofObserved] = e.agreement
	take(ofFleiss, e.fleissKappa())
	if e.scale.Level != Ratio || len(e.classes) <= MostRatios {
		take(ofAlpha, e.krippendorffAlpha(weight))
	}
	if order != nil {
		fleiss, _ := e.weightedFleissGwet(order, weight)
		take(ofWeighted, fleiss)
	}
	return out
}

// intervalOfFigure is the interval of one of the figures. Where every resample gives the
// same, as when all items agree, the bootstrap would be sure of it however few
// they are: there the interval of the observed agreement is carried over.
func (p *ratingProfiles) intervalOfFigure(c Coefficient, which int, all []drawnFigures, s Scale, b Bootstrap) Coefficient {
	values := make([]float64, 0, len(all))
	for i := range all {
		if !math.IsNaN(all[i][which]) {
			values = append(values, all[i][which])
		}
	}
	out := b.SetPercentileInterval(c, values, stat.PercentileTail(p.countUnits(), b.Confidence))
	if !out.Interval || out.High-out.Low > flat {
		return out
	}
	e := p.newEstimator(s)
	e.countByWeights(p.weight)
	c0 := chanceCorrected{observed: e.agreement}
	switch {
	case which == ofFleiss, which == ofAlpha && s.isNominal():
		c0.expected = e.fleissKappa().expected
	case which == ofWeighted:
		c0, _ = e.weightedFleissGwet(p.newWeightedProfiles(), p.weight)
	}
	return out.withInterval(intervalWithoutError(c0.observed, c0.expected, min(e.paired, p.countUnits()), b.Confidence))
}
