package ranking

import (
	"math"
	"math/rand/v2"
	"testing"
)

// benchmark draws right and wrong answers of models that find the same samples
// hard.
func benchmark(r *rand.Rand, accuracy []float64, samples int) *Scores {
	s := NewModelScores(len(accuracy))
	y := make([]float64, len(accuracy))
	for range samples {
		hard := r.NormFloat64()
		for i, p := range accuracy {
			// A threshold of a sum of two normals with the wanted share.
			y[i] = float64(count(0.7*hard+math.Sqrt(1-0.49)*r.NormFloat64() < quantile(p)))
		}
		s.AddUnit(y, 1)
		s.CloseCluster()
	}
	return s
}

func quantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

func TestPlacesCover(t *testing.T) {
	for name, c := range map[string]struct {
		truth   []float64
		samples int
	}{
		"ten equal":        {[]float64{.6, .6, .6, .6, .6, .6, .6, .6, .6, .6}, 300},
		"near the ceiling": {[]float64{.9, .95, .97, .97, .98}, 200},
		"spread":           {[]float64{.3, .4, .5, .55, .6, .62, .7}, 500},
		"few":              {[]float64{.5, .5, .7, .7}, 40},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			times := 60
			ranks, best := 0, 0
			for range times {
				s := benchmark(r, c.truth, c.samples)
				places := RankModels(s.Shares(), s.ComputeSpread(r.Uint64()))
				ranks += count(coversRanks(c.truth, places))
				best += count(places[len(places)-1].Best)
			}
			t.Logf("ranks %d, best %d of %d", ranks, best, times)
			if low := 0.95 - 3*math.Sqrt(.05*.95/float64(times)); float64(min(ranks, best)) < low*float64(times) {
				t.Errorf("all ranks held in %d, the best in %d of %d", ranks, best, times)
			}
		})
	}
}

func TestPlacesOfWhatIsPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	places := RankModels([]float64{.2, .5, .9}, benchmark(r, []float64{.2, .5, .9}, 1000).ComputeSpread(1))
	for i, want := range []Rank{{3, 3, 3, false}, {2, 2, 2, false}, {1, 1, 1, true}} {
		if places[i] != want {
			t.Errorf("model %d: %+v, want %+v", i, places[i], want)
		}
	}
}

// Two runs with the same answers are never told apart, nor ranked.
func TestPlacesOfEqualRuns(t *testing.T) {
	s := NewModelScores(2)
	for i := range 100 {
		v := float64(i % 2)
		s.AddUnit([]float64{v, v}, 1)
		s.CloseCluster()
	}
	for i, p := range RankModels(s.Shares(), s.ComputeSpread(1)) {
		if p != (Rank{1, 1, 2, true}) {
			t.Errorf("model %d: %+v", i, p)
		}
	}
	// Two pseudo-clusters, half a cluster's worth each way, beside 100 that agree.
	if got, want := s.ComputeSpread(1).SE(0, 1), math.Sqrt(0.5/(102*101)); math.Abs(got-want) > 1e-12 {
		t.Errorf("standard error %v, want %v", got, want)
	}
	if got := s.Rates("")[0]; got.K != 50 || got.N != 100 || got.Clusters != 0 {
		t.Errorf("%+v", got)
	}
}

// BenchmarkStanding is a million samples with a vote each, and all resamples.
func BenchmarkStanding(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	t := NewTournament(8)
	for range 1_000_000 {
		first := r.IntN(8)
		t.AddVotes([]Vote{{First: first, Second: (first + 1 + r.IntN(7)) % 8, Outcome: Outcome(1 + r.IntN(3))}})
	}
	for b.Loop() {
		if _, err := t.FitStanding(b.Context(), Resamples, 1, nil); err != nil {
			b.Fatal(err)
		}
	}
}
