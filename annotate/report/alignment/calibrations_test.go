package alignment

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/eval/stat"
)

// keep saves the queue's alignment as it is, n minutes after some time.
func keep(m *reporttest.Memory, t *testing.T, o Options, n int) {
	t.Helper()
	r := align(t, m, o)
	s, err := report.NewSavedReport(&r, "ann", time.Unix(1_700_000_000, 0).Add(time.Duration(n)*time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	s.ID = uint64(len(m.Saved["q"]) + 1)
	m.Saved["q"] = append(m.Saved["q"], s)
	m.Saved[""] = append(m.Saved[""], s)
}

func TestCalibrations(t *testing.T) {
	m := unread()
	keep(m, t, Options{}, 1)
	keep(m, t, Options{}, 2)
	keep(m, t, Options{Policy: annotate.Unanimous}, 3)
	m.AddLabel("ben", 1, 1, "B") // ann says A: no consensus any more
	keep(m, t, Options{}, 4)
	m.AddJudgment(1, 0, "D")
	r, err := ReportCalibrations(t.Context(), m, CalibrationOptions{Reader: reporttest.NewReaders("1")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range r.Rows {
		c := row.(*CalibrationRow)
		s := fmt.Sprintf("%s %s %d", c.Extractor, c.Policy, c.Saved)
		if c.Shift != nil {
			s += fmt.Sprintf(" since %d %q", c.Shift.Since, c.Shift.Because)
		}
		if c.Stale {
			s += fmt.Sprintf(" stale %q", c.Reasons)
		}
		got = append(got, s)
	}
	want := []string{
		`gpt majority 1 stale ["labels changed" "judge changed: gpt (readings)"]`,
		`gpt majority 2 since 1 [] stale ["labels changed" "judge changed: gpt (readings)"]`,
		`gpt majority 4 since 2 ["labels changed"] stale ["judge changed: gpt (readings)"]`,
		`gpt unanimous 3 stale ["labels changed" "judge changed: gpt (readings)"]`,
		`rules:first majority 1 stale ["labels changed"]`,
		`rules:first majority 2 since 1 [] stale ["labels changed"]`,
		`rules:first majority 4 since 2 ["labels changed"]`,
		`rules:first unanimous 3 stale ["labels changed"]`,
		`rules:letters majority 1 stale ["labels changed"]`,
		`rules:letters majority 2 since 1 [] stale ["labels changed"]`,
		`rules:letters majority 4 since 2 ["labels changed"]`,
		`rules:letters unanimous 3 stale ["labels changed"]`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	second, third := r.Rows[1].(*CalibrationRow), r.Rows[2].(*CalibrationRow)
	if second.Shift.Difference != stat.NewExactEstimate(0, 3) {
		t.Errorf("without a change: %+v", second.Shift.Difference)
	}
	if third.Shift.Difference != stat.IndependentDifference(second.Alignment, third.Alignment) || third.Alignment.N != 2 {
		t.Errorf("with one: %+v of %+v", third.Shift.Difference, third.Alignment)
	}
	if len(r.Sheets) != 4 || len(r.Notes) != 2 {
		t.Errorf("%d tables and notes %q", len(r.Sheets), r.Notes)
	}
}

// A report's own line ends with its figures of today.
func TestLine(t *testing.T) {
	m := unread()
	keep(m, t, Options{}, 1)
	m.AddLabel("ben", 1, 1, "A")
	r := align(t, m, Options{})
	line := ListOverTime(&r)
	if len(line) != 6 || line[0].Saved != 1 || !line[0].Stale || line[1].Saved != 0 || line[1].Stale {
		t.Fatalf("a line of %d", len(line))
	}
	if s := line[1].Shift; s == nil || s.Since != 1 || !slices.Equal(s.Because, []string{annotate.StaleLabels}) {
		t.Errorf("today's change: %+v", s)
	}
}

func TestNoCalibrations(t *testing.T) {
	r, err := ReportCalibrations(t.Context(), unread(), CalibrationOptions{Queue: "q"})
	if err != nil || len(r.Rows) != 0 || len(r.Notes) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := ReportCalibrations(t.Context(), unread(), CalibrationOptions{Queue: "other"}); err == nil {
		t.Error("a queue that is not there was reported")
	}
}
