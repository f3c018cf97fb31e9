package stat

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
)

// The worked examples of Fagerland, Lydersen and Laake, "Recommended tests and
// confidence intervals for paired binomial proportions", Statistics in Medicine
// 33 (2014): airway hyper-responsiveness before and after stem cell
// transplantation, complete response before and after consolidation therapy.
func TestDifference(t *testing.T) {
	check := func(p Pairs, value, low, high float64) {
		t.Helper()
		got := p.Difference("")
		const close = 5e-5
		if got.N != p.N() || math.Abs(got.Value-value) > close || math.Abs(got.Low-low) > close || math.Abs(got.High-high) > close {
			t.Errorf("%+v: %.4f [%.4f, %.4f], want %.4f [%.4f, %.4f]", p, got.Value, got.Low, got.High, value, low, high)
		}
		turned := Pairs{p.Both, p.Second, p.First, p.Neither}.Difference("")
		if math.Abs(turned.Low+got.High) > 1e-12 || math.Abs(turned.High+got.Low) > 1e-12 {
			t.Errorf("%+v: turned round it is [%v, %v]", p, turned.Low, turned.High)
		}
	}
	check(Pairs{1, 1, 7, 12}, -0.2857, -0.5069, -0.0256)
	check(Pairs{59, 6, 16, 80}, -0.0621, -0.1186, -0.0046)
	if got := (Pairs{}).Difference("no questions"); got.Undefined != "no questions" {
		t.Errorf("of nothing: %+v", got)
	}
	for _, p := range []Pairs{{Both: 3}, {First: 3}, {Second: 3}, {Neither: 3}, {Both: 1, First: 1}} {
		d := p.Difference("")
		if d.Low < -1 || d.High > 1 || d.Low > d.Value || d.High < d.Value || d.Low == d.High {
			t.Errorf("%+v: %+v", p, d)
		}
	}
}

func TestPairs(t *testing.T) {
	var p, o Pairs
	p.AddItem(true, true)
	p.AddItem(true, false)
	o.AddItem(false, true)
	o.AddItem(false, false)
	p.Merge(o)
	if p != (Pairs{1, 1, 1, 1}) || p.N() != 4 {
		t.Errorf("%+v", p)
	}
}

func TestSum(t *testing.T) {
	got := SumEstimates(Estimate{N: 2, Value: 1, Low: 0.7, High: 1.4}, Estimate{N: 3, Value: 2, Low: 1.6, High: 2.3})
	if got.N != 5 || got.Value != 3 || math.Abs(got.Low-2.5) > 1e-12 || math.Abs(got.High-3.5) > 1e-12 || got.Exact {
		t.Errorf("%+v", got)
	}
	if got := SumEstimates(NewExactEstimate(75, 4), NewExactEstimate(75, 6)); !got.Exact || got.Value != 150 || got.Low != 150 || got.N != 10 {
		t.Errorf("of expectations: %+v", got)
	}
	if got := SumEstimates(NewExactEstimate(1, 1), NewUndefinedEstimate("no images")); got.WhyUndefined() != "no images" {
		t.Errorf("with one undefined: %+v", got)
	}
	if SumEstimates().WhyUndefined() == "" {
		t.Error("a sum of nothing has a value")
	}
}

func TestEstimateAsJSON(t *testing.T) {
	check := func(e Estimate, want string) {
		t.Helper()
		got, err := json.Marshal(e)
		if err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
	check(Estimate{N: 40, Value: 0.5, Low: 0.25, High: 0.75}, `{"value":0.5,"low":0.25,"high":0.75,"n":40}`)
	check(Estimate{N: 4, Value: 0.5, Low: 0.25, High: 0.75}, `{"value":0.5,"low":0.25,"high":0.75,"n":4,"warning":"few: 4 of the 30 units that an interval takes to hold"}`)
	check(NewExactEstimate(0.25, 4), `{"value":0.25,"low":null,"high":null,"n":4,"exact":true}`)
	check(NewUndefinedEstimate("why"), `{"value":null,"low":null,"high":null,"n":0,"undefined":"why"}`)
	check(Estimate{}, `{"value":null,"low":null,"high":null,"n":0,"undefined":"nothing to count"}`)
	back := func(e Estimate) {
		t.Helper()
		b, err := json.Marshal(e)
		var got Estimate
		if err == nil {
			err = json.Unmarshal(b, &got)
		}
		if err != nil || got != e {
			t.Errorf("%s is %+v, %v, want %+v", b, got, err, e)
		}
	}
	back(Estimate{N: 4, Value: 0.5, Low: 0.25, High: 0.75})
	back(NewExactEstimate(0.25, 4))
	back(NewUndefinedEstimate("why"))
}

// TestDrawer: few kinds and many are drawn alike, as often as they are and as
// unevenly as a multinomial is.
func TestDrawer(t *testing.T) {
	for _, n := range []int{90, 9000} { // unit by unit, and by kind
		of := make([]int32, n)
		for i := range of {
			of[i] = int32(min(i*10/n, 2)) // a tenth, a tenth, the rest
		}
		draw, weight := NewResampler(of, 3), make([]int32, 3)
		r := rand.New(rand.NewPCG(1, 2))
		const times = 4000
		var sum, squares [3]float64
		for range times {
			draw(r, weight)
			if int(weight[0]+weight[1]+weight[2]) != n {
				t.Fatalf("of %d units %v are drawn", n, weight)
			}
			for k, w := range weight {
				sum[k] += float64(w)
				squares[k] += float64(w) * float64(w)
			}
		}
		for k, p := range []float64{.1, .1, .8} {
			mean, variance := sum[k]/times, float64(n)*p*(1-p)
			if math.Abs(mean-float64(n)*p) > 5*math.Sqrt(variance/times) {
				t.Errorf("kind %d of %d units: %v on average", k, n, mean)
			}
			if got := squares[k]/times - mean*mean; got < .85*variance || got > 1.15*variance {
				t.Errorf("kind %d of %d units: variance %v, not %v", k, n, got, variance)
			}
		}
	}
}
