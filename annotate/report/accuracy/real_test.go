package accuracy

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/eval"
)

const realData = "../../../../shared/data"

// offset is what the circular layout adds to an index with each pass.
const offset = 1_000_000

func realPath(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(realData, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("real data is not here: %v", err)
	}
	return path
}

// realRun reads a prediction file as it stands, independently of the
// project's own importer: base rows are samples, the others their passes.
func realRun(t *testing.T, name string) (*reporttest.Memory, eval.RunID) {
	t.Helper()
	rows := workbook(t, realPath(t, name))
	m := reporttest.New()
	dataset := eval.DatasetName(strings.TrimSuffix(filepath.Base(name), ".xlsx"))
	var samples []eval.Sample
	ordinals := make(map[int]eval.Ordinal)
	strategy := eval.Vanilla
	for _, r := range rows {
		index := number64(t, r["index"])
		if index >= offset {
			strategy = eval.Circular
			continue
		}
		ordinals[index] = eval.Ordinal(len(samples))
		samples = append(samples, sampleOf(r, index))
	}
	m.AddDataset(dataset, samples...)
	run := m.AddRun(eval.Config{Dataset: dataset, Model: "m", Strategy: strategy, Modality: eval.WithImage, Origin: eval.Imported})
	for _, r := range rows {
		index := number64(t, r["index"])
		asked := sampleOf(r, index)
		m.AddPrediction(eval.Prediction{
			Key:  eval.Key{Run: run, Sample: ordinals[index%offset], Pass: eval.Pass(index / offset)},
			Text: r["prediction"], Shown: &eval.Shown{Options: asked.Options, Answer: asked.Answer},
		})
	}
	return m, run
}

func sampleOf(r map[string]string, index int) eval.Sample {
	s := eval.Sample{
		ID: eval.SampleID(strconv.Itoa(index)), Kind: eval.KindChoice, Question: r["question"],
		Answer: eval.Choice(r["answer"]), Split: r["split"],
	}
	for _, level := range []string{"category", "l2_category"} {
		if r[level] != "" {
			s.Taxonomy = append(s.Taxonomy, r[level])
		}
	}
	for _, l := range []string{"A", "B", "C", "D"} {
		if r[l] != "" {
			s.Options = append(s.Options, eval.Option{Letter: eval.Choice(l), Text: r[l]})
		}
	}
	for _, l := range []eval.Choice{"A", "B", "C", "D"} {
		if _, columns := r["A"]; !columns { // the options stand in the question; their letters will do
			s.Options = append(s.Options, eval.Option{Letter: l})
		}
	}
	return s
}

// books keeps what was read, as several tests look at the same files.
var books = make(map[string][]map[string]string)

func workbook(t *testing.T, path string) []map[string]string {
	t.Helper()
	if rows, ok := books[path]; ok {
		return rows
	}
	f, err := excelize.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	cells, err := f.GetRows(f.GetSheetList()[0])
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, r := range cells[1:] {
		row := make(map[string]string)
		for i, c := range r {
			row[cells[0][i]] = c
		}
		out = append(out, row)
	}
	books[path] = out
	return out
}

