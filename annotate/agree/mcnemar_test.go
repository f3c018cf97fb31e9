package agree

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"concord/eval/stat"
)

// The worked example of Fagerland, Lydersen and Laake 2013 (airway
// hyper-responsiveness before and after stem cell transplantation) and
// RunMcNemarTest's test of Agresti's table of approval ratings, as R gives it.
func TestMcNemar(t *testing.T) {
	near := func(what string, got, want, tolerance float64) {
		t.Helper()
		if math.Abs(got-want) > tolerance {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	s := RunMcNemarTest(stat.Pairs{Both: 1, First: 1, Second: 7, Neither: 12})
	near("chi-square", s.P, 0.034, 5e-4)
	near("corrected", s.PCorrected, 0.077, 5e-4)
	near("exact", s.Exact, 0.0703, 5e-5)
	near("mid-p", s.MidP, 0.0391, 5e-5)
	r := RunMcNemarTest(stat.Pairs{Both: 794, First: 150, Second: 86, Neither: 570})
	near("corrected chi-square", r.Corrected, 16.81779661016949, 1e-9)
	near("its p", r.PCorrected, 4.114562281345944e-05, 1e-12)

	turned := RunMcNemarTest(stat.Pairs{Both: 12, First: 7, Second: 1, Neither: 1})
	if s.Exact != turned.Exact || s.MidP != turned.MidP || s.ChiSquare != turned.ChiSquare {
		t.Errorf("turned round: %+v and %+v", s, turned)
	}
	even := RunMcNemarTest(stat.Pairs{First: 3, Second: 3})
	near("exact of no difference", even.Exact, 1, 0)
	near("mid-p of no difference", even.MidP, 1-20.0/64/2, 1e-12)
	near("corrected of no difference", even.PCorrected, 1, 0)
	for n := 1; n < 200; n++ {
		if p := RunMcNemarTest(stat.Pairs{First: n, Second: n}).Exact; p != 1 {
			t.Errorf("exact of %d and %d: %v", n, n, p)
		}
	}
	one := RunMcNemarTest(stat.Pairs{First: 1})
	near("exact of one", one.Exact, 1, 0)
	near("mid-p of one", one.MidP, 0.5, 1e-12)
}

func TestSamenessThroughJSON(t *testing.T) {
	check := func(p stat.Pairs) {
		t.Helper()
		want := RunMcNemarTest(p)
		b, err := json.Marshal(want)
		var got McNemarTest
		if err == nil {
			err = json.Unmarshal(b, &got)
		}
		if err != nil || got != want {
			t.Errorf("%s is %+v (%v), want %+v", b, got, err, want)
		}
	}
	check(stat.Pairs{Both: 1, First: 1, Second: 7, Neither: 12})
	check(stat.Pairs{})
}

func TestMcNemarUndefined(t *testing.T) {
	check := func(p stat.Pairs, want string) {
		t.Helper()
		s := RunMcNemarTest(p)
		b, err := json.Marshal(s)
		if s.Undefined != want || err != nil || !strings.Contains(string(b), `"exact_p":null`) {
			t.Errorf("%+v: %s, %v, want undefined: %s", p, b, err, want)
		}
	}
	check(stat.Pairs{}, "no items")
	check(stat.Pairs{Both: 5, Neither: 2}, "the two differ on no item")
}
