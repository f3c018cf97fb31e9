package accuracy

import (
	"context"
	"encoding/json"
	"iter"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/eval"
)

// counted counts how often the questions of a run are read.
type counted struct {
	*reporttest.Memory
	read map[eval.RunID]int
}

func (c *counted) Questions(ctx context.Context, r eval.Run) iter.Seq2[eval.Question, error] {
	c.read[r.ID]++
	return c.Memory.Questions(ctx, r)
}

// Reports that share say what each says alone, and every run is read once to be
// counted and once to be decided sample by sample.
func TestShared(t *testing.T) {
	facts := &counted{seen(), map[eval.RunID]int{}}
	alone := report.Options{Reader: reporttest.NewReaders("1"), Cards: bases}
	shared := alone
	shared.Shared = &report.SharedScans{}
	told := 0
	shared.Progress = func(done, _ int) { told = done }
	reports := []func(context.Context, report.Facts, report.Options) (report.Report, error){ReportAccuracy, ReportPositions, ReportSteps, ReportBaselines, ReportGains, ReportLeaks, ReportGains}
	for i, build := range reports {
		want, err := build(t.Context(), facts.Memory, alone)
		if err != nil {
			t.Fatal(err)
		}
		got, err := build(t.Context(), facts, shared)
		if err != nil {
			t.Fatal(err)
		}
		a, errA := json.Marshal(want.Rows)
		b, errB := json.Marshal(got.Rows)
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("report %d: %s\nalone %s", i, b, a)
		}
	}
	for run, n := range facts.read {
		if n > 2 {
			t.Errorf("run %d is read %d times", run, n)
		}
	}
	if told != 0 {
		t.Errorf("the last report read nothing, and told of %d", told)
	}
}
