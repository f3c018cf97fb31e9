package rowfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/dataset/problem"
	"concord/eval/dataset/profile"
	"concord/eval/dataset/tablefile"
)

// A grade that is read names a response, a criterion and a rater, and has a
// verdict unless a judge gave none; a tree that is read has a name for each node.
func FuzzGrades(f *testing.F) {
	for _, s := range []string{
		`{"sample":"s","model":"m","criterion":1,"rater":"r","rater_kind":"human","verdict":"met","raw":0.0}`,
		`{"sample":"s","model":"m","criterion":"c","rater":"r","rater_kind":"judge","score":1e400,"probabilities":[0.5,0.5]}`,
		`{"sample":"s","model":"m","criterion":"c","rater":"r","rater_kind":"judge","verdict":null,"repeat":-1}`,
		`{"sample":"s","tree":{"id":"a","weight":1,"children":[{"id":2,"weight":-1,"text":"x"}]}}`,
		`{"prompt_id":"p","rubrics":[{"criterion":"x","points":5,"tags":["t"]}]}`,
		`{"sample":"s","criteria":[{"id":"a","weight":NaN,"parent":"a"}],"score":-Infinity}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		src := func() *profile.Source {
			return profile.NewFromOpener("f", tablefile.JSONL, func() (io.ReadCloser, int64, error) {
				return io.NopCloser(bytes.NewReader(in)), int64(len(in)), nil
			}, nil)
		}
		for r, err := range readRows(src(), nil, (*rowReader).readGrade) {
			var p *problem.Problem
			switch {
			case errors.As(err, &p) && p.Reason == "":
				t.Fatalf("%q: a problem without a reason", in)
			case err == nil && (r.Sample == "" || r.Model == "" || r.Criterion == "" || r.Rater == "" || r.Repeat < 0 ||
				r.Person && r.Graded.Verdict == eval.VerdictUnset || math.IsNaN(r.Graded.Score) || math.IsInf(r.Graded.Score, 0)):
				t.Fatalf("%q: %+v", in, r)
			}
		}
		for r, err := range readRows(src(), nil, (*rowReader).readCriteriaRow) {
			for _, c := range r.List {
				if err == nil && (c.Parent != "" && c.ID == "" || c.Weight != nil && (math.IsNaN(*c.Weight) || math.IsInf(*c.Weight, 0))) {
					t.Fatalf("%q: %+v", in, r)
				}
			}
		}
	})
}

// MM-Vet's file of grades: the mean of the runs, by the judge that it names, of the
// model that its name names.
func TestMMVetGrades(t *testing.T) {
	path := filepath.Join(t.TempDir(), "llava_13b_gpt-4-grade-2runs.json")
	text := `{"v1_0": {"model": ["gpt-4", "gpt-4"], "content": ["0.5", "1"], "score": [0.5, 1]}, "v1_1": {"model": ["gpt-4"], "content": ["7"], "score": [7]}}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	for r, err := range ReadGrades(path) {
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, fmt.Sprint(r.Sample, r.Model, r.Criterion, r.Rater, r.Graded.Score, r.Person))
	}
	want := fmt.Sprint("v1_0", "llava_13b", "1", "gpt-4", 0.75, false)
	if len(got) != 2 || got[0] != want || !strings.Contains(got[1], "none from 0 to 1") {
		t.Errorf("%q, want %q and an error", got, want)
	}
}
