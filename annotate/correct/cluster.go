package correct

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sort"

	"concord/eval/stat"
)

func clusterAt(all []uint64, i int) uint64 {
	if i < len(all) {
		return all[i]
	}
	return 0
}

// isWeighted reports that labelled items were drawn with probabilities of their own.
func (s *Stratum) isWeighted() bool {
	return slices.ContainsFunc(s.Labelled, func(it Item) bool { return it.Weight > 0 })
}

// computeDrawnMoments computes those of labels that stand for as many items as their weight says
// (Hájek, "Comment on a paper by D. Basu", 1971): means are weighted, the machine's is over all items,
// labelled ones too, and so many labels count as would vary as much without weights (Kish, "Survey
// Sampling", 1965). Alike, they are those of as many labels if they had been drawn alike.
func computeDrawnMoments(s *Stratum, alike bool) moments {
	all, squares := 0.0, 0.0
	m := moments{items: float64(s.Size())}
	for _, it := range s.Labelled {
		all += it.Weight
		squares += it.Weight * it.Weight
		m.said += it.Weight * it.People
		m.read += it.Weight * it.Machine
	}
	m.said, m.read, m.labelled, m.unlabelled = m.said/all, m.read/all, all*all/squares, m.items
	of := func(weight float64) float64 { return weight * weight / (all * all) * m.labelled }
	if alike {
		of = func(weight float64) float64 { return weight / all }
	}
	for _, it := range s.Labelled {
		people, machine, weight := it.People-m.said, it.Machine-m.read, of(it.Weight)
		m.saidVar += weight * people * people
		m.readVar += weight * machine * machine
		m.cov += weight * people * machine
		m.rest += it.Machine / m.items
	}
	for _, v := range s.unlabelledValues() {
		m.rest += v / m.items
	}
	for _, it := range s.Labelled {
		m.restVar += (it.Machine - m.rest) * (it.Machine - m.rest) / m.items
	}
	for _, v := range s.unlabelledValues() {
		m.restVar += (v - m.rest) * (v - m.rest) / m.items
	}
	m.judge, m.few = m.rest, float64(len(s.Labelled))/float64(len(s.Labelled)-1)
	m.all = m.restVar * m.items / max(1, m.items-1)
	if m.among = m.readVar; alike {
		m.among, m.labelled = m.all, float64(len(s.Labelled))
	}
	return m
}

// eachInfluence yields what each item adds to the mean over all strata with the given lambdas, beyond
// its expectation: the sum of their squares is the variance of items on their own.
func (s *Score) eachInfluence(lambda []float64, each func(cluster uint64, u float64, labelled bool)) {
	all, value := s.populationSize(), 0.0
	values := make([]float64, len(s.moments))
	for i := range s.moments {
		if values[i] = s.moments[i].rest; !s.asRead[i] {
			values[i] = s.moments[i].meanAt(lambda[i])
		}
		value += s.moments[i].size() / all * values[i]
	}
	for i, st := range s.strata {
		m, part := &s.moments[i], s.moments[i].size()/all
		between, machine, sum := (values[i]-value)/all, lambda[i], 0.0
		if s.asRead[i] {
			machine = 1
		}
		weighted := st.isWeighted()
		for _, it := range st.Labelled {
			sum += max(it.Weight, 1)
		}
		for _, it := range st.Labelled {
			off := it.People - m.said - lambda[i]*(it.Machine-m.read)
			u := part*off*max(it.Weight, 1)/sum + between
			if weighted {
				u += part * machine * (it.Machine - m.rest) / m.unlabelled
			}
			each(it.Cluster, u, true)
		}
		rest := func(v float64, cluster uint64) {
			each(cluster, part*machine*(v-m.rest)/max(1, m.unlabelled)+between, false)
		}
		for k, v := range st.Unlabelled {
			rest(v, clusterAt(st.UnlabelledIn, k))
		}
		for _, it := range st.Missing {
			rest(it.Machine, it.Cluster)
		}
	}
}

