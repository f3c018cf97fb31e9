package annotate

import (
	"math"
	"slices"

	"concord/eval"
)

// How much of a draw ByUncertainty is uniform: at least, and where nobody says
// otherwise. With less, labels of the other items are so few and weigh so much
// that an interval which holds is wider than that of a uniform draw.
const (
	LeastUniform   = 0.2
	DefaultUniform = 0.5
)

// Drawing is what a draw ByUncertainty keeps in its rule. An uncertain item is
// Lift times as likely to be drawn as another one: that is the mixture of a
// uniform draw, with the share Uniform, and one of uncertain items alone (Zrnic
// and Candès, "Active statistical inference", ICML 2024, Sec. 6). Limit is the
// rank of the first item that was not drawn; the largest number where all were.
// Sizes is how many predictions of each of the rule's runs were drawn from, and
// Unsure how many of them were uncertain.
type Drawing struct {
	Uniform, Lift float64
	Limit         uint64
	Sizes, Unsure []int
}

// Uncertain reports whether extractors leave a prediction uncertain, given the
// class that each reads in it: two differ, or one reads no choice.
func Uncertain(classes []eval.Choice) bool {
	return slices.Contains(classes, eval.X) || ComputeDisagreement(classes) > 0
}

// LiftOf is the lift of a draw of which a share is uniform, where so large a share
// of what is drawn from is uncertain.
func LiftOf(uniform, uncertain float64) float64 {
	if uncertain == 0 {
		return 1
	}
	return 1 + (1-uniform)/(uniform*uncertain)
}

// Rank is the place of an item in the order in which it is drawn and offered: its
// hash, and by uncertainty its hash over its probability (sequential Poisson
// sampling: Ohlsson, "Sequential Poisson sampling", Journal of Official Statistics
// 14, 1998).
func (r *Rule) Rank(k ItemKey, uncertain bool) uint64 {
	h := r.DrawHash(k)
	if r.Order == ByUncertainty && uncertain && r.Drawing.Lift > 1 {
		return uint64(float64(h) / r.Drawing.Lift)
	}
	return h
}

// Inclusion is the probability with which an item ByUncertainty comes before a
// rank. Weighed by it, the items before the first one that is not labelled are a
// sample without bias, wherever that is (Duffield, Lund and Thorup, "Priority
// sampling for estimation of arbitrary subset sums", Journal of the ACM 54, 2007).
func (d *Drawing) Inclusion(rank uint64, uncertain bool) float64 {
	share := float64(rank) / (1 << 64)
	if uncertain {
		share *= max(1, d.Lift)
	}
	return min(1, share)
}

// All is the limit of a draw that takes everything.
const All = math.MaxUint64
