package accuracy

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
)

// marked is Facts with judges' scores.
type marked struct {
	*reporttest.Memory
	scores []eval.Score
}

func (m *marked) Scores(_ context.Context, id eval.RunID) iter.Seq2[eval.Score, error] {
	return reporttest.YieldAll(slices.DeleteFunc(slices.Clone(m.scores), func(s eval.Score) bool { return s.Run != id }))
}

func (m *marked) score(judge string, o eval.Ordinal, value int) *eval.Score {
	m.scores = append(m.scores, eval.Score{Key: eval.Key{Run: 1, Sample: o}, Judge: judge, Value: value})
	return &m.scores[len(m.scores)-1]
}

// newMarked gives one run on eight samples: five with an answer and a reference,
// one without reference, one without answer, one that is not open.
func newMarked() *marked {
	m := &marked{Memory: reporttest.New()}
	open := eval.Sample{Kind: eval.KindOpen, Reference: "two dogs"}
	bare := eval.Sample{Kind: eval.KindOpen}
	m.AddDataset("d", open, open, open, open, open, bare, open, eval.Sample{Kind: eval.KindChoice, Answer: "A"})
	run := m.AddRun(eval.Config{Dataset: "d", Model: "model", Modality: eval.WithImage})
	for o, text := range []string{"Two dogs.", "2 dogs", "dogs", "cats", "The two dogs", "a poem"} {
		m.AddResponse(run, eval.Ordinal(o), 0, text)
	}
	m.score("gpt", 0, 5)
	m.score("gpt", 1, 4)
	m.score("gpt", 2, 3)
	m.score("gpt", 2, 2) // a newer one stands
	m.score("gpt", 2, 0).Failure = &eval.Failure{Kind: eval.FailureTransient}
	m.score("gpt", 3, 0) // holds no score
	m.score("other", 0, 5).Failure = &eval.Failure{Kind: eval.FailureTransient}
	m.score("gpt", 5, 5) // of an answer without reference: counted nowhere

	m.AllQueues = []annotate.Queue{
		{Name: "q", Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll}, Stratum: annotate.Random},
		{Name: "picked", Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll}, Stratum: annotate.Priority},
	}
	m.grade("q", "ann", 0, 5)
	m.grade("q", "bob", 0, 4)
	m.grade("q", "ann", 1, 1)
	m.grade("q", "ann", 2, 3)
	m.Acts["q"] = append(m.Acts["q"], annotate.Act{
		Queue: "q", Annotator: "ann", N: 9, Item: annotate.NewItemKey(eval.Key{Run: 1, Sample: 2}), Kind: annotate.Excluded,
	})
	m.grade("picked", "ann", 3, 1)
	return m
}

func (m *marked) grade(q annotate.QueueName, who annotate.Annotator, o eval.Ordinal, value int) {
	m.Acts[q] = append(m.Acts[q], annotate.Act{
		Queue: q, Annotator: who, N: uint32(len(m.Acts[q]) + 1), Item: annotate.NewItemKey(eval.Key{Run: 1, Sample: o}),
		Kind: annotate.Labelled, Reading: annotate.Reading{Kind: annotate.Scored, Score: value},
	})
}

