package stat

import (
	"math"
	"slices"
	"testing"
)

func TestFreedom(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("clusters alike", DegreesOfFreedom([]float64{5, 5, 5, 5}), 3)
	near("many clusters", DegreesOfFreedom(slices.Repeat([]float64{2}, 40)), 39)
	if f := DegreesOfFreedom(append(slices.Repeat([]float64{1}, 40), 100)); f > 1.1 {
		t.Errorf("one of many clusters decides all: %v", f)
	}
	near("none", DegreesOfFreedom(nil), 1)
	if f := DegreesOfFreedom([]float64{100, 1, 1, 1, 1}); f > 1.1 {
		t.Errorf("one cluster decides all: %v", f)
	}
	// Of clusters of one unit CR2 is the sample's variance of the mean.
	variance, freedom := satterthwaiteVariance([]float64{1, 1, 1, 1}, []float64{0.5, -0.5, 0.5, -0.5}, 0)
	near("variance", variance, 4*0.25/3/4)
	near("freedom", freedom, 3)
}

// Clusters that come in parts are those that come at once.
func TestCloseIn(t *testing.T) {
	var parts, whole Clusters
	var some, all Classes[string]
	for i, class := range []string{"a", "b", "a", "a", "b", "b", "a", "b"} {
		parts.AddHit(class == "a")
		parts.CloseInCluster(uint64(i%3 + 1))
		some.AddUnit(class)
		some.CloseInCluster(uint64(i%3 + 1))
	}
	for cluster := range 3 {
		for i, class := range []string{"a", "b", "a", "a", "b", "b", "a", "b"} {
			if i%3 == cluster {
				whole.AddHit(class == "a")
				all.AddUnit(class)
			}
		}
		whole.CloseCluster()
		all.CloseCluster()
	}
	if a, b := parts.Rate(""), whole.Rate(""); a != b || a.Clusters != 3 {
		t.Errorf("%+v, want %+v", a, b)
	}
	if a, b := some.Rate("a", ""), all.Rate("a", ""); a != b || some.N() != 8 || some.Counts()["b"] != 4 {
		t.Errorf("%+v, want %+v", a, b)
	}
	var merged Classes[string]
	merged.Merge(&some)
	if a, b := MostFrequentRate("", &merged), MostFrequentRate("", &all); a != b {
		t.Errorf("%+v, want %+v", a, b)
	}
}
