package models

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
)

// project is a dataset of n questions whose answer is A, with a run for each of
// the patterns: a model is right where its pattern says so.
func project(n int, right ...func(o int) bool) *reporttest.Memory {
	m := reporttest.New()
	var samples []eval.Sample
	for i := range n {
		samples = append(samples, reporttest.NewABCDSample(i, "A", []string{"seeing", "reasoning"}[i%2]))
	}
	m.AddDataset("d", samples...)
	for i, is := range right {
		run := m.AddRun(eval.Config{Dataset: "d", Model: string(rune('a' + i)), Modality: eval.WithImage, Strategy: eval.Vanilla, Origin: eval.Imported, Rules: "letters"})
		for o := range n {
			word := "B"
			if is(o) {
				word = "A"
			}
			m.AddResponse(run, eval.Ordinal(o), 0, word)
		}
	}
	return m
}

func options() Options { return Options{Runs: report.Options{Reader: reporttest.NewReaders("1")}} }

func compared(t *testing.T, m *reporttest.Memory, o Options) []*Row {
	t.Helper()
	r, err := ReportComparison(t.Context(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	var out []*Row
	for _, row := range r.Rows {
		out = append(out, row.(*Row))
	}
	return out
}

// a is right on 0 to 69, b on 50 to 99: 50 samples are a's alone and 30 b's.
func TestCompare(t *testing.T) {
	m := project(120, func(o int) bool { return o < 70 }, func(o int) bool { return o >= 50 && o < 100 })
	row := compared(t, m, options())[0]
	// 2 * P(X <= 30 of 80), by summing the binomial coefficients.
	if want := 0.032992618; row.OnlyA != 50 || row.OnlyB != 30 || row.N != 120 || math.Abs(*row.P-want) > 1e-8 {
		t.Errorf("only a %d, only b %d, n %d, p %.9f, want 50, 30, 120 and %.9f", row.OnlyA, row.OnlyB, row.N, *row.P, want)
	}
	if !row.Separable || math.Abs(*row.Difference.Value-20.0/120) > 1e-12 || row.Target != TargetRuns {
		t.Errorf("%+v", row)
	}
	for which, want := range map[report.Which]int{OnlyA: 50, OnlyB: 30, Both: 20, Neither: 20, report.Every: 120} {
		n := 0
		for k, err := range row.KeysBehind(t.Context(), m, report.Selection{Which: which}) {
			if err != nil {
				t.Fatal(err)
			}
			if which == OnlyA && k.Run != row.B.Run || which == OnlyB && k.Run != row.A.Run {
				t.Errorf("%s shows run %d: want the one that is wrong", which, k.Run)
			}
			n++
		}
		if n != want {
			t.Errorf("%s: %d samples, want %d", which, n, want)
		}
	}
	o := options()
	o.Depth, o.Detect = 1, 0.02
	rows := compared(t, m, o)
	if len(rows) != 3 || rows[1].N != 60 || rows[1].Path[0] != "seeing" || rows[0].Needed == nil || *rows[0].Needed < 120 {
		t.Errorf("%d rows, %+v", len(rows), rows[0])
	}
	if *rows[0].Adjusted <= *rows[0].P {
		t.Errorf("p %v is not adjusted for three rows: %v", *rows[0].P, *rows[0].Adjusted)
	}
}

// Runs of one model are told apart by the setting in which they differ.
func TestSettingsAreNamed(t *testing.T) {
	m := project(20, func(o int) bool { return o < 9 }, func(o int) bool { return o < 5 })
	for i, params := range []string{`{"temperature":0}`, `{"temperature":1}`} {
		c := &m.AllRuns[i].Config
		c.Model, c.Settings.Params = "vlm", params
	}
	row := compared(t, m, options())[0]
	if a, b := row.A.title(), row.B.title(); a != `vlm [params {"temperature":0}] #1` || b != `vlm [params {"temperature":1}] #2` {
		t.Errorf("%s beside %s", a, b)
	}
	r, err := ReportLeaderboard(t.Context(), m, options())
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Rows[1].(*LeaderRow).ModelName(); got != `vlm [params {"temperature":1}]` {
		t.Error(got)
	}
}

func TestCompareTakesNames(t *testing.T) {
	m := project(40, func(o int) bool { return o < 30 }, func(o int) bool { return o < 20 }, func(o int) bool { return o < 10 })
	for name, c := range map[string]struct {
		first, second string
		rows          int
		failure       error
	}{
		"all pairs":           {rows: 3},
		"one against the two": {first: "b", rows: 2},
		"two models":          {first: "c", second: "a", rows: 1},
		"by numbers":          {first: "1", second: "#3", rows: 1},
		"itself":              {first: "a", second: "a", failure: ErrSame},
		"nobody":              {first: "a", second: "z", failure: eval.ErrNotFound},
		"nobody alone":        {first: "z", failure: eval.ErrNotFound},
	} {
		o := options()
		o.First, o.Second = c.first, c.second
		r, err := ReportComparison(t.Context(), m, o)
		if !errors.Is(err, c.failure) || len(r.Rows) != c.rows {
			t.Errorf("%s: %d rows and %v, want %d and %v", name, len(r.Rows), err, c.rows, c.failure)
		}
		if err == nil && c.first != "" && r.Rows[0].(*Row).A.Model != c.first && c.first != "1" {
			t.Errorf("%s: the first side is %s", name, r.Rows[0].(*Row).A.Model)
		}
	}
}

// A sample that only one has decided is in no figure, and is counted.
func TestCompareLeavesOut(t *testing.T) {
	m := project(40, func(int) bool { return true }, func(o int) bool { return o%2 == 0 })
	run := m.AddRun(eval.Config{Dataset: "d", Model: "half", Modality: eval.WithImage, Strategy: eval.Vanilla, Origin: eval.Imported, Rules: "letters"})
	for o := range eval.Ordinal(10) {
		m.AddResponse(run, o, 0, "A")
	}
	o := options()
	o.First, o.Second = "a", "half"
	row := compared(t, m, o)[0]
	if row.N != 10 || row.Left != [2]int{30, 0} {
		t.Errorf("n %d, left out %v", row.N, row.Left)
	}
	if *row.P != 1 || row.Separable || *row.Difference.Value != 0 {
		t.Errorf("%+v", row)
	}
}

// Runs of one model under the same settings count as repeats: a row speaks of
// the models.
func TestCompareRepeats(t *testing.T) {
	m := project(60, func(o int) bool { return o < 20 })
	for range 2 {
		run := m.AddRun(eval.Config{Dataset: "d", Model: "twice", Modality: eval.WithImage, Strategy: eval.Vanilla, Origin: eval.Asked, Rules: "letters"})
		for o := range eval.Ordinal(60) {
			m.AddResponse(run, o, 0, []string{"A", "B"}[int(o)/int(20+10*run)%2])
		}
	}
	row := compared(t, m, options())[0]
	if row.Target != TargetModels || len(row.B.Repeats) != 2 || row.B.Accuracy.N != 120 || row.Test != "sign-flip-exact" {
		t.Errorf("%+v", row)
	}
}

// Of ten models that are equally good, some pair is declared different in at
// most 5 % of benchmarks: here in 8 of 60 at most, which 5 % exceed once in 500.
func TestEqualModelsAreSeldomTold(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	wrong, times := 0, 60
	for range times {
		var right []func(int) bool
		for range 10 {
			marks := make([]bool, 120)
			for i := range marks {
				marks[i] = r.Float64() < 0.6
			}
			right = append(right, func(o int) bool { return marks[o] })
		}
		for _, row := range compared(t, project(120, right...), options()) {
			if row.Separable {
				wrong++
				break
			}
		}
	}
	if wrong > 8 {
		t.Errorf("a pair of equal models is told apart in %d of %d benchmarks", wrong, times)
	}
}

func TestLeaderboard(t *testing.T) {
	m := project(200, func(o int) bool { return o < 150 }, func(o int) bool { return o < 150 || o == 180 }, func(o int) bool { return o < 20 })
	r, err := ReportLeaderboard(t.Context(), m, options())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		model            string
		rank, low, high  int
		best             bool
		right, wrongOnes int
	}{
		{"b", 1, 1, 2, true, 151, 49}, {"a", 2, 1, 2, true, 150, 50}, {"c", 3, 3, 3, false, 20, 180},
	} {
		row := r.Rows[i].(*LeaderRow)
		if row.Model != want.model || row.Rank.Value != want.rank || *row.Rank.Low != want.low || *row.Rank.High != want.high || row.Best != want.best {
			t.Errorf("row %d: %s %s, best %v, want %+v", i, row.Model, row.Rank, row.Best, want)
		}
		for which, n := range map[report.Which]int{report.Right: want.right, report.Wrong: want.wrongOnes} {
			if got := reporttest.CountKeys(t, row.KeysBehind(t.Context(), m, report.Selection{Which: which})); got != n {
				t.Errorf("%s %s: %d samples, want %d", row.Model, which, got, n)
			}
		}
	}
	var b bytes.Buffer
	if err := report.RenderReport(&b, r, table.FormatLaTeX, 0); err != nil || strings.Count(b.String(), `\textbf{`) != 2 {
		t.Errorf("both models that are not separable from the best are bold: %v\n%s", err, &b)
	}
}
