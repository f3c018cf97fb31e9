package alignment

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// unread is a project with two runs, a queue of what letters could not read in
// them, a judge's readings, and the labels of two people.
func unread() *reporttest.Memory {
	m := reporttest.New()
	m.AddDataset("d", reporttest.NewABCDSample(0, "A", "x", "y"), reporttest.NewABCDSample(1, "B", "x", "y"), reporttest.NewABCDSample(2, "C", "x", "z"), reporttest.NewABCDSample(3, "D", "x", "z"))
	for range 2 {
		run := m.AddRun(eval.Config{
			Dataset: "d", Model: string(rune('m' + len(m.AllRuns))), Strategy: eval.Vanilla, Modality: eval.WithImage,
			Origin: eval.Asked, Rules: "letters",
		})
		for o := range eval.Ordinal(4) {
			m.AddResponse(run, o, 0, "I would say the first")
		}
	}
	q := annotate.Queue{
		Name: "q", Stratum: annotate.Random, Overlap: 2, Items: 8, Population: 8,
		Rule: annotate.Rule{Dataset: "d", From: annotate.FromUnparsable, Rules: "letters@1"},
	}
	m.AllQueues = append(m.AllQueues, q)
	for run := range eval.RunID(2) {
		for o := range eval.Ordinal(4) {
			k := annotate.NewItemKey(eval.Key{Run: run + 1, Sample: o})
			m.Items["q"] = append(m.Items["q"], annotate.QueueItem{Index: len(m.Items["q"]), Key: k, Inclusion: 1})
		}
	}
	m.AddLabel("ann", 1, 0, "A")
	m.AddLabel("ann", 1, 1, "A")
	m.AddLabel("ann", 1, 2, "")
	m.AddLabel("ann", 2, 0, "B")
	m.AddLabel("ben", 1, 0, "A")
	m.AddLabel("ben", 2, 0, "C")
	m.SkipRest("ann", "ben")
	m.AddJudgment(1, 0, "A")
	m.AddJudgment(1, 1, "B")
	m.AddJudgment(1, 2, "C")
	m.AddJudgment(2, 0, "B")
	return m
}

