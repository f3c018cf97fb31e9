package correct

import (
	"math"
	"testing"

	"concord/eval/stat"
)

var share = Options{High: 1, Confidence: stat.Confidence}

// items are labelled items of which the machine and people say 1: both, the
// machine alone, people alone, neither.
func items(both, machine, people, neither int) []Item {
	var out []Item
	for i, n := range []int{both, machine, people, neither} {
		for range n {
			out = append(out, Item{Machine: one(i < 2), People: one(i%2 == 0 && i < 3)})
		}
	}
	return out
}

func said(ones, noughts int) []float64 {
	out := make([]float64, ones+noughts)
	for i := range ones {
		out[i] = 1
	}
	return out
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s: %.7f, want %.7f", what, got, want)
	}
}

// A model answers 100 questions. The rules read 80, 60 of them right; of the
// other 20, which count as not right, people label 10 and find 4 right.
//
//	0.8 * 0.75 + 0.2 * 0.4 = 0.68
//	0.64 * 0.1875/80 + 0.04 * 0.24/10 + (0.8 * 0.07^2 + 0.2 * 0.28^2)/100 = 0.002656
func TestStratified(t *testing.T) {
	got := ComputeScore([]Stratum{
		{Name: "read answers", Unlabelled: said(60, 20), AsRead: true},
		{Name: "unread answers", Labelled: items(0, 0, 4, 6), Unlabelled: said(0, 10)},
	}, share)
	near(t, "judge", got.Judge.Value, 0.6)
	near(t, "judge's spread", got.Judge.High-got.Judge.Value, 1.959964*math.Sqrt(0.6*0.4/100))
	near(t, "corrected", got.Corrected.Value, 0.68)
	// Of ten labels 0.4 with the pseudo-labels 0 and 1: 5 of 12, each with
	// variance 0.25 - 1/144.
	wilson(t, got.Corrected, 0.68, (10*0.68+1)/12, 0.002656-0.04*0.24/10+0.04*(0.25-1.0/144)/12)
	if got.Corrected.N != 10 || got.Judge.N != 100 || got.Strata[0].Lambda != nil || *got.Strata[1].Lambda != 0 {
		t.Errorf("%+v", got)
	}
	const reason = "nobody has labelled read answers"
	if got.People.Undefined != reason || got.Gain.Undefined != reason {
		t.Errorf("people %+v, gain %+v", got.People, got.Gain)
	}
}

func TestNotDetermined(t *testing.T) {
	check := func(want string, strata ...Stratum) {
		t.Helper()
		got := ComputeScore(strata, share)
		if got.Corrected.Undefined != want || got.People.Undefined != want || got.Gain.Undefined != want || got.LabelsNeeded(0.02).Undefined != want {
			t.Errorf("%+v, want undefined: %s", got, want)
		}
	}
	check("no items")
	check("no items", Stratum{Name: "read answers", AsRead: true})
	check("nobody has labelled any of the items", Stratum{Unlabelled: said(3, 2)})
	check("nobody has labelled any of the items", Stratum{Unlabelled: said(3, 2), AsRead: true})
	check("none of the 5 items of the rest has a label",
		Stratum{Labelled: items(2, 1, 1, 1)}, Stratum{Name: "the rest", Unlabelled: said(3, 2)})
	check("one label of the 3 items: it takes two", Stratum{Labelled: items(1, 0, 0, 0), Unlabelled: said(1, 1)})
}

// Strata of few labels share a lambda, and take the variance by n-1.
func TestFewLabelsInEachStratum(t *testing.T) {
	strata := []Stratum{
		{Name: "a", Labelled: items(1, 0, 0, 1), Unlabelled: said(9, 9)},
		{Name: "b", Labelled: items(0, 1, 1, 1), Unlabelled: said(3, 6)},
	}
	got := ComputeScore(strata, share)
	// a: cov 1/4 of 20, variance over all 5/19; b: cov -1/9 of 12, 4*8/12/11.
	up := 400*0.25/2 - 144*(1.0/9)/3
	down := 400*(5.0/19)*(1.0/2+1.0/18) + 144*(32.0/132)*(1.0/3+1.0/9)
	near(t, "lambda", *got.Strata[0].Lambda, up/down)
	near(t, "the same", *got.Strata[1].Lambda, up/down)
	alone := 5 * (400*0.5/2 + 144*(1.0/3)/3) / 1024 // the sample variances 1/2 and 1/3, for one label
	near(t, "people", got.People.Value, 20.0/32*0.5+12.0/32/3)
	mean := got.People.Value
	each := (5*alone + mean*mean + (1-mean)*(1-mean)) / 7 // with two pseudo-labels
	each -= (1 - 2*mean) * (1 - 2*mean) / 49
	between := (20*0.0625*0.0625 + 12*(5.0/48)*(5.0/48)) / 32 / 32
	wilson(t, got.People, mean, (5*mean+1)/7, each/7+between)
}

