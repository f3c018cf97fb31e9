package column

import (
	"reflect"
	"testing"

	"concord/eval"
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
