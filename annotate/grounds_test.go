package annotate

import (
	"testing"
	"time"
)

func TestGroundsAsTheyAreTyped(t *testing.T) {
	check := func(in string, want Grounds, out string) {
		t.Helper()
		got := ParseGrounds(in)
		if got != want {
			t.Errorf("%q: %+v, want %+v", in, got, want)
		}
		if s := got.String(); s != out || ParseGrounds(s) != got {
			t.Errorf("%q is written %q, want %q", in, s, out)
		}
	}
	check("", Grounds{}, "")
	check(" it says so ", Grounds{Reason: "it says so"}, "it says so")
	check("80% it says so", Grounds{Reason: "it says so", Confidence: 0.8}, "80% it says so")
	check("7 %", Grounds{Confidence: 0.07}, "7%")
	check("0% no", Grounds{Reason: "0% no"}, "0% no")
	check("101% sure", Grounds{Reason: "101% sure"}, "101% sure")
	check("says 80% of it", Grounds{Reason: "says 80% of it"}, "says 80% of it")
}

// Grounds come with the label or after it, and change nothing else of it.
func TestGroundsOfALabel(t *testing.T) {
	s := open(t, 2)
	a, _ := s.LabelBecause(pick("B"), Grounds{"so", 0.4}, time.Second)
	if a.Reason != "so" || a.Confidence != 0.4 {
		t.Errorf("label %+v", a)
	}
	if _, ok := s.Explain(Grounds{"why", 1}); ok {
		t.Error("an item without a label was explained")
	}
	s.Prev()
	if _, ok := s.Explain(Grounds{"so", 0.4}); ok {
		t.Error("the same grounds were given again")
	}
	if _, err := s.Confront(keyOf(0)); err != nil { // now the machine's reading is known
		t.Fatal(err)
	}
	if a, ok := s.Explain(Grounds{"because", 0.9}); !ok || a.Kind != Labelled || a.Informed || a.Spent != time.Second || a.Reading.Choice != "B" {
		t.Errorf("explained %+v", a)
	}
	at(t, s, 0)
	s.Undo()
	if l := s.State().Labels[keyOf(0)]; l.Reason != "so" {
		t.Errorf("after undo %+v", l)
	}
}