// wilson checks that an interval is Wilson's at the size that a share of p would
// need for the variance.
func wilson(t *testing.T, got stat.Estimate, value, p, variance float64) {
	t.Helper()
	m := p * (1 - p) / variance
	const z2 = 1.959963984540054 * 1.959963984540054
	for _, bound := range []float64{got.Low, got.High} {
		// Both are roots of (bound - value)^2 = z^2 bound (1 - bound) / m.
		near(t, "bound", (bound-value)*(bound-value), z2*bound*(1-bound)/m)
	}
	if got.Low >= value || got.High <= value {
		t.Errorf("%.4f is not in [%.4f, %.4f]", value, got.Low, got.High)
	}
}

// The interval is that of the labels with two more, on which people and the
// machine differ.
func TestPseudoLabels(t *testing.T) {
	labelled, rest := items(9, 2, 3, 6), said(40, 60)
	got := ComputeScore([]Stratum{{Labelled: labelled, Unlabelled: rest}}, share)
	lambda, mean, square := *got.Strata[0].Lambda, 0.0, 0.0
	more := append(items(0, 1, 1, 0), labelled...)
	for _, it := range more {
		r := it.People - lambda*it.Machine
		mean += r / 22
		square += r * r / 22
	}
	v := got.Corrected.Value
	wilson(t, got.Corrected, v, (20*v+1)/22, (square-mean*mean)/22+lambda*lambda*0.24/100)
}

// Labels that all say the same are not certain: of 30, people's pseudo-label 0
// is one of 32.
func TestLabelsThatAgree(t *testing.T) {
	got := ComputeScore([]Stratum{{Labelled: items(0, 0, 30, 0), Unlabelled: said(0, 970)}}, share)
	near(t, "value", got.Corrected.Value, 1)
	near(t, "high", got.Corrected.High, 1)
	const z2 = 1.959963984540054 * 1.959963984540054
	near(t, "low", got.Corrected.Low, 1/(1+z2/32))
}

func TestGain(t *testing.T) {
	got := ComputeScore([]Stratum{{Labelled: items(5, 1, 2, 2), Unlabelled: said(22, 8)}}, share)
	near(t, "lambda", *got.Strata[0].Lambda, 0.2785714)
	ratio := 0.14491376746189438 / 0.13751784052472985
	near(t, "gain", *got.Gain.Labels, 10*(ratio*ratio-1))
	if got.Corrected.High >= 1 || got.Corrected.Low <= 0 {
		t.Errorf("%+v is no interval of a share", got.Corrected)
	}
	all := ComputeScore([]Stratum{{Labelled: items(40, 10, 10, 40)}}, share)
	near(t, "all labelled", all.Corrected.Value, all.People.Value)
	near(t, "gain of all labelled", *all.Gain.Labels, 0)
}

// Without a machine that helps, an interval of 2 points to either side takes
// 0.25 * (1.96 / 0.02)^2 = 2401 labels, less what Wilson's interval saves.
func TestNeeds(t *testing.T) {
	score := ComputeScore([]Stratum{{Labelled: items(0, 0, 50, 50), Unlabelled: said(0, 99_900)}}, share)
	if got := score.LabelsNeeded(0.02); *got.Labels != 2396 || got.Undefined != "" {
		t.Errorf("%+v", got)
	}
	// Of 1,000 items even all labels leave 0.5 * 1.96 / sqrt(1000).
	score = ComputeScore([]Stratum{{Labelled: items(0, 0, 50, 50), Unlabelled: said(0, 900)}}, share)
	if got := score.LabelsNeeded(0.02); got.Undefined != "all 1000 items labelled give an interval of 3.1 points to either side" {
		t.Errorf("%+v", got)
	}
	// A machine that is mostly right spares labels.
	helped := ComputeScore([]Stratum{{Labelled: items(45, 5, 5, 45), Unlabelled: said(50_000, 49_900)}}, share)
	if got := helped.LabelsNeeded(0.02); *got.Labels < 700 || *got.Labels > 1000 {
		t.Errorf("%+v", got)
	}
}

func TestRoganGladen(t *testing.T) {
	near(t, "published", EstimateRoganGladen(0.8, 0.9, 0.85, 100).Value, 0.65/0.75)
	near(t, "cut", EstimateRoganGladen(0.1, 0.9, 0.85, 100).Value, 0)
	if got := EstimateRoganGladen(0.8, 0.5, 0.5, 100); got.Undefined == "" {
		t.Errorf("of chance: %+v", got)
	}
}
