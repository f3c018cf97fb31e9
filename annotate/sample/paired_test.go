package sample

import (
	"fmt"
	"slices"
	"testing"

	"concord/annotate"
	"concord/eval"
)

// As MLLM-Bench, App. F.1, has it: 42 capabilities of 10 samples, 2 drawn of
// each, and 3 models against one anchor.
func TestDrawPairs(t *testing.T) {
	const anchor = eval.RunID(9)
	population := func(models ...eval.RunID) []Candidate {
		var out []Candidate
		for _, m := range models {
			for i := range 420 {
				out = append(out, Candidate{
					Key: eval.Key{Run: m, Sample: eval.Ordinal(i)}, Against: anchor,
					Sample: eval.SampleID(fmt.Sprint(i)), Taxonomy: []string{"L", fmt.Sprint(i % 42)},
				})
			}
		}
		return out
	}
	samplesOf := func(items []annotate.QueueItem) []eval.Ordinal {
		var out []eval.Ordinal
		for _, it := range items {
			out = append(out, it.Key.Sample)
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	rule := annotate.Rule{From: annotate.FromPairs, Level: 2, PerLevel: 2, Seed: 5}
	items := draw(t, rule, population(1, 2, 3))
	if len(items) != 252 {
		t.Fatalf("%d pairs, want 252", len(items))
	}
	drawn := samplesOf(items)
	if len(drawn) != 84 {
		t.Errorf("%d samples, want 84", len(drawn))
	}
	groups := make(map[string]int)
	for i, it := range items {
		groups[it.Group]++
		if it.Inclusion != 0.2 {
			t.Fatalf("inclusion %v, want 2 of 10", it.Inclusion)
		}
		if i > 0 && items[i-1].Key.Sample == it.Key.Sample {
			t.Errorf("items %d and %d are of one sample", i-1, i)
		}
	}
	for g, n := range groups {
		if n != 6 {
			t.Errorf("group %s has %d pairs, want 6", g, n)
		}
	}
	if got := samplesOf(draw(t, rule, population(2))); !slices.Equal(got, drawn) {
		t.Error("which samples are drawn depends on the models")
	}
	backwards := population(1, 2, 3)
	slices.Reverse(backwards)
	if !slices.Equal(draw(t, rule, backwards), items) {
		t.Error("the draw depends on the order of the population")
	}
	few := draw(t, annotate.Rule{From: annotate.FromPairs, Number: 10, Seed: 5}, population(1, 2))
	if len(few) != 20 || len(samplesOf(few)) != 10 || few[0].Inclusion != 10./420 {
		t.Errorf("a number of samples: %d pairs of %d samples, inclusion %v", len(few), len(samplesOf(few)), few[0].Inclusion)
	}
	more := samplesOf(draw(t, annotate.Rule{From: annotate.FromPairs, Number: 20, Seed: 5}, population(1)))
	for _, o := range samplesOf(few) {
		if !slices.Contains(more, o) {
			t.Error("a larger number does not contain the smaller")
		}
	}
	if n := len(samplesOf(draw(t, annotate.Rule{From: annotate.FromPairs, Rate: 0.5, Seed: 5}, population(1, 2)))); n < 150 || n > 270 {
		t.Errorf("a rate of half draws %d of 420 samples", n)
	}
}

func TestApart(t *testing.T) {
	check := func(in, want string) {
		t.Helper()
		list := make([]drawnTicket, len(in))
		for i := range in {
			list[i].key.Sample = eval.Ordinal(in[i])
		}
		separateSamples(list)
		got := ""
		for _, d := range list {
			got += string(rune(d.key.Sample))
		}
		if got != want {
			t.Errorf("apart(%s) = %s, want %s", in, got, want)
		}
	}
	check("", "")
	check("abc", "abc")
	check("aab", "aba")
	check("aaabbb", "ababab")
	check("abbbc", "abcbb")
	check("aaa", "aaa")
}
