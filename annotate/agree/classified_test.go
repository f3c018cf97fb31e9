package agree

import (
	"math"
	"math/rand/v2"
	"testing"

	"concord/eval/stat"
)

// Items that stand for themselves have the figures of Cohen, Gwet and Wilson;
// the same items three times over, a cluster each, have nearly the same intervals,
// and not narrower ones.
func TestClassified(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var once, thrice Classified
	var pairs [][2]string
	var table Table
	for i := range uint64(400) {
		a := string("abc"[r.IntN(3)])
		b := a
		if r.IntN(4) == 0 {
			b = string("abc"[r.IntN(3)])
		}
		pairs, table = append(pairs, [2]string{a, b}), append(table, []string{a, b})
		once.AddItem(i, a, b, a == b)
		for range 3 {
			thrice.AddItem(i, a, b, a == b)
		}
	}
	kappa, ac1 := once.Coefficients(stat.Confidence)
	if kappa != CohenKappa(pairs, stat.Confidence) || ac1 != GwetAC1(table, stat.Confidence) {
		t.Errorf("%+v, %+v", kappa, ac1)
	}
	k3, a3 := thrice.Coefficients(stat.Confidence)
	near := func(what string, got, want Coefficient) {
		t.Helper()
		if math.Abs(got.Value-want.Value) > 1e-9 || math.Abs(got.Low-want.Low) > 6e-3 || math.Abs(got.High-want.High) > 6e-3 || math.Abs((got.High-got.Low)/(want.High-want.Low)-1) > 0.02 {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	near("kappa", k3, kappa)
	near("AC1", a3, ac1)
	one, three := once.Agreement(""), thrice.Agreement("")
	if three.N != 3*one.N || three.Clusters != 400 || math.Abs(three.Low-one.Low) > 2e-3 || math.Abs(three.DesignEffect-3) > 0.02 {
		t.Errorf("%+v beside %+v", three, one)
	}
	if b, c := once.Baseline(""), thrice.Baseline(""); c.K != 3*b.K || math.Abs(c.High-b.High) > 3e-3 || math.Abs(c.Low-b.Low) > 3e-3 {
		t.Errorf("baselines %+v, %+v", b, c)
	}
	var none Classified
	if k, _ := none.Coefficients(stat.Confidence); k.Undefined == "" || none.Agreement("no items").Undefined != "no items" || none.Baseline("no items").Undefined != "no items" {
		t.Errorf("of nothing: %+v", k)
	}
}

// Where four models answer each question, RunMcNemarTest's test takes what one question
// says for four; the test by questions does not.
func TestMcNemarOf(t *testing.T) {
	var once, often stat.PairedLooks
	for i := range uint64(100) {
		first, second := i%5 != 0, i < 90
		once.AddItem(i, first, second)
		for range 4 {
			often.AddItem(i, first, second)
		}
	}
	if got, want := RunClusteredMcNemarTest(&once), RunMcNemarTest(once.Pairs); got != want || got.Method != stat.TestMcNemar {
		t.Errorf("%+v, want %+v", got, want)
	}
	alone, clustered := RunMcNemarTest(often.Pairs), RunClusteredMcNemarTest(&often)
	if clustered.Method != stat.TestAllFlips || clustered.Clusters != 100 || clustered.First != alone.First {
		t.Errorf("%+v", clustered)
	}
	if math.Abs(clustered.Exact-RunMcNemarTest(once.Pairs).Exact) > 0.01 || clustered.Exact < 10*alone.Exact {
		t.Errorf("p %v by questions, %v by answers, %v of one model", clustered.Exact, alone.Exact, RunMcNemarTest(once.Pairs).Exact)
	}
	first, second := often.Rates("")
	if first.K != 320 || second.K != 360 || first.Clusters != 100 {
		t.Errorf("%+v, %+v", first, second)
	}
	if a, b := often.Difference(""), once.Difference(""); a.N != 400 || math.Abs(a.Value-b.Value) > 1e-12 || math.Abs((a.High-a.Low)/(b.High-b.Low)-1) > 0.1 {
		t.Errorf("%+v beside %+v", a, b)
	}
}
