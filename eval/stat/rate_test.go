package stat

import (
	"encoding/json"
	"testing"
)

func TestRateAsJSON(t *testing.T) {
	check := func(r Rate, want string) {
		t.Helper()
		b, err := json.Marshal(r)
		if err != nil || string(b) != want {
			t.Errorf("%s, %v, want %s", b, err, want)
		}
		var back Rate
		if err := json.Unmarshal(b, &back); err != nil || back != r && r != (Rate{}) {
			t.Errorf("back: %+v, %v, want %+v", back, err, r)
		}
	}
	check(UndefinedRate("why"), `{"k":0,"n":0,"value":null,"low":null,"high":null,"undefined":"why"}`)
	check(Rate{}, `{"k":0,"n":0,"value":null,"low":null,"high":null,"undefined":"nothing to count"}`)
	check(Rate{K: 20, N: 40, Value: 0.5, Low: 0.25, High: 0.75}, `{"k":20,"n":40,"value":0.5,"low":0.25,"high":0.75}`)
	check(Rate{K: 1, N: 2, Value: 0.5, Low: 0.25, High: 0.75}, `{"k":1,"n":2,"value":0.5,"low":0.25,"high":0.75,"warning":"few: 2 of the 30 units that an interval takes to hold"}`)
}

func TestWilsonEnds(t *testing.T) {
	for n := 1; n < 300; n++ {
		for k := 0; k <= n; k++ {
			low, high := WilsonInterval(k, n, Confidence)
			p := float64(k) / float64(n)
			if !(0 <= low && low <= p && p <= high && high <= 1) {
				t.Fatalf("%d of %d: [%v, %v] around %v", k, n, low, high, p)
			}
		}
	}
}
