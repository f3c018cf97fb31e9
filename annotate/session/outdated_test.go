package session

import (
	"testing"
	"time"

	"concord/annotate"
	"concord/eval"
)

func TestLabelsOfAnotherGuideline(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 12, 0, 0, 0, time.UTC) }
	second := annotate.Guideline{Version: 2, Text: "t", At: day(10)}
	check := func(name string, g annotate.Guideline, outdated int, amended bool, labels ...annotate.Act) {
		t.Helper()
		o := Opening{Queue: annotate.Queue{Name: "q", Guideline: g, Items: len(labels)}, Annotator: "ann"}
		for i, a := range labels {
			a.Queue, a.Annotator, a.N, a.Kind = "q", "ann", uint32(i+1), annotate.Labelled
			a.Reading = annotate.Reading{Kind: annotate.SaidNone}
			a.Item.Run, a.Item.Sample = 1, eval.Ordinal(i)
			o.Acts = append(o.Acts, a)
		}
		s, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Own.CountOutdated(); got != outdated {
			t.Errorf("%s: %d labels are of another version, want %d", name, got, outdated)
		}
		if got := s.Own.IsGuidelineAmended(); got != amended {
			t.Errorf("%s: amended %v, want %v", name, got, amended)
		}
	}
	check("no labels", second, 0, false)
	check("no guideline, none then", annotate.Guideline{}, 0, false, annotate.Act{At: day(1)})
	check("under this one", second, 0, false, annotate.Act{Guideline: 2, At: day(11)})
	check("under the first, then this one", second, 1, false, annotate.Act{Guideline: 1, At: day(1)}, annotate.Act{Guideline: 2, At: day(11)})
	check("under the first", second, 2, true, annotate.Act{Guideline: 1, At: day(1)}, annotate.Act{Guideline: 1, At: day(2)})
	check("before there was any", annotate.Guideline{Version: 1, Text: "t", At: day(10)}, 1, true, annotate.Act{At: day(1)})
	check("before there were versions", annotate.Guideline{Version: 1, Text: "t", At: day(1)}, 0, false, annotate.Act{At: day(2)})
	check("before there were versions, now the second", second, 1, true, annotate.Act{At: day(2)})
	check("from a file", second, 0, false, annotate.Act{Guideline: 1, At: day(1), Imported: true})
}
