package accuracy

import (
	"testing"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/eval"
)

// The judge scores three answers; of a queue of all six people have scored two
// of them, flagged the third and skipped the others.
func TestCorrectedScores(t *testing.T) {
	m := newMarked()
	m.AllQueues[0].Population = 6
	for o := range eval.Ordinal(6) {
		m.Items["q"] = append(m.Items["q"], annotate.QueueItem{Index: int(o), Key: annotate.NewItemKey(eval.Key{Run: 1, Sample: o}), Inclusion: 1})
		if o > 2 {
			m.Acts["q"] = append(m.Acts["q"], annotate.Act{Queue: "q", Annotator: "ann", N: 10 + uint32(o), Item: m.Items["q"][o].Key, Kind: annotate.Skipped})
		}
	}
	r, err := ReportScores(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1"), Corrected: &report.Correcting{Fewest: 2}})
	if err != nil {
		t.Fatal(err)
	}
	gpt := r.Rows[0].(*ScoresRow).Judges[0]
	reporttest.CheckNear(t, "people", gpt.People.Value, 2.75)
	// cov 0.875 of n 2, N 1; the judge's 5, 4 and 2 have the variance 7/3:
	// lambda 0.875 / (3 * 7/3) = 0.125, and 0.125 * 2 + 2.75 - 0.125 * 4.5.
	reporttest.CheckNear(t, "lambda", *gpt.Corrected.Lambda, 0.125)
	reporttest.CheckNear(t, "corrected", gpt.Corrected.Value, 2.4375)
	reporttest.CheckNear(t, "judge", gpt.JudgeOnly.Value, 11.0/3)
	if gpt.Corrected.N != 2 || gpt.Strata[0].Items != 3 || gpt.LeftOut[annotate.LeftExcluded] != 1 || gpt.LeftOut[annotate.LeftUnlabelled] != 2 {
		t.Errorf("%+v", gpt.Correction)
	}
	if b := gpt.Corrected.Bounds; gpt.Corrected.Missing != 1 || b == nil || b.Low > gpt.Corrected.Low || b.High < gpt.Corrected.Value || b.Low < 1 || b.High > 5 {
		t.Errorf("missing %d, bounds %+v", gpt.Corrected.Missing, b)
	}
	if other := r.Rows[0].(*ScoresRow).Judges[1]; other.Corrected.Undefined != "no items" {
		t.Errorf("%+v", other.Correction)
	}
}
