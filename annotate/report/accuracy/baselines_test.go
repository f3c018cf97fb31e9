package accuracy

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// One line for each model over all datasets, after what answers at random
// would reach.
func TestBaselines(t *testing.T) {
	m, _ := guessed()
	f, err := report.ScanRuns(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1")})
	if err != nil {
		t.Fatal(err)
	}
	r := newBaselinesReport(f, &report.Options{Cards: cards})
	check := func(f table.Format, want string) {
		t.Helper()
		if got := render(t, r, f); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", f, got, want)
		}
	}
	check(table.FormatTable, `baselines · extractor rules:letters · 0 pending
model   modality  runs  size           parameters  language base  vision  open  d vanilla                      d circular
──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
random                  -              -           -              -       -                    25.0%  n 5                    0.4%  n 5
m-7     image     2     10B and below  7B          lm-7           vit     open  100.0% [56.6, 100.0]  5/5 few  80.0% [37.6, 96.4]  4/5 few
m-13    image     1     above 10B      13B         lm-13          -       -       80.0% [37.6, 96.4]  4/5 few  40.0% [11.8, 76.9]  2/5 few
lm-7    text      3     -              -           -              -       -       50.0% [15.0, 85.0]  2/4 few  - [1]
[1] not asked under CircularEval
few: under 30 units (or clusters), or 10 of the rarer outcome: the interval may hold less often.
`)
	check(table.FormatLaTeX, `% few: under 30 units (or clusters), or 10 of the rarer outcome: the interval may hold less often.
% In every row: extractor rules:letters, 0 pending
% [1] not asked under CircularEval
% Bold: every figure whose interval overlaps that of the largest: some of these may be lower all the same.
{\footnotesize\setlength{\tabcolsep}{3pt}
\begin{tabular}{llllllll}
\toprule
model & modality & runs & size & parameters & \shortstack[l]{language\\base} & vision & open \\
\midrule
random &  &  & - & - & - & - & - \\
\midrule
m-7 & image & 2 & 10B and below & 7B & lm-7 & vit & open \\
\midrule
m-13 & image & 1 & above 10B & 13B & lm-13 & - & - \\
\midrule
lm-7 & text & 3 & - & - & - & - & - \\
\bottomrule
\end{tabular}

\medskip

\begin{tabular}{lllrr}
\toprule
model & modality & runs & d vanilla & d circular \\
\midrule
random &  &  & \begin{tabular}[t]{@{}r@{}}25.0\%\\{\scriptsize n 5}\end{tabular} & \begin{tabular}[t]{@{}r@{}}0.4\%\\{\scriptsize n 5}\end{tabular} \\
m-7 & image & 2 & \begin{tabular}[t]{@{}r@{}}\textbf{100.0\%}\\{\scriptsize {[}56.6, 100.0]}\\{\scriptsize 5/5 few}\end{tabular} & \begin{tabular}[t]{@{}r@{}}\textbf{80.0\%}\\{\scriptsize {[}37.6, 96.4]}\\{\scriptsize 4/5 few}\end{tabular} \\
m-13 & image & 1 & \begin{tabular}[t]{@{}r@{}}\textbf{80.0\%}\\{\scriptsize {[}37.6, 96.4]}\\{\scriptsize 4/5 few}\end{tabular} & \begin{tabular}[t]{@{}r@{}}\textbf{40.0\%}\\{\scriptsize {[}11.8, 76.9]}\\{\scriptsize 2/5 few}\end{tabular} \\
lm-7 & text & 3 & \begin{tabular}[t]{@{}r@{}}\textbf{50.0\%}\\{\scriptsize {[}15.0, 85.0]}\\{\scriptsize 2/4 few}\end{tabular} & - {[}1] \\
\bottomrule
\end{tabular}
}
`)
	check(table.FormatCSV, `run,dataset,split,model,modality,extractor,strategy,measure,rate,rate_low,rate_high,rate_k,rate_n,rate_undefined,score,score_low,score_high,score_n,score_undefined,random,random_low,random_high,random_n,random_undefined,pending,source,warning
1,d,all,m-13,image,rules:letters,circular,vanilla,0.8,0.37553462976252544,0.9637758913675698,4,5,,,,,,,0.25,,,5,,0,,few units: rate
1,d,all,m-13,image,rules:letters,circular,circular,0.4,0.11762077423264795,0.7692757187239869,2,5,,,,,,,0.00390625,,,5,,,,few units: rate
2,d,all,m-7,image,rules:letters,circular,vanilla,1,0.5655175352168254,1,5,5,,,,,,,0.25,,,5,,0,,few units: rate
2,d,all,m-7,image,rules:letters,circular,circular,0.8,0.37553462976252544,0.9637758913675698,4,5,,,,,,,0.00390625,,,5,,,,few units: rate
3,d,all,lm-7,text,rules:letters,vanilla,vanilla,0.5,0.15003898915214958,0.8499610108478504,2,4,,,,,,,0.25,,,5,,0,,few units: rate
`)
	row := r.Rows[0].(*BaselinesRow)
	if row.Random.Circular != stat.NewExactEstimate(1.0/256, 5) || row.Random.MME != nil || row.MME != nil {
		t.Errorf("%+v", row)
	}
}

