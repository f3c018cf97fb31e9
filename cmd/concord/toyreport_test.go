package main

import (
	"bytes"
	"context"
	"iter"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/catalogue/cataloguetest"
	"concord/cmd/concord/internal/cli"
	reportcmd "concord/cmd/concord/internal/command/report"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/openai/openaitest"
	"concord/eval/stat"
	"concord/store"
)

// The recipe "add a report" of ARCHITECTURE.md, followed: a file of the report, as
// it would stand in a package of reports, and its kind in the catalogue.

// toyRow is how many answers of a run are long.
type toyRow struct {
	report.ForEveryone
	report.Head
	Long    stat.Rate `json:"long" opens:"long short"`
	Answers int       `json:"answers" opens:"every"`
}

var toyLayout = report.NewLayout(report.HeadNames+"long answers", toyRow{})

// toyLong is how many characters are long.
const toyLong = 1

func toy(ctx context.Context, from report.Facts, o report.Options) (report.Report, error) {
	f, err := report.ScanRuns(ctx, from, o)
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "toy", Layout: toyLayout, Confidence: stat.Confidence}
	for i := range f.Runs {
		run := f.Runs[i].Run
		var long stat.Count
		for q, err := range from.Questions(ctx, run) {
			if err != nil {
				return out, err
			}
			if said, ok := report.UnrotatedResponse(&q); ok {
				long.Add(len(said) > toyLong)
			}
		}
		row := &toyRow{Head: report.NewHead(run, report.AllSplits), Long: long.Rate("no answer")}
		row.Answers = row.Long.N
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}

// KeysBehind are the answers behind a measure. They are told by their texts, which EachKeyBehind, reading
// out of columns, does not have.
func (r *toyRow) KeysBehind(ctx context.Context, from report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	runs, err := report.RunsByID(from)
	if err != nil {
		return report.YieldError(err)
	}
	return func(yield func(eval.Key, error) bool) {
		for q, err := range from.Questions(ctx, runs[r.Run]) {
			said, ok := report.UnrotatedResponse(&q)
			if err == nil && (!ok || !r.CoversSample(&q.Sample) || s.Which != report.Every && (s.Which == "long") != (len(said) > toyLong)) {
				continue
			}
			if !yield(eval.Key{Run: r.Run, Sample: q.Sample.Ordinal}, err) {
				return
			}
		}
	}
}

var toyKind = catalogue.NewRunsKind(catalogue.Kind{
	Name: "toy", Title: "How long answers are", Group: catalogue.GroupData,
	Short: "How many answers are longer than a letter",
}, toy)

// A report that the catalogue lists has a command with its flags, every format, a
// page, the samples behind its figures, and its rows in REPORTS.md.
func TestToyReport(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{})
	r.write("p.jsonl", `{"index":1,"question":"q1?","A":"cat","B":"dog","answer":"B","prediction":"B"}
{"index":2,"question":"q2?","A":"oak","B":"elm","answer":"A","prediction":"The oak."}
`)
	r.done("import", "predictions", r.path("p.jsonl"), "--dataset", "d", "--model", "m")
	command := func(args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		a := newUnopenedProject(cli.Streams{Out: &out, Err: &errs}, args)
		root := newRootCmd(a)
		group, _, err := root.Find([]string{"report"})
		if err != nil {
			t.Fatal(err)
		}
		group.AddCommand(reportcmd.NewKindCmd(a, &toyKind))
		root.SetArgs(append([]string{"-p", r.path("p.db"), "report", "toy"}, args...))
		root.SetOut(&out)
		if err := root.ExecuteContext(t.Context()); err != nil {
			t.Fatalf("report toy %v: %v, %s", args, err, &errs)
		}
		return out.String()
	}
	for format, want := range map[string]string{
		"table":    "1/2",
		"csv":      "run,dataset,split,model,modality,long,long_low,long_high,long_k,long_n,long_undefined,answers,warning\n1,d,all,m,image,0.5,",
		"json":     `"answers": 2`,
		"markdown": "| long | answers |",
		"latex":    `\toprule`,
		"html":     "<h2",
	} {
		if got := command("--format", format, "--dataset", "d"); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in\n%s", format, want, got)
		}
	}
	if got := command("--help"); !strings.Contains(got, "--by-split") || !strings.Contains(got, "It needs a run") {
		t.Errorf("help: %s", got)
	}
	kinds := append(catalogue.CommandKinds(), toyKind)
	if got := cataloguetest.MakeReportTable(kinds); !strings.Contains(got, "| Data quality | `concord report toy` |") {
		t.Error(got)
	}
	st, err := store.Open(r.path("p.db"), store.Options{Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	source := facts.NewSource(st)
	for range 2 { // the second time out of columns
		made, err := toy(t.Context(), source, report.Options{})
		if err != nil {
			t.Fatal(err)
		}
		keys, err := eval.Collect(made.Rows[0].(*toyRow).KeysBehind(t.Context(), source, report.Selection{Which: "long"}))
		if err != nil || len(keys) != 1 || keys[0].Sample != 1 {
			t.Errorf("behind the long answers: %v, %v", keys, err)
		}
	}
}
