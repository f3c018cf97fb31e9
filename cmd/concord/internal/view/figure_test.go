package view

import (
	"testing"
	"time"

	"concord/annotate/report"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/tui/samples"
)

// Behind a figure of a judge after rules each answer is read by both, as the figure reads
// it: the judge was asked only what the rules could not read.
func TestRowsBehindAFigureAreReadAsItIs(t *testing.T) {
	h, r := shelved(t)
	key := func(sample eval.Ordinal) eval.Key { return eval.Key{Run: r.ID, Sample: sample} }
	record := func(f eval.Fact) {
		t.Helper()
		if err := h.Store.Runs().Record(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	unread := eval.Key{Run: r.ID, Sample: 4, Pass: 1}
	record(eval.Fact{Prediction: eval.Prediction{Key: unread, Text: "hm"}, Reading: eval.Extraction{Status: eval.Missing}, Reader: "concord@1"})
	if err := h.Store.Judgments().RecordJudgment(t.Context(), eval.Judgment{Key: unread, Judge: "other", Extraction: eval.Extraction{Status: eval.Found, Choice: "B"}}, false); err != nil {
		t.Fatal(err)
	}
	src := Samples{Source: facts.NewSource(h.Store), Policy: h.Policy, Now: time.Now}
	for extractor, want := range map[string][2]eval.Choice{
		"other": {"", "B"}, "rules:concord": {"A", ""}, "": {"A", ""}, "other" + report.After + "concord": {"A", "B"},
	} {
		var got [2]eval.Choice
		for row, err := range src.RowsOfKeys(t.Context(), samples.Ask{Extractor: extractor}, func(yield func(eval.Key, error) bool) {
			_ = yield(key(3), nil) && yield(unread, nil)
		}) {
			if err != nil {
				t.Fatal(err)
			}
			at := 0
			if row.Key == unread {
				at = 1
			}
			got[at] = row.Reading.Choice
		}
		if got != want {
			t.Errorf("%q reads %q, want %q", extractor, got, want)
		}
	}
}
