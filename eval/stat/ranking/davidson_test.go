package ranking

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/optimize"
)

// tournament draws votes of Davidson's model: ties, a position effect and
// numbers of votes that differ from pair to pair.
func tournament(r *rand.Rand, logs []float64, tie, position float64, samples int) *Tournament {
	t := NewTournament(len(logs))
	for range samples {
		var votes []Vote
		luck := r.NormFloat64() * 0.3 // what the votes on a sample have in common
		for i := range logs {
			for j := range logs {
				if i == j || r.Float64() > 0.15+0.05*float64((i*j)%5) {
					continue
				}
				votes = append(votes, Vote{First: i, Second: j, Outcome: drawVote(r, logs[i]+luck, logs[j]-luck, tie, position)})
			}
		}
		t.AddVotes(votes)
	}
	return t
}

func drawVote(r *rand.Rand, first, second, tie, position float64) Outcome {
	a, c := math.Exp(first+position), math.Exp(second)
	b := tie * math.Sqrt(a*c)
	switch u := r.Float64() * (a + b + c); {
	case u < a:
		return Won
	case u < a+b:
		return Tied
	}
	return Lost
}

// independentFit goes up the likelihood by another way than Fit: over worths
// themselves and all of their parameters, by BFGS with numbers for slopes.
func independentFit(t *testing.T, models int, cells []Comparison) (logs []float64, tie, position float64) {
	t.Helper()
	minus := func(x []float64) float64 {
		sum := 0.0
		for _, c := range cells {
			first, second := 1.0, 1.0
			if c.First < models-1 {
				first = math.Exp(x[c.First])
			}
			if c.Second < models-1 {
				second = math.Exp(x[c.Second])
			}
			first *= math.Exp(x[models])
			both := math.Exp(x[models-1]) * math.Sqrt(first*second)
			all := first + both + second
			sum -= c.Won*math.Log(first/all) + c.Tied*math.Log(both/all) + c.Lost*math.Log(second/all)
		}
		return sum
	}
	slope := func(g, x []float64) {
		const h = 1e-5
		for i := range x {
			at := x[i]
			f := func(d float64) float64 { x[i] = at + d; return minus(x) }
			g[i] = (8*(f(h)-f(-h)) - (f(2*h) - f(-2*h))) / (12 * h)
			x[i] = at
		}
	}
	out, err := optimize.Minimize(optimize.Problem{Func: minus, Grad: slope}, make([]float64, models+1),
		&optimize.Settings{GradientThreshold: 1e-7, MajorIterations: 10_000}, &optimize.BFGS{})
	if out == nil {
		t.Fatal(err)
	}
	logs = append(append(logs, out.X[:models-1]...), 0)
	mean := 0.0
	for _, v := range logs {
		mean += v / float64(models)
	}
	for i := range logs {
		logs[i] -= mean
	}
	return logs, math.Exp(out.X[models-1]), out.X[models]
}

var eight = []float64{-0.9, -0.5, -0.2, 0, 0, 0.2, 0.5, 0.9}

func TestFitIsThatOfAnotherMethod(t *testing.T) {
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 1))
		tt := tournament(r, eight, 0.7, 0.4, 300)
		checkFit(t, tt)
	}
}

func checkFit(t *testing.T, tt *Tournament) {
	t.Helper()
	got, err := FitDavidson(tt.models, tt.cells)
	if err != nil {
		t.Fatal(err)
	}
	logs, tie, position := independentFit(t, tt.models, tt.cells)
	for i := range logs {
		if math.Abs(logs[i]-got.Log[i]) > 1e-6 {
			t.Errorf("model %d: %.8f, and %.8f by another method", i, got.Log[i], logs[i])
		}
	}
	if math.Abs(tie-got.Tie) > 1e-6 || math.Abs(position-got.Position) > 1e-6 {
		t.Errorf("tie %.8f and position %.8f, and %.8f and %.8f by another method", got.Tie, got.Position, tie, position)
	}
}

// Two models without ties or order have a fit in closed form.
func TestFitOfTwoModels(t *testing.T) {
	got, err := FitDavidson(2, []Comparison{{First: 0, Second: 1, Unordered: true, Won: 30, Lost: 10}})
	if err != nil {
		t.Fatal(err)
	}
	if want := math.Log(3) / 2; math.Abs(got.Log[0]-want) > 1e-9 || got.Tie != 0 || got.NoPosition == "" {
		t.Errorf("got %+v, want strength %v", got, want)
	}
	// A third of the votes are ties: the tie is the ratio to the geometric mean.
	got, err = FitDavidson(2, []Comparison{{First: 0, Second: 1, Unordered: true, Won: 40, Tied: 20, Lost: 10}})
	if err != nil {
		t.Fatal(err)
	}
	if want := 20 / math.Sqrt(400); math.Abs(got.Tie-want) > 1e-8 {
		t.Errorf("tie %v, want %v", got.Tie, want)
	}
}

func TestFitRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		cells []Comparison
		want  error
	}{
		"one never loses": {[]Comparison{{First: 0, Second: 1, Won: 9, Lost: 2}, {First: 2, Second: 0, Won: 4}}, ErrApart},
		"no votes":        {nil, ErrApart},
		"ties alone":      {[]Comparison{{First: 0, Second: 1, Tied: 3}, {First: 1, Second: 2, Tied: 3}}, ErrNoOther},
	} {
		if _, err := FitDavidson(3, c.cells); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	got, err := FitDavidson(2, []Comparison{{First: 0, Second: 1, Won: 5}, {First: 1, Second: 0, Won: 5}})
	if err != nil || got.NoPosition == "" || math.Abs(got.Log[0]) > 1e-9 {
		t.Errorf("whoever is first always wins: %+v, %v", got, err)
	}
	if parts := ConnectedParts(3, []Comparison{{First: 0, Second: 1, Won: 9, Lost: 2}, {First: 2, Second: 0, Won: 4}}); len(parts) != 2 {
		t.Errorf("parts %v", parts)
	}
}

func TestStandingCovers(t *testing.T) {
	times, resamples := 40, 150
	r := rand.New(rand.NewPCG(7, 7))
	ranks, best, points := 0, 0, 0
	for range times {
		tt := tournament(r, eight, 0.7, 0.4, 150)
		s, err := tt.FitStanding(context.Background(), resamples, r.Uint64(), nil)
		if err != nil {
			t.Fatal(err)
		}
		ranks += count(coversRanks(eight, s.Places))
		best += count(s.Places[7].Best)
		points += count(s.Low[7] <= 0.9*shrink && 0.9*shrink <= s.High[7])
	}
	// 95 % less three standard errors of 40 draws.
	for what, n := range map[string]int{"all ranks at once": ranks, "the best": best} {
		if float64(n) < 0.84*float64(times) {
			t.Errorf("%s held in %d of %d", what, n, times)
		}
	}
	t.Logf("ranks %d, best %d, strength of the best %d of %d", ranks, best, points, times)
}

// shrink is how much of a strength remains on average over samples whose own
// luck is added: measured on two million votes.
const shrink = 0.95

func count(ok bool) int {
	if ok {
		return 1
	}
	return 0
}

// coversRanks reports whether the true rank of each model, of equal ones the
// whole range, meets its bounds: a true rank is 1 plus the number of models
// that are truly better.
func coversRanks(truth []float64, places []Rank) bool {
	for i, p := range places {
		better, worse := 0, 0
		for _, v := range truth {
			switch {
			case v > truth[i]:
				better++
			case v < truth[i]:
				worse++
			}
		}
		if p.Low > 1+better || p.High < len(truth)-worse {
			return false
		}
	}
	return true
}

// The votes of MLLM-Bench's judges on two models against LLaVA-v1.5-13B, with and
// without criteria: three models, in both orders.
func TestFitOfRealVotes(t *testing.T) {
	const folder = "../../../../shared/data/mllm_bench/"
	index := map[string]int{"llava-v1.5-13b": 0, "qwen-vl-chat": 1, "qwen/qwen-2-vl-7b-instruct": 2}
	tt := NewTournament(len(index))
	take := func(first, second, vote string) {
		v := Vote{First: index[first], Second: index[second], Outcome: Tied}
		switch vote {
		case first, "Answer1":
			v.Outcome = Won
		case second, "Answer2":
			v.Outcome = Lost
		}
		tt.AddVotes([]Vote{v})
	}
	text, err := os.ReadFile(folder + "vote_results_qwen-vl-chat.json")
	if err != nil {
		t.Skipf("real data is absent: %v", err)
	}
	var votes []struct {
		First  string `json:"model_1"`
		Second string `json:"model_2"`
		Vote   string `json:"vote"`
		Raw    string `json:"judge_raw"`
	}
	if err := json.Unmarshal(text, &votes); err != nil {
		t.Fatal(err)
	}
	if text, err = os.ReadFile(folder + "votes_qwen-2-vl-7b_gpt-4-turbo.jsonl"); err != nil {
		t.Fatal(err)
	}
	for _, v := range votes {
		take(v.First, v.Second, v.Vote)
	}
	votes = nil
	if err := json.Unmarshal([]byte("["+strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", ",")+"]"), &votes); err != nil {
		t.Fatal(err)
	}
	for _, v := range votes {
		lines := strings.Split(strings.TrimSpace(v.Raw), "\n")
		take(v.First, v.Second, strings.TrimSpace(lines[len(lines)-1]))
	}
	if tt.CountSamples() != 1680 {
		t.Fatalf("%d votes", tt.CountSamples())
	}
	checkFit(t, tt)
}
