package correct

import (
	"math"

	"concord/eval/stat"
)

// EstimateRoganGladen estimates the share of positives given the share that a machine calls positive, and
// its sensitivity and specificity: (p + sp - 1) / (se + sp - 1), cut to [0, 1] (Rogan and Gladen 1978). It
// takes both as known, so it has no interval, and is undefined where the machine is no better than chance.
func EstimateRoganGladen(positive, sensitivity, specificity float64, n int) stat.Estimate {
	informed := sensitivity + specificity - 1
	if informed <= 0 {
		return stat.NewUndefinedEstimate("the machine tells the two apart no better than chance")
	}
	return stat.NewExactEstimate(min(1, max(0, (positive+specificity-1)/informed)), n)
}

// MachineErrors is how a machine that says yes or no errs by the labels of a stratum, and what the
// share of yes is once that is taken into account. It uses no more of the labels than two rates, and is
// wider than the prediction-powered score: it is the correction that one makes for a judge whose errors
// are known from elsewhere.
type MachineErrors struct {
	Share       stat.Estimate `json:"value"`
	Sensitivity stat.Rate     `json:"sensitivity"` // of the items that people say yes to, the machine's yes
	Specificity stat.Rate     `json:"specificity"` // of the others, its no
}

// MeasureErrors measures a machine's errors on the labelled items of a stratum, whose values are 1 and 0,
// and corrects its share of 1 over all of them. The interval is after Lang and Reiczigel, "Confidence
// limits for prevalence of disease adjusted for estimated sensitivity and specificity", Preventive
// Veterinary Medicine 113 (2014): the rates are shrunk by pseudo-labels, and the centre is moved for the
// skewness that few labels bring. Rogan and Gladen's own, which takes the rates to be normal, covered in 48
// % of cases with 10 labels of 5,000. This one holds more often than it says, the more so the fewer the
// labels: it is named bounds. The lower end is never above the value, nor the upper one below it.
func (s *Stratum) MeasureErrors(confidence float64) MachineErrors {
	var yes, no, all stat.Count
	for _, it := range s.Labelled {
		if it.People > 0.5 {
			yes.N++
			yes.K += int(math.Round(it.Machine))
		} else {
			no.N++
			no.K += int(math.Round(1 - it.Machine))
		}
		all.K += int(math.Round(it.Machine))
	}
	for _, v := range s.unlabelledValues() {
		all.K += int(math.Round(v))
	}
	all.N = s.Size()
	out := MachineErrors{Sensitivity: yes.Rate("people say yes to none of the labelled items"), Specificity: no.Rate("people say yes to all labelled items")}
	switch {
	case yes.N == 0:
		out.Share = stat.NewUndefinedEstimate(out.Sensitivity.Undefined)
		return out
	case no.N == 0:
		out.Share = stat.NewUndefinedEstimate(out.Specificity.Undefined)
		return out
	}
	se, sp, p := out.Sensitivity.Value, out.Specificity.Value, float64(all.K)/float64(all.N)
	out.Share = EstimateRoganGladen(p, se, sp, all.N)
	if out.Share.Undefined != "" {
		return out
	}
	low, high := shrunkBounds(newShrunkRate(p, all), yes, no, stat.NormalQuantile(confidence))
	v := out.Share.Value
	out.Share = stat.Estimate{N: len(s.Labelled), Value: v, Low: min(v, low), High: max(v, high), Bounded: true}
	return out
}

func newShrunkRate(share float64, c stat.Count) shrunkRate { return shrunkRate{share, float64(c.N)} }

// shrunkRate is a share with the number of what it is of.
type shrunkRate struct{ p, n float64 }

func (r shrunkRate) addHalfHits(more float64) shrunkRate {
	return shrunkRate{(r.p*r.n + more/2) / (r.n + more), r.n + more}
}

func (r shrunkRate) variance() float64 { return r.p * (1 - r.p) / r.n }

// shrunkBounds are the bounds of the share of 1, given how often the machine says it.
// They are 0 and 1 where the machine may be no better than chance.
func shrunkBounds(said shrunkRate, yes, no stat.Count, z float64) (low, high float64) {
	p := said.addHalfHits(z * z)
	se := newShrunkRate(float64(yes.K)/float64(yes.N), yes).addHalfHits(2)
	sp := newShrunkRate(float64(no.K)/float64(no.N), no).addHalfHits(2)
	informed := se.p + sp.p - 1
	if informed <= 0 {
		return 0, 1
	}
	share := (p.p + sp.p - 1) / informed
	skew := 2 * z * z * (share*se.variance() - (1-share)*sp.variance())
	half := z * math.Sqrt(p.variance()+share*share*se.variance()+(1-share)*(1-share)*sp.variance()) / informed
	return max(0, min(1, share+skew-half)), min(1, max(0, share+skew+half))
}
