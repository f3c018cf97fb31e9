package eval

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestTextTokens(t *testing.T) {
	check := func(text string, want int) {
		t.Helper()
		if got := EstimateTextTokens(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	check("", 0)
	check("a", 1)
	check("four char token.", 4)
	check("图中是什么？", 6)
	check("图 A. B", 3)
	check("Où est-ce?", 3)
}

func TestPictureTokens(t *testing.T) {
	check := func(w, h, edge, want int) {
		t.Helper()
		if got := (PictureSize{w, h}).EstimateTokens(edge); got != want {
			t.Errorf("%d x %d to %d: %d, want %d", w, h, edge, got, want)
		}
	}
	check(1024, 1024, 0, 765)  // a vendor's worked example: 768 x 768, four tiles
	check(2048, 4096, 0, 1105) // another one: 768 x 1536, six tiles
	check(512, 512, 0, 255)
	check(1, 1, 0, 255)
	check(4096, 4096, 512, 255)
	check(2048, 1024, 1024, 425) // 1024 x 512
	check(0, 0, 0, 425)
	check(100_000, 1, 0, 85+170*4)
}

func near(a, b Range) bool {
	return math.Abs(a.Low-b.Low) < 1e-9 && math.Abs(a.High-b.High) < 1e-9
}

func TestEstimate(t *testing.T) {
	four := Load{Kind: KindChoice, Text: 100, Judged: 60, Pictures: []PictureSize{{512, 512}}, Passes: 4, Truth: true}
	two := Load{Kind: KindChoice, Text: 100, Judged: 60, Passes: 2} // of a test split
	open := Load{Kind: KindOpen, Text: 10, Passes: 1}
	check := func(name string, w Workload, loads []Load, calls, prompt, completion, judge Range) {
		t.Helper()
		for _, l := range loads {
			w.AddQuestion(l)
		}
		e := w.Estimate()
		if !near(e.Calls, calls) || !near(e.Prompt, prompt) || !near(e.Completion, completion) || !near(e.JudgeCalls, judge) {
			t.Errorf("%s: %+v", name, e)
		}
	}
	none := Range{}
	loads := []Load{four, two, open}
	check("vanilla", Workload{Strategy: Vanilla}, loads, Range{3, 3}, Range{465, 465}, Range{332, 332}, none)
	check("circular", Workload{Strategy: Circular}, loads, Range{4, 7}, Range{565, 1630}, Range{16 + 32 + 300, 64 + 32 + 300}, none)
	check("all passes", Workload{Strategy: Circular, AllPasses: true}, loads, Range{7, 7}, Range{1630, 1630}, Range{396, 396}, none)
	check("set by hand", Workload{Strategy: Vanilla, PictureTokens: 576, Answer: 10}, loads, Range{3, 3}, Range{786, 786}, Range{30, 30}, none)
	judges := []JudgeLoad{{Judge: "x"}, {Judge: "y"}}
	check("two judges", Workload{Strategy: Circular, Judges: judges, Unread: 0.5}, []Load{four, open}, Range{2, 5}, Range{365, 1430}, Range{316, 364}, Range{1, 4})
	check("nothing unread", Workload{Strategy: Vanilla, Judges: judges, Unread: -1}, []Load{four}, Range{1, 1}, Range{355, 355}, Range{16, 16}, none)
	check("a part for all", Workload{Strategy: Vanilla, Total: 300}, []Load{two, two}, Range{300, 300}, Range{30_000, 30_000}, Range{4800, 4800}, none)
	check("nothing", Workload{Strategy: Vanilla, Total: 300}, nil, none, none, none, none)
}

func TestEstimatedCost(t *testing.T) {
	w := Workload{
		Strategy: Circular, Price: Price{Prompt: 2, Completion: 10}, Unread: 0.5, Answer: 50, Verdict: 20, JudgePrompt: 240,
		Judges: []JudgeLoad{{"x", Price{Prompt: 1, Completion: 4}}, {Judge: "local"}},
	}
	for range 1000 {
		w.AddQuestion(Load{Kind: KindChoice, Text: 100, Judged: 60, Passes: 4, Truth: true})
	}
	e := w.Estimate()
	// 100,000 tokens in at 2 and 50,000 out at 10 a million; four times that at most.
	if !near(e.Cost, Range{0.7, 2.8}) {
		t.Errorf("cost %+v", e.Cost)
	}
	// 500 calls of 240 + 60 + 50 in and 20 out.
	if !near(e.JudgeCost, Range{0.215, 0.86}) || !near(e.TotalCost(), Range{0.915, 3.66}) {
		t.Errorf("judges' cost %+v, total %+v", e.JudgeCost, e.TotalCost())
	}
	if e.Priced || !slices.Equal(e.Unpriced, []string{"local"}) {
		t.Errorf("priced %v, without a price %q", e.Priced, e.Unpriced)
	}
}

func TestAssumed(t *testing.T) {
	w := Workload{Strategy: Vanilla, Total: 10, Edge: 768, Judges: []JudgeLoad{{Judge: "x"}}}
	w.AddQuestion(Load{Kind: KindChoice, Pictures: []PictureSize{{}}})
	got := strings.Join(w.Estimate().Assumed.DescribeLines(), "\n")
	for _, want := range []string{"1 were looked at to estimate all", "scaled down to 768", "unknown size: 1", "16 tokens each, open ones 300", "10 % of the answers"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if got := (Workload{Answer: 5}).Estimate().Assumed.DescribeLines(); strings.Contains(strings.Join(got, "\n"), "judges") {
		t.Errorf("without judges: %q", got)
	}
}

func TestLoadOf(t *testing.T) {
	s := Sample{Kind: KindChoice, Question: "four", Options: []Option{{"A", "four"}, {"B", "four"}}, Answer: "A"}
	c := Chat{System: "four", Turns: []Turn{{User, "fourfour"}}}
	got := EstimateSampleLoad(&s, c, nil)
	if got.Text != 3 || got.Judged != 9 || got.Passes != 2 || !got.Truth {
		t.Errorf("got %+v", got)
	}
}
