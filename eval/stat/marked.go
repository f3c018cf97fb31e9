package stat

import (
	"iter"
	"math"
	"slices"
)

// Marked holds what one or two looks say of units that may share a cluster, as questions share
// an image, in eight bytes each: a million questions of which none may share anything cost no
// more than counting them. The zero value is empty.
type Marked []uint64

const (
	markFirst  = 1
	markSecond = 2
	markBits   = markFirst | markSecond
)

// AddUnit adds a unit of a cluster. Of the cluster's number the two lowest bits are
// not looked at; a unit of cluster 0 shares nothing and need not be added.
func (m *Marked) AddUnit(cluster uint64, first, second bool) {
	if cluster &^= markBits; cluster == 0 {
		return
	}
	if first {
		cluster |= markFirst
	}
	if second {
		cluster |= markSecond
	}
	*m = append(*m, cluster)
}

// Merge adds the units of o.
func (m *Marked) Merge(o Marked) { *m = append(*m, o...) }

// eachSharedCluster are the clusters of several units, each as its units.
func (m Marked) eachSharedCluster() iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		sorted := slices.Sorted(slices.Values(m))
		for len(sorted) > 0 {
			n := 1
			for n < len(sorted) && sorted[n]&^markBits == sorted[0]&^markBits {
				n++
			}
			if n > 1 && !yield(sorted[:n]) {
				return
			}
			sorted = sorted[n:]
		}
	}
}

// Rate is the share that a count says, of units some of which are marked by the
// first look: with the interval of Clusters where some share a cluster.
func (m Marked) Rate(c Count, reason string) Rate { return m.ToClusters(c).Rate(reason) }

// ToClusters are the units of a count, some of which are marked by the first look.
func (m Marked) ToClusters(alone Count) *Clusters {
	units := new(Clusters)
	for cluster := range m.eachSharedCluster() {
		for _, u := range cluster {
			hit := u & markFirst
			units.AddUnit(float64(hit), 1)
			alone.K -= int(hit) //nolint:gosec // one bit
			alone.N--
		}
		units.CloseCluster()
	}
	units.AddClusters(1, 1, 1, alone.K)
	units.AddClusters(0, 1, 1, alone.N-alone.K)
	return units
}

// Difference is the first look's share less the second's, over units that p
// counts, some of which are marked by both looks.
func (m Marked) Difference(p Pairs, reason string) Estimate {
	e, _ := m.toPaired(p).Difference(Confidence, reason)
	return e
}

// DegreesOfFreedom is the degrees of freedom of that difference of few clusters; 0: one less than they are.
func (m Marked) DegreesOfFreedom(p Pairs) float64 { return m.toPaired(p).computeInfluence().freedom }

// toPaired gives the units as clusters.
func (m Marked) toPaired(alone Pairs) *Paired {
	var units Paired
	for cluster := range m.eachSharedCluster() {
		for _, u := range cluster {
			first, second := u&markFirst, (u&markSecond)/markSecond
			units.AddUnit(float64(first), 1, float64(second), 1)
			alone.AddItems(first == 1, second == 1, -1)
		}
		units.CloseCluster()
	}
	units.AddPairs(alone)
	return &units
}

// PairedLooks counts items by what two looks at the same ones say of each. Items of one sample,
// as of several models or passes, are one cluster. The zero value is empty.
type PairedLooks struct {
	Sequence bool // items come in still, as of Clusters
	Pairs
	marked Marked
}

// AddItem counts one more item of a sample.
func (l *PairedLooks) AddItem(sample uint64, first, second bool) {
	l.Pairs.AddItem(first, second)
	l.marked.AddUnit((sample+1)<<2, first, second)
}

// Rates are the shares of the first look and of the second.
func (l *PairedLooks) Rates(reason string) (first, second Rate) {
	if l.Sequence {
		return l.ToPaired().sequenceRates(reason)
	}
	turned := make(Marked, len(l.marked))
	for i, u := range l.marked {
		turned[i] = u&^markBits | (u&markSecond)/markSecond
	}
	n := l.N()
	return l.marked.Rate(Count{K: l.Both + l.First, N: n}, reason), turned.Rate(Count{K: l.Both + l.Second, N: n}, reason)
}

// Difference is the first look's share less the second's.
func (l *PairedLooks) Difference(reason string) Estimate {
	units, level := l.ToPaired(), Confidence
	if l.Sequence {
		level = SequenceConfidence(Confidence, units.CountClusters())
	}
	e, _ := units.Difference(level, reason)
	e.N, e.Sequence = l.N(), l.Sequence
	return e
}

// ToPaired are the items as Paired takes them.
func (l *PairedLooks) ToPaired() *Paired { return l.marked.toPaired(l.Pairs) }

// Pairs counts items by what two looks at the same ones said of each.
type Pairs struct{ Both, First, Second, Neither int }

// AddItem counts one more item.
func (p *Pairs) AddItem(first, second bool) { p.AddItems(first, second, 1) }

// AddItems counts n more items of which the looks said the same; below 0 it takes some away.
func (p *Pairs) AddItems(first, second bool, n int) {
	switch {
	case first && second:
		p.Both += n
	case first:
		p.First += n
	case second:
		p.Second += n
	default:
		p.Neither += n
	}
}

// Merge adds the counts of o.
func (p *Pairs) Merge(o Pairs) {
	p.Both += o.Both
	p.First += o.First
	p.Second += o.Second
	p.Neither += o.Neither
}

// N is how many items were counted.
func (p Pairs) N() int { return p.Both + p.First + p.Second + p.Neither }

// Difference is the share of the first look less that of the second, with the square-and-add
// interval for paired proportions at Confidence: method 10 of Newcombe, "Improved confidence
// intervals for the difference between binomial proportions based on paired data", Statistics
// in Medicine 17 (1998). It is undefined for the given reason without items.
func (p Pairs) Difference(reason string) Estimate { return p.DifferenceAt(Confidence, reason) }

// DifferenceAt is Difference at a confidence level.
func (p Pairs) DifferenceAt(confidence float64, reason string) Estimate {
	n := p.N()
	if n == 0 {
		return NewUndefinedEstimate(reason)
	}
	first, second := float64(p.Both+p.First)/float64(n), float64(p.Both+p.Second)/float64(n)
	l1, h1 := WilsonInterval(p.Both+p.First, n, confidence)
	l2, h2 := WilsonInterval(p.Both+p.Second, n, confidence)
	phi := p.phiCorrelation()
	d := float64(p.First-p.Second) / float64(n)
	return Estimate{
		N: n, Value: d,
		Low:  max(-1, d-combineCorrelated(first-l1, h2-second, phi)),
		High: min(1, d+combineCorrelated(h1-first, second-l2, phi)),
	}
}

// combineCorrelated is two distances from a value, of looks that correlate.
func combineCorrelated(x, y, phi float64) float64 { return math.Sqrt(max(0, x*x-2*phi*x*y+y*y)) }

// phiCorrelation is Newcombe's phi, whose continuity correction keeps the
// interval wide enough where the looks mostly agree.
func (p Pairs) phiCorrelation() float64 {
	e, f, g, h := float64(p.Both), float64(p.First), float64(p.Second), float64(p.Neither)
	margins := (e + f) * (g + h) * (e + g) * (f + h)
	if margins == 0 {
		return 0
	}
	cross := e*h - f*g
	if cross > 0 {
		cross = max(0, cross-float64(p.N())/2)
	}
	return cross / math.Sqrt(margins)
}
