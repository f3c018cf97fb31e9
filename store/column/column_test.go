package column

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"concord/eval"
	"concord/eval/metric"
)

// Samples that differ stay apart, however alike the texts of their lists are.
func TestSamplesThatDiffer(t *testing.T) {
	base := eval.Sample{Kind: eval.KindChoice, Answer: "A"}
	changes := []func(*eval.Sample){
		func(*eval.Sample) {},
		func(s *eval.Sample) { s.Also = [][]string{{"x", "y"}} },
		func(s *eval.Sample) { s.Also = [][]string{{"x"}, {"y"}} },
		func(s *eval.Sample) { s.Groups = []eval.Column{{Name: "x", Value: "y"}} },
		func(s *eval.Sample) { s.Taxonomy = []string{"x", "y"} },
		func(s *eval.Sample) { s.Taxonomy = []string{"xy"} },
		func(s *eval.Sample) { s.Options = []eval.Option{{Letter: "A"}, {Letter: "B"}} },
		func(s *eval.Sample) { s.Options = []eval.Option{{Letter: "AB"}} },
		func(s *eval.Sample) { s.Split = "x" },
		func(s *eval.Sample) { s.Source = "x" },
		func(s *eval.Sample) { s.Answer = "B" },
	}
	var c Samples
	all := make([]eval.Sample, len(changes))
	for i, change := range changes {
		all[i] = base
		all[i].Ordinal, all[i].ID = eval.Ordinal(i), eval.SampleID(rune('a'+i))
		change(&all[i])
		if !c.AddSample(&all[i]) {
			t.Fatalf("sample %d is not taken", i)
		}
	}
	for i := range all {
		var got eval.Sample
		if c.ReadSample(i, &got); !reflect.DeepEqual(got.Also, all[i].Also) || got.Answer != all[i].Answer || got.Split != all[i].Split || got.Source != all[i].Source ||
			len(got.Groups) != len(all[i].Groups) || len(got.Options) != len(all[i].Options) || len(got.Taxonomy) != len(all[i].Taxonomy) {
			t.Errorf("sample %d comes back as %+v, want %+v", i, got, all[i])
		}
	}
}

// Of an answer to a question of yes and no is kept whether it begins so, whatever bytes it is made of.
func TestFirstWordsOfAnyBytes(t *testing.T) {
	texts := []string{
		"yes", "No.", "yesterday", "\xffyes", "yes\xffs", "no\xe2\x80", " \n Yes\u00a0x", "n\xffo", "no\u00e9", "\u2003yes", "yes\u0301 it is", "\xc2yes", "no\U0001F600", "yes\U00020000",
	}
	s := eval.Sample{Kind: eval.KindYesNo}
	var samples Samples
	samples.AddSample(&s)
	var c Readings
	for i, text := range texts {
		c.AddPrediction(&s, &eval.Prediction{Key: eval.Key{Pass: eval.Pass(i)}, Text: text}, &eval.Extracted{})
	}
	q := eval.Question{Sample: s}
	c.ReadPredictions(1, &q, 0, nil)
	for i, text := range texts {
		if have, want := metric.BeginsWithYesNo(q.Predictions[i].Text), metric.BeginsWithYesNo(text); have != want {
			t.Errorf("%q, kept as %q, begins with yes or no: %v, want %v", text, q.Predictions[i].Text, have, want)
		}
	}
}

// What a killed writer left goes with the next file, and what another one is writing stays.
func TestPartsOfKilledWritersGo(t *testing.T) {
	f := ColumnsFolder(t.TempDir(), "p.db")
	if err := f.SaveColumns("a", "1", &Samples{}); err != nil {
		t.Fatal(err)
	}
	left, young := filepath.Join(f.path, "part1"), filepath.Join(f.path, "part2")
	for _, part := range []string{left, young} {
		if err := os.WriteFile(part, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(left, old, old); err != nil {
		t.Fatal(err)
	}
	if err := f.SaveColumns("b", "1", &Samples{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what was left stays")
	}
	if _, err := os.Stat(young); err != nil || !f.LoadColumns("a", "1", new(Samples)) || !f.LoadColumns("b", "1", new(Samples)) {
		t.Error("what is written, or was, is gone", err)
	}
}
