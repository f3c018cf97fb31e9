package agree

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"concord/annotate/correct"
	"concord/eval/stat"
)

const realData = "../../../shared/data/agreement"

type example struct {
	ID        string `json:"id"`
	Statistic string `json:"statistic"`
	Input     struct {
		Square  [][]int `json:"table"`
		Rows    [][]int `json:"table_rows_rater1_cols_rater2"`
		First   []any   `json:"rater1"`
		Second  []any   `json:"rater2"`
		Counts  [][]int `json:"counts"`
		Ratings [][]any `json:"ratings_30x6"`
		Coders  [][]any `json:"coders"`
		K       int     `json:"k"`
		N       int     `json:"n"`

		X []float64 `json:"x"`
		Y []float64 `json:"y"`

		Said      []float64 `json:"Y"`
		Read      []float64 `json:"Yhat"`
		Rest      []float64 `json:"Yhat_unlabeled"`
		Items     [][]int   `json:"items"`
		RestSize  int       `json:"rest_size"`
		Positive  float64   `json:"judge_positive_rate"`
		Specific  float64   `json:"specificity_q0"`
		Sensitive float64   `json:"sensitivity_q1"`

		Judges     map[string][][]int `json:"judges"`
		Preference []struct {
			First  string `json:"output_1"`
			Second string `json:"output_2"`
			Better int    `json:"preference"`
		} `json:"pairs"`
	} `json:"input"`
	Value     map[string]any `json:"value"`
	Tolerance float64        `json:"tolerance"`
}

// The worked examples of the literature, each to its tolerance. The file names
// the source of each.
func TestPublishedExamples(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "published.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []example `json:"cases"`
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 39 {
		t.Errorf("%d examples", len(file.Cases))
	}
	for _, e := range file.Cases {
		t.Run(e.ID, func(t *testing.T) { e.check(t) })
	}
}

