package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestPairedOfSingleSamples(t *testing.T) {
	var p Paired
	for range 7 {
		p.AddUnit(1, 1, 0, 1)
		p.CloseCluster()
	}
	for range 2 {
		p.AddUnit(0, 1, 1, 1)
		p.CloseCluster()
	}
	for range 20 {
		p.AddUnit(1, 1, 1, 1)
		p.CloseCluster()
	}
	got, method := p.Difference(Confidence, "")
	if want := (Pairs{Both: 20, First: 7, Second: 2}).Difference(""); got != want || method != MethodNewcombe {
		t.Errorf("%+v, %s, want %+v", got, method, want)
	}
	// binom.test(7, 9) in R: 0.1796875.
	if x := p.RunEqualityTest(1); math.Abs(x.P-0.1796875) > 1e-12 || x.Method != TestMcNemar || x.Mid >= x.P {
		t.Errorf("%+v", x)
	}
	if n := p.ClustersNeeded(p.DetectableDifference()); n != p.CountClusters() && n != p.CountClusters()+1 {
		t.Errorf("%d samples find what %d find", n, p.CountClusters())
	}
}

func TestHolm(t *testing.T) {
	got := AdjustHolm([]float64{0.01, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} { // p.adjust in R
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("%v", got)
		}
	}
}

// twoRuns is a question's answers in several passes by two models of the given
// accuracies; where they are the same, the models mostly agree.
func twoRuns(r *rand.Rand, p *Paired, first, second float64, passes int) {
	sure := func(a float64) float64 { // an accuracy of the question's own
		if r.Float64() < 0.5 {
			return a
		}
		if r.Float64() < a {
			return 1
		}
		return 0
	}
	a, b := sure(first), sure(second)
	same := first == second && r.Float64() < 0.7
	for range passes {
		u, v := r.Float64(), r.Float64()
		if same {
			b, v = a, u
		}
		count := func(hit bool) float64 {
			if hit {
				return 1
			}
			return 0
		}
		p.AddUnit(count(u < a), 1, count(v < b), 1)
	}
	p.CloseCluster()
}

func TestCoverageOfDifferences(t *testing.T) {
	draws := 2000
	if testing.Short() {
		draws = 300
	}
	for _, c := range []struct {
		n, passes     int
		first, second float64
	}{
		{50, 1, 0.6, 0.6}, {50, 4, 0.6, 0.5}, {100, 4, 0.9, 0.9}, {100, 1, 0.95, 0.85}, {300, 4, 0.97, 0.9}, {1000, 4, 0.7, 0.7},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(c.n), uint64(c.passes)))
			hit, wrong := 0, 0
			for i := range draws {
				var p Paired
				for range c.n {
					twoRuns(r, &p, c.first, c.second, c.passes)
				}
				d, _ := p.Difference(Confidence, "")
				if d.Low <= c.first-c.second && c.first-c.second <= d.High {
					hit++
				}
				if i < draws/10 && c.first == c.second && p.RunEqualityTest(uint64(i)).P < 0.05 {
					wrong++
				}
			}
			if got := float64(hit) / float64(draws); got < 0.93-3*math.Sqrt(0.93*0.07/float64(draws)) {
				t.Errorf("covers in %.3f", got)
			}
			if got := float64(wrong) / (float64(draws) / 10); got > 0.05+3*math.Sqrt(0.05*0.95*10/float64(draws)) {
				t.Errorf("rejects equal models in %.3f", got)
			}
		})
	}
}

// flipped are clusters of two units each, with the differences that are named.
func flipped(differences ...float64) *Paired {
	var p Paired
	for _, d := range differences {
		p.AddUnit(max(0, d), 1, max(0, -d), 1)
		p.AddUnit(0, 1, 0, 1)
		p.CloseCluster()
	}
	return &p
}

// All signs of few clusters are tried: the p-value is the share of the 2^n ways.
func TestEveryFlip(t *testing.T) {
	differences := []float64{1, 1, 0.5, 1, -0.5, 0.25, 1, 0, 1, 0.75}
	sum := func(ways int) float64 {
		out := 0.0
		for i, d := range differences {
			out += d * float64(1-2*(ways>>i&1))
		}
		return math.Abs(out)
	}
	as, more := 0, 0
	for ways := range 1 << len(differences) {
		switch {
		case sum(ways) > sum(0)+1e-9:
			more++
		case sum(ways) > sum(0)-1e-9:
			as++
		}
	}
	all := float64(int(1) << len(differences))
	got := flipped(differences...).RunEqualityTest(1)
	if want := float64(as+more) / all; got.Method != TestAllFlips || math.Abs(got.P-want) > 1e-12 || math.Abs(got.Mid-(want-float64(as)/2/all)) > 1e-12 {
		t.Errorf("%+v, want %g", got, want)
	}
	r := rand.New(rand.NewPCG(1, 1))
	var many []float64
	for range 30 {
		many = append(many, r.Float64()-0.4)
	}
	if got := flipped(many[:20]...).RunEqualityTest(1); got.Method != TestAllFlips {
		t.Errorf("of 20 clusters: %+v", got)
	}
	if got := flipped(many...).RunEqualityTest(1); got.Method != TestSignFlip || got.P <= 0 || got.P > 1 {
		t.Errorf("of 30 clusters: %+v", got)
	}
}
