package judge

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/prompt"
)

// means are those of a judge that says lines in turn.
func means(t testing.TB, lines ...string) (Dependencies, *script) {
	t.Helper()
	set, err := prompt.LoadSet(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &script{lines: lines}
	return Dependencies{
		Setup: eval.JudgeSetup{Judge: "judge-1", Prompts: set.Refs(prompt.Score, prompt.Caption)}, Chatter: s, Set: set,
	}, s
}

func scoring() eval.ScoreQuestion {
	return eval.ScoreQuestion{
		Sample:     eval.Sample{Ordinal: 4, ID: "sofa", Kind: eval.KindOpen, Question: "Who is there?", Reference: "right-text", Pictures: []eval.Picture{{Hash: "h"}}},
		Prediction: eval.Prediction{Key: eval.Key{Run: 2, Sample: 4}, Text: "answer-text"},
	}
}

func TestScorer(t *testing.T) {
	check := func(hints int, lines []string, calls, want int) {
		t.Helper()
		m, script := means(t, lines...)
		m.Hints = hints
		s, err := NewScorer(m)
		if err != nil {
			t.Fatal(err)
		}
		q := scoring()
		got, err := s.Score(t.Context(), q)
		if err != nil || len(script.told) != calls {
			t.Fatalf("%q: %d calls, %v", lines, len(script.told), err)
		}
		ref, _ := m.Set.TemplateText(prompt.Score, "en")
		setup, _ := HashSetup(m.Setup)
		if got.Value != want || got.Raw != lines[calls-1] || !slices.Equal(got.Earlier, lines[:calls-1]) || got.Key != q.Prediction.Key ||
			got.Judge != "judge-1" || got.Prompt != ref.Ref.Hash || got.Setup != setup || got.Finish != "stop" || !got.HasReply() ||
			got.Usage != (eval.Usage{Prompt: 100 * calls, Completion: calls}) {
			t.Errorf("%q: %+v", lines, got)
		}
	}
	check(0, []string{"4"}, 1, 4)
	check(0, []string{"I would say 4", "Score: 4"}, 2, 4)
	check(0, []string{"4, 5", "4 of 5"}, 2, 0)
	check(2, []string{"", "9", "2."}, 3, 2)
	check(-1, []string{"hm"}, 1, 0)
}

func TestWhatAScorerIsTold(t *testing.T) {
	m, script := means(t, "4, 5", "6", "4")
	m.Hints = 2
	s, err := NewScorer(m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Score(t.Context(), scoring()); err != nil {
		t.Fatal(err)
	}
	first, last := script.told[0], script.told[2].Turns
	if len(first.Pictures) != 0 || !strings.Contains(first.Turns[0].Text, "right-text") || !strings.Contains(first.Turns[0].Text, "answer-text") {
		t.Errorf("told %+v", first)
	}
	if len(last) != 5 || !strings.Contains(last[2].Text, "more than one score") || !strings.Contains(last[4].Text, "not among the valid scores") {
		t.Errorf("told %+v", last)
	}
}

func TestNotScored(t *testing.T) {
	check := func(change func(*eval.ScoreQuestion), want string) {
		t.Helper()
		m, script := means(t)
		s, err := NewScorer(m)
		if err != nil {
			t.Fatal(err)
		}
		q := scoring()
		change(&q)
		got, err := s.Score(t.Context(), q)
		f := eval.FailureOfError(err)
		if f == nil || f.Kind != eval.FailureSample || !f.Unasked || !strings.Contains(f.Message, want) || len(script.told) != 0 || got.Judge != "judge-1" {
			t.Errorf("got %+v, %v, want %q in it", got, err, want)
		}
	}
	check(func(q *eval.ScoreQuestion) { q.Sample.Kind = eval.KindChoice }, "sample sofa is choice")
	check(func(q *eval.ScoreQuestion) { q.Sample.Reference = " \n" }, "no reference")
	check(func(q *eval.ScoreQuestion) { q.Prediction.Failure = errDown }, "no answer to score")

	m, _ := means(t, "hm", "!")
	s, err := NewScorer(m)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Score(t.Context(), scoring())
	if !errors.Is(err, errDown) || got.Value != 0 || got.Raw != "" || got.Usage != (eval.Usage{Prompt: 110, Completion: 1}) || len(got.Earlier) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	m.Setup.Language = "zh"
	if _, err := NewScorer(m); err == nil || !strings.Contains(err.Error(), "no template score/zh") {
		t.Errorf("got %v", err)
	}
}

func TestCaptioner(t *testing.T) {
	sample := scoring().Sample
	held := func(eval.PictureHash) ([]byte, error) { return []byte("picture"), nil }
	check := func(want string, lines ...string) {
		t.Helper()
		m, script := means(t, lines...)
		c, err := NewCaptioner(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Caption(t.Context(), sample, held)
		if f := eval.FailureOfError(err); want == "" && (f == nil || f.Kind != eval.FailureSample || f.Unasked) || want != "" && err != nil {
			t.Fatalf("%q: %v", lines, err)
		}
		if got.Text != want || got.Model != "judge-1" || got.Sample != 4 || got.Prompt == "" || got.Setup == "" ||
			len(script.told) != len(lines) || got.Usage.Completion != len(lines) {
			t.Errorf("%q: %+v", lines, got)
		}
		for _, told := range script.told {
			if len(told.Pictures) != 1 {
				t.Errorf("%q: asked without the picture", lines)
			}
		}
	}
	b, e := prompt.CaptionBegin, prompt.CaptionEnd
	check("A dog\nsleeps.", b+"\nA dog\nsleeps.\n"+e)
	check("A dog.", "Sure!\n"+b+" A dog. "+e+" Anything else?")
	check("A dog.", "<think>"+b+"no"+e+"</think>"+b+"A dog."+e)
	check("A dog.", "A dog.", b+"A dog."+e)
	check("A dog.", "", b+"A dog."+e)
	check("", "A dog.", "A dog")
	check("", b+e, b+"\n\n"+e)
	check("", b+"A dog.", e+"A dog."+b)

	if text, _ := extractDescription(eval.Reply{Text: b + "A dog on a", Finish: "length"}); text != "A dog on a" {
		t.Errorf("cut off: %q", text)
	}
	m, _ := means(t)
	c, err := NewCaptioner(m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Caption(t.Context(), sample, nil); err == nil || !eval.FailureOfError(err).Unasked {
		t.Errorf("a picture that is not held: %v", err)
	}
	sample.Pictures = nil
	if _, err := c.Caption(t.Context(), sample, held); err == nil || !strings.Contains(err.Error(), "no picture to describe") {
		t.Errorf("no picture: %v", err)
	}
}

func FuzzCaption(f *testing.F) {
	f.Add(prompt.CaptionBegin + "a" + prompt.CaptionEnd)
	f.Add(prompt.CaptionEnd + prompt.CaptionBegin + "<think>")
	f.Fuzz(func(t *testing.T, text string) {
		got, wrong := extractDescription(eval.Reply{Text: text})
		if (got == "") == (wrong == prompt.WrongUnset) || got != "" && !strings.Contains(text, got) {
			t.Fatalf("%q: %q, %q", text, got, wrong)
		}
		if strings.Contains(got, prompt.CaptionBegin) || strings.Contains(got, prompt.CaptionEnd) {
			t.Fatalf("%q holds a mark", got)
		}
	})
}
