package accuracy

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

func abilities(t *testing.T, m *reporttest.Memory, o report.Options) report.Report {
	t.Helper()
	if o.Rules == "" {
		o.Reader = reporttest.NewReaders("1")
	}
	r, err := ReportAbilities(t.Context(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Models by size with what their cards say, abilities as columns, the best in
// bold; one line for each of both in CSV.
func TestAbilities(t *testing.T) {
	m := tree()
	r := abilities(t, m, report.Options{Cards: cards})
	check := func(f table.Format, want string) {
		t.Helper()
		if got := render(t, r, f); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", f, got, want)
		}
	}
	check(table.FormatTable, `abilities · d, split all · modality image · extractor rules:letters · strategy circular · 0 unplaced, pending
run  model          size           parameters  language base  vision  open  overall                      coarse                         fine                           logic
─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
     random choice                                                                        0.4%  n 5                      0.4%  n 2                      0.4%  n 1                   0.4%  n 2
  2  m-7            10B and below  7B          lm-7           vit     open  80.0% [37.6, 96.4]  4/5 few  100.0% [34.2, 100.0]  2/2 few  100.0% [20.7, 100.0]  1/1 few  50.0% [9.5, 90.5]  1/2 few
  1  m-13           above 10B      13B         lm-13          -       -     40.0% [11.8, 76.9]  2/5 few     50.0% [9.5, 90.5]  1/2 few      0.0% [0.0, 79.3]  0/1 few  50.0% [9.5, 90.5]  1/2 few
few: under 30 units (or clusters), or 10 of the rarer outcome: the interval may hold less often.
`)
	check(table.FormatLaTeX, `% abilities · d, split all
% few: under 30 units (or clusters), or 10 of the rarer outcome: the interval may hold less often.
% In every row: modality image, extractor rules:letters, strategy circular, 0 unplaced, pending
% Bold: every figure whose interval overlaps that of the largest: some of these may be lower all the same.
{\scriptsize\setlength{\tabcolsep}{2pt}
\begin{tabular}{rp{50pt}p{50pt}llllr}
\toprule
run & model & size & parameters & \shortstack[l]{language\\base} & vision & open & overall \\
\midrule
 & {\raggedright random choice\par} & {\raggedright \par} &  &  &  &  & \begin{tabular}[t]{@{}r@{}}0.4\%\\{\scriptsize n 5}\end{tabular} \\
\midrule
2 & {\raggedright m-\allowbreak{}7\par} & {\raggedright 10B and below\par} & 7B & lm-7 & vit & open & \begin{tabular}[t]{@{}r@{}}\textbf{80.0\%}\\{\scriptsize {[}37.6, 96.4]}\\{\scriptsize 4/5 few}\end{tabular} \\
\midrule
1 & {\raggedright m-\allowbreak{}13\par} & {\raggedright above 10B\par} & 13B & lm-13 & - & - & \begin{tabular}[t]{@{}r@{}}\textbf{40.0\%}\\{\scriptsize {[}11.8, 76.9]}\\{\scriptsize 2/5 few}\end{tabular} \\
\bottomrule
\end{tabular}

\medskip

\begin{tabular}{rp{50pt}p{50pt}llllr}
\toprule
run & model & size & parameters & \shortstack[l]{language\\base} & vision & open & coarse \\
\midrule
 & {\raggedright random choice\par} & {\raggedright \par} &  &  &  &  & \begin{tabular}[t]{@{}r@{}}0.4\%\\{\scriptsize n 2}\end{tabular} \\
\midrule
2 & {\raggedright m-\allowbreak{}7\par} & {\raggedright 10B and below\par} & 7B & lm-7 & vit & open & \begin{tabular}[t]{@{}r@{}}\textbf{100.0\%}\\{\scriptsize {[}34.2, 100.0]}\\{\scriptsize 2/2 few}\end{tabular} \\
\midrule
1 & {\raggedright m-\allowbreak{}13\par} & {\raggedright above 10B\par} & 13B & lm-13 & - & - & \begin{tabular}[t]{@{}r@{}}\textbf{50.0\%}\\{\scriptsize {[}9.5, 90.5]}\\{\scriptsize 1/2 few}\end{tabular} \\
\bottomrule
\end{tabular}

\medskip

\begin{tabular}{rp{50pt}p{50pt}llllr}
\toprule
run & model & size & parameters & \shortstack[l]{language\\base} & vision & open & fine \\
\midrule
 & {\raggedright random choice\par} & {\raggedright \par} &  &  &  &  & \begin{tabular}[t]{@{}r@{}}0.4\%\\{\scriptsize n 1}\end{tabular} \\
\midrule
2 & {\raggedright m-\allowbreak{}7\par} & {\raggedright 10B and below\par} & 7B & lm-7 & vit & open & \begin{tabular}[t]{@{}r@{}}\textbf{100.0\%}\\{\scriptsize {[}20.7, 100.0]}\\{\scriptsize 1/1 few}\end{tabular} \\
\midrule
1 & {\raggedright m-\allowbreak{}13\par} & {\raggedright above 10B\par} & 13B & lm-13 & - & - & \begin{tabular}[t]{@{}r@{}}\textbf{0.0\%}\\{\scriptsize {[}0.0, 79.3]}\\{\scriptsize 0/1 few}\end{tabular} \\
\bottomrule
\end{tabular}

\medskip

\begin{tabular}{rp{50pt}p{50pt}llllr}
\toprule
run & model & size & parameters & \shortstack[l]{language\\base} & vision & open & logic \\
\midrule
 & {\raggedright random choice\par} & {\raggedright \par} &  &  &  &  & \begin{tabular}[t]{@{}r@{}}0.4\%\\{\scriptsize n 2}\end{tabular} \\
\midrule
2 & {\raggedright m-\allowbreak{}7\par} & {\raggedright 10B and below\par} & 7B & lm-7 & vit & open & \begin{tabular}[t]{@{}r@{}}\textbf{50.0\%}\\{\scriptsize {[}9.5, 90.5]}\\{\scriptsize 1/2 few}\end{tabular} \\
\midrule
1 & {\raggedright m-\allowbreak{}13\par} & {\raggedright above 10B\par} & 13B & lm-13 & - & - & \begin{tabular}[t]{@{}r@{}}\textbf{50.0\%}\\{\scriptsize {[}9.5, 90.5]}\\{\scriptsize 1/2 few}\end{tabular} \\
\bottomrule
\end{tabular}
}
`)
	check(table.FormatMarkdown, `**abilities · d, split all**

| run | model | modality | size | parameters | language\_base | vision | open | extractor | strategy | overall | coarse | fine | logic | unplaced | pending |
| --: | --- | --- | --- | --- | --- | --- | --- | --- | --- | --: | --: | --: | --: | --: | --: |
|  | random choice |  |  |  |  |  |  |  | circular | 0.4%  n 5 | 0.4%  n 2 | 0.4%  n 1 | 0.4%  n 2 |  |  |
| 2 | m-7 | image | 10B and below | 7B | lm-7 | vit | open | rules:letters | circular | **80.0% \[37.6, 96.4\]  4/5 few** | **100.0% \[34.2, 100.0\]  2/2 few** | **100.0% \[20.7, 100.0\]  1/1 few** | **50.0% \[9.5, 90.5\]  1/2 few** | 0 | 0 |
| 1 | m-13 | image | above 10B | 13B | lm-13 | - | - | rules:letters | circular | **40.0% \[11.8, 76.9\]  2/5 few** | **50.0% \[9.5, 90.5\]  1/2 few** | **0.0% \[0.0, 79.3\]  0/1 few** | **50.0% \[9.5, 90.5\]  1/2 few** | 0 | 0 |

Bold: every figure whose interval overlaps that of the largest: some of these may be lower all the same.

few: under 30 units (or clusters), or 10 of the rarer outcome: the interval may hold less often.
`)
	check(table.FormatCSV, `run,dataset,split,model,modality,size,parameters,trainable,language_base,vision,open,extractor,strategy,ability,accuracy,accuracy_low,accuracy_high,accuracy_k,accuracy_n,accuracy_undefined,frequent_choice,frequent_choice_low,frequent_choice_high,frequent_choice_k,frequent_choice_n,frequent_choice_undefined,random_choice,random_choice_low,random_choice_high,random_choice_n,random_choice_undefined,unplaced,pending,irregular,no_truth,unanswered,no_rules,warning
2,d,all,m-7,image,10B and below,7B,,lm-7,vit,open,rules:letters,circular,all,0.8,0.37553462976252544,0.9637758913675698,4,5,,,,,0,0,a constant answer is wrong in some pass,0.00390625,,,5,,0,0,0,0,0,0,few units: accuracy
2,d,all,m-7,image,10B and below,7B,,lm-7,vit,open,rules:letters,circular,perception / coarse,1,0.34238022750665326,1,2,2,,,,,0,0,a constant answer is wrong in some pass,0.00390625,,,2,,,0,,,,,few units: accuracy
2,d,all,m-7,image,10B and below,7B,,lm-7,vit,open,rules:letters,circular,perception / fine,1,0.20654931437723753,1,1,1,,,,,0,0,a constant answer is wrong in some pass,0.00390625,,,1,,,0,,,,,few units: accuracy
2,d,all,m-7,image,10B and below,7B,,lm-7,vit,open,rules:letters,circular,reasoning / logic,0.5,0.09453120573423075,0.9054687942657692,1,2,,,,,0,0,a constant answer is wrong in some pass,0.00390625,,,2,,,0,,,,,few units: accuracy
1,d,all,m-13,image,above 10B,13B,,lm-13,,,rules:letters,circular,all,0.4,0.11762077423264795,0.7692757187239869,2,5,,,,,0,0,a constant answer is wrong in some pass,0.00390625,,,5,,0,0,0,0,0,0,few units: accuracy
1,d,all,m-13,image,above 10B,13B,,lm-13,,,rules:letters,circular,perception / coarse,0.5,0.09453120573423075,0.9054687942657692,1,2,,,,,0,0,a constant answer is wrong in some pass,0.00390625,,,2,,,0,,,,,few units: accuracy
1,d,all,m-13,image,above 10B,13B,,lm-13,,,rules:letters,circular,perception / fine,0,0,0.7934506856227624,0,1,,,,,0,0,a constant answer is wrong in some pass,0.00390625,,,1,,,0,,,,,few units: accuracy
1,d,all,m-13,image,above 10B,13B,,lm-13,,,rules:letters,circular,reasoning / logic,0.5,0.09453120573423075,0.9054687942657692,1,2,,,,,0,0,a constant answer is wrong in some pass,0.00390625,,,2,,,0,,,,,few units: accuracy
`)
	if got := drilled(t, m, r.Rows[1], report.Selection{Which: report.Wrong, Level: []string{"perception", "coarse"}}); !slices.Equal(got, []string{"1.2"}) {
		t.Errorf("behind a cell: %v", got)
	}
}

func TestAbilitiesAsJSON(t *testing.T) {
	var got struct {
		Rows []struct {
			Run       int
			Split     string
			Strategy  string
			Level     int
			Card      *CardInfo
			Accuracy  stat.Rate
			Abilities []AbilityScore
		}
	}
	m := tree()
	if err := json.Unmarshal([]byte(render(t, abilities(t, m, report.Options{Level: 3, Split: "dev", Strategy: eval.Vanilla}), table.FormatJSON)), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != 2 {
		t.Fatalf("%d rows", len(got.Rows))
	}
	row := got.Rows[0]
	if row.Run != 1 || row.Split != "dev" || row.Strategy != "vanilla" || row.Level != 3 || row.Card != nil || row.Accuracy != stat.NewRate(3, 4) {
		t.Errorf("%+v", row)
	}
	var names []string
	for _, a := range row.Abilities {
		names = append(names, eval.JoinPath(a.Path))
	}
	// In the order in which the dataset has them.
	want := []string{"perception / coarse / style", "perception / coarse / scene", "perception / fine / count", "reasoning / logic / order"}
	if !slices.Equal(names, want) || row.Abilities[2].Accuracy != stat.NewRate(0, 1) {
		t.Errorf("%q, %+v", names, row.Abilities)
	}
}

// Above the models stand those that never look, by the questions of each
// column, and are not the best of one.
func TestAbilitiesBlind(t *testing.T) {
	r := abilities(t, tree(), report.Options{Strategy: eval.Vanilla, Level: 1})
	got := render(t, r, table.FormatMarkdown)
	for _, want := range []string{"|  | random choice |  |  | vanilla | 25.0%  n 5 |", "|  | frequent choice |  |  | vanilla | 40.0% ", "most frequent among them"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// What cannot be printed says what it needs.
func TestAbilitiesNeed(t *testing.T) {
	check := func(o report.Options, want string) {
		t.Helper()
		o.Reader = reporttest.NewReaders("1")
		_, err := ReportAbilities(t.Context(), tree(), o)
		if !errors.Is(err, eval.ErrNotFound) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
	check(report.Options{Level: 4}, "The taxonomy of d ends at level 3; level 4 was asked for")
	check(report.Options{Split: "train"}, `questions of split "train"`)
	check(report.Options{Dataset: "other"}, "runs to report")
	m := reporttest.New()
	m.AddDataset("d", reporttest.NewABCDSample(0, "A"))
	m.AddRun(eval.Config{Dataset: "d", Strategy: eval.Vanilla, Origin: eval.Imported, Rules: "letters"})
	if _, err := ReportAbilities(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1")}); err == nil || !strings.Contains(err.Error(), "no taxonomy") {
		t.Errorf("without a taxonomy: %v", err)
	}
	if _, err := ReportAbilities(t.Context(), m, report.Options{Strategy: eval.Circular}); err == nil || !strings.Contains(err.Error(), "--strategy circular") {
		t.Errorf("without a circular run: %v", err)
	}
}

// Tables 3 and 8 to 14 from real files (data/expected.json): the categories of
// CCBench under CircularEval, MMStar's eighteen axes in a table for each core
// capability.
func TestRealAbilities(t *testing.T) {
	check := func(file, rules string, level, tables int, want func(expectation) map[string][]int) {
		t.Helper()
		m, _ := realRun(t, file)
		r := abilities(t, m, report.Options{Rules: rules, Level: level})
		e := expected(t, file)
		row, figures := r.Rows[0].(*AbilitiesRow), want(e)
		for _, a := range row.Abilities {
			name := a.Path[len(a.Path)-1]
			pair(t, name, a.Accuracy.K, a.Accuracy.N, figures[name])
			if f, ok := e.Frequent[name]; ok {
				pair(t, name+", frequent choice", a.Frequent.K, a.Frequent.N, f)
			}
		}
		if len(row.Abilities) != len(figures) || len(r.Tables()) != tables {
			t.Errorf("%s: %d abilities in %d tables, want %d in %d", file, len(row.Abilities), len(r.Tables()), len(figures), tables)
		}
	}
	categories := func(e expectation) map[string][]int { return e.Categories }
	axes := func(e expectation) map[string][]int { return e.Axes }
	check("mmbench/vila_8b_CCBench.xlsx", "vlmevalkit-2026", 0, 1, categories)
	check("mmstar/llava_next_yi_34b_MMStar.xlsx", "mmstar", 1, 1, categories)
	check("mmstar/llava_next_yi_34b_MMStar.xlsx", "mmstar", 2, 6, axes)
	check("mmstar/vila_8b_MMStar.xlsx", "vlmevalkit-2026", 0, 6, axes)
}