func number64(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

type expectation struct {
	Rows       int              `json:"rows"`
	Step1      int              `json:"step1"`
	Circular   []int            `json:"circular"`
	Vanilla    []int            `json:"vanilla"`
	AllPasses  []int            `json:"all_passes"`
	Predicted  map[string]int   `json:"labels_predicted"`
	Truth      map[string]int   `json:"labels_truth"`
	Irregular  int              `json:"irregular"`
	Categories map[string][]int `json:"categories"`
	Axes       map[string][]int `json:"axes"`
	Frequent   map[string][]int `json:"frequent_choice"`
}

func expected(t *testing.T, file string) expectation {
	t.Helper()
	b, err := os.ReadFile(realPath(t, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]expectation)
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all[filepath.Base(file)]
}

// The published figures of real prediction files (data/expected.json).
func TestPublishedFigures(t *testing.T) {
	for _, c := range []struct{ file, rules string }{
		{"mmbench/mmbench_dev_20230712_llava-v1.5-13b.xlsx", "vlmevalkit-2026"},
		{"mmbench/vila_8b_CCBench.xlsx", "vlmevalkit-2026"},
		{"mmstar/llava_next_yi_34b_MMStar.xlsx", "mmstar"},
		{"mmstar/vila_8b_MMStar.xlsx", "vlmevalkit-2026"},
	} {
		t.Run(filepath.Base(c.file), func(t *testing.T) {
			m, _ := realRun(t, c.file)
			f, err := report.ScanRuns(t.Context(), m, report.Options{Rules: c.rules})
			if err != nil {
				t.Fatal(err)
			}
			want := expected(t, c.file)
			checkAccuracy(t, f, want)
			checkPositions(t, f, want)
			steps := newStepsReport(f).Rows[0].(*StepsRow)
			if want.Step1 > 0 && (steps.Step1.K != want.Step1 || steps.Step1.N != want.Rows) {
				t.Errorf("step 1: %d/%d, want %d/%d", steps.Step1.K, steps.Step1.N, want.Step1, want.Rows)
			}
		})
	}
}

// The paper's own step 1 succeeds in 98.6 to 100 % of responses (MMBench, Table 1).
func TestMMBenchStep1(t *testing.T) {
	m, _ := realRun(t, "mmbench/mmbench_dev_20230712_llava-v1.5-13b.xlsx")
	f, err := report.ScanRuns(t.Context(), m, report.Options{Rules: "mmbench"})
	if err != nil {
		t.Fatal(err)
	}
	if s := newStepsReport(f).Rows[0].(*StepsRow).Step1; s.N != 4377 || s.Value < 0.98 {
		t.Errorf("step 1: %+v", s)
	}
}

func checkAccuracy(t *testing.T, f *report.Scanned, want expectation) {
	t.Helper()
	rows := newAccuracyReport(f).Rows
	vanilla, last := rows[0].(*Row), rows[len(rows)-1].(*Row)
	pair(t, "vanilla", vanilla.Accuracy.K, vanilla.Accuracy.N, want.Vanilla)
	if want.Circular != nil {
		pair(t, "circular", last.Accuracy.K, last.Accuracy.N, want.Circular)
		pair(t, "all passes", last.AllPasses.K, last.AllPasses.N, want.AllPasses)
		if last.Irregular != want.Irregular {
			t.Errorf("irregular: %d, want %d", last.Irregular, want.Irregular)
		}
	}
	if len(want.Frequent) > 0 { // overall, each dimension has its own
		sum := []int{0, 0}
		for _, w := range want.Frequent {
			sum[0], sum[1] = sum[0]+w[0], sum[1]+w[1]
		}
		pair(t, "frequent choice", vanilla.Frequent.K, vanilla.Frequent.N, sum)
	}
	got := make(map[string][2]int)
	for _, l := range last.Levels {
		name := l.Path[len(l.Path)-1]
		got[name] = [2]int{l.Accuracy.K, l.Accuracy.N}
		if w, ok := want.Frequent[name]; ok && len(l.Path) == 1 {
			pair(t, "frequent choice of "+name, l.Frequent.K, l.Frequent.N, w)
		}
	}
	for _, levels := range []map[string][]int{want.Categories, want.Axes} {
		for name, w := range levels {
			pair(t, name, got[name][0], got[name][1], w)
		}
	}
	if n := len(want.Categories) + len(want.Axes); len(got) != n {
		t.Errorf("levels: %d, want %d", len(got), n)
	}
}

func pair(t *testing.T, what string, k, n int, want []int) {
	t.Helper()
	if len(want) != 2 || k != want[0] || n != want[1] {
		t.Errorf("%s: %d/%d, want %v", what, k, n, want)
	}
}

func checkPositions(t *testing.T, f *report.Scanned, want expectation) {
	t.Helper()
	row := newPositionsReport(f).Rows[0].(*PositionsRow)
	for label, n := range want.Predicted {
		if got := row.Predicted[eval.Choice(label)]; label != "" && got != n {
			t.Errorf("predicted %s: %d, want %d", label, got, n)
		}
	}
	if want.Predicted != nil && row.Unread != want.Predicted[""] {
		t.Errorf("unread: %d, want %d", row.Unread, want.Predicted[""])
	}
	for label, n := range want.Truth {
		if got := row.Truth[eval.Choice(label)]; got != n {
			t.Errorf("ground truth %s: %d, want %d", label, got, n)
		}
	}
}

// Every group's verdict equals the kit's (data/mmbench/circular.jsonl).
func TestVerdictsOfTheKit(t *testing.T) {
	f, err := os.Open(realPath(t, "mmbench/circular.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	verdicts := make(map[string]map[string]int)
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		var v struct {
			File  string `json:"file"`
			Group int    `json:"g_index"`
			Hit   int    `json:"hit"`
		}
		if err := json.Unmarshal(scan.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		base := strings.Replace(filepath.Base(v.File), "_upload.", ".", 1)
		if verdicts[base] == nil {
			verdicts[base] = make(map[string]int)
		}
		verdicts[base][strconv.Itoa(v.Group)] = v.Hit
	}
	if len(verdicts) != 2 {
		t.Fatalf("verdicts on %d files, want 2", len(verdicts))
	}
	for base, want := range verdicts {
		t.Run(base, func(t *testing.T) { checkVerdicts(t, "mmbench/"+base, want) })
	}
}

func checkVerdicts(t *testing.T, file string, want map[string]int) {
	t.Helper()
	m, _ := realRun(t, file)
	rep, err := ReportAccuracy(t.Context(), m, report.Options{Rules: "vlmevalkit-2026"})
	if err != nil {
		t.Fatal(err)
	}
	row := rep.Rows[len(rep.Rows)-1].(*Row)
	samples := m.AllSamples[row.Dataset]
	hits := make(map[eval.SampleID]bool)
	for k, err := range row.KeysBehind(t.Context(), m, report.Selection{Which: report.Right}) {
		if err != nil {
			t.Fatal(err)
		}
		hits[samples[k.Sample].ID] = true
	}
	if len(want) != len(samples) {
		t.Errorf("groups: %d, want %d", len(samples), len(want))
	}
	for _, s := range samples {
		if hits[s.ID] != (want[string(s.ID)] == 1) {
			t.Errorf("group %s: right %v, want %d", s.ID, hits[s.ID], want[string(s.ID)])
		}
	}
}

// The figures that the kit's 2024 rules printed for the same files.
func TestOlderRules(t *testing.T) {
	check := func(file string, k, n int) {
		t.Helper()
		m, _ := realRun(t, file)
		rep, err := ReportAccuracy(t.Context(), m, report.Options{Rules: "vlmevalkit-2024"})
		if err != nil {
			t.Fatal(err)
		}
		row := rep.Rows[len(rep.Rows)-1].(*Row)
		pair(t, file, row.Accuracy.K, row.Accuracy.N, []int{k, n})
	}
	check("mmstar/vila_8b_MMStar.xlsx", 625, 1500)
	check("mmbench/vila_8b_CCBench.xlsx", 173, 510)
}
