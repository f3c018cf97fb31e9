package authoring

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

const whole = "Question: What is it?\nHint:\nA: a cat\nB: a dog\nAnswer: b\nCategory: perception / animals\nImage: cat.png"

func TestTexts(t *testing.T) {
	s, err := ParseText(whole)
	want := eval.Sample{
		Kind: eval.KindChoice, Question: "What is it?", Answer: "B", Taxonomy: []string{"perception", "animals"}, Pictures: []eval.Picture{{Name: "cat.png"}},
		Options: []eval.Option{{Letter: "A", Text: "a cat"}, {Letter: "B", Text: "a dog"}},
	}
	if err != nil || !reflect.DeepEqual(s, want) {
		t.Errorf("%+v %v", s, err)
	}
	s.Question, s.Hint = "two lines\nA: looks like a choice\n B: so does this", "a hint"
	again, err := ParseText(FormatText(&s))
	if err != nil || !reflect.DeepEqual(again, s) {
		t.Errorf("%q, not %q: %v", again.Question, s.Question, err)
	}
}

func TestWhatIsWrongWithAText(t *testing.T) {
	for edit, want := range map[string]string{
		"Question: What is it?=>Question: ": "the question is missing",
		"A: a cat=>A:":                      "choice A is empty, and B is not",
		"B: a dog=>B: a cat":                "choices A and B are equal",
		"B: a dog=>":                        "2 to 26 choices, and here are 1",
		"Answer: b=>Answer:":                "a letter from A to B",
		"Answer: b=>Answer: C":              "answer C is no choice",
		"B: a dog=>A: a dog":                "A is there twice",
		"Question: What=>What":              "a line before the first field",
	} {
		from, to, _ := strings.Cut(edit, "=>")
		if _, err := ParseText(strings.Replace(whole, from, to, 1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", edit, err, want)
		}
	}
}

func TestTranslations(t *testing.T) {
	s, _ := ParseText(whole)
	text, err := ReadTranslation(&s, "Question：这是什么？\nA：猫\nB：狗\nAnswer: A")
	if err != nil || text != "Question: 这是什么？\nHint:\nA: 猫\nB: 狗\nAnswer: B\nCategory: perception / animals\nImage: cat.png" {
		t.Errorf("%q %v", text, err)
	}
	for _, reply := range []string{"", "<html>sorry</html>", "Question: 这是什么？\nA: 猫", "Question: 这是什么？\nHint: 看\nA: 猫\nB: 狗", "Question: 这是什么？\nA: 猫\nB: 猫"} {
		if text, err := ReadTranslation(&s, reply); err == nil {
			t.Errorf("%q is read as %q", reply, text)
		}
	}
}

func TestReview(t *testing.T) {
	var s Set
	do := func(kind criteria.Kind, who annotate.Annotator, text string, want error) {
		t.Helper()
		a := s.NewAct(kind, who, time.Unix(1, 0))
		a.Text = text
		next, err := s.WithAct(a)
		if !errors.Is(err, want) {
			t.Fatalf("%s by %s: %v, want %v", kind, who, err, want)
		}
		if err == nil {
			s = next
		}
	}
	do(criteria.Submitted, "ann", "Question: What?", criteria.ErrIncomplete)
	do(criteria.Drafted, "ann", "Question: What?", nil)
	do(criteria.Accepted, "bob", "", criteria.ErrNotInReview)
	do(criteria.Submitted, "ann", whole, nil)
	do(criteria.Accepted, "ann", "", criteria.ErrOwn)
	do(criteria.RequestedChanges, "bob", " ", criteria.ErrIncomplete)
	do(criteria.RequestedChanges, "bob", "which animal?", nil)
	do(criteria.Submitted, "ann", whole+" ", nil)
	do(criteria.Accepted, "bob", "", nil)
	if s.State != criteria.Approved || s.Wants != "" {
		t.Errorf("%+v", s)
	}
	do(criteria.Submitted, "bob", whole, nil) // whoever edits is an author, too
	do(criteria.Accepted, "bob", "", criteria.ErrOwn)
	do(criteria.Accepted, "cid", "", nil)
}
