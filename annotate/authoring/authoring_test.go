package authoring

import (
	"errors"
	"reflect"
	"slices"
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
		"Question: What=>What":              "line 1 comes before the first field",
		"perception / animals=>a//b":        `category "a//b" has an empty level`,
		"perception / animals=>/":           "an empty level",
		"Category=>C: c\nD: d\nE: e\nF: f\nG: g\nH: h\nI: i\nJ: j\nK: k\nL: l\nM: m\nN: n\nO: o\nP: p\nQ: q\nR: r\nS: s\nT: t\nU: u\nV: v\nW: w\nX: x\nY: y\nZ: z\nAA: aa\nCategory": "line 30: AA is one choice too many",
	} {
		from, to, _ := strings.Cut(edit, "=>")
		if _, err := ParseText(strings.Replace(whole, from, to, 1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", edit, err, want)
		}
	}
}

func TestTranslations(t *testing.T) {
	s, _ := ParseText(whole)
	text, err := ApplyTranslationReply(&s, "Question：这是什么？\nA：猫\nB：狗\nAnswer: A")
	if err != nil || text != "Question: 这是什么？\nHint:\nA: 猫\nB: 狗\nAnswer: B\nCategory: perception / animals\nImage: cat.png" {
		t.Errorf("%q %v", text, err)
	}
	fenced, err := ApplyTranslationReply(&s, "```text\nQuestion: 这是什么？\nA: 猫\nB: 狗\n```")
	if err != nil || fenced != text {
		t.Errorf("%q %v", fenced, err)
	}
	for _, reply := range []string{
		"Question: 这是什么？\nA: 猫\nB: 狗\nC: 鸟", "Question: 这是什么？\nA: 猫\nB: 狗\n\nI kept the letters.", `{"Question": "这是什么？"}`,
		"", "<html>sorry</html>", "Question: 这是什么？\nA: 猫", "Question: 这是什么？\nHint: 看\nA: 猫\nB: 狗", "Question: 这是什么？\nA: 猫\nB: 猫",
	} {
		if text, err := ApplyTranslationReply(&s, reply); err == nil {
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
	do(criteria.Drafted, "bob", whole+"?", nil) // of a change: nothing else changes by it
	if s.State != criteria.Approved || s.Text == whole+"?" || s.ChangeDraftBy("bob") == nil || slices.Contains(s.Authors, "bob") {
		t.Errorf("%+v", s)
	}
	do(criteria.Drafted, "bob", s.Text, nil) // no change any more
	if len(s.Drafts) > 0 {
		t.Errorf("%+v", s.Drafts)
	}
	do(criteria.Submitted, "bob", whole, nil) // whoever edits is an author, too
	do(criteria.Accepted, "bob", "", criteria.ErrOwn)
	do(criteria.Accepted, "cid", "", nil)
}

// Somebody's draft of a change goes first, then what was never accepted; what was accepted stays.
func TestDiscarding(t *testing.T) {
	var s Set
	do := func(kind criteria.Kind, who annotate.Annotator, text, want string) {
		t.Helper()
		a := s.NewAct(kind, who, time.Unix(1, 0))
		a.Text = text
		switch next, err := s.WithAct(a); {
		case (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want):
			t.Fatalf("%s by %s: %v, want %q", kind, who, err, want)
		case err == nil:
			s = next
		}
	}
	do(criteria.Submitted, "ann", whole, "")
	do(criteria.Drafted, "bob", whole+"!", "")
	do(criteria.Discarded, "cid", "no", "who wrote it discards it")
	do(criteria.Discarded, "ann", "no", "")
	if s.State != criteria.Draft || s.Text != whole+"!" || len(s.Drafts) > 0 {
		t.Errorf("bob's draft is no sample: %+v", s)
	}
	do(criteria.Submitted, "bob", whole, "")
	do(criteria.Accepted, "ann", "", "")
	do(criteria.Discarded, "bob", "no", "it is accepted")
	do(criteria.Submitted, "bob", whole+"?", "")
	do(criteria.Discarded, "bob", "answered meanwhile", "")
	if s.State != criteria.Approved || s.Text != whole || s.Reviewer != "ann" {
		t.Errorf("%+v", s)
	}
	s = Set{}
	do(criteria.Drafted, "ann", "Question: W", "")
	do(criteria.Discarded, "ann", "a typo", "")
	do(criteria.Submitted, "ann", whole, ErrGone.Error())
	if len(s.Acts) != 2 || s.State != criteria.Unwritten {
		t.Errorf("%+v", s)
	}
}

// A translation that was accepted may be accepted once more where its original changed.
func TestTranslationsThatAreStillTrue(t *testing.T) {
	s := Set{Original: "other", ID: "7"}
	do := func(kind criteria.Kind, model, of string, want error) {
		t.Helper()
		a := s.NewAct(kind, "ann", time.Unix(1, 0))
		a.Text, a.Model, a.Of = eval.Either(kind == criteria.Submitted, whole, ""), model, of
		next, err := s.WithAct(a)
		if !errors.Is(err, want) {
			t.Fatalf("%s: %v, want %v", kind, err, want)
		}
		if err == nil {
			s = next
		}
	}
	do(criteria.Submitted, "m", "1", nil)
	do(criteria.Accepted, "", "1", nil)
	do(criteria.Accepted, "", "1", criteria.ErrNotInReview)
	if s.IsStale("1") || !s.IsStale("2") {
		t.Errorf("of %s", s.Of)
	}
	do(criteria.Accepted, "", "2", nil)
	do(criteria.Submitted, "n", "3", nil)
	if s.IsStale("3") || !s.Held.IsStale("3") || s.Model != "n" {
		t.Errorf("%+v", s)
	}
	do(criteria.Discarded, "", "", nil)
	if s.Of != "2" || s.Model != "m" || s.State != criteria.Approved {
		t.Errorf("%+v", s)
	}
}
