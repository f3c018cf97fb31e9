package judge

import (
	"context"
	"math"
	"testing"

	"concord/eval"
)

// The confidence is the probability of the tokens that spell the choice where it
// stands last, and of no others.
func TestConfidence(t *testing.T) {
	yesNo := eval.Sample{ID: "2", Kind: eval.KindYesNo, Question: "Is it?"}
	check := func(s eval.Sample, want float64, text string, tokens ...eval.Token) {
		t.Helper()
		j := newJudge(t, Options{})
		got := j.ReadReply(judging(s, 0, "a puppy"), eval.Reply{Text: text, Finish: "stop", Tokens: tokens})
		if math.Abs(got.Confidence-want) > 1e-9 {
			t.Errorf("%q %v: read %+v with %v, want %v", text, tokens, got.Extraction, got.Confidence, want)
		}
	}
	tok := func(text string, p float64) eval.Token { return eval.Token{Text: text, LogProb: math.Log(p)} }
	check(dog, 0.75, "C", tok("C", 0.75))
	check(dog, 0, "C")
	check(dog, 0.5, "It is no A.\nAnswer: C", tok("It is", 0.1), tok(" no", 0.1), tok(" A", 0.1), tok(".\n", 0.1), tok("Answer", 0.1), tok(":", 0.1), tok(" C", 0.5))
	check(dog, 0.5, "C or C?\nAnswer: C", tok("C or C?\nAnswer: ", 0.1), tok("C", 0.5)) // the last one
	check(dog, 0.4, "**C**", tok("**", 0.1), tok("C", 0.4), tok("**", 0.1), tok("<|im_end|>", 0.1))
	check(dog, 0.4, "Ｃ", tok("\xef", 0.8), tok("\xbc", 0.5), tok("\xa3", 1))        // full width, in parts of a character
	check(dog, 0.3, "Z", tok("Z", 0.3))                                             // none of the options
	check(dog, 0.9, "C", tok("<think>It is A, or C</think>", 0.1), tok("\nC", 0.9)) // behind a thought
	check(dog, 0, "C", tok("B", 0.9))                                               // tokens of another text
	check(dog, 0, "who knows", tok("who knows", 0.9))                               // nothing was read
	check(dog, 1, "C", eval.Token{Text: "C", LogProb: 0.01})
	check(dog, math.SmallestNonzeroFloat64, "C", eval.Token{Text: "C", LogProb: -9999})
	check(yesNo, 0.6*0.5, "No", tok("N", 0.6), tok("o", 0.5))
	check(yesNo, 0.6, "不是", tok("不是", 0.6))
	check(yesNo, 0.2, "unknown", tok("unknown", 0.2))
	// Of a reply that was asked for again, only the one that was read counts.
	j := newJudge(t, Options{Chatter: sure{&script{lines: []string{"who knows", "C"}}}})
	if got, err := j.Judge(t.Context(), judging(dog, 0, "a puppy")); err != nil || math.Abs(got.Confidence-0.7) > 1e-9 {
		t.Errorf("%+v, %v", got, err)
	}
}

// sure writes each reply as one token.
type sure struct{ *script }

func (s sure) Chat(ctx context.Context, c eval.Chat) (eval.Reply, error) {
	r, err := s.script.Chat(ctx, c)
	r.Tokens = []eval.Token{{Text: r.Text, LogProb: math.Log(0.7)}}
	return r, err
}
