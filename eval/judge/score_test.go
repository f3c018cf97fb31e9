package judge

import (
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/prompt"
)

func TestScore(t *testing.T) {
	check := func(text string, want int) {
		t.Helper()
		if got, wrong := ReadScore(eval.Reply{Text: text, Finish: "stop"}); got != want || (wrong == prompt.WrongUnset) != (want > 0) {
			t.Errorf("%q: got %d (%s), want %d", text, got, wrong, want)
		}
	}
	check("4", 4)
	check(" 1.\n", 1)
	check("**5**", 5)
	check("`3`.", 3)
	check("# 2", 2)
	check("- 2", 2)
	check("> 2", 2)
	check("(3)", 3)
	check(`"4"`, 4)
	check("４。", 4)
	check("Score: 4", 4)
	check("**Score:** 4.", 4)
	check("score=1", 1)
	check("SCORE : [5]", 5)
	check("<think>Is it 2 or 3?</think>\n3", 3)

	for _, none := range []string{
		"0", "6", "10", "45", "4.5", "4/5", "4 of 5", "4 or 5", "-4", "+4", "~~4~~", "4!", "4?", "4%", "IV", "four", "²", "④", "٤",
		"The score is 4", "I would say 4", "4 because it fits", "4\n5", "Score", "Score 4", "Score:", "Score: 4/5", "Score: 4 of 5",
		"Score: 1 to 5", "Score: Score: 4", "ſcore: 4", "not 4", "<think>4", "Score:\n4", "1 2 3", "", " \n", "..", "4" + strings.Repeat(" ", longestReply) + "5",
	} {
		check(none, 0)
	}
	for text, want := range map[string]prompt.ReplyProblem{
		"": prompt.WrongEmpty, "4 or 5": prompt.WrongSeveral, "I say 4": prompt.WrongWordy, "4, 5": prompt.WrongSeveral, "4/5": prompt.WrongSeveral, "7": prompt.WrongInvalid,
		"4.5": prompt.WrongInvalid, "four": prompt.WrongWordy,
	} {
		if _, got := ReadScore(eval.Reply{Text: text}); got != want {
			t.Errorf("%q is wrong as %q, want %q", text, got, want)
		}
	}
	if _, wrong := ReadScore(eval.Reply{Text: "1", Finish: "length"}); wrong != prompt.WrongWordy {
		t.Error("a reply that was cut off was read")
	}
}

// A score is a digit that the reply holds, and but for the word before it and
// marks, the reply holds nothing else.
func FuzzScore(f *testing.F) {
	for _, s := range []string{"4", "Score: 3", "**Score:** `5`.", "I give it a 4", "１", "<think>1</think>2", "score = \"2\"", "4\x00", "Score：【4】"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, wrong := ReadScore(eval.Reply{Text: text})
		if (wrong == prompt.WrongUnset) != (n >= 1 && n <= eval.TopScore) {
			t.Fatalf("%q: %d, %q", text, n, wrong)
		}
		if n == 0 {
			return
		}
		_, rest := cutReplyThought(text)
		rest = strings.ToLower(foldReply(rest))
		if strings.Count(rest, string(rune('0'+n))) != 1 || strings.ContainsAny(strings.Replace(rest, "score", "", 1), "abcdefghijklmnopqrstuvwxyz06789+~?!%") {
			t.Fatalf("%q was read as %d", text, n)
		}
	})
}
