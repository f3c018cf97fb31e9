package accuracy

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// guessed is tree with a text-only run that has answered the first four of its
// five questions, the first and the last of them right.
func guessed() (*reporttest.Memory, eval.RunID) {
	m := tree()
	run := m.AddRun(eval.Config{
		Dataset: "d", Model: "lm-7", Strategy: eval.Vanilla, Modality: eval.TextOnly, Origin: eval.Imported, Rules: "letters",
	})
	for o, text := range []string{"A", "A", "?", "D"} {
		m.AddResponse(run, eval.Ordinal(o), 0, text)
	}
	return m, run
}

func textOnly(t *testing.T, m *reporttest.Memory, o report.Options) report.Report {
	t.Helper()
	o.Reader = reporttest.NewReaders("1")
	r, err := ReportTextOnly(t.Context(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Alone, text-only runs are printed; named, one takes its right answers out of
// the other runs.
func TestTextOnly(t *testing.T) {
	m, _ := guessed()
	check := func(o report.Options, f table.Format, want string) {
		t.Helper()
		if got := render(t, textOnly(t, m, o), f); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", f, got, want)
		}
	}
	check(report.Options{}, table.FormatTable, `text-only · run 3 · dataset d · split all · model lm-7 · modality text · extractor rules:letters · strategy vanilla · 0 pending
accuracy                     random choice
──────────────────────────────────────────
50.0% [15.0, 85.0]  2/4 few  25.0%  n 5
few: under 30 units (or clusters), or 10 of the rarer outcome: the interval may hold less often.
`)
	check(report.Options{TextOnly: "lm-7", Model: "m-13"}, table.FormatMarkdown, `| run | dataset | split | model | modality | extractor | strategy | accuracy | random\_choice | text\_only | accuracy\_after | kept | dropped | not\_covered | truthless | pending |
| --: | --- | --- | --- | --- | --- | --- | --: | --: | --- | --: | --: | --: | --: | --: | --: |
| 1 | d | all | m-13 | image | rules:letters | circular | 40.0% \[11.8, 76.9\]  2/5 few | 0.4%  n 5 | lm-7 (run 3) | 0.0% \[0.0, 65.8\]  0/2 few | 2 | 2 | 1 | 0 | 0 |

Neither kept nor dropped, because the text-only run 3 (lm-7) has not decided them (1 of d, split all): iiiii.

few: under 30 units (or clusters), or 10 of the rarer outcome: the interval may hold less often.
`)
	r := textOnly(t, m, report.Options{TextOnly: "lm-7"})
	if len(r.Rows) != 3 {
		t.Fatalf("%d rows", len(r.Rows))
	}
	// m-13 is right on questions 0 and 3, which are dropped; of the kept 1 and 2
	// on none. m-7 is right on all but question 4.
	for i, after := range []stat.Rate{stat.NewRate(0, 2), stat.NewRate(2, 2)} {
		row := r.Rows[i].(*TextOnlyRow)
		if *row.After != after || row.Kept != 2 || row.Dropped != 2 || row.NotCovered != 1 || row.Truthless != 0 || row.Samples[0] != "iiiii" {
			t.Errorf("%s: %+v after %+v", row.Model, row, *row.After)
		}
	}
	for w, want := range map[report.Which][]string{
		Kept: {"1.2", "2.0"}, Dropped: {"0.0", "3.0"}, NotCovered: {"4.1"}, KeptRight: nil, KeptWrong: {"1.2", "2.0"}, report.Right: {"0.0", "3.0"},
	} {
		if got := drilled(t, m, r.Rows[0], report.Selection{Which: w}); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", w, got, want)
		}
	}
}

func TestTextOnlyBySplit(t *testing.T) {
	m, _ := guessed()
	r := textOnly(t, m, report.Options{TextOnly: "3", Model: "m-7", BySplit: true})
	whole, dev, test := r.Rows[0].(*TextOnlyRow), r.Rows[1].(*TextOnlyRow), r.Rows[2].(*TextOnlyRow)
	if whole.NotCovered != 1 || dev.NotCovered != 0 || *dev.After != stat.NewRate(2, 2) || test.NotCovered != 1 || test.After.Undefined != "no question is kept" {
		t.Errorf("%+v\n%+v\n%+v", whole, dev, test)
	}
	if len(r.Notes) != 2 {
		t.Errorf("notes %q", r.Notes)
	}
}

func TestTextOnlyNeeds(t *testing.T) {
	check := func(m *reporttest.Memory, o report.Options, want string) {
		t.Helper()
		o.Reader = reporttest.NewReaders("1")
		if _, err := ReportTextOnly(t.Context(), m, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
	m, _ := guessed()
	check(tree(), report.Options{}, "--modality text")
	check(tree(), report.Options{TextOnly: "lm-7"}, "--modality text")
	check(m, report.Options{TextOnly: "other"}, `text-only run "other" (there are 3 (lm-7 on d))`)
	check(m, report.Options{TextOnly: "1"}, "it was shown the images")
	m.AddRun(eval.Config{Dataset: "d", Model: "lm-7", Strategy: eval.Vanilla, Modality: eval.BaseText, Origin: eval.Imported})
	check(m, report.Options{TextOnly: "lm-7"}, "there are runs 3 and 4: name one by its number")
	if _, err := ReportTextOnly(t.Context(), tree(), report.Options{TextOnly: "x"}); !errors.Is(err, eval.ErrNotFound) {
		t.Errorf("without a text-only run: %v", err)
	}
}
