package alignment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/eval"
)

// kept are facts that keep what rule sets read, in columns or not yet. They refuse to look up single ones, but where a record of the run is broken.
type kept struct {
	*reporttest.Memory
	bare      bool
	asked     int
	broken    error
	clustered bool
}

func (c *kept) Readings(ctx context.Context, run eval.Run, rules ...eval.Reader) iter.Seq2[eval.Question, error] {
	c.asked++
	if c.broken != nil {
		return func(yield func(eval.Question, error) bool) { yield(eval.Question{}, c.broken) }
	}
	return eval.MapSeq(c.Questions(ctx, run), func(q eval.Question) (eval.Question, error) {
		q.Predictions = slices.Clone(q.Predictions)
		for i := range q.Predictions {
			p := &q.Predictions[i]
			var read *eval.Extracted
			for _, r := range rules {
				read = &eval.Extracted{Reader: eval.ReaderID(r), Extraction: eval.ReadPrediction(r, &q.Sample, p), Bare: c.bare, Next: read}
			}
			if p.Extracted = read; c.bare {
				p.Text, q.Sample.Options = "", nil
			}
		}
		return q, nil
	})
}

// AssignCluster has every four samples share something.
func (c *kept) AssignCluster(_ eval.DatasetName, s *eval.Sample) {
	s.Cluster = eval.Either(c.clustered, fmt.Sprint(s.Ordinal/4), "")
}

func (c *kept) Sample(d eval.DatasetName, o eval.Ordinal) (eval.Sample, error) {
	s, err := c.Memory.Sample(d, o)
	c.AssignCluster(d, &s)
	return s, err
}

func (c *kept) Prediction(k eval.Key) (eval.Prediction, error) {
	if c.broken != nil {
		return c.Memory.Prediction(k)
	}
	return eval.Prediction{}, fmt.Errorf("prediction %s is looked up", k)
}

// A queue of many items gives the same figures whether its predictions are looked up, read with their
// run, or come without texts.
func TestQueuesOfManyItems(t *testing.T) {
	m := reporttest.New()
	var samples []eval.Sample
	for i := range manyItems + 100 {
		samples = append(samples, reporttest.NewABCDSample(i, eval.Choice("ABCD"[i%4:i%4+1]), "x", string(rune('a'+i%3))))
	}
	m.AddDataset("d", samples...)
	id := m.AddRun(eval.Config{Dataset: "d", Model: "m", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Asked, Rules: "letters"})
	m.AddQueue(annotate.FromAll, len(samples))
	for i := range samples {
		k := eval.Key{Run: id, Sample: eval.Ordinal(i)}
		if i == 7 {
			m.AddPrediction(eval.Prediction{Key: k, Failure: &eval.Failure{Kind: eval.FailureSample}})
		} else {
			m.AddResponse(id, k.Sample, 0, []string{"A", "the answer is B", "none", "(C)"}[i%4])
		}
		m.AddItem(k, 1)
		m.AddLabelOf(k, eval.Choice("AB"[i%2:i%2+1]))
		m.AddJudgment(id, k.Sample, "A")
	}
	print := func(facts report.Facts, o Options) string {
		t.Helper()
		o.Queue, o.Rules, o.Reader = m.AllQueues[0].Name, []string{"letters", "first"}, reporttest.NewReaders("1")
		r, err := ReportAlignment(t.Context(), facts, o)
		if err != nil {
			t.Fatal(err)
		}
		out, err := json.Marshal(r.Rows)
		if err != nil || len(r.Rows) == 0 {
			t.Fatal(len(r.Rows), err)
		}
		return string(out)
	}
	for _, o := range []Options{{}, {Judge: "gpt"}} {
		want := print(m, o)
		for _, bare := range []bool{false, true} {
			facts := &kept{Memory: m, bare: bare}
			if have := print(facts, o); have != want || facts.asked != 1 {
				t.Errorf("bare %v, of judge %q: read %d times, and\n%s\nwant\n%s", bare, o.Judge, facts.asked, have, want)
			}
		}
		if have := print(&kept{Memory: m, broken: errors.New("damaged")}, o); have != want {
			t.Errorf("beside a damaged prediction, of judge %q:\n%s\nwant\n%s", o.Judge, have, want)
		}
	}
	alone, want := print(m, Options{}), print(&kept{Memory: m, broken: errors.New("damaged"), clustered: true}, Options{})
	if have := print(&kept{Memory: m, clustered: true}, Options{}); have != want || have == alone {
		t.Errorf("clustered:\n%s\nwant\n%s\nand not\n%s", have, want, alone)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := ReportAlignment(ctx, m, Options{Queue: "q", Rules: []string{"letters"}, Reader: reporttest.NewReaders("1")})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
