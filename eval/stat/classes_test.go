package stat

import (
	"maps"
	"testing"
)

func TestClasses(t *testing.T) {
	var all, first, second Classes[string]
	var a Clusters // the same of class a alone
	for i := range 60 {
		to := &first
		if i%3 == 0 {
			to = &second
		}
		for _, c := range []*Classes[string]{&all, to} {
			for range 1 + i%2 {
				c.AddUnit("a")
			}
			if i%5 == 0 {
				c.AddUnit("b")
			}
			if i%4 == 0 {
				c.inner++ // a unit of none of the classes
			}
			c.CloseCluster()
			c.CloseCluster() // an empty one counts for nothing
		}
		for range 1 + i%2 {
			a.AddUnit(1, 1)
		}
		if i%5 == 0 {
			a.AddUnit(0, 1)
		}
		if i%4 == 0 {
			a.AddUnit(0, 1)
		}
		a.CloseCluster()
	}
	first.Merge(&second)
	for _, c := range []*Classes[string]{&all, &first} {
		if c.N() != 117 || !maps.Equal(c.Counts(), map[string]int{"a": 90, "b": 12}) {
			t.Errorf("%d, %v", c.N(), c.Counts())
		}
		if got, want := c.Rate("a", ""), a.Rate(""); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		if got := c.Rate("c", ""); got.K != 0 || got.N != 117 || got.Clusters != 60 {
			t.Errorf("of none: %+v", got)
		}
		if got := MostFrequentRate("", c); got.K != 90 {
			t.Errorf("most: %+v", got)
		}
	}
	var none Classes[string]
	none.Merge(&Classes[string]{})
	if got := none.Rate("a", "no votes"); got.Undefined != "no votes" || len(none.Counts()) != 0 {
		t.Errorf("%+v", got)
	}
}

// Of several parts it is what each part's own most frequent class comes to, as
// likely too high as the ways to choose are many.
func TestMostOfParts(t *testing.T) {
	var first, second, whole Classes[string]
	for _, c := range []struct {
		to *Classes[string]
		k  string
		n  int
	}{{&first, "a", 60}, {&first, "b", 40}, {&second, "b", 70}, {&second, "a", 30}, {&whole, "a", 90}, {&whole, "b", 110}} {
		c.to.AddSingles(c.k, c.n)
	}
	got, want := MostFrequentRate("", &first, &second), NewRate(130, 200)
	if got.K != 130 || got.N != 200 || got.High != want.High || got.Low >= want.Low || got.Low < want.Low-0.05 {
		t.Errorf("%+v, beside %+v", got, want)
	}
	if got := MostFrequentRate("", &whole, new(Classes[string])); got.K != 110 || got.N != 200 {
		t.Errorf("%+v", got)
	}
	if got := MostFrequentRate[string]("none"); got.Undefined != "none" {
		t.Errorf("%+v", got)
	}
}
