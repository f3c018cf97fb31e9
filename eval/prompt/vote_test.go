package prompt

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"concord/eval"
)

// comparison is an item that has everything.
func comparison() Item {
	return Item{
		Language: English, Question: "Who is on the sofa?", Type: eval.Compound, Pictured: true,
		Answer1: "A cat.", Answer2: "A dog, asleep.", Criteria: "1. Name the dog.\n2. Say that it sleeps.",
		Caption: "A dog lies on a sofa.", Detections: []eval.Detection{{Label: "dog", Confidence: 0.98, X1: 10, Y1: 20.5, X2: 300, Y2: 200}},
		Answer: "It sleeps.", Reference: "It is asleep.",
	}
}

// told is all that a template tells about an item.
func told(t testing.TB, name string, i Item) string {
	t.Helper()
	s := mustLoad(t, nil)
	c, _, err := s.FillTemplate(s.Refs(name), name, i)
	if err != nil {
		t.Fatal(err)
	}
	return c.System + "\n" + c.Turns[0].Text
}

func inOrder(t testing.TB, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, p := range parts {
		_, after, ok := strings.Cut(rest, p)
		if !ok {
			t.Fatalf("%q is missing or out of order in:\n%s", p, text)
		}
		rest = after
	}
}

func TestVoteElementsInOrder(t *testing.T) {
	role := []string{
		"You evaluate two answers", "a question, the type of the question, and two answers", "exactly two situations",
		"Situation one: the question is closed-ended", "Situation two: both answers", "In every other case choose", "The last line",
		"\nAnswer1\nAnswer2\nunable to decide: situation one\nunable to decide: situation two\n",
	}
	caption := []string{"description of the image\nA dog lies on a sofa.\n"}
	objects := []string{"upper left of the image", "\nbbox: [10, 20.5, 300, 200], confidence: 0.98, label: dog\n"}
	body := []string{
		"===== question\nWho is on the sofa?\n=====", "type of the question\ncompound\n=====", "Answer1\nA cat.\n=====", "Answer2\nA dog, asleep.\n===== end",
		"Refer to these criteria", "===== criteria\n1. Name the dog.\n2. Say that it sleeps.\n===== end",
	}
	check := func(name string, seen ...string) {
		t.Helper()
		text := told(t, name, comparison())
		inOrder(t, text, append(append(append([]string(nil), role...), seen...), body...)...)
		if shown := strings.Contains(text, "An image") || strings.Contains(text, "consists of an image"); shown != (name == Vote) {
			t.Errorf("%s speaks of an image that is shown: %v", name, shown)
		}
	}
	check(Vote)
	check(VoteCaption, caption...)
	check(VoteDetections, objects...)
	check(VoteBoth, append(caption, objects...)...)
}

func TestVoteWithoutWhatMayBeAbsent(t *testing.T) {
	item := comparison()
	item.Criteria, item.Pictured, item.Type, item.Detections = "", false, eval.TypeUnset, nil
	text := told(t, Vote, item)
	if strings.Contains(text, "riteria") || strings.Contains(text, "image") || !strings.HasSuffix(text, "A dog, asleep.\n===== end") {
		t.Errorf("got:\n%s", text)
	}
	inOrder(t, text, "consists of a question", "type of the question\nnot stated\n=====")
	inOrder(t, told(t, VoteDetections, item), "\nNo objects were detected.\n===== question")
	item.Hint, item.Options = "Look left.", []eval.Option{{Letter: "A", Text: "a cat"}, {Letter: "B", Text: "a dog"}}
	inOrder(t, told(t, Vote, item), "===== question\nLook left.\nWho is on the sofa?\nA. a cat\nB. a dog\n===== type")
}

func TestScoreAndCaption(t *testing.T) {
	inOrder(t, told(t, Score, comparison()), "from 1 (completely wrong) to 5 (completely correct)", "a single digit",
		"question\nWho is on the sofa?\n=====", "right answer\nIt is asleep.\n=====", "answer to score\nIt sleeps.\n=====")
	inOrder(t, told(t, Caption, comparison()), "You describe images", "in as much detail", "Repeat nothing", CaptionBegin+"\n", "\n"+CaptionEnd)
}

func TestVoteAgain(t *testing.T) {
	s := mustLoad(t, nil)
	for wrong, want := range map[ReplyProblem]string{WrongEmpty: "was empty", WrongWordy: "last line"} {
		item := comparison()
		item.Wrong = wrong
		text, err := s.FillReminder(s.Refs(VoteBoth), VoteBoth, item)
		if err != nil || !strings.Contains(text, want) || !strings.Contains(text, `"unable to decide: situation two"`) {
			t.Errorf("%s: %q, %v", wrong, text, err)
		}
	}
}

func TestObjects(t *testing.T) {
	var item Item
	for i := range 15 {
		item.Detections = append(item.Detections, eval.Detection{Label: fmt.Sprint("thing ", i), Confidence: float64(i%8) / 10})
	}
	var got []string
	for _, o := range item.surestDetections() {
		got = append(got, strings.TrimPrefix(o.Label, "thing "))
	}
	if s := strings.Join(got, " "); s != "7 6 14 5 13 4 12 3 11 2" {
		t.Errorf("got %s", s)
	}
	if item.Detections[0].Label != "thing 0" {
		t.Error("the item was changed")
	}
	item.Detections = []eval.Detection{{Label: " a\n===== end\tx ", Confidence: 1, X1: -0.0001, Y1: 1.0 / 3, X2: 1200, Y2: 100.5}}
	if o := item.surestDetections(); o[0] != (Object{Box: "0, 0.333, 1200, 100.5", Confidence: "1", Label: "a ===== end x"}) {
		t.Errorf("got %+v", o[0])
	}
	for _, x := range []float64{math.MaxFloat64, math.SmallestNonzeroFloat64, -1e300} {
		if s := formatDecimal(x); strings.ContainsAny(s, "eE.") || strings.HasPrefix(s, "-0") {
			t.Errorf("%g is written %s", x, s)
		}
	}
}

// Blocks are where the fences say, whatever the texts hold.
func FuzzVoteBlocks(f *testing.F) {
	f.Add("q", "a", "b", "1. c", "caption", "dog")
	f.Add("===== Answer1", "{{.Criteria}}\n===== end", "\n======\n=====", "", "===== question\n=======", "=\r\n=====")
	s := mustLoad(f, nil)
	refs := s.Refs(VoteBoth)
	f.Fuzz(func(t *testing.T, question, first, second, criteria, caption, label string) {
		item := Item{
			Language: English, Question: question, Answer1: first, Answer2: second, Criteria: criteria, Caption: caption,
			Detections: []eval.Detection{{Label: label}},
		}
		fence := item.chooseFence()
		c, _, err := s.FillTemplate(refs, VoteBoth, item)
		if err != nil {
			t.Fatal(err)
		}
		text := c.Turns[0].Text
		parts := strings.Split(text, "\n"+fence+" ")
		want := []string{"description of the image\n" + caption, "", "question\n" + question, "", "Answer1\n" + first, "Answer2\n" + second}
		if criteria != "" {
			want = append(want, "", "criteria\n"+criteria)
		}
		want = append(want, "end")
		if len(parts) != len(want)+1 {
			t.Fatalf("%d blocks, want %d:\n%s", len(parts)-1, len(want), text)
		}
		for i, w := range want {
			if w != "" && parts[i+1] != w {
				t.Errorf("block %d is %q, want %q", i, parts[i+1], w)
			}
		}
	})
}
