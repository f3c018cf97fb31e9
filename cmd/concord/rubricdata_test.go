package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rubricRow is a row of report rubric and of report alignment --from criteria.
type rubricRow struct {
	Judge, Rater, Criterion string
	Type                    string
	All                     bool
	N, Excluded             int
	Score                   struct{ Value *float64 }
	Samples                 []struct {
		Sample string
		Score  *float64
	}
	Parts []struct {
		By, Name string
		Score    struct{ Value *float64 }
	}
	Agreement struct{ Value float64 }
	Kappa     struct{ Value *float64 } `json:"cohen_kappa"`
	MacroF1   struct{ Value *float64 } `json:"macro_f1"`
	Winning   struct{ Value *float64 } `json:"winning_rate"`
	Advantage struct{ Value *float64 } `json:"advantage_probability"`
	PerPerson *float64                 `json:"pearson_per_person"`
	MAE       *float64                 `json:"people_mae"`
	Pearson   *float64                 `json:"people_pearson"`
	Numbers   *struct {
		N                                           int
		RMSE, Pearson, Spearman, Kendall, Mean, Std *float64
	} `json:"numbers"`
	Expected *struct {
		N                                           int
		RMSE, Pearson, Spearman, Kendall, Mean, Std *float64
	} `json:"expected_numbers"`
}

// rubricData are the rows of a report on a folder of published rubrics, and what
// its figures must be.
func rubricData(t *testing.T, folder string, expected any, args ...string) []rubricRow {
	t.Helper()
	return rubricDataWith(t, folder, expected, nil, args...)
}

// rubricDataWith has more done to the project before the report.
func rubricDataWith(t *testing.T, folder string, expected any, more func(path string), args ...string) []rubricRow {
	t.Helper()
	data := filepath.Join("../../../shared/data/rubrics", folder)
	raw, err := os.ReadFile(filepath.Join(data, "expected.json"))
	if err != nil {
		t.Skip("needs ../shared/data/rubrics")
	}
	if err := json.Unmarshal(bytes.ReplaceAll(raw, []byte("NaN"), []byte("null")), expected); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "p.db")
	if r := runOn(t, path, "import rubrics "+data+" --name d"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	if more != nil {
		more(path)
	}
	var out struct{ Rows []rubricRow }
	for _, a := range args {
		r := runOn(t, path, a)
		if err := json.Unmarshal([]byte(r.out), &out); err != nil || r.code != 0 {
			t.Fatalf("%s: %v, %d, %.300s", a, err, r.code, r.err)
		}
	}
	return out.Rows
}

// nearly compares a figure with a published one.
func nearly(t *testing.T, what string, got, want *float64, within float64) {
	t.Helper()
	if (got == nil) != (want == nil) || got != nil && math.Abs(*got-*want) > within {
		t.Errorf("%s: got %v, want %v", what, figure(got), figure(want))
	}
}

func figure(x *float64) any {
	if x == nil {
		return nil
	}
	return *x
}

// The scores of five submissions and of every node of their trees are those that
// PaperBench published.
func TestRubricOfPaperBench(t *testing.T) {
	var want struct {
		Papers map[string]struct {
			Root float64 `json:"root_score_in_file"`
		}
	}
	rows := rubricData(t, "paperbench_judgeeval", &want, "report rubric --dataset d --samples --nodes --json")
	roots, nodes := make(map[string]*float64), make(map[string]*float64)
	for _, r := range rows {
		if r.Rater != "people" {
			continue
		}
		for _, s := range r.Samples {
			roots[s.Sample] = s.Score
		}
		for _, p := range r.Parts {
			if p.By == "node" {
				nodes[p.Name] = p.Score.Value
			}
		}
	}
	for name, p := range want.Papers {
		nearly(t, name, roots[name], &p.Root, 1e-12)
	}
	type node struct {
		ID       string
		Score    float64
		Children []node
	}
	seen := 0
	var walk func(n *node)
	walk = func(n *node) {
		if len(n.Children) > 0 {
			seen++
			nearly(t, n.ID, nodes[n.ID], &n.Score, 1e-9)
		}
		for i := range n.Children {
			walk(&n.Children[i])
		}
	}
	raw, err := os.ReadFile("../../../shared/data/rubrics/paperbench_judgeeval/trees.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(raw) {
		var one struct{ Tree node }
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		walk(&one.Tree)
	}
	if len(want.Papers) != 5 || seen != 838 {
		t.Errorf("%d papers, %d nodes", len(want.Papers), seen)
	}
}

