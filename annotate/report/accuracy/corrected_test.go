package accuracy

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/eval"
)

// sampled is a vanilla run of 100 questions whose answer is A: letters reads
// 60 right, 20 wrong and 20 not at all. Of the latter a queue drew ten, and
// people read four as right.
func sampled() *reporttest.Memory {
	m := reporttest.New()
	var samples []eval.Sample
	for i := range 100 {
		samples = append(samples, reporttest.NewABCDSample(i, "A"))
	}
	m.AddDataset("d", samples...)
	run := m.AddRun(eval.Config{Dataset: "d", Model: "m", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported, Rules: "letters"})
	for o := range eval.Ordinal(100) {
		m.AddResponse(run, o, 0, []string{"A", "A", "A", "B", "hm"}[o%5])
	}
	m.AddQueue(annotate.FromUnparsable, 20)
	for i := range eval.Ordinal(10) {
		m.AddItem(eval.Key{Run: run, Sample: 5*i + 4}, 0.5)
		c := eval.Choice("A")
		if i >= 4 {
			c = "C"
		}
		m.AddLabel("ann", run, 5*i+4, c)
	}
	return m
}

func corrected(t *testing.T, m *reporttest.Memory, c report.Correcting) []*Row {
	t.Helper()
	return accuracy(t, m, report.Options{Corrected: &c})
}

// The accuracy of a run from a queue of the unparsable is stratified: the 80
// questions that were read count as read. By hand in correct.TestStratified.
func TestCorrectedByUnparsable(t *testing.T) {
	row := corrected(t, sampled(), report.Correcting{})[0]
	reporttest.CheckNear(t, "judge", row.JudgeOnly.Value, 0.6)
	reporttest.CheckNear(t, "corrected", row.Corrected.Value, 0.68)
	reporttest.CheckNear(t, "low", row.Corrected.Low, 0.5784158)
	reporttest.CheckNear(t, "high", row.Corrected.High, 0.7669682)
	if row.Corrected.N != 10 || row.Corrected.Method != "stratified ppi++" || row.Policy != "majority" || len(row.Queues) != 1 {
		t.Errorf("%+v", row.Correction)
	}
	if row.People.Undefined != "nobody has labelled answers outside every queue" {
		t.Errorf("people %+v", row.People)
	}
	if len(row.Warnings) != 1 || !strings.HasPrefix(row.Warnings[0], "only 4 labels differ from the machine") {
		t.Errorf("warnings %q", row.Warnings)
	}
	b, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Accuracy  struct{ K int }
		Corrected map[string]any
		Judge     map[string]any `json:"judge_only"`
		People    map[string]any `json:"people_only"`
		Gain      map[string]any
		Needs     map[string]any
		Strata    []map[string]any
	}
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if got.Accuracy.K != 60 || got.Corrected["method"] != "stratified ppi++" || got.Corrected["n"] != 10.0 ||
		got.People["value"] != nil || got.Gain["labels"] != nil || got.Needs["within"] != 0.02 || len(got.Strata) != 2 {
		t.Errorf("%s", b)
	}
}

// A ruling wins where it is asked for, and only there.
func TestCorrectedByRulings(t *testing.T) {
	check := func(p annotate.Policy, want float64) {
		t.Helper()
		m := sampled()
		m.AddRuling("cy", 1, 44, "A") // of the ten, people read the last as C
		reporttest.CheckNear(t, p.String(), corrected(t, m, report.Correcting{Policy: p})[0].Corrected.Value, want)
	}
	check(annotate.Majority, 0.68)
	check(annotate.Adjudicated, 0.70)
}

