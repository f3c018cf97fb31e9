package ranking

import "testing"

// However many samples two models share, three on which one alone is right are too few to tell
// them apart, and eight are not.
func TestFewDifferencesTellNothing(t *testing.T) {
	for alone, told := range map[int]bool{1: false, 3: false, 4: false, 8: true} {
		for _, shared := range []int{0, 20} {
			s := NewModelScores(2)
			for i := range alone + shared {
				y := []float64{1, 0}
				if i >= alone {
					y = []float64{float64(i % 2), float64(i % 2)}
				}
				s.AddUnit(y, 1)
				s.CloseCluster()
			}
			if r := RankModels(s.Shares(), s.ComputeSpread(1))[1]; r.Best == told || (r.Low == 2) != told || r.Rank != 2 {
				t.Errorf("%d to none beside %d: %+v", alone, shared, r)
			}
		}
	}
}
