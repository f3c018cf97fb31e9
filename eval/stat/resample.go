package stat

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Resample says how often units come up in a resample in which each comes up by chance of its
// own, on average once: so a resample takes no memory, however many units there are, and can be
// asked for one of them (the Poisson bootstrap: Hanley and MacGibbon, "Creating non-parametric
// bootstrap samples using Poisson frequencies", Computer Methods and Programs in Biomedicine
// 83, 2006). Means and ratios vary as under Efron's.
type Resample struct{ seed uint64 }

// NewResample gives a resample by its number.
func NewResample(seed uint64, number int) Resample {
	return Resample{mixBits(seed + uint64(number))} //nolint:gosec // a number of draws
}

// DrawCount gives how often a unit comes up. Its first steps take no branch, which nothing could foretell.
func (r Resample) DrawCount(unit uint64) int32 {
	x := mixBits(r.seed ^ unit)
	_, none := bits.Sub64(x, poisson[0], 0)
	_, one := bits.Sub64(x, poisson[1], 0)
	_, two := bits.Sub64(x, poisson[2], 0)
	n := int32(3 - none - one - two) //nolint:gosec // at most 3
	for n >= 3 && int(n) < len(poisson) && x >= poisson[n] {
		n++
	}
	return n
}

// mixBits gives the finalizer of SplitMix64 (Steele, Lea and Flood 2014).
func mixBits(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// poisson is up to which of all numbers a unit comes up so many times at most.
var poisson = func() (out [13]uint64) {
	below, p := 0.0, math.Exp(-1)
	for n := range out {
		below += p
		out[n] = uint64(math.Ldexp(below, 64))
		p /= float64(n + 1)
	}
	return out
}()

// NewResampler gives what draws as many units as there are, with replacement, and counts them by kind; of is
// the kind of each unit. Few kinds are drawn as a multinomial, one binomial each; many, unit by unit.
func NewResampler(of []int32, kinds int) func(*rand.Rand, []int32) {
	const few = 32 // units a kind
	if kinds*few >= len(of) {
		return func(r *rand.Rand, weight []int32) {
			clear(weight)
			for range of {
				weight[of[r.Uint32N(uint32(len(of)))]]++ //nolint:gosec // a number of units
			}
		}
	}
	size := make([]int, kinds)
	for _, k := range of {
		size[k]++
	}
	return func(r *rand.Rand, weight []int32) {
		left, drawn := len(of), len(of)
		for k, n := range size {
			times := drawn
			if n < left {
				times = int(distuv.Binomial{N: float64(drawn), P: float64(n) / float64(left), Src: r}.Rand())
			}
			weight[k] = int32(times) //nolint:gosec // at most the units
			left, drawn = left-n, drawn-times
		}
	}
}

// PercentileTail is what a percentile interval over resamples of n units leaves out at either end:
// of few units less than the level says, so that it is as wide as Student's (Hesterberg, "What
// teachers should know about the bootstrap", The American Statistician 69, 2015).
func PercentileTail(n int, confidence float64) float64 {
	if n >= FewClusters || n < 2 {
		return (1 - confidence) / 2
	}
	few := float64(n)
	return distuv.UnitNormal.Survival(math.Sqrt(few/(few-1)) * StudentQuantile(few-1, confidence))
}

// Quantile interpolates order statistics linearly (type 7 of Hyndman and Fan 1996). There must be a value.
func Quantile(sorted []float64, p float64) float64 {
	h := p * float64(len(sorted)-1)
	i := int(math.Floor(h))
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (h-float64(i))*(sorted[i+1]-sorted[i])
}

// How many clusters on the scarcer side of the share the smoothing gives way to: it is whole up
// to the first number, and gone from the second on. Of clusters of several units so many of the
// rarer outcome count as units on their own would need for the variance: few clusters of many
// units stand on either side of a share that is far from the ends.
const (
	smoothWhole, smoothNone                   = 10, 20
	smoothWholeOfSeveral, smoothNoneOfSeveral = 3, 10
)

// pseudoClusterShare is how much of the pseudo-clusters is added to those of a share. Where
// the units of a cluster make up for each other, a few that do not may decide alone.
func (m *moments) pseudoClusterShare() float64 {
	if m.units <= float64(m.n) {
		return m.pseudoClusterWeight()
	}
	r, v := m.share(), m.variance()
	weight := fadeFromOneToZero(r*(1-r)*min(r, 1-r), v*smoothWholeOfSeveral, v*smoothNoneOfSeveral)
	if v*m.units < r*(1-r) {
		deciding := m.squares * m.squares / max(m.fourths, flatShare)
		uneven := max(fadeFromOneToZero(deciding, 1.5, 3), fadeFromOneToZero(deciding/float64(m.n), 0.1, 0.25))
		weight = max(weight, min(m.pseudoClusterWeight(), uneven))
	}
	return weight
}

// pseudoClusterWeight is how much of the pseudo-clusters is added by the clusters on the scarcer side.
func (m *moments) pseudoClusterWeight() float64 {
	return fadeFromOneToZero(float64(min(m.over, m.under)), smoothWhole, smoothNone)
}

// fadeFromOneToZero goes from 1 to 0 as a number goes from whole to none.
func fadeFromOneToZero(number, whole, none float64) float64 {
	if number <= whole {
		return 1
	}
	return max(0, (none-number)/(none-whole))
}

// MeanOfStrata is the mean of the shares of strata that all count alike, as those of a benchmark's tasks.
// The strata are fixed: nobody would draw others, so what is within them varies alone. Their variances add
// up, with the degrees of freedom of Satterthwaite ("An approximate distribution of estimates of variance
// components", Biometrics Bulletin 2, 1946) for units that are all alike, and the interval is that of one
// share with this variance. A stratum of one cluster says nothing of its variance, which is a quarter at
// most. N counts units. It is undefined for the given reason without units.
func MeanOfStrata(strata []*Clusters, reason string) Estimate {
	var all moments
	var variance, spread float64
	for _, c := range strata {
		m := c.computeMoments()
		if m.d <= 0 {
			continue
		}
		all.units += m.d
		all.n += m.n
		all.over += m.over
		all.under += m.under
		all.y += m.share()
		all.d++
		share := m.d2 / (m.d * m.d) // of the variance, if units are all alike
		all.d2 += share
		all.squares += m.squares / (m.d * m.d)
		all.fourths += m.fourths / (m.d * m.d * m.d * m.d)
		if m.n == 1 {
			variance += 0.25
			continue
		}
		variance += m.variance()
		spread += share * share / m.degreesOfFreedom()
	}
	if all.d == 0 {
		return NewUndefinedEstimate(reason)
	}
	all.small, all.few = variance/(all.d*all.d), max(1, float64(all.n)-all.d)
	if spread > 0 {
		all.few = all.d2 * all.d2 / spread
	}
	low, high := all.computeInterval(Confidence)
	return Estimate{N: int(math.Round(all.units)), Value: all.share(), Low: low, High: high, Few: all.warnFewDecide(false)}
}

// Isotonic is the function that never falls and fits points best by least squares. It
// is constant from each step to the next.
type Isotonic []isotonicStep

type isotonicStep struct{ from, sum, n float64 }

func (s isotonicStep) mean() float64 { return s.sum / s.n }

// FitIsotonic fits points of x and y by pooling adjacent violators (Ayer et al., Annals
// of Mathematical Statistics 26, 1955). Points of one x count together: they come with
// the largest y first, and so are pooled.
func FitIsotonic(points [][2]float64) (out Isotonic) {
	for _, p := range slices.SortedFunc(slices.Values(points), func(a, b [2]float64) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1]))
	}) {
		s := isotonicStep{p[0], p[1], 1}
		for ; len(out) > 0 && out[len(out)-1].mean() >= s.mean(); out = out[:len(out)-1] {
			before := out[len(out)-1]
			s = isotonicStep{before.from, before.sum + s.sum, before.n + s.n}
		}
		out = append(out, s)
	}
	return out
}

// ValueAt is the function's value at x, which is that of the first step below it. There must have been a point.
func (f Isotonic) ValueAt(x float64) float64 {
	i := len(f) - 1
	for i > 0 && f[i].from > x {
		i--
	}
	return f[i].mean()
}
