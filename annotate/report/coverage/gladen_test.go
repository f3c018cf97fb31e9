package coverage

import (
	"fmt"
	"math"
	"math/rand/v2"

	"concord/annotate/agree"
	"concord/annotate/correct"
	"concord/eval/stat"
)

// gladenSettings are shares corrected by a machine's sensitivity and
// specificity.
func gladenSettings() []setting {
	var out []setting
	for _, c := range []struct {
		labels, all int
		truth, err  float64
	}{{10, 200, 0.8, 0.1}, {10, 5000, 0.8, 0.1}, {50, 5000, 0.3, 0.2}, {100, 1000, 0.9, 0.05}, {200, 5000, 0.7, 0.1}} {
		out = append(out, setting{
			figure: "corrected: Rogan-Gladen", what: fmt.Sprintf("%d labels of %d, %g right, %g misread", c.labels, c.all, c.truth, c.err), method: "bounds: Lang and Reiczigel", other: "normal, rates independent", bound: true,
			warned: c.labels < 30,
			draw: func(r *rand.Rand) []look {
				var s correct.Stratum
				var yes, no stat.Count
				p := 0.0
				for i := range c.all {
					people := 0.0
					if chance(r, c.truth) {
						people = 1
					}
					machine := people
					if chance(r, c.err) {
						machine = 1 - people
					}
					p += machine / float64(c.all)
					if i >= c.labels {
						s.Unlabelled = append(s.Unlabelled, machine)
						continue
					}
					s.Labelled = append(s.Labelled, correct.Item{Machine: machine, People: people})
					if people == 1 {
						yes.Add(machine == 1)
					} else {
						no.Add(machine == 0)
					}
				}
				e := s.MeasureErrors(stat.Confidence).Share
				if e.Undefined != "" {
					return []look{{c.truth, 0, 1}, {c.truth, 0, 1}} // it prints no interval
				}
				se, sp, v := float64(yes.K)/float64(yes.N), float64(no.K)/float64(no.N), e.Value
				sd := math.Sqrt(p*(1-p)/float64(c.all)+v*v*se*(1-se)/float64(yes.N)+(1-v)*(1-v)*sp*(1-sp)/float64(no.N)) / (se + sp - 1)
				return []look{{c.truth, e.Low, e.High}, {c.truth, max(0, v-1.96*sd), min(1, v+1.96*sd)}}
			},
		})
	}
	return out
}

// expertSettings are the agreement of experts who say whether a candidate is
// accepted: every two of them are a pair, and the pairs of one candidate depend on
// each other.
func expertSettings() []setting {
	var out []setting
	for _, c := range []struct{ items, experts int }{{50, 3}, {200, 5}} {
		draw := func(r *rand.Rand, n int) agree.Table {
			t := make(agree.Table, n)
			for i := range t {
				p := []float64{0.95, 0.6}[r.IntN(2)]
				for range c.experts {
					t[i] = append(t[i], map[bool]string{true: "accept", false: "reject"}[chance(r, p)])
				}
			}
			return t
		}
		truth := (0.95*0.95 + 0.05*0.05 + 0.6*0.6 + 0.4*0.4) / 2
		out = append(out, setting{figure: "curation: percent agreement", what: fmt.Sprintf("%d candidates, %d experts", c.items, c.experts), method: robust, other: "Wilson over pairs", draw: func(r *rand.Rand) []look {
			return rate(truth, summary(draw(r, c.items).NewPanel(agree.Scale{}), agree.Bootstrap{Confidence: stat.Confidence}).Percent)
		}})
	}
	return out
}
