package stat

import (
	"math"
	"testing"
)

func TestMeanContrast(t *testing.T) {
	a := Contrast{Estimate: Estimate{N: 50, Value: 0.2, Low: 0.1, High: 0.25}}
	b := Contrast{Estimate: Estimate{N: 80, Value: -0.1, Low: -0.2, High: 0.1}}
	mean, floored := MeanOfContrasts([]Contrast{a, b}, "")
	if mean.N != 130 || math.Abs(mean.Value-0.05) > 1e-12 || math.Abs(mean.Low-(0.05-math.Hypot(0.05, 0.05))) > 1e-12 || math.Abs(mean.High-(0.05+math.Hypot(0.025, 0.1))) > 1e-12 {
		t.Errorf("independent: %+v", mean)
	}
	if math.Abs(floored.Value-0.1) > 1e-12 || floored.Low < 0 || floored.Low > 0.05 || math.Abs(floored.High-(0.1+math.Hypot(0.025, 0.1))) > 1e-12 {
		t.Errorf("floored: %+v", floored)
	}
	known := Contrast{Estimate: Estimate{Value: 0.3, Low: 0.3, High: 0.3, Exact: true}}
	if mean, _ := MeanOfContrasts([]Contrast{known, known}, ""); !mean.Exact || mean.Value != 0.3 {
		t.Errorf("measured elsewhere: %+v", mean)
	}
	if mean, floored := MeanOfContrasts(nil, "no row has it"); mean.WhyUndefined() != "no row has it" || floored.WhyUndefined() != "no row has it" {
		t.Errorf("of nothing: %+v, %+v", mean, floored)
	}

	// Over the same clusters two that are alike are worth one, and two of which
	// each makes up for the other vary not at all but for the smoothing.
	const n = 400
	up := Contrast{Estimate: Estimate{N: n, Low: -0.05, High: 0.05}, Clusters: n, Influence: make([]float64, n)}
	down := up
	down.Influence = make([]float64, n)
	for i := range n {
		up.Influence[i] = float64(i%2*2-1) / n
		down.Influence[i] = -up.Influence[i]
	}
	one, _ := MeanOfContrasts([]Contrast{up}, "")
	two, flooredTwo := MeanOfContrasts([]Contrast{up, up}, "")
	none, flooredNone := MeanOfContrasts([]Contrast{up, down}, "")
	if math.Abs(one.High-two.High) > 1e-12 || math.Abs(one.High-1.966*math.Sqrt(1.0/399)) > 1e-4 {
		t.Errorf("%+v, %+v", one, two)
	}
	if none.High > one.High/10 {
		t.Errorf("%+v beside %+v", none, one)
	}
	// One of them may yet be above zero.
	if flooredTwo.High < two.High-1e-12 || flooredNone.High < 0.4*one.High {
		t.Errorf("floored: %+v, %+v", flooredTwo, flooredNone)
	}
}
