package quality

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"concord/annotate/criteria"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
)

// shelf is a dataset and what curators did about its samples.
type shelf struct {
	*reporttest.Memory
	sets []criteria.Set
}

func (s *shelf) Samples(_ context.Context, d eval.DatasetName) iter.Seq2[eval.Sample, error] {
	return reporttest.YieldAll(s.AllSamples[d])
}

func (s *shelf) CriteriaSets(context.Context, eval.DatasetName) iter.Seq2[criteria.Set, error] {
	return reporttest.YieldAll(s.sets)
}

func (s *shelf) Picture(eval.PictureHash) ([]byte, error) { return nil, eval.ErrNotFound }

func TestInstruction(t *testing.T) {
	check := func(question, want string) {
		t.Helper()
		if got := questionOpening(question, 2); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
	check("What is in the image?", "what is")
	check("  Please, describe\nthe scene", "describe the")
	check("\"Why\" - not?", "why not")
	check("Go!", "go")
	check("", "")
	check("请问图中有什么", "请问图中")
}

func TestDatasets(t *testing.T) {
	s := &shelf{Memory: reporttest.New()}
	picture := []eval.Picture{{Hash: "00", Name: "1.png"}}
	s.AddDataset("d",
		eval.Sample{ID: "1", Kind: eval.KindOpen, Question: "What is it?", Taxonomy: []string{"A", "a"}, Type: eval.OpenEnded, Pictures: picture, Source: "https://example.org/1.png"},
		eval.Sample{ID: "2", Kind: eval.KindOpen, Question: "what is that", Taxonomy: []string{"A", "b"}, Pictures: []eval.Picture{{Name: "2.png"}}, Source: "CLEVR"},
		eval.Sample{ID: "3", Kind: eval.KindChoice, Question: "Name it.", Taxonomy: []string{"B", "c"}, Answer: "A", Source: "CLEVR"},
		eval.Sample{ID: "4", Kind: eval.KindOpen, Question: "What is gone?", Taxonomy: []string{"B", "c"}},
	)
	s.sets = []criteria.Set{
		{Dataset: "d", Sample: 1, Type: eval.Compound},
		{Dataset: "d", Sample: 3, Removed: &criteria.Removal{}},
	}
	r, err := ReportDatasets(t.Context(), s, DatasetOptions{Top: 1})
	if err != nil {
		t.Fatal(err)
	}
	row := r.Rows[0].(*DatasetRow)
	if row.Samples != 3 || row.Discarded != 1 || row.Pictured.K != 2 || row.Held.K != 1 || row.Held.N != 2 || row.Truth.K != 1 {
		t.Errorf("%+v", row)
	}
	if len(row.Levels) != 5 || row.Levels[0].Share.K != 2 || len(row.Types) != 3 || row.Types[0].Name != "none" || len(row.Kinds) != 2 {
		t.Errorf("%+v", row)
	}
	if len(row.Instructions) != 1 || row.Instructions[0].Name != "what is" || row.Instructions[0].Share.K != 2 || row.Others != 1 {
		t.Errorf("%+v %d", row.Instructions, row.Others)
	}
	if len(row.Sources) != 1 || row.Sources[0].Name != "CLEVR" || row.Sources[0].Share.K != 2 || row.OtherSources != 1 {
		t.Errorf("%+v", row.Sources)
	}
	check := func(which report.Which, want ...eval.Ordinal) {
		t.Helper()
		var got []eval.Ordinal
		for p := range report.PairsBehindRow(row, report.Selection{Which: which}) {
			got = append(got, p.Sample)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", which, got, want)
		}
	}
	check(AllSamples, 0, 1, 2)
	check("compound", 1)
	check(Opening+"what is", 0, 1)
	check(Pictured, 0, 1)
	check(FromSource+"CLEVR", 1, 2)
	check(Sources, 0)
	check(FromSource+"example.org", 0)
	var b bytes.Buffer
	if err := report.RenderReport(&b, r, table.FormatTable, 80); err != nil || !strings.Contains(b.String(), "(others)") {
		t.Errorf("%v\n%s", err, &b)
	}
	if _, err := ReportDatasets(t.Context(), s, DatasetOptions{Dataset: "e"}); err == nil {
		t.Error("no error for a dataset that is not there")
	}
}
