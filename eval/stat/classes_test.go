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
				c.Add("a")
			}
			if i%5 == 0 {
				c.Add("b")
			}
			if i%4 == 0 {
				c.Skip()
			}
			c.Close()
			c.Close() // an empty one counts for nothing
		}
		for range 1 + i%2 {
			a.Add(1, 1)
		}
		if i%5 == 0 {
			a.Add(0, 1)
		}
		if i%4 == 0 {
			a.Add(0, 1)
		}
		a.Close()
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
		if got := c.Most(""); got.K != 90 {
			t.Errorf("most: %+v", got)
		}
	}
	var none Classes[string]
	none.Merge(&Classes[string]{})
	if got := none.Rate("a", "no votes"); got.Undefined != "no votes" || len(none.Counts()) != 0 {
		t.Errorf("%+v", got)
	}
}
