package coverage

import (
	"fmt"
	"math"
	"math/rand/v2"

	"concord/annotate/agree"
	"concord/eval/stat"
)

// drawn is an index with the chances of p.
func drawn(r *rand.Rand, p []float64) int {
	u := r.Float64()
	for i, c := range p[:len(p)-1] {
		if u -= c; u < 0 {
			return i
		}
	}
	return len(p) - 1
}

// scoreSettings are means of scores from 1 to 5, near an end of the scale or
// not, and differences between a judge's and people's scores.
func scoreSettings() []setting {
	var out []setting
	for _, c := range []struct {
		n int
		p []float64 // of 1 to 5
	}{
		{30, []float64{0.03, 0, 0, 0.07, 0.9}},
		{30, []float64{0, 0, 0.05, 0.1, 0.85}},
		{100, []float64{0.05, 0, 0, 0, 0.95}},
		{100, []float64{0.01, 0, 0.02, 0, 0.97}},
		{100, []float64{0.1, 0.2, 0.3, 0.25, 0.15}},
		{300, []float64{0.8, 0.15, 0, 0, 0.05}},
	} {
		truth := 0.0
		for i, p := range c.p {
			truth += p * float64(i+1)
		}
		rest := 1 - max(c.p[0], c.p[4])
		out = append(out, setting{
			figure: "scores: mean", what: fmt.Sprintf("%d answers, scores 1 to 5 with chances %v", c.n, c.p), method: "Wilson's for a mean, smoothed", other: "Student's",
			warned: c.n < 30 || rest*float64(c.n) < 10,
			draw: func(r *rand.Rand) []look {
				var units stat.Clusters
				var values []float64
				for range c.n {
					k := drawn(r, c.p)
					units.AddSingle(float64(k)/4, 1)
					values = append(values, float64(k+1))
				}
				e, s := units.MeanOnScale(1, 5, ""), agree.StudentMean(values, stat.Confidence)
				return []look{{truth, e.Low, e.High}, {truth, s.Low, s.High}}
			},
		})
	}
	for _, c := range []struct {
		n int
		p []float64 // of -1 to 2
	}{{30, []float64{0.1, 0.7, 0.15, 0.05}}, {100, []float64{0, 0.9, 0.07, 0.03}}} {
		truth := 0.0
		for i, p := range c.p {
			truth += p * float64(i-1)
		}
		out = append(out, setting{
			figure: "scores: judge less people", what: fmt.Sprintf("%d answers, differences -1 to 2 with chances %v", c.n, c.p), method: "Student's, smoothed", other: "Student's",
			warned: c.n < 30 || float64(c.n)*(1-c.p[1]) < 10-1e-9,
			draw: func(r *rand.Rand) []look {
				var units stat.Clusters
				var values []float64
				for range c.n {
					d := float64(drawn(r, c.p) - 1)
					units.AddSingle(d, 1)
					values = append(values, d)
				}
				e, s := units.MeanDifference(1, 4, ""), agree.StudentMean(values, stat.Confidence)
				return []look{{truth, e.Low, e.High}, {truth, math.Max(-4, s.Low), math.Min(4, s.High)}}
			},
		})
	}
	return out
}
