package metric

import (
	"math"
	"testing"

	"concord/eval"
	"concord/eval/stat"
)

// yesNo reads a text that is yes or no.
type yesNo struct{ letters }

func (yesNo) Read(_ eval.Kind, _ []eval.Option, text string) eval.Extraction {
	if text == "yes" || text == "no" {
		return eval.Extraction{Choice: eval.Choice(text), Status: eval.Found}
	}
	return eval.Extraction{Status: eval.Missing}
}

// about makes the questions about one picture: right (+), wrong (-), unread
// (?), not asked (.).
func about(from eval.Ordinal, subtask, picture, answers string) []eval.Question {
	var out []eval.Question
	for i, a := range answers {
		q := eval.Question{Sample: eval.Sample{
			Ordinal: from + eval.Ordinal(i), Kind: eval.KindYesNo, Answer: eval.Yes, Taxonomy: []string{eval.MMEAbility(subtask), subtask},
		}}
		if picture != "" {
			q.Sample.Pictures = []eval.Picture{{Name: picture}}
		}
		if text, ok := map[rune]string{'+': "yes", '-': "no", '?': "hm"}[a]; ok {
			q.Predictions = []eval.Prediction{{Key: eval.Key{Run: 1, Sample: q.Sample.Ordinal}, Text: text}}
		}
		out = append(out, q)
	}
	return out
}

func TestMME(t *testing.T) {
	s := scheme(eval.Vanilla, eval.Asked)
	s.Rules = yesNo{}
	parts := []*Tally{NewTally(s), NewTally(s)}
	add := func(from eval.Ordinal, subtask, picture, answers string) {
		for i, q := range about(from, subtask, picture, answers) {
			parts[i%2].Add(&q)
		}
	}
	add(0, "OCR", "1", "++")
	add(2, "OCR", "2", "+-")
	add(4, "OCR", "3", "-?")
	add(6, "OCR", "4", "+.")
	add(8, "OCR", "", "+") // no picture
	add(10, "color", "1", "+++-")
	add(20, "code_reasoning", "1", "+")
	add(30, "adversarial", "1", "++") // not MME's
	parts[0].Merge(parts[1])
	mme := parts[0].Whole().MME
	got := mme.Subtasks()
	want := []Subtask{
		{"OCR", eval.Perception, stat.Count{K: 5, N: 8}, stat.Count{K: 1, N: 3}, 4, 9, 1, 1},
		{"color", eval.Perception, stat.Count{K: 3, N: 4}, stat.Count{K: 1, N: 2}, 2, 4, 0, 0},
		{"code_reasoning", eval.Cognition, stat.Count{K: 1, N: 1}, stat.Count{}, 0, 1, 0, 1},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
	score := got[0].Score()
	if math.Abs(score.Value-(62.5+100.0/3)) > 1e-9 || score.Low > score.Value || score.High < score.Value || score.N != 8 {
		t.Errorf("score %+v", score)
	}
	if got[2].Score().Reason() != NoPairs || got[2].Random().Reason() != NoPairs {
		t.Errorf("without pairs: %+v", got[2].Score())
	}
	sum := Total(got, eval.Perception, (*Subtask).Score)
	if math.Abs(sum.Value-(62.5+100.0/3+75+50)) > 1e-9 || sum.Low < got[0].Score().Low || sum.N != 12 {
		t.Errorf("perception %+v", sum)
	}
	if random := Total(got, eval.Perception, (*Subtask).Random); random != stat.Expected(150, 13) {
		t.Errorf("random %+v", random)
	}
	if Missing(got, eval.Perception) != 8 || Missing(got, "") != 11 || Total(nil, "", nil).Reason() != "no subtask of MME" {
		t.Error("missing subtasks are not counted")
	}
}
