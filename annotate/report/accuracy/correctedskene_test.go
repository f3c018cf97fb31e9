package accuracy

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/eval"
)

// crowded is a run of 300 questions whose answer is A, of which some are labelled
// by three people: one careful, one less so, and one who is wrong in four of ten.
// Two of three answers mean A, and the rules read one of ten otherwise.
func crowded(labelled int) *reporttest.Memory {
	m, r := reporttest.New(), rand.New(rand.NewPCG(4, 2))
	letters := []eval.Choice{"A", "B", "C", "D"}
	other := func(c eval.Choice) eval.Choice { return letters[(slices.Index(letters, c)+1+r.IntN(3))%4] }
	var samples []eval.Sample
	for i := range 300 {
		samples = append(samples, reporttest.NewABCDSample(i, "A"))
	}
	m.AddDataset("d", samples...)
	run := m.AddRun(eval.Config{Dataset: "d", Model: "m", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported, Rules: "letters"})
	m.AddQueue(annotate.FromAll, 300)
	m.AllQueues[0].Overlap = 3
	for o := range eval.Ordinal(300) {
		means := eval.Choice("A")
		if r.Float64() < 1./3 {
			means = other("A")
		}
		says := func(wrong float64) eval.Choice {
			if r.Float64() < wrong {
				return other(means)
			}
			return means
		}
		m.AddResponse(run, o, 0, string(says(0.1)))
		if int(o) >= labelled {
			continue
		}
		m.AddItem(eval.Key{Run: run, Sample: o}, float64(labelled)/300)
		for i, wrong := range []float64{0.02, 0.15, 0.4} {
			m.AddLabel(annotate.Annotator([]string{"ann", "ben", "cy"}[i]), run, o, says(wrong))
		}
	}
	return m
}

func TestCorrectedByAModelOfErrors(t *testing.T) {
	row := corrected(t, crowded(150), report.Correcting{Policy: annotate.DawidSkene})[0]
	c := row.Corrected
	if c.WhyUndefined() != "" || math.Abs(c.Value-2./3) > 0.08 || c.Low > 2./3 || c.High < 2./3 || c.High-c.Low > 0.25 || row.Policy != "dawid-skene" {
		t.Errorf("%+v", c)
	}
	most := corrected(t, crowded(150), report.Correcting{})[0].Corrected
	if c.Value == most.Value || c.N != 150 || most.N >= 150 { // three who say three things have no majority
		t.Errorf("%+v beside the majority's %+v", c, most)
	}
	if row.Gladen != nil || row.Erring == nil || row.Erring.Known != nil {
		t.Errorf("%+v takes labels to be exact", row.Correction)
	}
	few := corrected(t, crowded(40), report.Correcting{Policy: annotate.DawidSkene})[0].Corrected
	if !strings.Contains(few.Undefined, "dawid-skene takes 50 items that 3 people or more have labelled, and there are 40") {
		t.Errorf("of 40 items: %q", few.Undefined)
	}
	again := corrected(t, crowded(150), report.Correcting{Policy: annotate.DawidSkene})[0].Corrected
	if again.Estimate != c.Estimate {
		t.Errorf("once more: %+v, and %+v", again, c)
	}
}