// isClustered reports that some items share a cluster.
func (s *Score) isClustered() bool {
	var all []uint64
	for _, st := range s.strata {
		all = slices.Grow(all, st.Size())
		for _, items := range [][]Item{st.Labelled, st.Missing} {
			for i := range items {
				all = append(all, items[i].Cluster)
			}
		}
		all = append(all, st.UnlabelledIn...)
	}
	slices.Sort(all)
	for i := range max(1, len(all)) - 1 {
		if all[i] != 0 && all[i] == all[i+1] {
			return true
		}
	}
	return false
}

// addClusterVariance gives a spread the variance and the degrees of freedom of clusters, and says how
// many have labels and what the design effect is. Where items are on their own it changes nothing.
func (s *Score) addClusterVariance(to *meanSpread, lambda []float64) (clusters int, effect float64) {
	if !s.isClustered() {
		return 0, 0
	}
	by, sizes := make(map[uint64]float64), make(map[uint64]float64)
	alone, independent, single := 0.0, 0.0, 0
	s.eachInfluence(lambda, func(cluster uint64, u float64, labelled bool) {
		independent += u * u
		switch {
		case cluster != 0:
			by[cluster] += u
			if labelled {
				sizes[cluster]++
			}
		default:
			alone += u * u
			if labelled {
				single++
			}
		}
	})
	for _, c := range slices.Sorted(maps.Keys(by)) { // sums depend on the order
		alone += by[c] * by[c]
	}
	clusters = len(sizes) + single
	if clusters < 2 || independent == 0 {
		return clusters, 0
	}
	of := append(slices.Repeat([]float64{1}, single), slices.Collect(maps.Values(sizes))...)
	slices.Sort(of)
	to.effect = alone / independent * float64(clusters) / float64(clusters-1)
	to.freedom = stat.DegreesOfFreedom(of)
	return clusters, to.effect
}

// EstimateDifference estimates one corrected score less another over the same population: by what every
// cluster adds to the two together, so that labels on the same cluster (a question, with the answers of
// two machines) count as a pair, and the others as independent. Both scores must be defined, and their
// clusters be numbered alike. N is how many clusters have labels of both.
func EstimateDifference(a, b *Score) stat.Estimate {
	by, labels := make(map[uint64]float64), make(map[uint64][2]float64)
	alone := 0.0
	for i, s := range []*Score{a, b} {
		sign := 1 - 2*float64(i)
		s.eachInfluence(s.lambda, func(cluster uint64, u float64, labelled bool) {
			if cluster == 0 {
				alone += u * u
				return
			}
			by[cluster] += sign * u
			if labelled {
				l := labels[cluster]
				l[i]++
				labels[cluster] = l
			}
		})
	}
	for _, c := range slices.Sorted(maps.Keys(by)) {
		alone += by[c] * by[c]
	}
	width := a.options.High - a.options.Low
	variance := alone / (width * width)
	for _, s := range []*Score{a, b} { // the pseudo-labels, where few differ from the machine
		variance += max(0, s.spread.smoothedVariance()-s.spread.people-s.spread.machine)
		if s.times > 0 {
			variance += s.spread.people * (1 - 1/s.times)
		}
	}
	var sizes []float64
	both := 0
	for _, l := range labels {
		sizes = append(sizes, l[0]+l[1])
		if l[0] > 0 && l[1] > 0 {
			both++
		}
	}
	slices.Sort(sizes)
	n := float64(max(2, len(sizes)))
	confidence, sequence := a.options.Confidence, a.options.Sequence || b.options.Sequence
	if sequence {
		confidence = stat.SequenceConfidence(confidence, min(a.Labels, b.Labels))
	}
	half := stat.StudentQuantile(max(1, stat.DegreesOfFreedom(sizes)), confidence) * math.Sqrt(variance*n/(n-1)) * width
	value := a.Corrected.Value - b.Corrected.Value
	return stat.Estimate{N: both, Value: value, Low: max(-width, value-half), High: min(width, value+half), Sequence: sequence}
}

