package coverage

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

func mark(right bool) metric.Mark {
	if right {
		return metric.MarkRight
	}
	return metric.MarkWrong
}

// gainSettings are differences of runs over the same samples, and means of them
// over several models with one language base: the models know what the base
// knows, and a share of the rest.
func gainSettings() []setting {
	var out []setting
	for _, c := range []struct {
		n        int
		with, by float64 // right with the image, without
	}{{20, 0.6, 0.4}, {50, 0.9, 0.7}, {200, 0.5, 0.3}} {
		out = append(out, setting{
			figure: "gain: one model", what: fmt.Sprintf("%d samples, %g right with the image, %g without", c.n, c.with, c.by), method: "Newcombe's method 10", other: "percentile bootstrap",
			warned: c.n < 30,
			draw: func(r *rand.Rand) []look {
				var v, w metric.Marks
				var p stat.Pairs
				for i := range c.n {
					a, b := chance(r, c.with), chance(r, c.by)
					v.Set(eval.Ordinal(i), mark(a))
					w.Set(eval.Ordinal(i), mark(b))
					p.AddItem(a, b)
				}
				e := v.ContrastWith(w, nil)
				var values []float64
				for range 400 {
					sum := 0
					for range c.n {
						switch k := r.IntN(c.n); {
						case k < p.First:
							sum++
						case k < p.First+p.Second:
							sum--
						}
					}
					values = append(values, float64(sum)/float64(c.n))
				}
				boot := percentiles(e.Estimate, values)
				truth := c.with - c.by
				return []look{{truth, e.Low, e.High}, {truth, boot.Low, boot.High}}
			},
		})
	}
	for _, c := range []struct {
		n, models int
		leaks     []float64 // by model, over and over: the share by which its runs without the image beat the base
	}{
		{300, 3, []float64{0}},
		{300, 6, []float64{0}},
		{300, 16, []float64{0}},
		{300, 6, []float64{0.08, -0.08}},
		{1500, 16, []float64{0.05, 0, 0, -0.02}},
	} {
		what := fmt.Sprintf("%d models, %d samples, differences %v", c.models, c.n, c.leaks)
		signed, floored := 0.0, 0.0
		for m := range c.models {
			d := c.leaks[m%len(c.leaks)]
			signed += d / float64(c.models)
			floored += max(0, d) / float64(c.models)
		}
		run := func(r *rand.Rand) (stat.Estimate, stat.Estimate, []stat.Contrast) {
			base := make(metric.Marks, c.n)
			for i := range base {
				base[i] = mark(chance(r, 0.3))
			}
			var all []stat.Contrast
			for m := range c.models {
				p := 0.3 + c.leaks[m%len(c.leaks)]
				own := make(metric.Marks, c.n)
				for i := range own {
					own[i] = base[i]
					if chance(r, 0.5) || p != 0.3 {
						own[i] = mark(chance(r, p))
					}
				}
				all = append(all, own.ContrastWith(base, nil))
			}
			mean, cut := stat.MeanOfContrasts(all, "")
			return mean, cut, all
		}
		out = append(out,
			setting{figure: "leakage: signed mean", what: what, method: "cluster-robust over samples", draw: func(r *rand.Rand) []look {
				mean, _, _ := run(r)
				return []look{{signed, mean.Low, mean.High}}
			}},
			setting{figure: "leakage: mean of floored", what: what, method: "bounds", other: "percentile bootstrap of floored means", bound: true, draw: func(r *rand.Rand) []look {
				_, cut, all := run(r)
				boot := flooredBootstrap(r, all, c.n)
				return []look{{floored, cut.Low, cut.High}, {floored, boot.Low, boot.High}}
			}})
	}
	return out
}

// flooredBootstrap is what the mean of leakages had: each resample floored.
func flooredBootstrap(r *rand.Rand, all []stat.Contrast, n int) stat.Estimate {
	var values []float64
	e := stat.Estimate{N: n}
	for range 200 {
		mean := 0.0
		weights := make([]float64, len(all[0].Influence))
		for range n {
			weights[len(weights)-n+r.IntN(n)]++
		}
		for _, c := range all {
			v := c.Value
			for i, u := range c.Influence {
				v += u * (weights[i] - 1)
			}
			mean += max(0, v) / float64(len(all))
		}
		values = append(values, mean)
	}
	return percentiles(e, values)
}

// percentiles gives an estimate the interval of a plain bootstrap.
func percentiles(e stat.Estimate, values []float64) stat.Estimate {
	values = slices.Sorted(slices.Values(values))
	e.Low, e.High = stat.Quantile(values, 0.025), stat.Quantile(values, 0.975)
	return e
}
