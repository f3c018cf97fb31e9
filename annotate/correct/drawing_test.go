package correct

import (
	"math"
	"math/rand/v2"
	"testing"

	"concord/eval/stat"
)

// Labels that are drawn more often where the machine errs are worth more than
// those of a uniform draw, and those that are drawn there less often are worth less.
func TestDrawingIsCompared(t *testing.T) {
	draw := func(unsure, others float64) Score {
		r := rand.New(rand.NewPCG(1, 2))
		var s Stratum
		for range 4000 {
			it, p := Item{Machine: float64(r.IntN(2))}, others
			it.People = it.Machine
			if r.Float64() < 0.2 {
				if p = unsure; r.Float64() < 0.4 {
					it.People = 1 - it.Machine
				}
			}
			if it.Weight = 1 / p; r.Float64() < p {
				s.Labelled = append(s.Labelled, it)
			} else {
				s.Unlabelled = append(s.Unlabelled, it.Machine)
			}
		}
		return ComputeScore([]Stratum{s}, Options{High: 1, Confidence: stat.Confidence})
	}
	if s := draw(0.3, 0.05); s.Alike < s.Labels*5/4 || s.Effective >= float64(s.Labels) {
		t.Errorf("of %d labels %v are effective, as good as %d", s.Labels, s.Effective, s.Alike)
	}
	if s := draw(0.05, 0.15); s.Alike > s.Labels {
		t.Errorf("%d labels are as good as %d", s.Labels, s.Alike)
	}
	if s := draw(0.1, 0.1); math.Abs(s.Effective-float64(s.Labels)) > 1e-6 || max(s.Alike-s.Labels, s.Labels-s.Alike) > s.Labels/20 {
		t.Errorf("of %d labels drawn alike %v are effective, as good as %d", s.Labels, s.Effective, s.Alike)
	}
	if s := ComputeScore([]Stratum{{Labelled: []Item{{1, 1, 0, 0, nil}, {0, 1, 0, 0, nil}}, Unlabelled: []float64{1, 0}}}, Options{High: 1, Confidence: stat.Confidence}); s.Alike != 0 || s.Effective != 0 {
		t.Errorf("without weights: %v, %d", s.Effective, s.Alike)
	}
}