// meanSpread is an estimate with the parts of its variance. The values are on the scale from 0 to 1.
type meanSpread struct {
	value    float64
	labels   float64 // how many
	weight   float64 // of the labelled strata
	asked    float64 // their mean
	residual float64 // mean of what people say less lambda times what the machine says
	people   float64 // variance that more labels would lessen
	machine  float64 // all other variance
	lambda   float64 // of the labelled strata, by their weight
	effect   float64 // how many times the variance of items on their own; 0: items are on their own
	freedom  float64 // degrees of freedom of clusters; 0: the normal distribution
}

// standardError is the standard error without pseudo-labels.
func (s meanSpread) standardError() float64 {
	return math.Sqrt((s.people + s.machine) * s.varianceFactor())
}

// varianceFactor is by what the variance is multiplied.
func (s meanSpread) varianceFactor() float64 { return cmp.Or(s.effect, 1) }

// smoothedVariance is the variance after two pseudo-labels were added to the residuals: the machine 1
// and people 0, and the machine 0 and people 1. Labels that are all alike would otherwise seem certain.
func (s meanSpread) smoothedVariance() float64 {
	if s.weight == 0 {
		return s.machine
	}
	n := s.labels
	each := s.people * n / (s.weight * s.weight) // variance of one label
	a, b := 1-s.residual, -s.lambda-s.residual
	v := (n*each+a*a+b*b)/(n+2) - (a+b)*(a+b)/((n+2)*(n+2))
	return s.machine + s.weight*s.weight*v/(n+2)
}

// wilsonInterval is Wilson's (1927) at the effective sample size: that of a plain share with the same,
// smoothed, variance. It holds near 0 and 1, where the normal interval does not.
func (s meanSpread) wilsonInterval(confidence float64) (low, high float64) {
	theta := min(1, max(0, s.value))
	p := (s.labels*theta + 1) / (s.labels + 2)
	quantile := stat.NormalQuantile(confidence)
	if s.freedom > 0 {
		quantile = stat.StudentQuantile(s.freedom, confidence)
	}
	return stat.WilsonIntervalAt(theta, p*(1-p)/(s.smoothedVariance()*s.varianceFactor()), quantile)
}

// compareWithUniformDesign finds what a drawing with probabilities of its own was worth.
func (s *Score) compareWithUniformDesign() {
	then := *s
	then.moments = append([]moments{}, s.moments...)
	weighted := false
	for i, st := range s.strata {
		if st.isWeighted() {
			weighted = true
			then.moments[i] = computeDrawnMoments(st, true)
		}
		if !s.asRead[i] {
			s.Effective += s.moments[i].labelled
		}
	}
	if !weighted {
		s.Effective = 0
		return
	}
	plain := s.spread
	plain.effect, plain.freedom = 0, 0
	low, high := plain.wilsonInterval(s.options.Confidence)
	s.Alike = findLeastEnough(int(s.populationSize()), func(labels int) bool { return then.widthWithLabels(labels) <= high-low })
}

// LabelsDrawnAlike is how many labels that are drawn alike give a share an interval as short,
// without a machine's word: Wilson's.
func LabelsDrawnAlike(e stat.Estimate) int {
	return findLeastEnough(math.MaxInt32, func(labels int) bool {
		low, high := stat.WilsonIntervalAt(e.Value, float64(labels), stat.NormalQuantile(stat.Confidence))
		return high-low <= e.High-e.Low
	})
}

// findLeastEnough finds the least number from 1 that is enough, and most where none is.
func findLeastEnough(most int, enough func(int) bool) int {
	return 1 + sort.Search(max(0, most-1), func(i int) bool { return enough(i + 1) })
}
