package annotate

import (
	"testing"
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