func align(t *testing.T, m *reporttest.Memory, o Options) report.Report {
	t.Helper()
	o.Queue, o.Rules = "q", []string{"letters", "first"}
	if o.Reader == nil {
		o.Reader = reporttest.NewReaders("1")
	}
	r, err := ReportAlignment(t.Context(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func find(t *testing.T, rows []report.Row, run eval.RunID, extractor string) *Row {
	t.Helper()
	for _, r := range rows {
		if a := r.(*Row); a.Run == run && a.Extractor == extractor && a.Saved == 0 {
			return a
		}
	}
	t.Fatalf("no row of run %d and %s", run, extractor)
	return nil
}

func TestAlignment(t *testing.T) {
	m := unread()
	r := align(t, m, Options{})
	if len(r.Rows) != 6 || len(r.Overall) != 3 {
		t.Fatalf("%d rows and %d overall, want 6 and 3", len(r.Rows), len(r.Overall))
	}
	own := find(t, r.Rows, 1, "rules:letters")
	if own.LeftOut == "" || own.Alignment.N != 0 || own.Alignment.Undefined != own.LeftOut {
		t.Errorf("the queue's own rules: %+v", own)
	}
	gpt := find(t, r.Rows, 1, "gpt")
	if gpt.Alignment != stat.NewRate(1, 3) || gpt.CaseOne != 1 || gpt.CaseTwo != 1 {
		t.Errorf("gpt: %+v, case one %d, case two %d", gpt.Alignment, gpt.CaseOne, gpt.CaseTwo)
	}
	if !maps.Equal(gpt.Excluded, map[string]int{annotate.LeftUnlabelled: 1}) || gpt.Prompts[0] != "p1" {
		t.Errorf("gpt: excluded %v, prompts %v", gpt.Excluded, gpt.Prompts)
	}
	whole := find(t, r.Overall, 0, "gpt")
	if whole.Alignment != stat.NewRate(1, 3) || whole.Excluded[annotate.LeftNoConsensus] != 1 || !slices.Equal(whole.Runs, []eval.RunID{1, 2}) {
		t.Errorf("overall: %+v, excluded %v, runs %v", whole.Alignment, whole.Excluded, whole.Runs)
	}
	if rules := find(t, r.Rows, 1, "rules:first"); rules.Alignment != stat.NewRate(2, 3) || rules.Rules != "first" {
		t.Errorf("rules:first: %+v of %q", rules.Alignment, rules.Rules)
	}
	if _, err := ReportAlignment(t.Context(), m, Options{Queue: "other"}); err == nil {
		t.Error("a queue that is not there was reported")
	}
}

// A newer version of the rules may read what the older could not: its row is
// not vacuous.
func TestAlignmentOfNewerRules(t *testing.T) {
	r := align(t, unread(), Options{Reader: reporttest.NewReaders("2")})
	if row := find(t, r.Rows, 1, "rules:letters"); row.LeftOut != "" || row.Alignment.N != 3 {
		t.Errorf("newer rules: left out %q, %+v", row.LeftOut, row.Alignment)
	}
}

func TestUnevenDrawsAreSaid(t *testing.T) {
	m := unread()
	if r := align(t, m, Options{}); len(r.Notes) != 0 {
		t.Errorf("notes of an even draw: %q", r.Notes)
	}
	m.Items["q"][1].Inclusion = 0.5
	if r := align(t, m, Options{}); len(r.Notes) != 1 {
		t.Errorf("notes of an uneven draw: %q", r.Notes)
	}
}

func TestDrillAlignment(t *testing.T) {
	m := unread()
	r := align(t, m, Options{})
	check := func(row report.Row, s report.Selection, want ...eval.Ordinal) {
		t.Helper()
		if got := samplesOf(t, m, row, s); !slices.Equal(got, want) {
			t.Errorf("%+v: samples %v, want %v", s, got, want)
		}
	}
	gpt := find(t, r.Rows, 1, "gpt")
	check(gpt, report.Selection{Which: Aligned}, 0)
	check(gpt, report.Selection{Which: Misaligned}, 1, 2)
	check(gpt, report.Selection{Which: CaseOne}, 2)
	check(gpt, report.Selection{Which: CaseTwo}, 1)
	check(gpt, report.Selection{Which: Misaligned, Level: []string{"x", "y"}}, 1)
	check(gpt, report.Selection{Which: Excluded}, 3)
	check(gpt, report.Selection{Which: Confused, Part: FigureParams{People: "none", Machine: "C"}}, 2)
	check(gpt, report.Selection{Which: OnlyFirst, Part: FigureParams{With: "rules:first"}})
	check(gpt, report.Selection{Which: OnlySecond, Part: FigureParams{With: "rules:first"}}, 1)
	check(find(t, r.Rows, 1, "rules:first"), report.Selection{Which: OnlyFirst, Part: FigureParams{With: "gpt"}}, 1)
	check(gpt, report.Selection{Which: Aligned, Part: FigureParams{Person: "ben"}}, 0)
	check(gpt, report.Selection{Which: CaseOne, Part: FigureParams{Person: "ann"}}, 2)
	check(gpt, report.Selection{Which: CaseOne, Part: FigureParams{Person: "cyd"}})
	check(gpt, report.Selection{Which: CausedBy}, 1)
	m.Acts["q"] = append(m.Acts["q"], annotate.Act{
		Queue: "q", Annotator: "cyd", N: 1, Item: annotate.NewItemKey(eval.Key{Run: 1, Sample: 1}), Kind: annotate.Ruled,
		Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: "B"},
	})
	check(gpt, report.Selection{Which: Adjudicated}, 1)
	check(gpt, report.Selection{Which: CausedBy})
	check(gpt, report.Selection{Which: CausedBy, Part: FigureParams{Cause: annotate.JudgeRight}}, 1)
	whole := find(t, r.Overall, 0, "gpt")
	check(whole, report.Selection{Which: Excluded, Part: FigureParams{Reason: annotate.LeftNoConsensus}}, 0)
	check(whole, report.Selection{Which: Misaligned, Part: FigureParams{Model: "m"}}, 1, 2)
	check(whole, report.Selection{Which: Misaligned, Part: FigureParams{Model: "n"}})
}

func TestSavedReports(t *testing.T) {
	m := unread()
	save := func() {
		t.Helper()
		r := align(t, m, Options{})
		s, err := report.NewSavedReport(&r, "ann", time.Unix(1_700_000_000, 0))
		if err != nil {
			t.Fatal(err)
		}
		s.ID = uint64(len(m.Saved["q"]) + 1)
		m.Saved["q"] = append(m.Saved["q"], s)
	}
	check := func(o Options, want ...string) {
		t.Helper()
		rows := align(t, m, o).Rows
		row := rows[len(rows)-1].(*Row)
		if row.Saved == 0 || row.Stale == nil || *row.Stale != (len(want) > 0) || !slices.Equal(row.Reasons, want) {
			t.Errorf("saved row: report %d, stale %v for %q, want %q", row.Saved, row.Stale, row.Reasons, want)
		}
		if row.Extractor != "gpt" || row.Alignment.Undefined == "" {
			t.Errorf("saved row lost its numbers: %+v", row)
		}
	}
	save()
	check(Options{})
	check(Options{Policy: annotate.Unanimous})
	check(Options{Reader: reporttest.NewReaders("2")}, "rules changed: letters from 1 to 2", "rules changed: first from 1 to 2")
	m.AddJudgment(1, 0, "D")
	check(Options{}, "judge changed: gpt (readings)")
	m.AddLabel("ann", 1, 0, "B")
	check(Options{}, "labels changed", "judge changed: gpt (readings)")
	m.AddLabel("ann", 1, 0, "A")
	m.AddJudgment(1, 0, "A")
	check(Options{})
	last := &m.AllJudgments[1][len(m.AllJudgments[1])-1]
	last.Prompt = "p2"
	check(Options{}, "judge changed: gpt (prompt)")
	last.Prompt, last.Setup = "p1", "s2"
	check(Options{}, "judge changed: gpt (settings)")
	last.Setup = ""
	m.Items["q"] = m.Items["q"][:7] // the last one is in no queue
	m.AddJudgment(2, 3, "A")
	check(Options{})
	m.Acts["q"] = append(m.Acts["q"], annotate.Act{
		Queue: "q", Annotator: "cyd", N: 1, Item: annotate.NewItemKey(eval.Key{Run: 1}), Kind: annotate.Ruled,
		Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: "A"},
	})
	check(Options{}, "adjudications changed")
	if _, err := report.NewSavedReport(&report.Report{Name: "accuracy"}, "ann", time.Time{}); err == nil {
		t.Error("an accuracy report was saved")
	}
}

func TestAlignmentAsJSON(t *testing.T) {
	b, err := json.Marshal(align(t, unread(), Options{}))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Report     string           `json:"report"`
		Confidence float64          `json:"confidence"`
		Rows       []map[string]any `json:"rows"`
		Overall    []map[string]any `json:"overall"`
	}
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if got.Report != "alignment" || got.Confidence != 0.95 {
		t.Errorf("head: %+v", got)
	}
	for _, row := range got.Rows {
		for _, field := range []string{
			"run", "dataset", "split", "model", "modality", "extractor", "queue", "policy", "undecided",
			"alignment", "case_one", "case_two", "cohen_kappa", "gwet_ac1", "excluded",
		} {
			if v, ok := row[field]; !ok || v == nil {
				t.Errorf("row of %v has no %s", row["extractor"], field)
			}
		}
	}
	if _, ok := got.Overall[0]["run"]; ok {
		t.Error("a row over several runs names one")
	}
}

