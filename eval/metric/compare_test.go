package metric

import (
	"math"
	"testing"

	"concord/eval"
)

func TestCompare(t *testing.T) {
	choices := []eval.Option{{Letter: "A", Text: "145°"}, {Letter: "B", Text: "35°"}}
	for _, c := range []struct {
		sample eval.Sample
		answer string
		want   float64 // -1: nothing is compared
	}{
		{eval.Sample{Metric: "exact", Reference: "(A)"}, " A. ", 1},
		{eval.Sample{Metric: "exact", Reference: "(A)"}, "(Z)", 0},
		{eval.Sample{Metric: "lower", Reference: "Penguin"}, "penguin", 1},
		{eval.Sample{Metric: "vqa", References: []string{"red", "red", "red", "blue", "Blue.", "a", "b", "c", "d", "e"}}, "the Red", 0.9},
		{eval.Sample{Metric: "vqa", References: []string{"one"}}, "1", 1},
		{eval.Sample{Metric: "anls", References: []string{"abcd", "wxyz"}}, "ABCE", 0.75},
		{eval.Sample{Metric: "anls", Reference: "abcd"}, "xbxx", 0},
		{eval.Sample{Metric: "relaxed", Reference: "100"}, "95", 1},
		{eval.Sample{Metric: "relaxed", Reference: "100"}, "94.9", 0},
		{eval.Sample{Metric: "relaxed", Reference: "0.5"}, "50%", 1},
		{eval.Sample{Metric: "relaxed", Reference: "0"}, "0", 1},
		{eval.Sample{Metric: "relaxed", References: []string{"2014", "2016"}}, "2016", 1},
		{eval.Sample{Metric: "contains:Doc", References: []string{"x", "CENTRE"}}, "It says Centre.", 1},
		{eval.Sample{Metric: "contains:Handwritten Mathematical Expression Recognition", Reference: "a + b"}, "a+ b", 1},
		{eval.Sample{Metric: "mmmu:short-answer", References: []string{"1,000.004", "x"}}, "about 1000", 1},
		{eval.Sample{Metric: "mmmu:short-answer", Reference: "oak"}, "An Oak tree", 1},
		{eval.Sample{Metric: "mmmu:multiple-choice", Reference: "B"}, "b", 1},
		{eval.Sample{Metric: "mathvista:float:1.0", Reference: "1.2"}, "1.24", 1},
		{eval.Sample{Metric: "mathvista:integer:", Reference: "8"}, "8.9", 1},
		{eval.Sample{Metric: "mathvista:integer:", Reference: "8"}, "eight", 0},
		{eval.Sample{Kind: eval.KindChoice, Options: choices, Answer: "A", Metric: "mathvista:text:"}, "(A) 145", 1},
		{eval.Sample{Kind: eval.KindChoice, Options: choices, Answer: "B", Metric: "mathvista:text:"}, "35", 1},
		{eval.Sample{Kind: eval.KindChoice, Options: choices, Answer: "B", Metric: "mmmu"}, "B", -1},
		{eval.Sample{Metric: "unknown", Reference: "x"}, "x", -1},
		{eval.Sample{Metric: "exact"}, "x", -1},
		{eval.Sample{Reference: "x"}, "x", -1},
	} {
		got, ok := ScoreAnswer(&c.sample, c.answer)
		if ok != (c.want >= 0) || ok && math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s %q: %v, %v, want %v", c.sample.Metric, c.answer, got, ok, c.want)
		}
	}
}

// Groups are right where all of their questions are, and those that share an
// image are one cluster.
func TestGroups(t *testing.T) {
	g, other := Groups{}, Groups{}
	add := func(to Groups, image, figure, question string, right, known bool) {
		to.addToGroups(&eval.Sample{
			Pictures: []eval.Picture{{Name: image}},
			Groups:   []eval.Column{{Name: "f", Value: figure}, {Name: "q", Value: question}},
		}, right, known)
	}
	add(g, "1", "a", "x", true, true)
	add(g, "1", "a", "y", false, true)
	add(g, "2", "b", "x", true, true)
	add(other, "2", "b", "y", true, true)
	add(other, "3", "c", "z", true, false)
	g.merge(other)
	if f := g.Rate("f"); f.K != 1 || f.N != 2 {
		t.Errorf("%+v", f)
	}
	if q := g.Rate("q"); q.K != 1 || q.N != 2 || q.Clusters != 1 {
		t.Errorf("%+v", q)
	}
}
