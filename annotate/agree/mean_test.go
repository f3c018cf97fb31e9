package agree

import (
	"math"
	"testing"

	"concord/eval/stat"
)

func TestStudent(t *testing.T) {
	// Student's own sleep data, second drug: mean 2.33, sd 2.002249, interval
	// 0.8976775 to 3.7623225 (R, t.test of sleep).
	sleep := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	m, sd := StudentMean(sleep, stat.Confidence), StandardDeviation(sleep, stat.Confidence)
	if math.Abs(m.Value-2.33) > 1e-9 || math.Abs(m.Low-0.8976775) > 1e-6 || math.Abs(m.High-3.7623225) > 1e-6 {
		t.Errorf("%+v", m)
	}
	if math.Abs(sd.Value-2.002249) > 1e-6 || sd.Low >= sd.Value || sd.High <= sd.Value {
		t.Errorf("%+v", sd)
	}
	for _, few := range [][]float64{nil, {3}} {
		if StudentMean(few, stat.Confidence).WhyUndefined() == "" || StandardDeviation(few, stat.Confidence).WhyUndefined() == "" {
			t.Error(few)
		}
	}
}
