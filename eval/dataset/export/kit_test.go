package export

import (
	"bytes"
	"iter"
	"strings"
	"testing"

	"concord/eval"
)

// yesnoRow is a scored row of results on a picture of a subtask of MME.
func yesnoRow(id eval.SampleID, subtask, picture string, hit bool) KitRow {
	said := eval.No
	if hit {
		said = eval.Yes
	}
	return KitRow{
		Sample: eval.Sample{
			ID: id, Kind: eval.KindYesNo, Question: "q" + string(id), Answer: eval.Yes,
			Taxonomy: []string{eval.MMEAbilityOf(subtask), subtask}, Pictures: []eval.Picture{{Name: picture}},
		},
		Shown: eval.Shown{Answer: eval.Yes}, Prediction: string(said), Scored: true, Hit: hit, Said: said,
	}
}

func kitRowsOf(rows ...KitRow) iter.Seq2[KitRow, error] {
	return func(yield func(KitRow, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// A total of MME takes all of its subtasks, a score takes pairs, and numbers
// are added and written as Python does it.
func TestKitScores(t *testing.T) {
	cognition := []KitRow{
		yesnoRow("1", "code_reasoning", "c.png", true), yesnoRow("2", "code_reasoning", "c.png", true),
		yesnoRow("3", "commonsense_reasoning", "d.png", true), yesnoRow("4", "commonsense_reasoning", "d.png", false),
		yesnoRow("5", "numerical_calculation", "e.png", false), yesnoRow("6", "numerical_calculation", "e.png", false),
		yesnoRow("7", "text_translation", "f.png", true), yesnoRow("8", "text_translation", "f.png", true),
		yesnoRow("9", "text_translation", "g.png", true), yesnoRow("10", "text_translation", "g.png", false),
		yesnoRow("11", "text_translation", "h.png", true), yesnoRow("12", "text_translation", "h.png", false),
	}
	check := func(rows []KitRow, want string, warned ...string) {
		t.Helper()
		var out bytes.Buffer
		warnings, err := WriteKitScores(&out, kitRowsOf(rows...))
		if err != nil || out.String() != want {
			t.Errorf("%v\n got %s\nwant %s", err, out.String(), want)
		}
		if len(warnings) != len(warned) {
			t.Fatalf("warnings %q", warnings)
		}
		for i, w := range warned {
			if !strings.Contains(warnings[i], w) {
				t.Errorf("warning %q, want %q", warnings[i], w)
			}
		}
	}
	const head = `"perception","reasoning","code_reasoning","commonsense_reasoning","numerical_calculation","text_translation"` + "\n"
	check(cognition, head+`"","350.0","200.0","50.0","0.0","99.99999999999999"`+"\n")
	check(cognition[:4], `"perception","reasoning","code_reasoning","commonsense_reasoning"`+"\n"+`"","","200.0","50.0"`+"\n")
	check(cognition[:1], `"perception","reasoning","code_reasoning"`+"\n"+`"","",""`+"\n", "1 images have one question")
	choice := KitRow{Sample: eval.Sample{ID: "13", Kind: eval.KindChoice}, Scored: true}
	if _, err := WriteKitScores(&bytes.Buffer{}, kitRowsOf(choice)); err == nil {
		t.Error("scores of no question of MME")
	}
}