func (e *example) check(t *testing.T) {
	near := func(what string, got float64, want any) {
		t.Helper()
		w, ok := want.(float64)
		if !ok || math.Abs(got-w) > e.Tolerance {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	switch e.Statistic {
	case "cohen_kappa":
		c := CohenKappa(e.pairs(), 0.95)
		near("kappa", c.Value, e.Value["kappa"])
		if ci, ok := e.Value["ci95"].([]any); ok {
			near("low", c.Low, ci[0])
			near("high", c.High, ci[1])
		}
	case "weighted_kappa_linear":
		c := WeightedKappa(e.pairs(), Scale{Level: Ordinal}, Linear, 0.95)
		near("kappa", c.Value, e.Value["kappa"])
		near("low", c.Low, e.Value["ci95"].([]any)[0])
		near("high", c.High, e.Value["ci95"].([]any)[1])
	case "weighted_kappa_quadratic":
		near("kappa", WeightedKappa(e.pairs(), Scale{Level: Ordinal}, Quadratic, 0.95).Value, e.Value["kappa"])
	case "gwet_ac1":
		c := GwetAC1(e.table(), 0.95)
		near("ac1", c.Value, e.Value["ac1"])
		ci := e.Value["ci95_t"].([]any)
		near("low", c.Low, ci[0])
		near("high", c.High, ci[1])
	case "fleiss_kappa", "fleiss_kappa_missing":
		for judge, counts := range e.Input.Judges {
			table, want := fromSquare(counts), e.Value[judge].(map[string]any)
			near(judge+" kappa", Fleiss(table).Value, want["kappa"])
			near(judge+" accuracy", Percent(table).Value, want["accuracy"])
		}
		if e.Input.Judges == nil {
			near("kappa", Fleiss(e.table()).Value, e.Value["kappa"])
		}
	case "krippendorff_alpha":
		for _, l := range []Level{Nominal, Ordinal, Interval, Ratio} {
			want, there := e.Value[l.String()]
			if c := Krippendorff(e.table(), Scale{Level: l}); there && want != nil {
				near(l.String(), c.Value, want)
			} else if there && c.Undefined == "" {
				t.Errorf("alpha: %v, want undefined", c.Value)
			}
		}
	case "proportion_ci_95":
		low, high := stat.WilsonInterval(e.Input.K, e.Input.N, 0.95)
		exactLow, exactHigh := ClopperPearson(e.Input.K, e.Input.N, 0.95)
		wilson, exact := e.Value["wilson"].([]any), e.Value["clopper_pearson"].([]any)
		near("low", low, wilson[0])
		near("high", high, wilson[1])
		near("exact low", exactLow, exact[0])
		near("exact high", exactHigh, exact[1])
	case "spearman":
		c := CorrelateSpearman(zip(e.Input.X, e.Input.Y), PermutationOptions{Times: 1000, Seed: 1})
		near("rho", c.Rho, e.Value["rho"])
		near("p", c.PStudent, e.Value["p_t_approx"])
	case "mcnemar":
		s := e.Input.Square
		m := RunMcNemarTest(stat.Pairs{Both: s[0][0], First: s[0][1], Second: s[1][0], Neither: s[1][1]})
		near("exact", m.Exact, e.Value["exact_p"])
		near("chi-square", m.ChiSquare, e.Value["chi2"])
		near("p", m.P, e.Value["p"])
		near("corrected chi-square", m.Corrected, e.Value["chi2_corrected"])
		near("corrected p", m.PCorrected, e.Value["p_corrected"])
	case "bootstrap_percentile":
		e.checkBootstrap(t)
	case "ppi_mean":
		e.checkPowered(t, near)
	case "one_vs_rest_agreement":
		near("score", OneAgainstRest(e.table(), e.Input.RestSize).Value, e.Value["score"])
	case "rogan_gladen":
		near("theta", correct.EstimateRoganGladen(e.Input.Positive, e.Input.Sensitive, e.Input.Specific, 100).Value, e.Value["theta"])
	case "prefers_longer":
		share, by := PrefersLonger(e.lengths(), 30, 0.95)
		near("share", share.Value, e.Value["probability_prefer_longer"])
		near("by", by.Value, e.Value["percentage_longer"])
	default:
		t.Errorf("no check for %s", e.Statistic)
	}
}

// checkPowered compares prediction-powered means: tuned, and with lambda 1 and
// 0, which is people alone.
func (e *example) checkPowered(t *testing.T, near func(what string, got float64, want any)) {
	t.Helper()
	s := correct.Stratum{Unlabelled: e.Input.Rest}
	for i, said := range e.Input.Said {
		s.Labelled = append(s.Labelled, correct.Item{People: said, Machine: e.Input.Read[i]})
	}
	check := func(name string, lambda float64) {
		t.Helper()
		want := e.Value[name].(map[string]any)
		m := s.PredictionPoweredMean(lambda)
		low, high := m.Interval(0.95)
		near(name+" lambda", lambda, want["lam"])
		near(name+" value", m.Value, want["point"])
		near(name+" standard error", m.SE, want["se"])
		near(name+" low", low, want["ci"].([]any)[0])
		near(name+" high", high, want["ci"].([]any)[1])
	}
	check("power_tuned", s.BestLambda())
	check("lam1", 1)
	check("classical_lam0", 0)
}

// lengths reads the pairs of answers; a long one is described by what it
// repeats.
func (e *example) lengths() []Lengths {
	var out []Lengths
	for _, p := range e.Input.Preference {
		l := Lengths{length(p.First), length(p.Second)}
		if p.Better == 2 {
			l = Lengths{l.Other, l.Preferred}
		}
		out = append(out, l)
	}
	return out
}

func length(s string) int {
	var word string
	var times int
	if n, err := fmt.Sscanf(s, "%q repeated %d times", &word, &times); err == nil && n == 2 {
		return times * len(word)
	}
	return len(s)
}

// checkBootstrap resamples a rate, whose bootstrap distribution is binomial.
func (e *example) checkBootstrap(t *testing.T) {
	t.Helper()
	var table Table
	for i := range e.Input.N {
		table = append(table, []string{map[bool]string{true: "1", false: "0"}[i < e.Input.K]})
	}
	share := func(t Table) Coefficient {
		ones := 0
		for _, item := range t {
			if item[0] == "1" {
				ones++
			}
		}
		return Coefficient{Value: float64(ones) / float64(len(t)), N: len(t)}
	}
	c := Bootstrap{Times: 10_000, Seed: 1, Confidence: 0.95}.resampled(table, share)
	ci := e.Value["ci"].([]any)
	step := 1/float64(e.Input.N) + 1e-9
	if math.Abs(c.Low-ci[0].(float64)) > step || math.Abs(c.High-ci[1].(float64)) > step {
		t.Errorf("interval [%v, %v], want %v", c.Low, c.High, ci)
	}
	again := Bootstrap{Times: 10_000, Seed: 1, Confidence: 0.95}.resampled(table, share)
	if c != again {
		t.Errorf("the same seed gave %v and %v", c, again)
	}
}

func (e *example) pairs() [][2]string {
	var out [][2]string
	for i := range e.Input.First {
		out = append(out, [2]string{fmt.Sprint(e.Input.First[i]), fmt.Sprint(e.Input.Second[i])})
	}
	for _, item := range e.table() {
		out = append(out, [2]string{item[0], item[1]})
	}
	return out
}

// table is the example's input as items x raters, or nil.
func (e *example) table() Table {
	out := append(fromSquare(e.Input.Square), fromSquare(e.Input.Rows)...)
	for _, row := range e.Input.Counts {
		var item []string
		for class, n := range row {
			for range n {
				item = append(item, fmt.Sprint(class))
			}
		}
		out = append(out, item)
	}
	for _, row := range e.Input.Items {
		var item []string
		for _, class := range row {
			item = append(item, fmt.Sprint(class))
		}
		out = append(out, item)
	}
	for _, row := range e.Input.Ratings {
		out = append(out, classes(row))
	}
	for _, coder := range e.Input.Coders {
		for i, class := range classes(coder) {
			if i == len(out) {
				out = append(out, nil)
			}
			out[i] = append(out[i], class)
		}
	}
	return out
}

// fromSquare gives the table of two raters behind a table of counts.
func fromSquare(square [][]int) Table {
	var out Table
	for i, row := range square {
		for j, n := range row {
			for range n {
				out = append(out, []string{fmt.Sprint(i), fmt.Sprint(j)})
			}
		}
	}
	return out
}

func classes(row []any) []string {
	out := make([]string, len(row))
	for i, v := range row {
		if v != nil {
			out[i] = fmt.Sprint(v)
		}
	}
	return out
}

// PandaLM's three people: the kappa of each pair, and what the majority says.
func TestPeople(t *testing.T) {
	f, err := os.Open(filepath.Join(realData, "pandalm_votes.csv"))
	if err != nil {
		t.Skipf("real data is not here: %v", err)
	}
	defer func() { _ = f.Close() }()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	votes := make(map[string]map[string]string) // rater -> item -> vote
	for _, l := range lines[1:] {
		if votes[l[1]] == nil {
			votes[l[1]] = make(map[string]string)
		}
		votes[l[1]][l[0]] = l[3]
	}
	check := func(a, b string, want float64) {
		t.Helper()
		var pairs [][2]string
		for item, v := range votes[a] {
			pairs = append(pairs, [2]string{v, votes[b][item]})
		}
		c := CohenKappa(pairs, stat.Confidence)
		if c.N != 999 || math.Abs(c.Value-want) > 5e-5 {
			t.Errorf("kappa of %s and %s: %.4f of %d, want %.4f of 999", a, b, c.Value, c.N, want)
		}
		if !(c.Low < c.Value && c.Value < c.High) {
			t.Errorf("interval [%v, %v] around %v", c.Low, c.High, c.Value)
		}
	}
	check("annotator1", "annotator2", 0.8520)
	check("annotator1", "annotator3", 0.8789)
	check("annotator2", "annotator3", 0.8617)
}