// What the labels do not determine is refused with the reason.
func TestCorrectionRefused(t *testing.T) {
	check := func(want string, change func(*reporttest.Memory), c report.Correcting) {
		t.Helper()
		m := sampled()
		change(m)
		row := corrected(t, m, c)[0]
		if row.Corrected.Undefined != want || row.People.Undefined != want {
			t.Errorf("%q, want %q", row.Corrected.Undefined, want)
		}
		reporttest.CheckNear(t, "judge", row.JudgeOnly.Value, 0.6)
	}
	check("no queue drawn at random has labels of it", func(m *reporttest.Memory) { m.AllQueues = nil }, report.Correcting{})
	check("its only labels are of targeted sampling (q), chosen by interest: they say nothing about the others",
		func(m *reporttest.Memory) { m.AllQueues[0].Stratum = annotate.Priority }, report.Correcting{})
	check("queue q was drawn from 12 predictions, and its filter finds 20 by now: with which probability the others would have been drawn is not known",
		func(m *reporttest.Memory) { m.AllQueues[0].Population = 12 }, report.Correcting{})
	check("queue q is of listed samples, 10 of 20 predictions: how the list was chosen is not known",
		func(m *reporttest.Memory) { m.AllQueues[0].Population, m.AllQueues[0].Rule.Listed = 10, 10 }, report.Correcting{})
	check("queue q does not say with which probability its items were drawn",
		func(m *reporttest.Memory) { m.Items["q"][3].Inclusion = 0 }, report.Correcting{})
	check("the items of queue q were drawn with different probabilities, and those of the others are not known",
		func(m *reporttest.Memory) { m.Items["q"][3].Inclusion = 0.25 }, report.Correcting{})
	check("queue q was drawn by letters@0, and the rules are letters@1 by now: which predictions it was drawn from is not known",
		func(m *reporttest.Memory) { m.AllQueues[0].Rule.Rules = "letters@0" }, report.Correcting{Queues: []annotate.QueueName{"q"}})
	check("nobody has labelled any of the items", func(m *reporttest.Memory) { m.Acts["q"] = nil }, report.Correcting{Queues: []annotate.QueueName{"q"}})

	m := sampled()
	m.AllQueues[0].Stratum = annotate.Priority
	c := report.Correcting{Queues: []annotate.QueueName{"q"}}
	if _, err := ReportAccuracy(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1"), Corrected: &c}); !errors.Is(err, report.ErrNotRandom) {
		t.Errorf("priority stratum by name: %v", err)
	}
	c.Queues[0] = "none"
	if _, err := ReportAccuracy(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1"), Corrected: &c}); !errors.Is(err, eval.ErrNotFound) {
		t.Errorf("no such queue: %v", err)
	}
}

// Under CircularEval the unit is the question: labelled where all its passes
// that could be drawn are, and in a stratum with those that have as many.
//
//	5 as read, 4 right; 2 with one pass, both labelled, 1 right;
//	3 with two passes, two labelled, 1 right: 0.5 * 0.8 + 0.2 * 0.5 + 0.3 * 0.5
func TestCorrectedCircular(t *testing.T) {
	m := reporttest.New()
	var samples []eval.Sample
	for i := range 10 {
		samples = append(samples, reporttest.NewABCDSample(i, "A"))
	}
	m.AddDataset("d", samples...)
	run := m.AddRun(eval.Config{Dataset: "d", Model: "m", Strategy: eval.Circular, Modality: eval.WithImage, Origin: eval.Imported, Rules: "letters"})
	unread := map[eval.Ordinal]eval.Pass{4: 1, 5: 1, 6: 2, 7: 2, 8: 1, 9: 2} // passes from 1 on
	m.AddQueue(annotate.FromUnparsable, 9)
	truth := func(o eval.Ordinal, p eval.Pass) eval.Choice { return samples[o].ShowInPass(p).Answer }
	for o := range eval.Ordinal(10) {
		for p := range eval.Pass(4) {
			text := string(truth(o, p))
			switch {
			case p > 0 && p <= unread[o]:
				text = "hm"
				m.AddItem(eval.Key{Run: run, Sample: o, Pass: p}, 1)
			case o == 8 && p == 0:
				text = "B"
			}
			m.AddResponse(run, o, p, text)
		}
	}
	right := func(o eval.Ordinal, passes ...eval.Pass) {
		for _, p := range passes {
			m.AddLabelOf(eval.Key{Run: run, Sample: o, Pass: p}, truth(o, p))
		}
	}
	few := report.Correcting{Fewest: 2}
	m.SkipAll()
	first, second := eval.Pass(1), eval.Pass(2)
	if hash := m.AllQueues[0].Rule.DrawHash; hash(annotate.NewItemKey(eval.Key{Run: run, Sample: 7, Pass: 1})) > hash(annotate.NewItemKey(eval.Key{Run: run, Sample: 7, Pass: 2})) {
		first, second = second, first
	}
	skipped := slices.Clone(m.Acts["q"])
	m.Acts["q"] = slices.DeleteFunc(m.Acts["q"], func(a annotate.Act) bool { return a.Item.Sample == 7 && a.Item.Pass == second })
	right(7, first) // its other pass is open, and offered later
	if want, row := "of some questions (1) one pass or more is labelled, of none all that a queue was drawn from (queue create --whole draws questions with all their passes)", corrected(t, m, few)[1]; row.Corrected.Undefined != want {
		t.Errorf("%q, want %q", row.Corrected.Undefined, want)
	}
	m.Acts["q"] = skipped
	right(4, 1)
	m.AddLabelOf(eval.Key{Run: run, Sample: 5, Pass: 1}, "")
	right(6, 1, 2)
	row := corrected(t, m, few)[1]
	if want := "one label of the 3 items of unparsed (queue q), 2 passes: it takes two"; row.Corrected.Undefined != want {
		t.Errorf("%q, want %q", row.Corrected.Undefined, want)
	}
	right(9, 1)
	m.AddLabelOf(eval.Key{Run: run, Sample: 9, Pass: 2}, "")
	rows := corrected(t, m, few)
	if row = rows[1]; row.Strategy != "circular" || row.Corrected.N != 4 {
		t.Fatalf("%+v", row)
	}
	reporttest.CheckNear(t, "circular", row.Corrected.Value, 0.65)
	reporttest.CheckNear(t, "judge", row.JudgeOnly.Value, 0.4)
	if len(row.Strata) != 3 || row.LeftOut[annotate.LeftUnlabelled] != 3 || row.Corrected.Missing != 1 {
		t.Errorf("%+v", row.Correction)
	}
	// Every pass 0 was read.
	if van := rows[0]; van.Corrected.Undefined != "nobody has labelled any of the items" || van.JudgeOnly.Value != 0.9 || len(van.LeftOut) > 0 {
		t.Errorf("vanilla %+v", van.Correction)
	}
}

