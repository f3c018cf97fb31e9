package report_test

import (
	"context"
	"iter"
	"slices"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/eval"
)

// columns are facts of which the rule sets' readings are kept, but for those of one sample.
type columns struct {
	*reporttest.Memory
	gone  eval.Ordinal // of the rule set that is asked last
	asked int
}

func (c *columns) Readings(ctx context.Context, run eval.Run, rules eval.Reader) iter.Seq2[eval.Question, error] {
	c.asked++
	drops := c.asked == 3
	return eval.MapSeq(c.Questions(ctx, run), func(q eval.Question) (eval.Question, error) {
		if drops && q.Sample.Ordinal == c.gone {
			q.Predictions = nil
		}
		q.Predictions = slices.Clone(q.Predictions)
		for i := range q.Predictions {
			p := &q.Predictions[i]
			p.Extracted = &eval.Extracted{Reader: eval.ReaderID(rules), Extraction: eval.ReadPrediction(rules, &q.Sample, p), Bare: true}
			p.Text = ""
		}
		return q, nil
	})
}

// What several rule sets read in a run is known together, without its texts.
func TestReadBySeveralRuleSets(t *testing.T) {
	m := reporttest.New()
	m.AddDataset("d", reporttest.NewABCDSample(0, "A"), reporttest.NewABCDSample(1, "B"), reporttest.NewABCDSample(2, "C"))
	id := m.AddRun(eval.Config{Dataset: "d", Model: "m"})
	for o := range eval.Ordinal(3) {
		m.AddResponse(id, o, 0, []string{"A", "B", "C"}[o])
	}
	run := eval.Run{ID: id, Config: eval.Config{Dataset: "d", Model: "m"}}
	find := reporttest.NewReaders("1")
	var rules []eval.Reader
	for _, name := range []string{"letters", "first"} {
		r, err := find(name)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, r)
	}
	rules = append(rules, rules[0], named{rules[0]})
	texts, err := eval.Collect(m.Questions(t.Context(), run))
	if err != nil {
		t.Fatal(err)
	}
	c := &columns{Memory: m, gone: 1}
	n := 0
	for q, err := range report.Read(t.Context(), c, run, rules...) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if q.Sample.Ordinal == c.gone {
			if len(q.Predictions) > 0 {
				t.Errorf("a prediction that one rule set could not read: %+v", q.Predictions)
			}
			continue
		}
		for _, r := range rules {
			got, want := eval.ReadPrediction(r, &q.Sample, &q.Predictions[0]), eval.ReadPrediction(r, &texts[q.Sample.Ordinal].Sample, &texts[q.Sample.Ordinal].Predictions[0])
			if got != want {
				t.Errorf("%s reads %+v in sample %d, want %+v", r.Name(), got, q.Sample.Ordinal, want)
			}
		}
	}
	if n != 3 || c.asked != 3 {
		t.Errorf("%d questions of %d rule sets, want 3 of 3", n, c.asked)
	}
}

// named is a rule set under another name.
type named struct{ eval.Reader }

func (named) Name() string { return "another" }