// Judges that grade as often as was published right and wrong come out with the published
// figures, of each type and of all; what one of them left out is counted.
func TestJudgesOfPaperBench(t *testing.T) {
	type figures struct {
		Published struct {
			Accuracy float64
			MacroF1  float64 `json:"macro_f1"`
		}
		Confusion struct{ TP, FP, FN, TN int }
		Kappa     float64 `json:"kappa_from_confusion"`
	}
	var want struct {
		Judges map[string]map[string]figures `json:"judges_published"`
	}
	data := "../../../shared/data/rubrics/paperbench_judgeeval/"
	verdicts := func() (out []map[string]string) { // of people, with the type of the criterion
		types := make(map[string]string)
		for _, row := range readLines[struct {
			Criteria []struct{ ID, Type string }
		}](t, data+"criteria.jsonl") {
			for _, c := range row.Criteria {
				types[c.ID] = c.Type
			}
		}
		for _, g := range readLines[map[string]string](t, data+"grades.jsonl") {
			g["type"] = types[g["criterion"]]
			out = append(out, g)
		}
		return out
	}
	rows := rubricDataWith(t, "paperbench_judgeeval", &want, func(path string) {
		var b bytes.Buffer
		all := verdicts()
		for judge, types := range want.Judges {
			for of, f := range types {
				left := map[string]*[2]int{"met": {f.Confusion.TP, f.Confusion.FN}, "unmet": {f.Confusion.FP, f.Confusion.TN}}
				for _, g := range all {
					n := left[g["verdict"]]
					at := slices.IndexFunc(n[:], func(k int) bool { return k > 0 })
					if g["type"] != of || at < 0 {
						continue
					}
					n[at]--
					fmt.Fprintf(&b, "{\"sample\":%q,\"model\":%q,\"criterion\":%q,\"rater\":%q,\"rater_kind\":\"judge\",\"verdict\":%q}\n",
						g["sample"], g["model"], g["criterion"], judge, []string{"met", "unmet"}[at])
				}
			}
		}
		file := filepath.Join(t.TempDir(), "judges.jsonl")
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := runOn(t, path, "import grades "+file+" --dataset d"); r.code != 0 {
			t.Fatalf("%+v", r)
		}
	}, "report alignment --from criteria --dataset d --json")
	seen := 0
	for _, r := range rows {
		of := r.Type
		if r.All {
			of = "Overall"
		}
		p, known := want.Judges[r.Judge][of]
		if !known {
			continue
		}
		seen++
		nearly(t, r.Judge+" "+of+" agreement", &r.Agreement.Value, &p.Published.Accuracy, 1e-9)
		nearly(t, r.Judge+" "+of+" macro-F1", r.MacroF1.Value, &p.Published.MacroF1, 1e-9)
		nearly(t, r.Judge+" "+of+" kappa", r.Kappa.Value, &p.Kappa, 1e-9)
		if left := map[bool]int{true: 335}[strings.HasPrefix(r.Judge, "o1-mini") && of != "Code Development" && of != "Result Analysis"]; r.Excluded != left {
			t.Errorf("%s, %s: %d are left out", r.Judge, of, r.Excluded)
		}
	}
	if seen != 20 {
		t.Errorf("%d figures", seen)
	}
}

// readLines reads JSON lines.
func readLines[T any](t *testing.T, path string) (out []T) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(raw) {
		out = append(out, decode[T](t, string(line)))
	}
	return out
}

// Answers without criteria have no score, and the others those of the people.
func TestRubricOfFaithScore(t *testing.T) {
	var want struct{ Answers map[string]*float64 }
	rows := rubricData(t, "faithscore_human", &want, "report rubric --dataset d --samples --json")
	seen, none := 0, 0
	for _, r := range rows {
		for _, s := range r.Samples {
			if r.Rater == "people" {
				seen++
				if s.Score == nil {
					none++
				}
				nearly(t, s.Sample, s.Score, want.Answers[s.Sample], 1e-12)
			}
		}
	}
	if seen != 180 || none != 16 {
		t.Errorf("%d answers, %d without a score", seen, none)
	}
}

