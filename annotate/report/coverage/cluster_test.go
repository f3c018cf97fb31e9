package coverage

import (
	"fmt"
	"math"
	"math/rand/v2"

	"concord/annotate/correct"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// beta draws a share of a mean, so that two hits under it correlate.
func beta(r *rand.Rand, mean, correlation float64) float64 {
	all := 1/correlation - 1
	x, y := gamma(r, mean*all), gamma(r, (1-mean)*all)
	return x / (x + y)
}

// gamma draws from the distribution of that shape (Marsaglia and Tsang, "A simple
// method for generating gamma variables", 2000).
func gamma(r *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return gamma(r, shape+1) * math.Pow(r.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	for {
		x := r.NormFloat64()
		v := 1 + x/math.Sqrt(9*d)
		if v *= v * v; v > 0 && math.Log(r.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// sizes are those of clusters: all alike, or from 1 up to some dozen.
func sizes(r *rand.Rand, clusters int, uneven bool) []int {
	out := make([]int, clusters)
	for i := range out {
		if out[i] = 10; uneven {
			out[i] = 1 + int(math.Exp(1.6+0.9*r.NormFloat64()))
		}
	}
	return out
}

// clusterSettings are accuracies of questions that share a template, of which
// there are few.
func clusterSettings() []setting {
	var out []setting
	for _, c := range []struct {
		clusters int
		uneven   bool
		p        float64
	}{{5, false, 0.7}, {5, true, 0.7}, {12, false, 0.7}, {12, true, 0.7}, {12, true, 0.9}, {25, false, 0.7}, {25, true, 0.7}, {25, true, 0.5}, {60, false, 0.7}, {60, true, 0.7}, {60, true, 0.9}} {
		like := "of 10 questions"
		if c.uneven {
			like = "of 1 to some 40 questions"
		}
		out = append(out, setting{
			figure: "accuracy: templates", what: fmt.Sprintf("%d templates %s, %g right, correlation 0.3", c.clusters, like, c.p), method: robust, other: "Wilson over questions",
			warned: c.clusters < stat.FewClusters,
			draw: func(r *rand.Rand) []look {
				t := metric.NewTally(scheme(eval.Vanilla))
				n := 0
				for i, size := range sizes(r, c.clusters, c.uneven) {
					p := beta(r, c.p, 0.3)
					for range size {
						hit := chance(r, p)
						q := question(n, 1, func(_ int, truth eval.Choice) string {
							if hit {
								return string(truth)
							}
							return wrong(truth)
						})
						q.Sample.Cluster = fmt.Sprint("template ", i)
						t.AddQuestion(&q)
						n++
					}
				}
				return rate(c.p, t.TotalCounts().Root.Vanilla.Rate())
			},
		})
	}
	return out
}

// comparedClusterSettings are differences of two models over questions that share a
// template, with much in common.
func comparedClusterSettings() []setting {
	var out []setting
	for _, c := range []struct {
		clusters int
		uneven   bool
		p, q     float64
	}{{60, false, 0.7, 0.6}, {60, true, 0.7, 0.6}, {60, true, 0.9, 0.6}, {200, true, 0.7, 0.7}, {200, true, 0.9, 0.8}} {
		like := "of 10 questions"
		if c.uneven {
			like = "of 1 to some 40 questions"
		}
		out = append(out, setting{
			figure: "difference: templates", what: fmt.Sprintf("%d templates %s, %g and %g right, correlation 0.3", c.clusters, like, c.p, c.q), method: "cluster-robust", other: "Newcombe's method 10",
			warned: c.uneven && c.clusters < 100,
			draw: func(r *rand.Rand) []look {
				var units stat.Paired
				var alone stat.Pairs
				for _, size := range sizes(r, c.clusters, c.uneven) {
					p, q := beta(r, c.p, 0.3), beta(r, c.q, 0.3)
					for range size {
						u := r.Float64()
						a, b := u < p, u < q
						alone.AddItem(a, b)
						var y [2]float64
						for i, hit := range []bool{a, b} {
							if hit {
								y[i] = 1
							}
						}
						units.AddUnit(y[0], 1, y[1], 1)
					}
					units.CloseCluster()
				}
				e, _ := units.Difference(stat.Confidence, "")
				o := alone.Difference("")
				return []look{{c.p - c.q, e.Low, e.High}, {c.p - c.q, o.Low, o.High}}
			},
		})
	}
	return out
}

// correctedClusterSettings are corrected shares of questions that share a
// template: a share of all questions is labelled.
func correctedClusterSettings() []setting {
	var out []setting
	for _, c := range []struct {
		clusters      int
		labelled, err float64
	}{{25, 0.3, 0.1}, {60, 0.3, 0.1}, {200, 0.1, 0.2}, {200, 1, 0.1}} {
		out = append(out, setting{
			figure: "corrected: templates", what: fmt.Sprintf("%d templates of 10 questions, 0.7 right, correlation 0.3, %g labelled, %g misread", c.clusters, c.labelled, c.err),
			method: "PPI++, cluster-robust", other: "PPI++ over questions",
			warned: c.clusters < stat.FewClusters,
			draw: func(r *rand.Rand) []look {
				var s, alone correct.Stratum
				for i := range c.clusters {
					p := beta(r, 0.7, 0.3)
					for range 10 {
						it := correct.Item{Cluster: uint64(i + 1)}
						if chance(r, p) {
							it.People = 1
						}
						if it.Machine = it.People; chance(r, c.err) {
							it.Machine = 1 - it.People
						}
						if chance(r, c.labelled) {
							s.Labelled = append(s.Labelled, it)
							alone.Labelled = append(alone.Labelled, correct.Item{Machine: it.Machine, People: it.People})
							continue
						}
						s.Unlabelled, s.UnlabelledIn = append(s.Unlabelled, it.Machine), append(s.UnlabelledIn, it.Cluster)
						alone.Unlabelled = append(alone.Unlabelled, it.Machine)
					}
				}
				o := correct.Options{High: 1, Confidence: stat.Confidence}
				a, b := correct.ComputeScore([]correct.Stratum{s}, o).Corrected, correct.ComputeScore([]correct.Stratum{alone}, o).Corrected
				return []look{{0.7, a.Low, a.High}, {0.7, b.Low, b.High}}
			},
		})
	}
	return out
}

// weightSettings are corrected shares of questions that were drawn elsewhere,
// each with a probability of its own: those that the machine calls wrong more often.
func weightSettings() []setting {
	var out []setting
	for _, c := range []struct {
		labels, all int
		truth, err  float64
	}{{50, 1000, 0.7, 0.1}, {100, 1000, 0.7, 0.2}, {200, 5000, 0.9, 0.1}, {400, 1000, 0.5, 0.1}} {
		draw := func(r *rand.Rand) (s correct.Stratum) {
			for range c.all {
				it := correct.Item{}
				if chance(r, c.truth) {
					it.People = 1
				}
				if it.Machine = it.People; chance(r, c.err) {
					it.Machine = 1 - it.People
				}
				p := float64(c.labels) / float64(c.all) * []float64{1.5, 0.5}[int(it.Machine)]
				p *= []float64{0.5, 1.5}[r.IntN(2)]
				if it.Weight = 1 / p; chance(r, p) {
					s.Labelled = append(s.Labelled, it)
				} else {
					s.Unlabelled = append(s.Unlabelled, it.Machine)
				}
			}
			return s
		}
		out = append(out, setting{
			figure: "corrected: weights", what: fmt.Sprintf("about %d labels of %d, %g right, %g misread", c.labels, c.all, c.truth, c.err),
			method: "PPI++, weighted", other: "PPI++ as if all were as likely", warned: c.labels < 100 && c.truth > 0.8,
			draw: func(r *rand.Rand) []look {
				s := draw(r)
				o := correct.Options{High: 1, Confidence: stat.Confidence}
				a := correct.ComputeScore([]correct.Stratum{s}, o).Corrected
				for i := range s.Labelled {
					s.Labelled[i].Weight = 0
				}
				b := correct.ComputeScore([]correct.Stratum{s}, o).Corrected
				return []look{{c.truth, a.Low, a.High}, {c.truth, b.Low, b.High}}
			},
		})
	}
	return out
}

// differenceSettings are differences of two corrected shares of the same
// questions, with labels on the answers of both machines, or of each on its own.
func differenceSettings() []setting {
	var out []setting
	for _, c := range []struct {
		all, labels int
		paired      bool
		p, q        float64
	}{{1000, 60, true, 0.7, 0.6}, {1000, 60, false, 0.7, 0.6}, {1000, 150, true, 0.9, 0.9}, {500, 150, false, 0.5, 0.8}, {2000, 100, true, 0.95, 0.93}} {
		how := "each on its own questions"
		if c.paired {
			how = "both on the same"
		}
		out = append(out, setting{
			figure: "corrected difference", what: fmt.Sprintf("%d labels a model of %d questions, %s, %g and %g right", c.labels, c.all, how, c.p, c.q),
			method: "PPI++, influences of both", other: "as if independent", warned: float64(c.labels)*(1-max(c.p, c.q)) < 10,
			draw: func(r *rand.Rand) []look {
				var s [2]correct.Stratum
				order := [2][]int{r.Perm(c.all), r.Perm(c.all)}
				if c.paired {
					order[1] = order[0]
				}
				for i := range c.all {
					u := r.Float64()
					for k, p := range []float64{c.p, c.q} {
						it := correct.Item{Cluster: uint64(i + 1)}
						if hit := u < p; hit != chance(r, 0.1*(1-p)) { // much in common
							it.People = 1
						}
						if it.Machine = it.People; chance(r, 0.1) {
							it.Machine = 1 - it.People
						}
						if order[k][i] < c.labels {
							s[k].Labelled = append(s[k].Labelled, it)
						} else {
							s[k].Unlabelled, s[k].UnlabelledIn = append(s[k].Unlabelled, it.Machine), append(s[k].UnlabelledIn, it.Cluster)
						}
					}
				}
				o := correct.Options{High: 1, Confidence: stat.Confidence}
				a, b := correct.ComputeScore(s[:1], o), correct.ComputeScore(s[1:], o)
				off := func(p float64) float64 { return p + 0.1*(1-p)*(1-2*p) }
				truth := off(c.p) - off(c.q)
				d := correct.EstimateDifference(&a, &b)
				minus := stat.Estimate{N: 1, Value: -b.Corrected.Value, Low: -b.Corrected.High, High: -b.Corrected.Low}
				alone := stat.SumEstimates(a.Corrected, minus)
				return []look{{truth, d.Low, d.High}, {truth, alone.Low, alone.High}}
			},
		})
	}
	return out
}
