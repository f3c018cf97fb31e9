package view

import (
	"fmt"
	"testing"

	"concord/eval/dataset"

	"concord/annotate"
	"concord/cmd/concord/internal/projecttest"
	"concord/eval"
	"concord/tui/home"
)

// shelved is a run of 300 questions whose first passes for sample 0 and 1
// failed before everything else was answered.
func shelved(t *testing.T) (Overview, eval.Run) {
	st := projecttest.New(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, d := t.Context(), eval.Dataset{Name: "d", Samples: 300, Hash: "h"}
	must(st.Datasets().BeginDataset(ctx, d))
	var items []dataset.Item
	for i := range d.Samples {
		items = append(items, dataset.Item{Sample: eval.Sample{
			Ordinal: eval.Ordinal(i), ID: eval.SampleID(fmt.Sprint("s", i)), Kind: eval.KindChoice, Question: "What?", Answer: "A",
			Options: []eval.Option{{Letter: "A", Text: "cat"}, {Letter: "B", Text: "dog"}},
		}})
	}
	must(st.Datasets().PutSamples(ctx, "d", items))
	must(st.Datasets().FinishDataset(ctx, d))
	r, err := st.Runs().CreateRun(ctx, eval.Config{
		Dataset: "d", Model: "m", Strategy: eval.Circular, Modality: eval.WithImage, Origin: eval.Asked, Rules: "concord",
		Settings: eval.Settings{Judges: []eval.JudgeSetup{{Judge: "j"}}},
	})
	must(err)
	facts := make([]eval.Fact, 0, d.Samples+1)
	for i := range d.Samples + 1 {
		p := eval.Prediction{Key: eval.Key{Run: r.ID, Sample: eval.Ordinal(i)}, Text: "A", Usage: eval.Usage{Prompt: 1000, Completion: 10}}
		f := eval.Fact{Reading: eval.Extraction{Status: eval.Found, Choice: "A", Method: "letter"}, Reader: "concord@1"}
		switch i {
		case 0:
			p.Failure = &eval.Failure{Kind: eval.FailureSample, Message: "content filter"}
		case d.Samples: // the other pass of the sample that is sealed below
			p.Key, p.Failure = eval.Key{Run: r.ID, Sample: 1, Pass: 1}, &eval.Failure{Kind: eval.FailureSample, Message: "cut off"}
		}
		if f.Prediction = p; p.Failure != nil {
			f.Prediction.Text, f.Reading = "", eval.Extraction{}
		}
		facts = append(facts, f)
	}
	_, err = st.Runs().RecordAll(ctx, facts)
	must(err)
	must(st.Judgments().RecordJudgment(ctx, eval.Judgment{
		Key: eval.Key{Run: r.ID, Sample: 2}, Judge: "other", Extraction: eval.Extraction{Status: eval.None},
		Call: eval.Call{Usage: eval.Usage{Prompt: 500}},
	}, false))
	return Overview{Store: st, Policy: NewPolicies(st)}, r
}

// A failure is found however many answers stand behind it, and hidden while
// it would tell of an item that is yet to be answered.
func TestFailuresOfARun(t *testing.T) {
	h, r := shelved(t)
	check := func(want ...string) {
		t.Helper()
		got, err := h.FailedAnswers(t.Context(), "ada", r.ID, 50)
		if err != nil {
			t.Fatal(err)
		}
		var shown []string
		for _, a := range got {
			shown = append(shown, fmt.Sprintf("%s.%d %s", a.Sample, a.Key.Pass, a.Failure))
		}
		if fmt.Sprint(shown) != fmt.Sprint(want) {
			t.Errorf("shown %q, want %q", shown, want)
		}
	}
	check("s1.1 cut off", "s0.0 content filter")
	err := h.Store.Queues().CreateQueue(t.Context(), annotate.Queue{
		Name: "q", Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll}, Stratum: annotate.Random, Overlap: 1,
	}, []annotate.QueueItem{{Key: annotate.NewItemKey(eval.Key{Run: r.ID, Sample: 1}), Inclusion: 1}})
	if err != nil {
		t.Fatal(err)
	}
	check("s0.0 content filter") // pass 1 is asked of right answers only
}

// What a run at rest has cost is what a runner would say: by today's prices,
// of all that was used.
func TestCostOfARunAtRest(t *testing.T) {
	h, r := shelved(t)
	check := func(origin eval.Origin, prices map[string]eval.Price, cost float64, priced bool) {
		t.Helper()
		h.Price = func(m string) eval.Price { return prices[m] }
		r.Config.Origin = origin
		p, _, err := h.progressOfIdleRun(t.Context(), &r)
		if err != nil {
			t.Fatal(err)
		}
		if d := p.Cost - cost; d*d > 1e-12 || p.Priced != priced {
			t.Errorf("%v: %v, priced %v", prices, p.Cost, p.Priced)
		}
		if len(p.Judges) != 1 || p.Judges[0].Judge != "other" || p.Judges[0].Counts.Judged != 1 {
			t.Errorf("judges %+v", p.Judges)
		}
	}
	one := eval.Price{Prompt: 1, Completion: 10}
	model := 301 * (1000*1 + 10*10) / 1e6
	check(eval.Asked, nil, 0, false)
	check(eval.Asked, map[string]eval.Price{"m": one}, model, false)
	check(eval.Asked, map[string]eval.Price{"m": one, "other": one}, model+500/1e6, false) // the run's own judge is yet to be asked
	check(eval.Asked, map[string]eval.Price{"m": one, "other": one, "j": one}, model+500/1e6, true)

	h.Price = nil
	rows, err := h.Runs(t.Context())
	if err != nil || len(rows) != 1 || rows[0].Progress.Priced || rows[0].Progress.Total != 300 {
		t.Errorf("without prices: %+v (%v)", rows, err)
	}
	free := home.Row{Run: eval.Run{Config: eval.Config{Origin: eval.Imported, Model: "m"}}}
	h.Price = func(string) eval.Price { return one }
	if cost, priced := h.costAtCurrentPrices(&free.Run, &free.Progress); cost != 0 || priced {
		t.Errorf("what nobody was asked for costs %v, priced %v", cost, priced)
	}
}
