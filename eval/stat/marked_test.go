package stat

import (
	"math"
	"testing"
)

// Units of shared clusters are counted as Clusters and Paired count them, and
// units that share nothing as if nobody had marked them.
func TestMarked(t *testing.T) {
	var shared, alone Marked
	var count Count
	var pairs Pairs
	var units Clusters
	var both Paired
	for i := range 90 {
		first, second := i%3 > 0, i%4 > 0
		count.Add(first)
		pairs.AddItem(first, second)
		alone.AddUnit(uint64(i+1)<<2, first, second)
		if i < 60 {
			shared.AddUnit(uint64(i%20+1)<<40, first, second) // three of each
		}
	}
	shared.AddUnit(0, true, true) // of no cluster
	for c := range 20 {
		for i := c; i < 60; i += 20 {
			units.AddHit(i%3 > 0)
			one := func(b bool) float64 {
				if b {
					return 1
				}
				return 0
			}
			both.AddUnit(one(i%3 > 0), 1, one(i%4 > 0), 1)
		}
		units.CloseCluster()
		both.CloseCluster()
	}
	var rest Pairs
	for i := 60; i < 90; i++ {
		units.AddHit(i%3 > 0)
		units.CloseCluster()
		rest.AddItem(i%3 > 0, i%4 > 0)
	}
	both.AddPairs(rest)
	if got, want := alone.Rate(count, ""), count.Rate(""); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := alone.Difference(pairs, ""), pairs.Difference(""); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := shared.Rate(count, ""), units.Rate(""); got != want || got.Clusters != 50 {
		t.Errorf("%+v, want %+v", got, want)
	}
	want, _ := both.Difference(Confidence, "")
	if got := shared.Difference(pairs, ""); math.Abs(got.Low-want.Low)+math.Abs(got.High-want.High) > 1e-12 || got.N != 50 {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := Marked(nil).Rate(Count{}, "no questions"); got.Undefined != "no questions" {
		t.Errorf("%+v", got)
	}
}

// Clusters may be added to by number, in any order.
func TestClustersByNumber(t *testing.T) {
	var open, first, second Clusters
	for c := range 40 {
		for i := range 1 + c%3 {
			open.AddHit((c+i)%4 > 0)
		}
		open.CloseCluster()
	}
	for i := range 3 {
		for c := range 40 {
			if i > c%3 {
				continue
			}
			to := &first
			if i%2 == 1 {
				to = &second
			}
			y := 0.0
			if (c+i)%4 > 0 {
				y = 1
			}
			to.AddToCluster(uint64(c), y, 1)
		}
	}
	first.Merge(&second)
	if got, want := first.Rate(""), open.Rate(""); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
