package dataset

import (
	"bytes"
	"iter"
	"path/filepath"
	"testing"

	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/dataset/tablefile"
)

// yesnoRow is a scored row of results on a picture of a subtask of MME.
func yesnoRow(id eval.SampleID, subtask, picture string, hit bool) export.KitRow {
	said := eval.No
	if hit {
		said = eval.Yes
	}
	return export.KitRow{
		Sample: eval.Sample{
			ID: id, Kind: eval.KindYesNo, Question: "q" + string(id), Answer: eval.Yes,
			Taxonomy: []string{eval.MMEAbilityOf(subtask), subtask}, Pictures: []eval.Picture{{Name: picture}},
		},
		Shown: eval.Shown{Answer: eval.Yes}, Prediction: string(said), Scored: true, Hit: hit, Said: said,
	}
}

func kitRowsOf(rows ...export.KitRow) iter.Seq2[export.KitRow, error] {
	return func(yield func(export.KitRow, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// The kit's file of results comes back with what the kit read and scored.
func TestKitResults(t *testing.T) {
	rows := []export.KitRow{yesnoRow("1", "color", "a.png", true), yesnoRow("2", "color", "a.png", false)}
	var columns export.KitColumns
	for i := range rows {
		columns.NoteFilledColumns(&rows[i].Sample)
	}
	var out bytes.Buffer
	if _, err := export.WriteKit(&out, tablefile.TSV, export.KitResults, &columns, kitRowsOf(rows...)); err != nil {
		t.Fatal(err)
	}
	want := "index\tquestion\tanswer\tcategory\timage_path\tprediction\textracted\tscore\n" +
		"1\tq1\tYes\tcolor\ta.png\tyes\tYes\t1\n2\tq2\tYes\tcolor\ta.png\tno\tNo\t0\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	check := func(text, scorer string, scored, right, kept int) {
		t.Helper()
		path := filepath.Join(folderOf(t, map[string]string{"m_d_auxmatch.tsv": text}), "m_d_auxmatch.tsv")
		sum, err := ImportPredictions(t.Context(), newMemory(t), path, PredictionOptions{Dataset: "d", Model: "m"})
		if err != nil || sum.Scorer != scorer || sum.Scored != scored || sum.ScoredRight != right || sum.Judgments != kept {
			t.Errorf("%v: %+v", err, sum)
		}
	}
	check(out.String(), "vlmevalkit/extracted", 2, 1, 2)
	check("index\tquestion\tanswer\tprediction\textracted\tscore\n1\tq\tYes\thm\tUnknown\tFalse\n", "vlmevalkit/extracted", 1, 0, 1)
	check("index\tquestion\tA\tB\tanswer\tprediction\thit\tlog\n1\tq\tx\ty\tA\tA\t1\tSucceed\n", "vlmevalkit/hit", 1, 1, 0)
}
