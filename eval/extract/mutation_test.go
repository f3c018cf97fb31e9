package extract

import (
	"strings"
	"testing"

	"concord/eval"
)

// The frames say the same in many words: X and Y stand for labels of options,
// x and y for letters alone.
var (
	oneFrames = []string{
		"X", "x", "Answer: X", "The answer is X.", "The correct answer is x.", "**Final answer:** x", "I would choose X.", "I'm going with x.",
		"\\boxed{x}", "<answer>x</answer>", "Based on the picture, the correct option is X.", "So, the answer is (x).", "It shows a street.\n\nAnswer: x",
		"y is wrong, so the answer is x.", "Not y, but x.", "The answer is x, not y.", "Initially I chose y. After reconsidering, I choose x.",
		"Answer: y\n\nWait, I made a mistake. The correct answer is x.", "It is between y and x. The answer is x.", "Although y is tempting, the best answer is x.",
		"First I thought it was y.\n\nFinal answer: x", "The answer is y. Sorry, the answer is x.", "Of y and x, the correct answer is x.",
	}
	twoFrames = []string{
		"X or Y", "X and Y", "Either X or Y", "Both X and Y", "One of x, y", "Answer: X or Y", "Answer: x and y", "The answer is X or Y.", "The answer is either X or Y, depending on the view.",
		"The correct answers are X and Y.", "I would choose x or y.", "I think it is either x or y.", "\\boxed{x, y}", "\\boxed{x \\text{ or } y}", "<answer>x or y</answer>", "x/y", "x & y",
		"Both x and y are correct.", "Either option x or option y would be right.", "The answer is x, but y is equally valid.", "I would go with x, although y is also correct.",
		"X or possibly Y", "X, or maybe Y.", "The answer is x for the left one and y for the right one.", "x (if it is day) or y (if it is night)", "Options x and y are both right.",
		"x, definitely. Or y.", "Could be x, could be y.", "选x或y", "答案是x和y", "Answer: x. Alternatively, y is also a correct answer.",
		"X. It fits well. Therefore, the correct answer is y.", "The answer is x.\n\nExplanation: it is large. So the correct answer is y.", "Answer: x\n\nIt is small.\n\nAnswer: y",
		"X\n\nIn conclusion, the answer is y.", "(x)\n\nThe correct answer is (y).", "**x**. In short, option y is the correct one.",
	}
	questionsOf = [][]eval.Option{
		opts("dog", "cat", "red bus", "two people", "nothing moves"), opts("3", "4", "12", "0.5"), opts("Yes", "No", "Not sure at all"),
		opts("It moves to the left", "It moves to the right", "It is parked"), opts("泰迪熊", "兔子", "猫"), lettered("B", "blue", "C", "green", "E", "a dark red"),
	}
)

// labels are the ways in which models write an option.
func labels(o eval.Option) []string {
	l := string(o.Letter)
	return []string{l, "(" + l + ")", "**" + l + "**", l + ".", l + ". " + o.Text, "**" + l + ". " + o.Text + "**", "(" + l + ") " + o.Text, l + ") " + o.Text, l + ": " + o.Text, l + " (" + o.Text + ")"}
}

// TestFrames puts every pair of options into every frame: what names one is
// read as that or not at all, what names two is never read as one.
func TestFrames(t *testing.T) {
	rd := readerOf(t, Default, eval.KindChoice)
	var read, all int
	for _, options := range questionsOf {
		for i, o := range options {
			for j, other := range options {
				if i == j {
					continue
				}
				ls, rs := labels(o), labels(other)
				for k := range ls {
					fill := strings.NewReplacer("X", ls[k], "Y", rs[k], "x", string(o.Letter), "y", string(other.Letter))
					for _, f := range oneFrames {
						text := framed(f, fill)
						e := rd.Read(options, text)
						if e.IsFound() && e.Choice != o.Letter {
							t.Errorf("%q: got %s by %s, want %s", text, e.Choice, e.Method, o.Letter)
						}
						all++
						if e.IsFound() {
							read++
						}
					}
					for _, f := range twoFrames {
						if text := framed(f, fill); rd.Read(options, text).IsFound() {
							t.Errorf("%q: got %+v, want no choice", text, rd.Read(options, text))
						}
					}
				}
			}
		}
	}
	t.Logf("read %d of %d", read, all)
	if 100*read < 99*all {
		t.Errorf("read %d of %d that name one option, want 99 %%", read, all)
	}
}

// framed fills the places of a frame, which are words of one letter.
func framed(frame string, fill *strings.Replacer) string {
	var b strings.Builder
	for i, r := range frame {
		lone := (i == 0 || !letterAt(frame, i-1)) && !letterAt(frame, i+1)
		if lone && strings.ContainsRune("XYxy", r) {
			b.WriteString(fill.Replace(string(r)))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func letterAt(s string, i int) bool {
	return i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z')
}