// What was measured elsewhere stands below, marked, under the same column where
// benchmark and metric are named alike; it is no row about predictions.
func TestBaselinesExternal(t *testing.T) {
	m, _ := guessed()
	m.AllMeasures = []eval.ExternalScore{
		{Benchmark: "D", Model: "gpt", Metric: "Circular", Value: 75.1, Source: "paper, Table 3", N: 5},
		{Benchmark: "MME", Model: "gpt", Metric: "perception", Value: 1409.43, Source: "board"},
		{Benchmark: "MME", Model: "m-7", Metric: "perception", Value: 500, Source: "board"},
	}
	r, err := ReportBaselines(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1")})
	if err != nil || len(r.External) != 3 {
		t.Fatal(len(r.External), err)
	}
	markdown := render(t, r, table.FormatMarkdown)
	for _, want := range []string{
		"| d circular | MME perception | pending |",
		`| gpt |  |  | external |  | 75.1%†  n 5 | **1409.43†** |  |`, "| 500† | 0 |",
		"| m-7 | image | 2 | rules:letters | **100.0% ", "| **80.0% ", "† measured elsewhere: board; paper, Table 3.",
	} {
		if !strings.Contains(markdown, want) {
			t.Errorf("no %q in\n%s", want, markdown)
		}
	}
	if got := render(t, r, table.FormatCSV); !strings.Contains(got, "\n,D,,gpt,,external,,Circular,,,,,,,75.1,,,5,,,,,,,,\"paper, Table 3\",\n") {
		t.Error(got)
	}
	if got := render(t, r, table.FormatJSON); !strings.Contains(got, `"source": "board"`) || !strings.Contains(got, `"external": true`) {
		t.Error(got)
	}
	if got := render(t, r, table.FormatLaTeX); !strings.Contains(got, `\textbf{1409.43\textdagger{}}`) {
		t.Error(got)
	}
	if r, err = ReportBaselines(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1"), Runs: []eval.RunID{1}}); err != nil || r.External != nil {
		t.Error("runs were named, and measures came", err)
	}
}

// mme makes a run of two pictures for each of MME's subtasks, all answered
// with yes.
func mme() *reporttest.Memory {
	m := reporttest.New()
	subtasks := strings.Fields("existence count position color posters celebrity scene landmark artwork OCR " +
		"commonsense_reasoning numerical_calculation text_translation code_reasoning")
	var samples []eval.Sample
	for _, name := range subtasks {
		for i, answer := range []eval.Choice{eval.Yes, eval.No, eval.Yes, eval.No} {
			samples = append(samples, eval.Sample{
				ID: eval.SampleID(name + string(rune('a'+i))), Kind: eval.KindYesNo, Answer: answer,
				Taxonomy: []string{eval.MMEAbilityOf(name), name}, Pictures: []eval.Picture{{Name: string(rune('0' + i/2))}},
			})
		}
	}
	m.AddDataset("mme", samples...)
	run := m.AddRun(eval.Config{Dataset: "mme", Model: "yes", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported, Rules: "mme"})
	for o := range samples {
		m.AddResponse(run, eval.Ordinal(o), 0, "Yes")
	}
	return m
}

// Random answers are expected to reach 750, 300 and 1050 (not the 375 and 1225
// that MMBench's App. C prints); one that always says yes has half of the
// questions and no picture.
func TestMMEBaseline(t *testing.T) {
	m := mme()
	r, err := ReportBaselines(t.Context(), m, report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	row := r.Rows[0].(*BaselinesRow)
	random := row.Random.MME
	if random.Perception != stat.NewExactEstimate(750, 40) || random.Cognition != stat.NewExactEstimate(300, 16) || random.Total != stat.NewExactEstimate(1050, 56) {
		t.Errorf("random %+v", random)
	}
	if row.MME.Perception.Value != 500 || row.MME.Total.Value != 700 || row.MME.Missing != 0 || row.Vanilla.K != 28 || row.Vanilla.N != 56 || row.Vanilla.Clusters != 28 {
		t.Errorf("%+v", row.MME)
	}
	m.AllSamples["mme"] = m.AllSamples["mme"][:4]
	if r, err = ReportBaselines(t.Context(), m, report.Options{}); err != nil {
		t.Fatal(err)
	}
	row = r.Rows[0].(*BaselinesRow)
	if row.MME.Missing != 13 || row.MME.Perception.Value != 50 || row.MME.Total.Value != 50 || row.MME.Cognition.WhyUndefined() != "no subtask of cognition" {
		t.Errorf("of one subtask: %+v", row.MME)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "13 of its 14 subtasks are not there") {
		t.Errorf("notes %q", r.Notes)
	}
}

// lavin reads MME's official files: image, question, truth, response.
func lavin(t *testing.T) *reporttest.Memory {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(realPath(t, "mme/LaVIN"), "*.txt"))
	if err != nil || len(files) != 14 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	m := reporttest.New()
	var samples []eval.Sample
	var said []string
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		for _, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
			cells := strings.Split(line, "\t")
			samples = append(samples, eval.Sample{
				Kind: eval.KindYesNo, Answer: eval.Choice(strings.ToLower(cells[2])),
				Taxonomy: []string{name}, Pictures: []eval.Picture{{Name: cells[0]}},
			})
			said = append(said, cells[3])
		}
	}
	m.AddDataset("mme", samples...)
	run := m.AddRun(eval.Config{Dataset: "mme", Model: "lavin", Strategy: eval.Vanilla, Origin: eval.Imported})
	for o, s := range said {
		m.AddResponse(run, eval.Ordinal(o), 0, s)
	}
	return m
}

