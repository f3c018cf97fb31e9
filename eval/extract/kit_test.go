package extract

import (
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/extract/published"
)

// kitAnswer is what the kit would have returned for an extraction.
func kitAnswer(e eval.Extraction) string {
	if e.Status == eval.None {
		return string(published.PseudoChoice)
	}
	return string(e.Choice)
}

func TestKitEqualsRealOutputs(t *testing.T) {
	rows := realRows(t, "extraction/choices.jsonl")
	if len(rows) != 8031 {
		t.Errorf("rows = %d, want 8031", len(rows))
	}
	k26, k24 := readerOf(t, "vlmevalkit-2026", eval.KindChoice), readerOf(t, "vlmevalkit-2024", eval.KindChoice)
	for _, r := range rows {
		if got := kitAnswer(k26.Read(r.Options, r.Prediction)); got != r.Kit2026 {
			t.Errorf("2026 %s: got %q, want %q", r.ID, got, r.Kit2026)
		}
		if got := kitAnswer(k24.Read(r.Options, r.Prediction)); got != r.Kit2024 {
			t.Errorf("2024 %s: got %q, want %q", r.ID, got, r.Kit2024)
		}
	}
}

func TestYesNoEqualsRealOutputs(t *testing.T) {
	kit, mme := readerOf(t, "vlmevalkit", eval.KindYesNo), readerOf(t, "mme", eval.KindYesNo)
	for _, r := range realRows(t, "mme/yesno.jsonl") {
		got := string(kit.Read(nil, r.Prediction).Choice)
		if want := strings.ReplaceAll(strings.ToLower(r.Kit), "unknown", ""); got != want {
			t.Errorf("kit %s %q: got %q, want %q", r.ID, r.Prediction, got, want)
		}
		got = string(mme.Read(nil, r.Prediction).Choice)
		if want := strings.ReplaceAll(r.MME, "other", ""); got != want {
			t.Errorf("mme %s %q: got %q, want %q", r.ID, r.Prediction, got, want)
		}
	}
}
