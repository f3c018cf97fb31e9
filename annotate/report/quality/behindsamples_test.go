package quality

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// studio is a shelf with what experts and inspectors made of its samples.
type studio struct {
	*shelf
	acts        []curation.Act
	inspections []curation.Inspection
}

func (s *studio) Dataset(d eval.DatasetName) (eval.Dataset, error) {
	return eval.Dataset{Name: d, Complete: true}, nil
}

func (s *studio) CurationActs(context.Context, eval.DatasetName) iter.Seq2[curation.Act, error] {
	return reporttest.YieldAll(s.acts)
}

func (s *studio) Inspections() ([]curation.Inspection, error) { return s.inspections, nil }

// atelier is ten samples of two sources, a run without the picture and one with
// it, an inspection by these, criteria of some and two experts' words on others.
func atelier() *studio {
	s := &studio{shelf: &shelf{Memory: reporttest.New()}}
	var samples []eval.Sample
	for i := range 10 {
		samples = append(samples, eval.Sample{
			ID: eval.SampleID(fmt.Sprint(i)), Kind: eval.KindChoice, Answer: "A", Question: fmt.Sprintf("What is %d?", i),
			Taxonomy: []string{"a", []string{"x", "y"}[i%2]}, Source: []string{"one", "two", ""}[i%3],
			Options: []eval.Option{{Letter: "A"}, {Letter: "B"}}, Pictures: []eval.Picture{{Name: "p"}},
		})
	}
	samples[9].Question = "Name it."
	s.AddDataset("d", samples...)
	for i, m := range []eval.Modality{eval.TextOnly, eval.WithImage} {
		run := s.AddRun(eval.Config{Dataset: "d", Model: "m", Modality: m, Strategy: eval.Vanilla, Origin: eval.Imported, Rules: "letters"})
		for o := range samples {
			s.AddResponse(run, eval.Ordinal(o), 0, []string{"A", "B"}[(o/(i+2))%2])
		}
	}
	act := func(o eval.Ordinal, kinds ...criteria.Kind) {
		var acts []criteria.Act
		for i, k := range kinds {
			a := criteria.Act{Dataset: "d", Sample: o, N: uint32(i + 1), Kind: k, Who: "ann", Reason: "r", Text: "t", Criteria: []criteria.Criterion{{Text: "x"}}}
			if k == criteria.Accepted || k == criteria.RequestedChanges {
				a.Who, a.Round = "bob", 1
			}
			acts = append(acts, a)
		}
		s.sets = append(s.sets, criteria.FoldActs("d", o, acts))
	}
	act(0, criteria.Drafted)
	act(1, criteria.Drafted, criteria.Submitted)
	act(2, criteria.Drafted, criteria.Submitted, criteria.Accepted)
	act(3, criteria.Drafted, criteria.Submitted, criteria.RequestedChanges)
	act(4, criteria.Discarded)
	for i := range uint32(6) {
		for _, who := range []annotate.Annotator{"ann", "bob"} {
			v := curation.NeedsImage
			if i == 4 || who == "bob" && i > 2 {
				v = curation.NeedsNone
			}
			s.acts = append(s.acts, curation.Act{Dataset: "d", Expert: who, N: i + 1, Sample: eval.Ordinal(i), Kind: curation.Judged, Verdict: v, Informed: i == 5})
		}
	}
	return s
}

// opened checks what every figure of a report opens.
func opened(t *testing.T, s *studio, r report.Report) int {
	t.Helper()
	return reporttest.CheckCellsOpen(t, r.Tables(), func(c *table.Cell) *reporttest.Opened {
		b := report.BehindOf(c)
		if b == nil {
			return nil
		}
		out := &reporttest.Opened{Parts: b.Parts, Every: b.Picks[0].Which == report.Every, Each: 1}
		for j := range b.Picks {
			out.N = append(out.N, reporttest.CountKeys(t, b.Picks[j].KeysBehind(t.Context(), s)))
		}
		return out
	})
}

// What is about samples and no run opens samples, as many as it counts.
func TestEveryCellOpensItsSamples(t *testing.T) {
	s := atelier()
	check := func(r report.Report, err error, want int) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if got := opened(t, s, r); got != want {
			t.Errorf("%s: %d cells open something, want %d", r.Name, got, want)
		}
		for _, tb := range r.Tables() {
			for _, line := range tb.Rows {
				for i := range line {
					if b := report.BehindOf(&line[i]); b != nil && b.Dataset != "d" && r.Name != "inspectors" {
						t.Errorf("%s: %s opens samples of %q", r.Name, tb.Columns[i].Name, b.Dataset)
					}
				}
			}
		}
	}
	r, err := ReportDatasets(t.Context(), s, DatasetOptions{Top: 1})
	check(r, err, 21)
	r, err = ReportCriteria(t.Context(), s, CriteriaOptions{})
	check(r, err, 38)
	in, err := RunInspection(t.Context(), s, InspectOptions{
		Options: report.Options{Dataset: "d", Runs: []eval.RunID{1}, Reader: reporttest.NewReaders("1")}, Name: "pool", Sighted: []string{"2"}, Settings: curation.MMStarSettings(),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.inspections = []curation.Inspection{in}
	r, err = ReportInspectors(t.Context(), s, InspectorOptions{})
	check(r, err, 48)
	r, err = ReportCuration(t.Context(), s, CurationOptions{
		Dataset: "d", Panel: curation.Panel{Experts: 2}, Bootstrap: agree.Bootstrap{Times: 10, Seed: 1, Confidence: stat.Confidence},
	})
	check(r, err, 56)
}