// A pass that ended its question and that people read as right leaves it open.
func TestCorrectedPassThatEnded(t *testing.T) {
	m := reporttest.New()
	m.AddDataset("d", reporttest.NewABCDSample(0, "A"), reporttest.NewABCDSample(1, "A"), reporttest.NewABCDSample(2, "A"))
	run := m.AddRun(eval.Config{Dataset: "d", Model: "m", Strategy: eval.Circular, Modality: eval.WithImage, Origin: eval.Asked, Rules: "letters"})
	m.AddQueue(annotate.FromAll, 3)
	for o := range eval.Ordinal(3) {
		m.AddResponse(run, o, 0, "B")
		m.AddItem(eval.Key{Run: run, Sample: o}, 1)
		m.AddLabel("ann", run, o, []eval.Choice{"B", "B", "A"}[o])
	}
	rows := corrected(t, m, report.Correcting{Fewest: 2})
	reporttest.CheckNear(t, "vanilla", rows[0].Corrected.Value, 1.0/3)
	reporttest.CheckNear(t, "people", rows[0].People.Value, 1.0/3)
	if want := "people read as right the pass that ended a question (1): its other passes were never asked"; rows[1].Corrected.Undefined != want {
		t.Errorf("%+v", rows[1].Correction)
	}
}

// Answers on which people came to nothing are left out, and that they are no
// random ones is said; counted as none they say what they are.
func TestCorrectedWithoutConsensus(t *testing.T) {
	m := sampled()
	m.AddLabel("bob", 1, 4, "B")
	row := corrected(t, m, report.Correcting{Fewest: 2})[0]
	if row.Corrected.N != 9 || row.Corrected.Missing != 1 || row.LeftOut[annotate.LeftNoConsensus] != 1 || len(row.Warnings) != 2 || !strings.HasPrefix(row.Warnings[1], "drawn answers on which people came to nothing (1)") {
		t.Errorf("%+v", row.Correction)
	}
	reporttest.CheckNear(t, "dropped", row.Corrected.Value, 0.6+0.2*3/9)
	// Its item is right or not: 3 or 4 of 10.
	if b := row.Bounds; b == nil || b.Low > row.Corrected.Low || b.High < row.Corrected.Value {
		t.Errorf("bounds %+v of %+v", b, row.Corrected)
	}
	row = corrected(t, m, report.Correcting{Undecided: annotate.CountedAsNone})[0]
	reporttest.CheckNear(t, "as none", row.Corrected.Value, 0.6+0.2*3/10)
	if len(row.Warnings) != 1 || len(row.LeftOut) > 0 {
		t.Errorf("%+v", row.Correction)
	}
}