func TestScores(t *testing.T) {
	m := newMarked()
	r, err := ReportScores(t.Context(), m, report.Options{})
	if err != nil || len(r.Rows) != 1 {
		t.Fatal(len(r.Rows), err)
	}
	row := r.Rows[0].(*ScoresRow)
	if row.N != 5 || row.NoReference != 1 || row.NoAnswer != 1 || row.ExactMatch.K != 3 || row.ExactMatch.N != 5 {
		t.Errorf("%+v", row)
	}
	gpt, other := row.Judges[0], row.Judges[1]
	if math.Abs(gpt.Mean.Value-11.0/3) > 1e-12 || gpt.Mean.N != 3 || gpt.Given != [5]int{0, 1, 0, 1, 1} || gpt.Unparsed != 1 || gpt.NotAsked != 1 || gpt.Failed != 0 {
		t.Errorf("%+v", gpt)
	}
	if other.Mean.WhyUndefined() == "" || other.Failed != 1 || other.NotAsked != 4 {
		t.Errorf("%+v", other)
	}
	// People: 4.5 of sample 0 and 1 of sample 1; 2 is excluded, 3 of a priority queue.
	if p := row.People; p.Mean.Value != 2.75 || p.Mean.N != 2 || p.Scores != 3 || p.People != 2 || p.Excluded != 1 || p.Priority != 1 {
		t.Errorf("%+v", p)
	}
	// The judge's 5 and 4 less people's 4.5 and 1.
	if gpt.Beyond.Value != 1.75 || gpt.Beyond.N != 2 {
		t.Errorf("%+v", gpt.Beyond)
	}
	check := func(which report.Which, want ...eval.Ordinal) {
		t.Helper()
		var got []eval.Ordinal
		for k, err := range row.KeysBehind(t.Context(), m, report.Selection{Which: which}) {
			if err != nil || k.Run != 1 {
				t.Fatal(k, err)
			}
			got = append(got, k.Sample)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", which, got, want)
		}
	}
	check(Matched, 0, 1, 4)
	check(NotMatched, 2, 3)
	check(NoReference, 5)
	check(NoScore+"gpt", 3)
	check(GivenScore+"2:gpt", 2)
	check(PeopleScored, 0, 1)
	for _, f := range []table.Format{table.FormatTable, table.FormatJSON, table.FormatCSV, table.FormatMarkdown, table.FormatLaTeX} {
		var b bytes.Buffer
		if err := report.RenderReport(&b, r, f, 80); err != nil || b.Len() == 0 {
			t.Errorf("%s: %v", f, err)
		}
		if f == table.FormatJSON && !json.Valid(b.Bytes()) || f == table.FormatTable && !strings.Contains(b.String(), "3.67 [1.43, 4.88]") {
			t.Errorf("%s", &b)
		}
	}
	if _, err := ReportScores(t.Context(), m, report.Options{Dataset: "e"}); err == nil {
		t.Error("no error without runs")
	}
}

// A judge may take the place of a person whose scores are as far from the others', and
// an answer that is excluded counts for nobody.
func TestScoresReplacing(t *testing.T) {
	m := &marked{Memory: reporttest.New()}
	m.AddDataset("d", slices.Repeat([]eval.Sample{{Kind: eval.KindOpen, Reference: "x"}}, 41)...)
	run := m.AddRun(eval.Config{Dataset: "d", Model: "model", Modality: eval.WithImage})
	m.AllQueues = []annotate.Queue{{Name: "q", Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll}, Stratum: annotate.Random}}
	for o := range eval.Ordinal(41) {
		m.AddResponse(run, o, 0, "x")
		m.score("good", o, 3)
		m.score("bad", o, 5)
		m.grade("q", "ann", o, 2)
		m.grade("q", "bob", o, 3)
		m.grade("q", "cy", o, 4)
	}
	m.Acts["q"] = append(m.Acts["q"], annotate.Act{Queue: "q", Annotator: "ann", N: 999, Item: annotate.NewItemKey(eval.Key{Run: 1}), Kind: annotate.Excluded})
	r, err := ReportReplacing(t.Context(), m, report.Options{}, 0.2)
	if err != nil || len(r.Rows) != 2 {
		t.Fatal(len(r.Rows), err)
	}
	bad, good := r.Rows[0].(*report.ReplacingRow), r.Rows[1].(*report.ReplacingRow)
	if good.N != 40 || !good.Passes || good.WinningRate.Value != 1 || bad.Passes || bad.WinningRate.Value > 0.4 {
		t.Errorf("good %+v\nbad %+v", good, bad)
	}
	if _, err := ReportReplacing(t.Context(), m, report.Options{Judge: "nobody"}, 0.2); err == nil {
		t.Error("no error without a judge")
	}
}
