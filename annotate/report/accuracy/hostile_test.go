package accuracy

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
)

// hostile is a project whose every name tries to reach the terminal.
func hostile() *reporttest.Memory {
	const evil = "m\x1b[2J\u009b31m\u202e\x00\xff\n| & \\"
	m := reporttest.New()
	s := reporttest.NewABCDSample(0, "A", evil)
	m.AddDataset(evil, s)
	run := m.AddRun(eval.Config{Dataset: evil, Model: evil, Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported})
	m.AddResponse(run, 0, 0, "A")
	return m
}

func TestNothingReachesTheTerminal(t *testing.T) {
	r, err := ReportAccuracy(t.Context(), hostile(), report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []table.Format{table.FormatTable, table.FormatJSON, table.FormatCSV, table.FormatMarkdown, table.FormatLaTeX} {
		var b bytes.Buffer
		if err := report.RenderReport(&b, r, f, 40); err != nil {
			t.Fatal(err)
		}
		for _, c := range b.String() {
			if unicode.IsControl(c) && c != '\n' || f != table.FormatJSON && unicode.Is(unicode.Bidi_Control, c) {
				t.Errorf("%s lets %U through", f, c)
			}
		}
		if f == table.FormatJSON && !json.Valid(b.Bytes()) {
			t.Errorf("no JSON:\n%s", b.String())
		}
	}
}
