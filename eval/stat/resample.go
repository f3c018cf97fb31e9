package stat

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// Resample says how often units come up in a resample in which each comes up by
// chance of its own, on average once: so a resample takes no memory, however many
// units there are, and can be asked for one of them (the Poisson bootstrap: Hanley
// and MacGibbon, "Creating non-parametric bootstrap samples using Poisson
// frequencies", Computer Methods and Programs in Biomedicine 83, 2006). Means and
// ratios vary as under Efron's.
type Resample struct{ seed uint64 }

// NewResample gives a resample by its number.
func NewResample(seed uint64, number int) Resample {
	return Resample{mixBits(seed + uint64(number))} //nolint:gosec // a number of draws
}

// Count gives how often a unit comes up. Its first steps take no branch, which nothing
// could foretell.
func (r Resample) Count(unit uint64) int32 {
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

// NewDrawer gives what draws as many units as there are, with replacement, and counts
// them by kind; of is the kind of each unit. Few kinds are drawn as a multinomial,
// one binomial each; many, unit by unit.
func NewDrawer(of []int32, kinds int) func(*rand.Rand, []int32) {
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

// TailShare is what a percentile interval over resamples of n units leaves out at either
// end: of few units less than the level says, so that it is as wide as Student's
// (Hesterberg, "What teachers should know about the bootstrap", The American
// Statistician 69, 2015).
func TailShare(n int, confidence float64) float64 {
	if n >= FewClusters || n < 2 {
		return (1 - confidence) / 2
	}
	few := float64(n)
	return distuv.UnitNormal.Survival(math.Sqrt(few/(few-1)) * StudentQuantile(few-1, confidence))
}

// Quantile is the linear interpolation of the order statistics (type 7 of
// Hyndman and Fan 1996). There must be a value.
func Quantile(sorted []float64, p float64) float64 {
	h := p * float64(len(sorted)-1)
	i := int(math.Floor(h))
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (h-float64(i))*(sorted[i+1]-sorted[i])
}
