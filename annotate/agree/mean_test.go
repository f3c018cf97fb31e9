package agree

import (
	"math"
	"testing"

	"concord/eval/stat"
)

func TestMean(t *testing.T) {
	scale := Bounds{1, 5}
	// Student's own sleep data, second drug: mean 2.33, sd 2.002249, interval
	// 0.8976775 to 3.7623225 (R, t.test of sleep).
	sleep := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	m, sd := Student(sleep, stat.Confidence), Deviation(sleep, stat.Confidence)
	if math.Abs(m.Value-2.33) > 1e-9 || math.Abs(m.Low-0.8976775) > 1e-6 || math.Abs(m.High-3.7623225) > 1e-6 {
		t.Errorf("%+v", m)
	}
	if math.Abs(sd.Value-2.002249) > 1e-6 || sd.Low >= sd.Value || sd.High <= sd.Value {
		t.Errorf("%+v", sd)
	}
	if m := Mean([]float64{5, 5, 5}, scale, stat.Confidence); m.Value != 5 || m.High != 5 || m.Low > 4 {
		t.Errorf("three scores of one value are not certain: %+v", m)
	}
	if m := Mean([]float64{1, 5}, scale, stat.Confidence); m.Low != 1 || m.High != 5 {
		t.Errorf("the interval leaves the scale: %+v", m)
	}
	var scores []float64
	for i, n := range []int{19, 15, 7, 23, 15} {
		for range n {
			scores = append(scores, float64(i+1))
		}
	}
	if m := Mean(scores, scale, stat.Confidence); m.Value != 3 {
		t.Errorf("the mean of whole scores is %v, not 3", m.Value)
	}
	for _, few := range [][]float64{nil, {3}} {
		if Mean(few, scale, stat.Confidence).Reason() == "" || Deviation(few, stat.Confidence).Reason() == "" {
			t.Error(few)
		}
	}
}