// An item that was added since its answer is known was not drawn: its labels
// correct nothing. One that was drawn anyway counts as the others do.
func TestCorrectedLeavesGoldsOut(t *testing.T) {
	want, m := corrected(t, sampled(), report.Correcting{})[0], sampled()
	m.AddItem(eval.Key{Run: 1, Sample: 9}, 0.5) // drawn, and not labelled
	with := corrected(t, m, report.Correcting{})[0]
	m.Items["q"][10].Inclusion = 0
	m.Items["q"][10].Key.Sample = 54
	for _, who := range []annotate.Annotator{"ann", "bob", "cat"} {
		m.AddLabel(who, 1, 54, "A")
	}
	drawn := m.Items["q"][0].Key
	m.AddLabel("bob", 1, drawn.Sample, "A")
	m.AllQueues[0].GoldItems = 2
	known := annotate.Reading{Kind: annotate.PickedOption, Choice: "A"}
	m.GoldItemsOf = map[annotate.QueueName][]annotate.Gold{"q": {{Key: drawn, Reading: known}, {Key: m.Items["q"][10].Key, Reading: known}}}
	got := corrected(t, m, report.Correcting{})[0]
	if got.Corrected.Estimate != want.Corrected.Estimate || got.Corrected.Estimate != with.Corrected.Estimate {
		t.Errorf("with golds %+v, without %+v", got.Corrected, want.Corrected)
	}
	if got.LeftOut[annotate.LeftGold] != 1 || got.Strata[1].Labels != 10 || got.Strata[1].Items != 20 {
		t.Errorf("%+v", got.Correction)
	}
}

// Drawn per level, each level is a stratum, and counts by its size: 6 of 8 in
// x, of which people find 1 of 2 right, and 2 of 2 in y.
func TestCorrectedPerLevel(t *testing.T) {
	m := reporttest.New()
	var samples []eval.Sample
	for i := range 8 {
		samples = append(samples, reporttest.NewABCDSample(i, "A", []string{"x", "y"}[i/6]))
	}
	m.AddDataset("d", samples...)
	run := m.AddRun(eval.Config{Dataset: "d", Model: "m", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported, Rules: "letters"})
	m.AddQueue(annotate.FromAll, 8)
	m.AllQueues[0].Rule.Level, m.AllQueues[0].Rule.PerLevel = 1, 2
	for o := range eval.Ordinal(8) {
		m.AddResponse(run, o, 0, "B")
	}
	for i, o := range []eval.Ordinal{0, 1, 6, 7} {
		m.AddItem(eval.Key{Run: run, Sample: o}, []float64{1. / 3, 1}[i/2])
		m.Items["q"][i].Group = samples[o].Taxonomy[0]
		m.AddLabel("ann", run, o, []eval.Choice{"A", "B", "A", "A"}[i])
	}
	row := corrected(t, m, report.Correcting{Fewest: 2})[0]
	reporttest.CheckNear(t, "corrected", row.Corrected.Value, 0.75*0.5+0.25*1)
	reporttest.CheckNear(t, "people", row.People.Value, 0.625)
	if row.Strata[0].Name != "all (queue q), x" || row.Strata[0].Items != 6 || row.Strata[1].Labels != 2 {
		t.Errorf("%+v", row.Strata)
	}
}

// A queue of its own says of the read answers what one of the unparsable does
// not.
func TestCorrectedByTwoQueues(t *testing.T) {
	m := sampled()
	m.AllQueues = append(m.AllQueues, annotate.Queue{
		Name: "all", Stratum: annotate.Random, Population: 100, Items: 4,
		Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll, Rules: "letters@1"},
	})
	for i, o := range []eval.Ordinal{0, 1, 3, 9} { // right, right, wrong, and one that was not read
		k := eval.Key{Run: 1, Sample: o}
		m.Items["all"] = append(m.Items["all"], annotate.QueueItem{Index: i, Key: annotate.NewItemKey(k), Inclusion: 0.04})
		m.Acts["all"] = append(m.Acts["all"], annotate.Act{
			Queue: "all", Annotator: "ann", N: uint32(i + 1), Item: annotate.NewItemKey(k), Kind: annotate.Labelled,
			Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: "A"},
		})
	}
	row := corrected(t, m, report.Correcting{})[0]
	if len(row.Strata) != 2 || row.Strata[0].Name != "all (queue all)" || row.Strata[0].Labels != 3 || row.Strata[1].Labels != 10 {
		t.Errorf("%+v", row.Strata)
	}
	reporttest.CheckNear(t, "people", row.People.Value, 0.8*1+0.2*0.4)
	if row.Gain.Undefined != "" || len(row.Queues) != 2 {
		t.Errorf("%+v", row.Correction)
	}
}
