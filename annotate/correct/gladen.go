package correct

import (
	"math"

	"concord/eval/stat"
)

// RoganGladen is the share of positives given the share that a machine calls
// positive, and its sensitivity and specificity: (p + sp - 1) / (se + sp - 1),
// cut to [0, 1] (Rogan and Gladen 1978). It takes both as known, so it has no
// interval, and is undefined where the machine is no better than chance.
func RoganGladen(positive, sensitivity, specificity float64, n int) stat.Estimate {
	informed := sensitivity + specificity - 1
	if informed <= 0 {
		return stat.NoEstimate("the machine tells the two apart no better than chance")
	}
	return stat.Expected(min(1, max(0, (positive+specificity-1)/informed)), n)
}

// Misread is how a machine that says yes or no errs by the labels of a stratum,
// and what the share of yes is once that is taken into account. It uses no more
// of the labels than two rates, and is wider than the prediction-powered score:
// it is the correction that one makes for a judge whose errors are known from
// elsewhere.
type Misread struct {
	Sensitivity stat.Rate // of the items that people say yes to, the machine's yes
	Specificity stat.Rate // of the others, its no
	Share       stat.Estimate
}

// Misreading measures a machine's errors on the labelled items of a stratum,
// whose values are 1 and 0, and corrects its share of 1 over all of them. The
// interval is that of Rogan and Gladen 1978, which takes the three rates to be
// independent: with some of the items labelled it is wider than need be.
func (s *Stratum) Misreading(confidence float64) Misread {
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
	for _, v := range s.unlabelled() {
		all.K += int(math.Round(v))
	}
	all.N = s.Size()
	out := Misread{Sensitivity: yes.Rate("people say yes to none of the labelled items"), Specificity: no.Rate("people say yes to all labelled items")}
	switch {
	case yes.N == 0:
		out.Share = stat.NoEstimate(out.Sensitivity.Undefined)
		return out
	case no.N == 0:
		out.Share = stat.NoEstimate(out.Specificity.Undefined)
		return out
	}
	se, sp, p := out.Sensitivity.Value, out.Specificity.Value, float64(all.K)/float64(all.N)
	out.Share = RoganGladen(p, se, sp, all.N)
	if out.Share.Undefined != "" {
		return out
	}
	v := out.Share.Value
	variance := p*(1-p)/float64(all.N) + v*v*se*(1-se)/float64(yes.N) + (1-v)*(1-v)*sp*(1-sp)/float64(no.N)
	low, high := Measure{v, math.Sqrt(variance) / (se + sp - 1)}.Interval(confidence)
	out.Share = stat.Estimate{N: len(s.Labelled), Value: v, Low: max(0, low), High: min(1, high)}
	return out
}
