package openaitest_test

import (
	"fmt"
	"testing"

	"concord/eval/openai/openaitest"
)

func compared(a, b string, more ...openaitest.Turn) *openaitest.Request {
	text := fmt.Sprintf("Which is better?\n\n=== question\nWho?\n=== Answer1\n%s\n=== Answer2\n%s\n=== end", a, b)
	return &openaitest.Request{Turns: append([]openaitest.Turn{{Role: "user", Text: text}}, more...)}
}

// A juror's votes follow from the answers: swapped ones get the swapped vote,
// but for the shares that it has of its own.
func TestJuror(t *testing.T) {
	j := openaitest.Juror{Seed: 3, First: 0.2, Undecided: 0.1, Wordy: 0.1}
	const pairs = 2000
	var same, first, undecided, wordy, stubborn int
	for i := range pairs {
		a, b := fmt.Sprintf("a\nlong answer %d", i), fmt.Sprintf("answer %d", i*7)
		there, ok := j.VoteOnAnswers(compared(a, b))
		back, too := j.VoteOnAnswers(compared(b, a))
		if !ok || !too {
			t.Fatal("no vote")
		}
		switch x, y := there.Text, back.Text; {
		case x == "Answer1" && y == "Answer1":
			first++
		case x == "unable to decide: situation one" || x == "unable to decide: situation two":
			undecided++
			if x != y {
				t.Errorf("%q and %q", x, y)
			}
		case len(x) > 40:
			wordy++
			if again, _ := j.VoteOnAnswers(compared(a, b, openaitest.Turn{}, openaitest.Turn{})); again.Text == x {
				stubborn++
			}
		case (x == "Answer1") != (y == "Answer1"):
			same++
		default:
			t.Errorf("%q and %q", x, y)
		}
	}
	near := func(what string, n int, share float64) {
		if got := float64(n) / pairs; got < share-0.03 || got > share+0.03 {
			t.Errorf("%s: %.3f, want about %.2f", what, got, share)
		}
	}
	near("same", same, 0.6)
	near("first", first, 0.2)
	near("undecided", undecided, 0.1)
	near("wordy", wordy, 0.1)
	near("stubborn", stubborn, 0.05)
	if _, ok := j.VoteOnAnswers(&openaitest.Request{Turns: []openaitest.Turn{{Text: "Who is on the sofa?\nAnswer1"}}}); ok {
		t.Error("a vote on no pair")
	}
}
