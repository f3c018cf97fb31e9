package judge_test

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/judge"
	"concord/eval/openai"
	"concord/eval/openai/openaitest"
	"concord/eval/prompt"
)

// served is a voter behind a server that answers as it is told.
func served(t *testing.T, answer func(*openaitest.Request) openaitest.Response, o judge.VoterOptions) *judge.Voter {
	t.Helper()
	s := openaitest.New(openaitest.Options{Answer: answer})
	if err := s.ListenOnFreePort(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	e, err := openai.NewEndpoint(openai.Options{BaseURL: s.URL()})
	if err != nil {
		t.Fatal(err)
	}
	if o.Chatter, err = e.NewModel(openai.ModelOptions{Name: "judge-model"}); err != nil {
		t.Fatal(err)
	}
	if o.Set, err = prompt.LoadSet(nil); err != nil {
		t.Fatal(err)
	}
	o.Setup = eval.JudgeSetup{Judge: "judge-1", Prompts: o.Set.Refs(prompt.Vote)}
	v, err := judge.NewVoter(o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func pictured(t *testing.T) eval.VoteQuestion {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	return eval.VoteQuestion{
		Sample:  eval.Sample{ID: "s", Kind: eval.KindOpen, Question: "Who is there?", Pictures: []eval.Picture{{Hash: "h"}}},
		Pair:    eval.Pair{First: 1, Second: 2},
		Answers: [2]string{"a cat", "a dog"}, Type: eval.ClosedEnded,
		Criteria: "1. It is a dog.", Revision: "r",
		Pictures: func(eval.PictureHash) ([]byte, error) { return b.Bytes(), nil },
	}
}

// The server prefers the answer that the criteria name, in a reply that does
// not parse until it is asked for the vote alone.
func TestVotesOverTheWire(t *testing.T) {
	v := served(t, func(r *openaitest.Request) openaitest.Response {
		first := r.Turns[0].Text
		vote := "no picture"
		switch {
		case len(r.Pictures) != 1 || !strings.HasPrefix(r.Pictures[0].MediaType(), "image/"):
		case !strings.Contains(first, "1. It is a dog."):
			vote = "unable to decide: situation two"
		case strings.Contains(first, "Answer1\na dog\n"):
			vote = "Answer1"
		case strings.Contains(first, "Answer2\na dog\n"):
			vote = "Answer2"
		}
		if len(r.Turns) == 1 {
			return openaitest.Response{Text: vote + " is what I would say.", Prompt: 50, Completion: 7}
		}
		return openaitest.Response{Text: "**" + vote + "**", Prompt: 70, Completion: 2}
	}, judge.VoterOptions{Input: eval.SeesImage, Criteria: true})
	q := pictured(t)
	for range 2 {
		p, err := v.Vote(t.Context(), q)
		want := eval.Answer1
		if q.Answers[1] == "a dog" {
			want = eval.Answer2
		}
		if err != nil || p.Vote != want || p.Pair != q.Pair || p.Served != "judge-model" || p.Finish != "stop" ||
			p.Usage != (eval.Usage{Prompt: 120, Completion: 9}) || len(p.Earlier) != 1 {
			t.Errorf("got %+v, %v", p, err)
		}
		q.Pair, q.Answers = q.Pair.Swapped(), [2]string{q.Answers[1], q.Answers[0]}
	}
}

func TestFailuresOverTheWire(t *testing.T) {
	check := func(r openaitest.Response, kind eval.FailureKind) {
		t.Helper()
		v := served(t, func(*openaitest.Request) openaitest.Response { return r }, judge.VoterOptions{Input: eval.SeesImage})
		p, err := v.Vote(t.Context(), pictured(t))
		if f := eval.FailureOfError(err); f == nil || f.Kind != kind || p.Vote != eval.VoteUnset || p.Raw != "" {
			t.Errorf("%v gives %+v, %v", r.Fault, p, err)
		}
	}
	check(openaitest.Response{Text: "Answer1", Fault: openaitest.Busy}, eval.FailureTransient)
	check(openaitest.Response{Text: "Answer1", Fault: openaitest.Filtered}, eval.FailureSample)
	check(openaitest.Response{Text: "Answer1", Fault: openaitest.Quota}, eval.FailureConfiguration)
	check(openaitest.Response{Text: "Answer1", Fault: openaitest.Choiceless}, eval.FailureTransient)

	v := served(t, func(*openaitest.Request) openaitest.Response {
		return openaitest.Response{Text: "Answer1", Finish: "length"}
	}, judge.VoterOptions{Input: eval.SeesImage})
	if p, err := v.Vote(t.Context(), pictured(t)); err != nil || p.Vote != eval.VoteUnset || p.Raw != "Answer1" || p.Finish != "length" || len(p.Earlier) != 1 {
		t.Errorf("a reply that was cut off gives %+v, %v", p, err)
	}
}
