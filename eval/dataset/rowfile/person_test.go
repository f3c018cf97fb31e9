package rowfile

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"concord/eval"
	"concord/eval/dataset/format"
	"concord/eval/dataset/problem"
	"concord/eval/dataset/profile"
	"concord/eval/dataset/tablefile"
)

func TestReadPersonVotes(t *testing.T) {
	const lines = `{"sample":1,"model_1":"a","model_2":"B","annotator":"ann","vote":"answer1"}
{"sample":"1","model_1":"B","model_2":"a","annotator":"ann","vote":"a","criteria":true,"note":"n","confidence":0.5,"at":"2026-03-01T12:00:00Z","seconds":2.5}
{"sample":"1","model_1":"a","model_2":"B","annotator":"bob","vote":"b","criteria_hash":"h","flagged":true,"informed":"TRUE","queue":"q"}
{"sample":"1","model_1":"a","model_2":"A","annotator":"bob","vote":"A","criteria":false}
{"sample":"1","model_1":"a","model_2":"B","annotator":"cy","vote":"Unable to decide:  Situation One"}
{"sample":"1","model_1":"a","model_2":"B","annotator":"cy","vote":"situation_two"}
`
	want := []PersonVoteRow{
		{Line: 1, Annotator: "ann", Vote: eval.Answer1},
		{
			Line: 2, Models: [2]string{"B", "a"}, Annotator: "ann", Vote: eval.Answer2, Stated: true, Criteria: true, Note: "n", Confidence: 0.5,
			At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Spent: 2500 * time.Millisecond,
		},
		{Line: 3, Annotator: "bob", Vote: eval.Answer2, Stated: true, Criteria: true, Hash: "h", Flagged: true, Informed: true, Queue: "q"},
		{Line: 4, Models: [2]string{"a", "A"}, Annotator: "bob", Vote: eval.Answer2, Stated: true},
		{Line: 5, Annotator: "cy", Vote: eval.SituationOne},
		{Line: 6, Annotator: "cy", Vote: eval.SituationTwo},
	}
	i := 0
	for row, err := range ReadPersonVotes(write(t, "v.jsonl", lines), "") {
		w := want[i]
		if w.Sample = "1"; w.Models[0] == "" {
			w.Models = [2]string{"a", "B"}
		}
		if err != nil || row != w {
			t.Errorf("%+v, %v\nwant %+v", row, err, w)
		}
		i++
	}
	if i != len(want) {
		t.Errorf("%d rows", i)
	}
}

// What cannot be taken is reported with its line, and the rest goes on.
func TestReadPersonVotesThatAreNone(t *testing.T) {
	lines := `{"sample":"1","model_1":"a","model_2":"b","annotator":"ann","vote":"both"}
{"sample":"1","model_1":"a","model_2":"b","annotator":"ann","vote":""}
{"sample":"1","model_1":"a","model_2":"a","annotator":"ann","vote":"answer1"}
{"sample":"1","model_1":"a","annotator":"ann","vote":"answer1"}
{"sample":"1","model_1":"a","model_2":"b","annotator":"","judge":"g","vote":"answer1"}
{"sample":"1","model_1":"a","model_2":"b","vote":"answer1"}
{"model_1":"a","model_2":"b","annotator":"ann","vote":"answer1"}
{"sample":"1","model_1":"a","model_2":"b","annotator":"ann","vote":"answer1","criteria":"1. Say so."}
{"sample":"1","model_1":"a","model_2":"b","annotator":"ann","vote":"answer1","criteria":false,"criteria_hash":"h"}
{"sample":"1","model_1":"a","model_2":"b","annotator":"ann","vote":"answer1","confidence":2}
{"sample":"1","model_1":"a","model_2":"b","annotator":"ann","vote":"answer1","seconds":"NaN"}
{"sample":"1","model_1":"a","model_2":"b","annotator":"ann","vote":"answer1","at":"noon"}
{"sample":"1","model_1":"a","model_2":"b","annotator":"` + strings.Repeat("x", 300) + `","vote":"answer1"}
{"sample":"1","model_1":"a","model_2":"b","annotator":"ann","vote":"answer1"}
`
	reasons := []string{
		`vote "both" is none of`, `vote "" is none of`, "both answers are of", "does not name both models", "is a judge's vote", "names no annotator",
		"names no sample", "neither true nor false", "says that none were shown", "not within (0, 1]", "is no number", "neither RFC 3339", "more than 256 bytes", "",
	}
	i := 0
	for _, err := range ReadPersonVotes(write(t, "v.jsonl", lines), "") {
		var p *problem.Problem
		if want := reasons[i]; want == "" {
			if err != nil {
				t.Error(err)
			}
		} else if !errors.As(err, &p) || p.Line != i+1 || !strings.Contains(p.Reason, want) {
			t.Errorf("row %d: %v, want %s", i+1, err, want)
		}
		i++
	}
	if i != len(reasons) {
		t.Errorf("%d rows", i)
	}
}

// Any bytes in any format: a row that is taken says who voted what on whose
// answers.
func FuzzPersonVotes(f *testing.F) {
	f.Add([]byte(`{"sample":"1","model_1":"a","model_2":"b","annotator":"ann","vote":"answer1","criteria":true,"at":1}`), uint8(0))
	f.Add([]byte(`[{"sample":1e3,"model_1":"a","model_2":"A","annotator":"ann","vote":"A","seconds":"1e9"}]`), uint8(1))
	f.Add([]byte("sample,model_1,model_2,annotator,vote\n1,a,b,ann,Unable to decide: situation one\n"), uint8(2))
	f.Add([]byte("annotator\tvote\tmodel_1\tmodel_2\tid\n\tanswer1\t\t\"b\t2\n"), uint8(3))
	formats := []string{tablefile.JSONL, format.JSON, tablefile.CSV, tablefile.TSV}
	f.Fuzz(func(t *testing.T, in []byte, which uint8) {
		src := profile.NewFromOpener("f", formats[int(which)%len(formats)], func() (io.ReadCloser, int64, error) {
			return io.NopCloser(bytes.NewReader(in)), int64(len(in)), nil
		}, nil)
		for row, err := range readRows(src, []string{"vote"}, (*rowReader).readPersonVote) {
			if err != nil {
				continue
			}
			if row.Sample == "" || row.Annotator == "" || row.Models[0] == "" || row.Models[0] == row.Models[1] || row.Models[1] == "" ||
				row.Vote == eval.VoteUnset || int(row.Vote) >= eval.Votes || row.Confidence < 0 || row.Confidence > 1 || row.Spent < 0 || row.Hash != "" && !row.Criteria {
				t.Fatalf("%+v", row)
			}
		}
	})
}
