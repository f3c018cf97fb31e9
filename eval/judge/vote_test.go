package judge

import (
	"strings"
	"testing"

	"concord/eval"
)

func TestVote(t *testing.T) {
	check := func(text string, want eval.Vote) {
		t.Helper()
		if got, ok := ReadVote(eval.Reply{Text: text}); got != want || ok != (want != eval.VoteUnset) {
			t.Errorf("%q: got %s %v, want %s", text, got, ok, want)
		}
	}
	check("Answer1", eval.Answer1)
	check("answer2.", eval.Answer2)
	check("Answer1 is detailed.\nAnswer2 is right.\n\n**Answer2**\n \n", eval.Answer2)
	check("`ANSWER1`.", eval.Answer1)
	check("### _Answer1_", eval.Answer1)
	check("> Answer2", eval.Answer2)
	check("Unable to decide: situation one", eval.SituationOne)
	check("**unable to  decide: Situation Two.**\r\n", eval.SituationTwo)
	check("first\rAnswer1", eval.Answer1)

	for _, none := range []string{
		"", " \n ", "Answer3", "Answer", "Answer 1", "Answer1 or Answer2", "not Answer1", "Answer1!", "Answer1?",
		"My vote: Answer1", "Answer1\nbecause it is right", "unable to decide", "situation one",
		"unable to decide: situation three", "I vote 'Answer1'", "~~Answer1~~", "Answer1, Answer2", "<b>Answer1</b>",
		"Answer1" + strings.Repeat(" ", 200) + "Answer2", "Ａnswer1", "answer\u01311",
	} {
		check(none, eval.VoteUnset)
	}
	if _, ok := ReadVote(eval.Reply{Text: "Answer1", Finish: "length"}); ok {
		t.Error("a reply that was cut off was read")
	}
}

// What is read is the last line alone, and nothing but a vote.
func FuzzVote(f *testing.F) {
	for _, s := range []string{"Answer1", "why\n**Answer2**.", "unable to decide: situation one\n", "# > _Answer1_", "\x00Answer1", "Answer1\u2028"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, ok := ReadVote(eval.Reply{Text: text})
		if ok == (v == eval.VoteUnset) {
			t.Fatalf("%q: %s and %v", text, v, ok)
		}
		lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
		last := ""
		for _, l := range lines {
			if strings.TrimSpace(l) != "" {
				last = l
			}
		}
		if again, same := ReadVote(eval.Reply{Text: last}); again != v || same != ok {
			t.Fatalf("%q: %s, its last line %q: %s", text, v, last, again)
		}
		if !ok {
			return
		}
		words := strings.ToLower(strings.Join(strings.Fields(strings.Trim(strings.TrimSpace(last), "#> *_`.")), " "))
		if _, is := votes[words]; !is {
			t.Fatalf("%q was read as %s", last, v)
		}
	})
}