// samplesOf are the samples behind a figure.
func samplesOf(t *testing.T, m *reporttest.Memory, row report.Row, s report.Selection) (out []eval.Ordinal) {
	t.Helper()
	for k, err := range row.KeysBehind(t.Context(), m, s) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, k.Sample)
	}
	return out
}

// While labels are to come rates are elements of a confidence sequence, and
// coefficients have no interval; a run of which all is labelled has its interval.
func TestAlignmentWhileLabelling(t *testing.T) {
	m := unread()
	m.Acts["q"] = slices.DeleteFunc(m.Acts["q"], func(a annotate.Act) bool { return a.Kind == annotate.Skipped && a.Item.Run == 2 })
	r := align(t, m, Options{})
	open, done := find(t, r.Overall, 0, "gpt"), find(t, r.Rows, 1, "gpt")
	if a := open.Alignment; !a.Sequence || a.K != 1 || a.N != 3 || a.Low > 0.01 || a.High < 0.99 || open.Kappa.Interval || open.Kappa.Without == "" {
		t.Errorf("of an unfinished queue: %+v, kappa %+v", a, open.Kappa)
	}
	if done.Alignment != stat.NewRate(1, 3) {
		t.Errorf("of a run that is labelled: %+v", done.Alignment)
	}
	if !slices.Contains(r.Notes, table.SequenceNote) {
		t.Errorf("notes: %q", r.Notes)
	}
	b, err := json.Marshal(open)
	if err != nil || !strings.Contains(string(b), `"interval":"sequence"`) || !strings.Contains(string(b), `"no_interval":"people are still labelling`) {
		t.Errorf("%v: %s", err, b)
	}
}
