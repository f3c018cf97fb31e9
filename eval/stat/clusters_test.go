package stat

import (
	"math"
	"testing"
)

func TestClusters(t *testing.T) {
	var c Clusters
	if r := c.Rate("no questions"); r.Undefined != "no questions" {
		t.Errorf("of nothing: %+v", r)
	}
	for i := range 40 {
		c.AddSingle(float64(min(i%4, 1)), 1)
	}
	if got, want := c.Rate(""), NewRate(30, 40); got != want {
		t.Errorf("single units: %+v, want %+v", got, want)
	}

	// Four passes that all say the same are one look, not four.
	var same Clusters
	for i := range 40 {
		for range 4 {
			same.AddUnit(float64(min(i%4, 1)), 1)
		}
		same.CloseCluster()
	}
	r := same.Rate("")
	if r.K != 120 || r.N != 160 || r.Clusters != 40 || math.Abs(r.DesignEffect-4*40.0/39) > 1e-9 {
		t.Errorf("%+v", r)
	}
	one := NewRate(30, 40)
	if r.High-r.Low < one.High-one.Low || r.High-r.Low > 1.15*(one.High-one.Low) {
		t.Errorf("%+v beside %+v", r, one)
	}

	// The order and the way in which clusters come do not matter.
	var a, b, both, mixed Clusters
	for i := range 30 {
		for j := range 1 + i%5 {
			y, d := float64((i*j)%3)/2, 1.0
			both.AddUnit(y, d)
			if i%2 == 0 {
				a.AddUnit(y, d)
			} else {
				b.AddUnit(y, d)
			}
		}
		both.CloseCluster()
		a.CloseCluster()
		b.CloseCluster()
	}
	mixed.Merge(&b)
	mixed.Merge(&a)
	x, y := mixed.Rate(""), both.Rate("")
	if x.K != y.K || x.N != y.N || math.Abs(x.Low-y.Low) > 1e-12 || math.Abs(x.High-y.High) > 1e-12 {
		t.Errorf("%+v, want %+v", x, y)
	}
}

func TestClustersAtTheEdge(t *testing.T) {
	var c Clusters
	for range 30 {
		c.AddUnit(1, 1)
		c.AddUnit(1, 1)
		c.CloseCluster()
	}
	if r := c.Rate(""); r.Value != 1 || r.High != 1 || r.Low > 0.95 || r.Low < 0.80 {
		t.Errorf("all of 30 clusters: %+v", r)
	}
	var one Clusters
	one.AddUnit(1, 1)
	one.AddUnit(0, 1)
	one.CloseCluster()
	if r := one.Rate(""); r.Low > 0.01 || r.High < 0.99 {
		t.Errorf("one cluster says nothing: %+v", r)
	}
	var m Clusters
	for range 20 {
		m.AddSingle(1, 1)
	}
	if e := m.MeanOnScale(1, 5, ""); e.Value != 5 || e.High != 5 || e.Low >= 5 || e.Low < 4 || e.N != 20 {
		t.Errorf("%+v", e)
	}
}

// The cost of an interval that knows clusters, beside counting the same units as
// they come, and by cluster.
func BenchmarkClusters(b *testing.B) {
	const units = 1_000_000
	right := make([]bool, units)
	for i := range right {
		right[i] = i%7 != 0
	}
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			var c Count
			for _, r := range right {
				c.Add(r)
			}
			if c.N != units {
				b.Fatal(c)
			}
		}
	})
	counted := func() (c Clusters) {
		for i, r := range right {
			c.AddHit(r)
			if i%4 == 3 {
				c.CloseCluster()
			}
		}
		return c
	}
	b.Run("count by cluster", func(b *testing.B) {
		for b.Loop() {
			if c := counted(); c.units != units {
				b.Fatal(c.units)
			}
		}
	})
	b.Run("count by cluster, with the interval", func(b *testing.B) {
		for b.Loop() {
			if c := counted(); c.Rate("").N != units {
				b.Fatal(c.units)
			}
		}
	})
}

func TestMeanDifference(t *testing.T) {
	var c Clusters
	for i := range 200 {
		c.AddSingle(float64(i%5-2), 1)
	}
	// Mean 0, standard deviation sqrt(2 * 200/199), t(199) = 1.97196.
	e := c.MeanDifference(1, 4, "")
	if want := 1.971957 * math.Sqrt(2.0/199); e.N != 200 || e.Value != 0 || math.Abs(e.High-want) > 1e-5 || math.Abs(e.Low+want) > 1e-5 {
		t.Errorf("%+v, want +-%v", e, want)
	}
	var same Clusters
	for range 30 {
		same.AddSingle(1, 1)
	}
	if e := same.MeanDifference(1, 4, ""); e.Low >= 1 || e.High <= 1 || e.High > 1.15 {
		t.Errorf("30 alike: %+v", e)
	}
	if e := new(Clusters).MeanDifference(1, 4, "no scores"); e.Undefined != "no scores" {
		t.Errorf("of nothing: %+v", e)
	}
}

func TestMeanOfStrata(t *testing.T) {
	stratum := func(y, d float64, clusters int) *Clusters {
		c := new(Clusters)
		c.AddClusters(y, d, int(d), clusters/2)
		c.AddClusters(0, d, int(d), clusters-clusters/2)
		return c
	}
	// Of one stratum it is the share, with the interval of its clusters.
	one := stratum(3, 4, 40)
	if got, want := MeanOfStrata([]*Clusters{one}, ""), one.Rate(""); math.Abs(got.Low-want.Low) > 1e-9 || math.Abs(got.High-want.High) > 1e-9 || got.N != want.N {
		t.Errorf("%+v, want %+v", got, want)
	}
	// Strata count alike, and what is between them is no error: of two that are all
	// right and all wrong only the pseudo-clusters are.
	apart := MeanOfStrata([]*Clusters{stratum(1, 1, 400), stratum(0, 1, 40)}, "")
	if apart.Value != 0.25 || apart.High-apart.Low > 2*1.97*math.Sqrt(0.25/400/4)*1.1 {
		t.Errorf("%+v", apart)
	}
	// One cluster says nothing of its stratum's variance: it is a quarter at most.
	alone := new(Clusters)
	alone.AddClusters(1, 1, 1, 1)
	if e := MeanOfStrata([]*Clusters{alone, stratum(1, 1, 400)}, ""); e.Value != 0.75 || e.N != 401 || e.Low > 0.4 {
		t.Errorf("%+v", e)
	}
	if e := MeanOfStrata([]*Clusters{new(Clusters)}, "no answers"); e.WhyUndefined() != "no answers" {
		t.Errorf("%+v", e)
	}
}
