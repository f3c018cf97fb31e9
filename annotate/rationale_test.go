package annotate

import (
	"testing"
)

func TestGroundsAsTheyAreTyped(t *testing.T) {
	check := func(in string, want Rationale, out string) {
		t.Helper()
		got := ParseRationale(in)
		if got != want {
			t.Errorf("%q: %+v, want %+v", in, got, want)
		}
		if s := got.String(); s != out || ParseRationale(s) != got {
			t.Errorf("%q is written %q, want %q", in, s, out)
		}
	}
	check("", Rationale{}, "")
	check(" it says so ", Rationale{Reason: "it says so"}, "it says so")
	check("80% it says so", Rationale{Reason: "it says so", Confidence: 0.8}, "80% it says so")
	check("7 %", Rationale{Confidence: 0.07}, "7%")
	check("0% no", Rationale{Reason: "0% no"}, "0% no")
	check("101% sure", Rationale{Reason: "101% sure"}, "101% sure")
	check("says 80% of it", Rationale{Reason: "says 80% of it"}, "says 80% of it")
}
