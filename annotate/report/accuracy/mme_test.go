package accuracy

import (
	"math"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// twoOfMME adds a second run to mme(): right about the first picture of each
// subtask, in words that do not follow the instruction on the first question.
func twoOfMME() *reporttest.Memory {
	m := mme()
	run := m.AddRun(eval.Config{Dataset: "mme", Model: "half", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported, Rules: "concord"})
	for o := range m.AllSamples["mme"] {
		text := "No"
		if o%4 == 0 {
			text = "Answer: yes"
		}
		m.AddResponse(run, eval.Ordinal(o), 0, text)
	}
	return m
}

func TestMMEReport(t *testing.T) {
	m := twoOfMME()
	r, err := ReportMME(t.Context(), m, report.Options{Cards: cards})
	if err != nil {
		t.Fatal(err)
	}
	yes, half := r.Rows[0].(*MMERow), r.Rows[1].(*MMERow)
	// Always yes: half of the questions, no picture. Half: three of four
	// questions, one of two pictures.
	check := func(r *MMERow, perception, cognition float64, place int, follows, says, always stat.Count) {
		t.Helper()
		if r.Perception.Value != perception || r.Cognition.Value != cognition || r.Total.Value != perception+cognition || r.Partial {
			t.Errorf("%s: %+v, %+v", r.Model, r.Perception, r.Cognition)
		}
		if r.PerceptionPlace != place || r.CognitionPlace != place || r.TotalPlace != place || r.List[0].Place != place {
			t.Errorf("%s: places %d, %d, %d", r.Model, r.PerceptionPlace, r.CognitionPlace, r.List[0].Place)
		}
		count := func(r stat.Rate) stat.Count { return stat.Count{K: r.K, N: r.N} }
		if s := r.Shares; count(s.Follows) != follows || count(s.Yes) != says || count(s.AlwaysYes) != always || s.Yes.Clusters != 28 {
			t.Errorf("%s: shares %+v", r.Model, r.Shares)
		}
	}
	check(yes, 500, 200, 2, stat.Count{K: 56, N: 56}, stat.Count{K: 56, N: 56}, stat.Count{K: 28, N: 28})
	check(half, 1250, 500, 1, stat.Count{K: 42, N: 56}, stat.Count{K: 14, N: 56}, stat.Count{N: 28})
	s := half.findSubtask("OCR")
	if s.Accuracy.K != 3 || s.Accuracy.Clusters != 2 || s.Plus != stat.NewRate(1, 2) || s.Score.Value != 125 || s.Ability != eval.Perception {
		t.Errorf("%+v", s)
	}
	text := render(t, r, table.FormatTable)
	for _, want := range []string{"leaderboards", "mme, split all: perception", "mme, split all: cognition, accuracy and accuracy+"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Every figure opens its questions.
func TestMMEDrill(t *testing.T) {
	m := twoOfMME()
	r, err := ReportMME(t.Context(), m, report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	check := func(row report.Row, which report.Which, level []string, want int) {
		t.Helper()
		n, last := 0, eval.Key{}
		for k, err := range row.KeysBehind(t.Context(), m, report.Selection{Which: which, Level: level}) {
			if err != nil {
				t.Fatal(err)
			}
			if n > 0 && report.CompareKeys(last, k) >= 0 {
				t.Errorf("%s: %v behind %v", which, k, last)
			}
			last = k
			n++
		}
		if n != want {
			t.Errorf("%s of %v: %d questions, want %d", which, level, n, want)
		}
	}
	yes, half := r.Rows[0], r.Rows[1]
	check(yes, report.Right, nil, 28)
	check(yes, AlwaysYes, nil, 56)
	check(yes, AlwaysYes, []string{eval.Cognition}, 16)
	check(half, PlusRight, nil, 28)
	check(half, PlusWrong, []string{eval.Perception, "OCR"}, 2)
	check(half, NotFollows, nil, 14)
	check(half, Follows, []string{eval.Perception}, 30)
	check(half, SaidYes, nil, 14)
	check(half, report.Wrong, nil, 14)
	check(half, Unpaired, nil, 0)
	check(half, Undecided, nil, 0)
}

// Sums of a part of the subtasks are marked, and have no place; a question
// without its other one is told.
func TestMMEPartial(t *testing.T) {
	m := twoOfMME()
	m.AllSamples["mme"] = m.AllSamples["mme"][:7]
	r, err := ReportMME(t.Context(), m, report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	row := r.Rows[1].(*MMERow)
	if !row.Partial || row.Missing != 12 || row.TotalPlace != 0 || row.PerceptionPlace != 0 || row.findSubtask("existence").Place != 1 {
		t.Errorf("%+v", row)
	}
	if row.Cognition.WhyUndefined() == "" || row.findSubtask("count").Unpaired != 1 {
		t.Errorf("%+v", row)
	}
	if len(r.Notes) != 4 || !strings.Contains(r.Notes[2], "partial") || !strings.Contains(r.Notes[3], "not in accuracy+ (1)") {
		t.Errorf("notes %q", r.Notes)
	}
	if _, err := ReportMME(t.Context(), reporttest.New(), report.Options{}); err == nil {
		t.Error("a report without runs")
	}
}

// The published scores come out of the real files (data/README.md).
func TestRealMMEReport(t *testing.T) {
	check := func(m *reporttest.Memory, rules string, perception, cognition float64) {
		t.Helper()
		r, err := ReportMME(t.Context(), m, report.Options{Rules: rules})
		if err != nil {
			t.Fatal(err)
		}
		row := r.Rows[0].(*MMERow)
		if math.Abs(row.Perception.Value-perception) > 5e-5 || math.Abs(row.Cognition.Value-cognition) > 5e-5 || row.Partial {
			t.Errorf("%s: %.4f and %.4f, want %.4f and %.4f", rules, row.Perception.Value, row.Cognition.Value, perception, cognition)
		}
	}
	check(lavin(t), "mme", 963.6114, 249.6429)
	check(vila(t), "vlmevalkit", 1558.5247, 282.5)
	check(vila(t), "mme", 1563.5247, 283.2143)
}