// Correlations, winning rates and advantage probabilities are those of the paper
// of the alternative annotator test, and so is how far people are from each other.
func TestAlternativeOfLesions(t *testing.T) {
	var want struct {
		Published []struct {
			Criterion, Judge string
			Recomputed       struct {
				Pearson   *float64
				Winning   *float64 `json:"winning_rate"`
				Advantage *float64 `json:"advantage_probability"`
			}
		} `json:"published_table2_table5"`
		People struct {
			Recomputed struct{ MAE, Pearson *float64 }
		} `json:"human_pairs_mae_pearson"`
		Each map[string]map[string]struct {
			N                float64
			Agreement, Kappa *float64
			MacroF1          *float64 `json:"macro_f1"`
		} `json:"per_criterion"`
	}
	rows := rubricData(t, "alttest_lesion", &want, "report alignment --from criteria --dataset d --epsilon 0.15 --json")
	find := func(judge, criterion string) rubricRow {
		for _, r := range rows {
			if r.Judge == judge && (criterion == "ALL" && r.All || r.Criterion == criterion) {
				return r
			}
		}
		t.Fatalf("no row of %s on %s", judge, criterion)
		return rubricRow{}
	}
	for _, p := range want.Published {
		r := find(p.Judge, p.Criterion)
		nearly(t, p.Judge+" "+p.Criterion+" pearson", r.PerPerson, p.Recomputed.Pearson, 1e-9)
		nearly(t, p.Judge+" "+p.Criterion+" winning", r.Winning.Value, p.Recomputed.Winning, 1e-9)
		nearly(t, p.Judge+" "+p.Criterion+" advantage", r.Advantage.Value, p.Recomputed.Advantage, 1e-9)
	}
	whole := find("gpt-4o", "ALL")
	nearly(t, "people's mean absolute error", whole.MAE, want.People.Recomputed.MAE, 1e-9)
	nearly(t, "people's correlation", whole.Pearson, want.People.Recomputed.Pearson, 1e-9)
	for judge, each := range want.Each {
		for criterion, p := range each {
			r := find(judge, criterion)
			nearly(t, judge+" "+criterion+" agreement", &r.Agreement.Value, p.Agreement, 1e-9)
			nearly(t, judge+" "+criterion+" kappa", r.Kappa.Value, p.Kappa, 1e-9)
			nearly(t, judge+" "+criterion+" macro-F1", r.MacroF1.Value, p.MacroF1, 1e-9)
		}
	}
	if len(want.Published) != 24 || len(want.Each) != 4 {
		t.Errorf("%d and %d figures", len(want.Published), len(want.Each))
	}
}

// The judge of LLM-Rubric is as far from people as was published, by its answers
// and by the means of its probabilities.
func TestRubricOfDialogues(t *testing.T) {
	type figures struct {
		N, RMSE, Pearson, Spearman, Kendall, Mean, Std *float64
		Agreement                                      *float64 `json:"exact_agreement"`
		Kappa                                          *float64
		MacroF1                                        *float64 `json:"macro_f1"`
	}
	var want struct {
		Recomputed map[string]struct {
			Argmax   figures `json:"argmax_llm"`
			Expected figures `json:"expected_llm"`
		}
	}
	rows := rubricData(t, "llm_rubric", &want, "report alignment --from criteria --dataset d --json")
	seen := 0
	for _, r := range rows {
		p, ok := want.Recomputed[r.Criterion]
		if r.All && r.Excluded != 306 {
			t.Errorf("%d are left out", r.Excluded)
		}
		if !ok {
			continue
		}
		seen++
		nearly(t, r.Criterion+" agreement", &r.Agreement.Value, p.Argmax.Agreement, 1e-9)
		nearly(t, r.Criterion+" kappa", r.Kappa.Value, p.Argmax.Kappa, 1e-9)
		nearly(t, r.Criterion+" macro-F1", r.MacroF1.Value, p.Argmax.MacroF1, 1e-9)
		for name, of := range map[string][2]*float64{
			"rmse": {r.Numbers.RMSE, p.Argmax.RMSE}, "pearson": {r.Numbers.Pearson, p.Argmax.Pearson}, "spearman": {r.Numbers.Spearman, p.Argmax.Spearman},
			"kendall": {r.Numbers.Kendall, p.Argmax.Kendall}, "mean": {r.Numbers.Mean, p.Argmax.Mean}, "std": {r.Numbers.Std, p.Argmax.Std},
			// The published probabilities are rounded.
			"expected rmse": {r.Expected.RMSE, p.Expected.RMSE}, "expected pearson": {r.Expected.Pearson, p.Expected.Pearson},
			"expected spearman": {r.Expected.Spearman, p.Expected.Spearman}, "expected kendall": {r.Expected.Kendall, p.Expected.Kendall},
			"expected mean": {r.Expected.Mean, p.Expected.Mean}, "expected std": {r.Expected.Std, p.Expected.Std},
		} {
			nearly(t, r.Criterion+" "+name, of[0], of[1], 5e-7)
		}
	}
	if seen != 9 {
		t.Errorf("%d criteria", seen)
	}
}
