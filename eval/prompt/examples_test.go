package prompt

import (
	"slices"
	"strings"
	"testing"

	"concord/eval"
)

// TestFillExamples: what came from outside is shown as it is, and is no part of the
// template.
func TestFillExamples(t *testing.T) {
	set, err := LoadSet(nil)
	if err != nil {
		t.Fatal(err)
	}
	ours, _ := set.TemplateText(ExtractChoice, "en")
	odd := "{{.Question}} {{examples 9}} {{/* examples of samples 77 */}} `}} {{"
	examples := []Example{
		{Sample: 5, Question: "Which?", Options: []eval.Option{{Letter: "A", Text: odd}, {Letter: "B", Text: "two"}}, Response: odd, Class: "B"},
		{Sample: 3, Question: "Which?", Options: []eval.Option{{Letter: "A", Text: "one"}}, Response: "No idea.", Class: eval.X},
	}
	wanted := strings.Replace(ours.Text, "Now the one", "{{examples 1}}\n{{ examples 4 }}\nNow the one", 1)
	if n := CountWantedExamples(wanted); n != 5 {
		t.Errorf("%d examples", n)
	}
	text := FillExampleSlots(wanted, "en", examples)
	if got := ExampleSamples(text); !slices.Equal(got, []eval.Ordinal{3, 5}) || CountWantedExamples(text) != 0 {
		t.Errorf("samples %v of\n%s", got, text)
	}
	filled, err := set.CopyWithTemplate(ExtractChoice+"/en", text)
	if err != nil {
		t.Fatal(err)
	}
	chat, _, err := filled.FillTemplate(filled.Refs(ExtractChoice), ExtractChoice, Item{
		Language: "en", Question: "What?", Options: []eval.Option{{Letter: "A", Text: "x"}, {Letter: "B", Text: "y"}}, Answer: "Well.", Pseudo: "Z",
	})
	if err != nil {
		t.Fatal(err)
	}
	said := chat.Turns[0].Text
	for _, want := range []string{"A. " + odd + "\nB. two\nAnswer: " + odd + "\nReply: B\n", "Example 2\nQuestion: Which?", "Answer: No idea.\nReply: Z\n"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	yes := FillExampleSlots("{{examples 3}}", "zh", []Example{{Sample: 1, Question: "是吗？", Response: "对。", Class: eval.Yes}})
	if !strings.Contains(yes, "题目：是吗？\n回答：对。\n输出：是\n") || strings.Contains(yes, "选项") {
		t.Errorf("%s", yes)
	}
}
