package annotate

import (
	"testing"

	"concord/eval"
)

func picked(c eval.Choice) Reading { return Reading{Kind: PickedOption, Choice: c} }

var (
	none      = Reading{Kind: SaidNone}
	refused   = Reading{Kind: SaidRefused}
	ambiguous = Reading{Kind: SaidAmbiguous}
)

func TestAgreed(t *testing.T) {
	a, b, c := picked("A"), picked("B"), picked("C")
	check := func(p Policy, want string, readings ...Reading) {
		t.Helper()
		got, ok := ResolveReadings(readings, p)
		name := "open"
		if ok {
			name = confusionName(got.Reading)
		}
		if name != want {
			t.Errorf("%v of %v: %s, want %s", p, readings, name, want)
		}
	}
	check(Unanimous, "open")
	check(Majority, "open")
	check(Plurality, "open")
	check(PolicyUnset, "open", a)
	check(Unanimous, "A", a)
	check(Unanimous, "A", a, a, a)
	check(Unanimous, "open", a, a, b)
	check(Majority, "A", a, b, a)
	check(Majority, "open", a, b)
	check(Majority, "open", a, a, b, b)
	check(Majority, "open", a, a, b, c)
	check(Plurality, "A", a, a, b, c)
	check(Plurality, "open", a, a, b, b)
	check(Unanimous, "none", none, refused)
	check(Unanimous, "refused", refused, none, refused)
	check(Majority, "none", a, none, ambiguous)
	// With 24 options X is a letter; it is not the pseudo-choice.
	check(Unanimous, "open", picked("X"), none)
}

func TestAgreedWith(t *testing.T) {
	a, b := picked("A"), picked("B")
	got, ok := ResolveWithRuling([]Reading{a, a, b}, &refused, Adjudicated)
	if !ok || confusionName(got.Reading) != "refused" || got.Votes != 0 || got.Of != 3 {
		t.Errorf("ruled: %+v, %v", got, ok)
	}
	if got, ok := ResolveWithRuling([]Reading{none, refused}, nil, Adjudicated); !ok || confusionName(got.Reading) != "none" {
		t.Errorf("uncontested: %+v, %v", got, ok)
	}
	if got, ok := ResolveWithRuling([]Reading{a, b}, nil, Adjudicated); ok {
		t.Errorf("contested: %+v", got)
	}
}

func TestPolicyNames(t *testing.T) {
	for _, p := range []Policy{Unanimous, Majority, Plurality, Adjudicated} {
		if got, err := ParsePolicy(p.String()); got != p || err != nil {
			t.Errorf("%v came back as %v, %v", p, got, err)
		}
	}
	for _, u := range []Undecided{Dropped, CountedAsNone} {
		if got, err := ParseUndecided(u.String()); got != u || err != nil {
			t.Errorf("%v came back as %v, %v", u, got, err)
		}
	}
	for _, s := range []string{"", "most"} {
		if _, err := ParsePolicy(s); err == nil {
			t.Errorf("policy %q was read", s)
		}
		if _, err := ParseUndecided(s); err == nil {
			t.Errorf("undecided policy %q was read", s)
		}
	}
}
