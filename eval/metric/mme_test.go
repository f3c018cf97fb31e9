package metric

import (
	"math"
	"reflect"
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
			Ordinal: from + eval.Ordinal(i), Kind: eval.KindYesNo, Answer: eval.Yes, Taxonomy: []string{eval.MMEAbilityOf(subtask), subtask},
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
			parts[i%2].AddQuestion(&q)
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
	add(40, "count", "1", "..")       // never asked
	parts[0].Merge(parts[1])
	mme := parts[0].TotalCounts().MME
	got := mme.Subtasks()
	of := func(k, n int) stat.Count { return stat.Count{K: k, N: n} }
	want := []Subtask{
		{
			Name: "OCR", Ability: eval.Perception, Pictures: 4, Questions: 9, Undecided: 1, Unpaired: 1,
			PictureCounts: PictureCounts{Accuracy: of(5, 8), Plus: of(1, 3), Follows: of(7, 8), Yes: of(5, 7), AlwaysYes: of(1, 2)},
		},
		{
			Name: "color", Ability: eval.Perception, Pictures: 2, Questions: 4,
			PictureCounts: PictureCounts{Accuracy: of(3, 4), Plus: of(1, 2), Follows: of(4, 4), Yes: of(3, 4), AlwaysYes: of(1, 2)},
		},
		{Name: "count", Ability: eval.Perception, Pictures: 1, Questions: 2, Undecided: 2},
		{
			Name: "code_reasoning", Ability: eval.Cognition, Questions: 1, Unpaired: 1,
			PictureCounts: PictureCounts{Accuracy: of(1, 1), Follows: of(1, 1), Yes: of(1, 1)},
		},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		counts := got[i]
		counts.pictures = nil
		if !reflect.DeepEqual(counts, want[i]) {
			t.Errorf("%+v, want %+v", counts, want[i])
		}
	}
	score := got[0].Score()
	if math.Abs(score.Value-(62.5+100.0/3)) > 1e-9 || score.Low > score.Value || score.High < score.Value || score.N != 8 {
		t.Errorf("score %+v", score)
	}
	if got[3].Score().WhyUndefined() != NoPairs || got[3].RandomScore().WhyUndefined() != NoPairs {
		t.Errorf("without pairs: %+v", got[3].Score())
	}
	sum := SumOverSubtasks(got, eval.Perception, (*Subtask).Score)
	if math.Abs(sum.Value-(62.5+100.0/3+75+50)) > 1e-9 || sum.Low < got[0].Score().Low || sum.N != 12 {
		t.Errorf("perception %+v", sum)
	}
	if random := SumOverSubtasks(got, eval.Perception, (*Subtask).RandomScore); random != stat.NewExactEstimate(150, 13) {
		t.Errorf("random %+v", random)
	}
	if CountUndecidedSubtasks(got, eval.Perception) != 8 || CountUndecidedSubtasks(got, "") != 11 || SumOverSubtasks(nil, "", nil).WhyUndefined() != "no subtask of MME" {
		t.Error("missing subtasks are not counted")
	}
	if SumOverSubtasks(got[2:3], "", (*Subtask).Score).WhyUndefined() != "no question decided" {
		t.Error("a total over nothing asked")
	}
	all := Subtask{}
	for i := range got {
		all.Merge(&got[i])
	}
	if all.Accuracy != of(9, 13) || all.Plus != of(2, 5) || all.Questions != 16 || all.Unpaired != 2 || all.Undecided != 3 ||
		all.Pictures != 7 || all.Follows != of(12, 13) || all.Yes != of(9, 12) || all.AlwaysYes != of(2, 4) {
		t.Errorf("over all: %+v", all)
	}
}

func TestFollows(t *testing.T) {
	check := func(answer string, want bool) {
		t.Helper()
		if got := BeginsWithYesNo(answer); got != want {
			t.Errorf("%q: %v", answer, got)
		}
	}
	check("Yes", true)
	check(" no, there is not.", true)
	check("YES.", true)
	check("\nNo", true)
	check("not at all", false)
	check("Nothing", false)
	check("yes2", false)
	check("The answer is yes", false)
	check("'yes'", false)
	check("", false)
}
