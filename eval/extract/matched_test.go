package extract

import (
	"strings"
	"testing"

	"concord/eval"
)

func TestMatched(t *testing.T) {
	options := []eval.Option{{Letter: "A", Text: "red"}, {Letter: "B", Text: "blue"}, {Letter: "C", Text: "green"}}
	rules, err := FindRules(Default)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("The lamp stands left of the door. ", 60)
	for _, text := range []string{
		"B", "The answer is B.", long + "So the answer is (B).", "Answer: B\n\n" + long, "答案是B。", long + "我认为答案是B。",
	} {
		want := eval.ReadText(rules, eval.KindChoice, options, text)
		from, to := FindDecisivePart(rules, eval.KindChoice, options, text)
		if got := eval.ReadText(rules, eval.KindChoice, options, text[from:to]); !want.IsFound() || got != want || to-from > 40 {
			t.Errorf("%.40q: %q, which reads %v, want %v", text, text[from:to], got, want)
		}
	}
	for _, text := range []string{"", "I cannot see the image.", long} {
		if from, to := FindDecisivePart(rules, eval.KindChoice, options, text); from != to {
			t.Errorf("%.40q: matched %q", text, text[from:to])
		}
	}
}
