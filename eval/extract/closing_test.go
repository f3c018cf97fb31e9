package extract

import (
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/lexicon"
)

// TestClosing sets what the last line decides against a reading of all
// letters, under openings of which many count for more than the last line.
func TestClosing(t *testing.T) {
	options := []eval.Option{{Letter: "A", Text: "cat"}, {Letter: "B", Text: "dog"}, {Letter: "C", Text: "owl"}, {Letter: "I", Text: "elk"}}
	above := []string{
		"", "Let us see. A is a cat, B a dog.", "A", "A.", "A dog barks.", "- (C) owl", "**C**", "The answer is C.", "The answer is not B.",
		"Is it A or B?", "A, B and C are wrong", "A. cat", "B. dog", "The picture shows a field.", "Owls hunt at night, so B is unlikely.", "\\boxed{C}", "It is \\boxed{C}.", "<answer>C</answer>", "See <b>C</b>.",
		"The answer is C.\n\nQuestion: what next?", "The answer is C.\n**Question** 2", "Wait, I choose C instead of A", "答案是C", "Options\n(A)\n(C)", "I", "x", "#C",
		"To answer this, look at the owl.", "To find the answer we compare a and b", "The best option here, C, is an owl.", "My answer would be C because owls hunt.", "Here C is the answer.",
		"Options differ. The answer is C.", "The answer holds for x > 3.", "First, the answer's <b>C</b>", "If x -> 3, the answer is C",
	}
	lines := []string{
		"Answer: B", "answer: b", "**Answer: B**", "Answer: (B)", "Answer: \\(B\\)", "Answer: dog (B)", "B", "**B**", "- B", "The answer is B.", "The answer is B!",
		"Answer: A or B", "Answer: A, B", "Answer: A/B", "Answer 1: B", "not B", "The answer is not B", "Is the answer B?", "If the answer is B", "So I pick B",
		"Answer: E", "Answer: I", "Answer: 我选B", "Answer: é B", "Answer:\nB", "Answer: B\n\n", "Answer: B.\nC", "x = B", "The final answer, after a long look at the picture, is B",
	}
	settled := 0
	for _, a := range above {
		for _, l := range lines {
			text := chars.FoldForRules(a + "\n" + l)
			p := &markedAnswer{answer: answerText{text, newChoices(options)}}
			got, ok := p.readClosingLine()
			if !ok {
				continue
			}
			settled++
			p.findAndGradeMarks()
			if want, _ := p.readStrongLetter(); got != want {
				t.Errorf("%q: the last line says %+v, all letters %+v", text, got, want)
			}
		}
	}
	if settled < 50 {
		t.Errorf("%d texts were read by their last line, want 50 or more", settled)
	}
}

// TestAsks sets the search for new questions against a look at every line.
func TestAsks(t *testing.T) {
	parts := []string{"question", "Question 2", "**QUESTION", "### Question", "q:", "Q: what", "问题", "**q:", "x", "\n", "\n", " ", "**", "### ", "quiet", "\xe9"}
	for i := range len(parts) * len(parts) * len(parts) {
		s := parts[i%len(parts)] + parts[i/len(parts)%len(parts)] + parts[i/len(parts)/len(parts)]
		want := false
		for k, line := range strings.Split(s, "\n") {
			for _, q := range questions {
				want = want || k > 0 && lexicon.HasFoldedPrefix(line, q)
			}
		}
		if got := hasQuestionLine(s); got != want {
			t.Errorf("%q: got %t, want %t", s, got, want)
		}
	}
}