// vila reads the kit's file of MME predictions.
func vila(t *testing.T) *reporttest.Memory {
	t.Helper()
	m := reporttest.New()
	var samples []eval.Sample
	rows := workbook(t, realPath(t, "mme/vila_8b_MME.xlsx"))
	for _, r := range rows {
		samples = append(samples, eval.Sample{
			Kind: eval.KindYesNo, Answer: eval.Choice(strings.ToLower(r["answer"])),
			Taxonomy: []string{r["category"]}, Pictures: []eval.Picture{{Name: r["image_path"]}},
		})
	}
	m.AddDataset("mme", samples...)
	run := m.AddRun(eval.Config{Dataset: "mme", Model: "vila", Strategy: eval.Vanilla, Origin: eval.Imported})
	for o, r := range rows {
		m.AddResponse(run, eval.Ordinal(o), 0, r["prediction"])
	}
	return m
}

// The published MME scores come out of the real files (data/README.md).
func TestRealMME(t *testing.T) {
	check := func(m *reporttest.Memory, rules string, perception, cognition float64) {
		t.Helper()
		r, err := ReportBaselines(t.Context(), m, report.Options{Rules: rules})
		if err != nil {
			t.Fatal(err)
		}
		row := r.Rows[0].(*BaselinesRow)
		if math.Abs(row.MME.Perception.Value-perception) > 5e-3 || math.Abs(row.MME.Cognition.Value-cognition) > 5e-3 || row.MME.Missing != 0 {
			t.Errorf("%s: %.4f and %.4f, want %.4f and %.4f", rules, row.MME.Perception.Value, row.MME.Cognition.Value, perception, cognition)
		}
		random := row.Random.MME
		if random.Perception.Value != 750 || random.Cognition.Value != 300 || random.Total.Value != 1050 || random.Total.N != 2374 {
			t.Errorf("random %+v", random)
		}
	}
	check(lavin(t), "mme", 963.6114, 249.6429)
	check(vila(t), "vlmevalkit", 1558.5247, 282.5)
	check(vila(t), "mme", 1563.52, 283.21)
}

// The random baselines of a real dataset: questions of two to four options.
func TestRealRandom(t *testing.T) {
	m, _ := realRun(t, "mmbench/mmbench_dev_20230712_llava-v1.5-13b.xlsx")
	r, err := ReportBaselines(t.Context(), m, report.Options{Rules: "vlmevalkit-2026"})
	if err != nil {
		t.Fatal(err)
	}
	var vanilla, circular float64
	for _, s := range m.AllSamples["mmbench_dev_20230712_llava-v1.5-13b"] {
		n := float64(len(s.Options))
		vanilla += 1 / n
		circular += math.Pow(n, -n)
	}
	row := r.Rows[0].(*BaselinesRow)
	if math.Abs(row.Random.Vanilla.Value-vanilla/1176) > 1e-12 || math.Abs(row.Random.Circular.Value-circular/1176) > 1e-12 || row.Random.Circular.N != 1176 {
		t.Errorf("%+v, want %v and %v", row.Random, vanilla/1176, circular/1176)
	}
	if row.Circular != stat.NewRate(796, 1176) {
		t.Errorf("circular %+v", row.Circular)
	}
}
