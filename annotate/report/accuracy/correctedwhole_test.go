package accuracy

import (
	"iter"
	"math/rand/v2"
	"testing"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/sample"
	"concord/eval"
)

// circular is a run of n questions with four passes each. A model that gets a
// share of the questions right in every pass, and the others in half of them;
// rules that read nine answers of ten. It says which option each answer chose.
func circular(n int, r *rand.Rand) (m *reporttest.Memory, chosen map[eval.Key]eval.Choice) {
	m, chosen = reporttest.New(), make(map[eval.Key]eval.Choice)
	samples := make([]eval.Sample, n)
	for i := range samples {
		samples[i] = reporttest.NewABCDSample(i, "A")
	}
	m.AddDataset("d", samples...)
	run := m.AddRun(eval.Config{Dataset: "d", Model: "m", Strategy: eval.Circular, Modality: eval.WithImage, Origin: eval.Imported, Rules: "letters"})
	for o := range samples {
		good := r.Float64() < 0.6
		for p := range eval.Pass(4) {
			k := eval.Key{Run: run, Sample: eval.Ordinal(o), Pass: p}
			right := samples[o].ShowInPass(p).Answer
			if chosen[k] = right; !good && r.Float64() < 0.5 {
				chosen[k] = eval.Choice("ABCD"[(right[0]-'A'+1)%4:][:1])
			}
			text := string(chosen[k])
			if r.Float64() < 0.1 {
				text = "hm"
			}
			m.AddResponse(run, k.Sample, p, text)
		}
	}
	return m, chosen
}

// enrolWhole draws questions from all predictions into the queue q, and has
// people say of each what it chose.
func enrolWhole(t *testing.T, m *reporttest.Memory, number int, seed uint64, chosen map[eval.Key]eval.Choice) {
	t.Helper()
	m.AddQueue(annotate.FromAll, len(chosen))
	rule := &m.AllQueues[0].Rule
	rule.Whole, rule.Number, rule.Seed = true, number, seed
	var population iter.Seq2[sample.Candidate, error] = func(yield func(sample.Candidate, error) bool) {
		for k := range chosen {
			if !yield(sample.Candidate{Key: k}, nil) {
				return
			}
		}
	}
	items, _, err := sample.DrawItems(*rule, population)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		m.AddItem(it.Key.Key, it.Inclusion)
		m.AddLabelOf(it.Key.Key, chosen[it.Key.Key])
	}
}

// Of runs whose model is right on a known share of the questions, the
// corrected interval covers that as often as it says.
func TestCorrectedWholeCovers(t *testing.T) {
	const runs, questions, labelled = 120, 100, 50
	const truth = 0.6 + 0.4/16 // the good ones, and the others by luck
	r := rand.New(rand.NewPCG(4, 5))
	covered, judged, alone, corrected := 0, 0.0, 0.0, 0.0
	for i := range runs {
		m, chosen := circular(questions, r)
		enrolWhole(t, m, labelled, uint64(i), chosen)
		row := accuracy(t, m, report.Options{Corrected: &report.Correcting{}})[1]
		c := row.Corrected
		if row.Strategy != "circular" || c.N != labelled || len(row.Strata) != 1 || row.Strata[0].Items != questions {
			t.Fatalf("%s: %+v", row.Strategy, row.Correction)
		}
		covered += report.OneIf(c.Low <= truth && truth <= c.High)
		judged += row.JudgeOnly.Value / runs
		corrected += c.Value / runs
		alone += (c.High - c.Low) / (row.People.High - row.People.Low) / runs
	}
	t.Logf("ground truth %.4f; judge %.4f, corrected %.4f on average; covered %.3f; %.3f of the width of people alone",
		truth, judged, corrected, float64(covered)/runs, alone)
	if share := float64(covered) / runs; share < 0.9 || share > 0.99 {
		t.Errorf("covered %.3f", share)
	}
	if corrected < truth-0.015 || corrected > truth+0.015 || judged > truth-0.1 {
		t.Errorf("judge %.4f, corrected %.4f, ground truth %.4f", judged, corrected, truth)
	}
}

// A queue of whole questions has them in one stratum, however many passes of
// them were in its population; one with a pass that nobody has labelled is
// not labelled.
func TestCorrectedWholeStrata(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	m, chosen := circular(40, r)
	m.AddQueue(annotate.FromUnparsable, 0)
	q := &m.AllQueues[0]
	q.Rule.Whole = true
	touched := make(map[eval.Ordinal]int)
	for o := range eval.Ordinal(40) {
		for p := range eval.Pass(4) {
			k := eval.Key{Run: 1, Sample: o, Pass: p}
			if m.AllPredictions[1][o][p].Text == "hm" {
				q.Population++
				touched[o]++
				m.AddItem(k, 1)
				if o != 3 {
					m.AddLabelOf(k, chosen[k])
				}
			}
		}
	}
	row := accuracy(t, m, report.Options{Corrected: &report.Correcting{}})[1]
	var strata, labels int
	for _, s := range row.Strata {
		if !s.AsRead {
			strata, labels = strata+1, labels+s.Labels
		}
	}
	if strata != 1 || labels != row.Corrected.N || labels < 5 {
		t.Errorf("%d questions touched: %+v", len(touched), row.Correction)
	}
}
