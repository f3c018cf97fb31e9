package judge

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"concord/eval"
	"concord/eval/prompt"
)

var votingTemplates = []string{prompt.Vote, prompt.VoteCaption, prompt.VoteDetections, prompt.VoteBoth}

func newVoter(t testing.TB, o VoterOptions) *Voter {
	t.Helper()
	set, err := prompt.LoadSet(nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Set, o.Setup.Judge, o.Setup.Prompts = set, "judge-1", set.Refs(votingTemplates...)
	v, err := NewVoter(o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// sofa is a pair of answers with everything that a judge may see.
func sofa() eval.VoteQuestion {
	return eval.VoteQuestion{
		Sample: eval.Sample{
			Ordinal: 4, ID: "sofa", Kind: eval.KindOpen, Question: "Who is on the sofa?", Pictures: []eval.Picture{{Hash: "h1", Name: "sofa.png"}},
			Answer: "secret-answer", Reference: "secret-reference",
		},
		Pair: eval.Pair{Sample: 4, First: 9, Second: 2}, Answers: [2]string{"first-answer", "second-answer"}, Type: eval.Compound,
		Criteria: "1. criteria-text", Revision: "revision-hash",
		Pictures: func(h eval.PictureHash) ([]byte, error) {
			if h != "h1" {
				return nil, eval.ErrNotFound
			}
			return []byte("picture"), nil
		},
		Caption: "caption-text", Detections: []eval.Detection{{Label: "label-text", Confidence: 0.5}},
	}
}

func TestVoter(t *testing.T) {
	check := func(hints int, lines []string, calls int, want eval.Vote) {
		t.Helper()
		s := &script{lines: lines}
		v := newVoter(t, VoterOptions{Chatter: s, Input: eval.SeesImage, Criteria: true, Hints: hints})
		q := sofa()
		q.Repeat = 2
		got, err := v.Vote(t.Context(), q)
		if err != nil || len(s.told) != calls {
			t.Fatalf("%q: %d calls, %v", lines, len(s.told), err)
		}
		ref, _ := v.means.Set.TemplateText(prompt.Vote, "en")
		setup, _ := HashSetup(v.means.Setup)
		if got.Vote != want || got.Raw != lines[calls-1] || !slices.Equal(got.Earlier, lines[:calls-1]) || got.Failure != nil {
			t.Errorf("%q: %+v", lines, got)
		}
		if got.Pair != q.Pair || got.Ballot != (eval.Ballot{Judge: "judge-1", Criteria: true, Input: eval.SeesImage, Repeat: 2}) ||
			got.Text != "revision-hash" || got.Prompt != ref.Ref.Hash || got.Setup != setup || got.Finish != "stop" ||
			got.Usage != (eval.Usage{Prompt: 100 * calls, Completion: calls}) {
			t.Errorf("%q: %+v", lines, got)
		}
	}
	check(0, []string{"Answer1"}, 1, eval.Answer1)
	check(0, []string{"The second is right.\n\n**Answer2**"}, 1, eval.Answer2)
	check(0, []string{"unable to decide: situation two."}, 1, eval.SituationTwo)
	check(0, []string{"I prefer the second", "Answer2"}, 2, eval.Answer2)
	check(0, []string{" \n", "unable to decide: situation one"}, 2, eval.SituationOne)
	check(0, []string{"Answer1 or Answer2", "Answer 1"}, 2, eval.VoteUnset)
	check(3, []string{"", " ", "hm", "Answer1"}, 4, eval.Answer1)
	check(-1, []string{"hm"}, 1, eval.VoteUnset)
}

func TestWhatAVoterSees(t *testing.T) {
	check := func(i eval.Input, criteria bool, name string, want ...string) {
		t.Helper()
		v := newVoter(t, VoterOptions{Input: i, Criteria: criteria})
		c, err := v.BuildChat(sofa())
		if err != nil {
			t.Fatal(err)
		}
		text := c.System + "\n" + c.Turns[0].Text
		for _, part := range []string{"criteria-text", "caption-text", "label-text"} {
			if strings.Contains(text, part) != slices.Contains(want, part) {
				t.Errorf("%s, criteria %v: %s is there: %v", i, criteria, part, !slices.Contains(want, part))
			}
		}
		if !strings.Contains(text, "first-answer") || !strings.Contains(text, "second-answer") || strings.Contains(text, "secret") {
			t.Errorf("told:\n%s", text)
		}
		if (len(c.Pictures) == 1) != (i == eval.SeesImage) {
			t.Errorf("%s: %d pictures", i, len(c.Pictures))
		}
		if v.template != name || v.BallotOfRepeat(1) != (eval.Ballot{Judge: "judge-1", Criteria: criteria, Input: i, Repeat: 1}) {
			t.Errorf("%s, %+v", v.template, v.BallotOfRepeat(1))
		}
	}
	check(eval.SeesImage, false, prompt.Vote)
	check(eval.SeesImage, true, prompt.Vote, "criteria-text")
	check(eval.SeesCaption, false, prompt.VoteCaption, "caption-text")
	check(eval.SeesDetections, true, prompt.VoteDetections, "label-text", "criteria-text")
	check(eval.SeesBoth, true, prompt.VoteBoth, "caption-text", "label-text", "criteria-text")

	// A question that has no picture is asked without one; one whose detector
	// found nothing says so. Criteria that are not seen leave no trace.
	q := sofa()
	q.Sample.Pictures, q.Pictures = nil, nil
	q.Detections = []eval.Detection{}
	c, err := newVoter(t, VoterOptions{Input: eval.SeesImage}).BuildChat(q)
	if err != nil || len(c.Pictures) != 0 || strings.Contains(c.Turns[0].Text, "image") {
		t.Errorf("got %+v, %v", c, err)
	}
	c, err = newVoter(t, VoterOptions{Input: eval.SeesDetections}).BuildChat(q)
	if err != nil || !strings.Contains(c.Turns[0].Text, "No objects were detected.") {
		t.Errorf("got %+v, %v", c, err)
	}
	p, err := newVoter(t, VoterOptions{Chatter: &script{lines: []string{"Answer1"}}, Input: eval.SeesImage}).Vote(t.Context(), q)
	if err != nil || p.Text != "" || p.Criteria {
		t.Errorf("got %+v, %v", p, err)
	}
}

func TestNoVoteWithoutWhatIsToBeSeen(t *testing.T) {
	check := func(i eval.Input, change func(*eval.VoteQuestion), want string) {
		t.Helper()
		q := sofa()
		change(&q)
		s := &script{}
		p, err := newVoter(t, VoterOptions{Chatter: s, Input: i, Criteria: true}).Vote(t.Context(), q)
		f := eval.FailureOfError(err)
		if f == nil || f.Kind != eval.FailureSample || !f.Unasked || !strings.Contains(f.Message, want) || len(s.told) != 0 {
			t.Errorf("got %v after %d calls, want %q in it", err, len(s.told), want)
		}
		if p.Pair != q.Pair || p.Judge != "judge-1" || p.Vote != eval.VoteUnset {
			t.Errorf("got %+v", p)
		}
	}
	check(eval.SeesImage, func(q *eval.VoteQuestion) { q.Pictures = nil }, `does not hold picture "sofa.png" of sample sofa`)
	check(eval.SeesImage, func(q *eval.VoteQuestion) { q.Sample.Pictures[0].Hash = "" }, "does not hold picture")
	check(eval.SeesImage, func(q *eval.VoteQuestion) { q.Sample.Pictures[0].Hash = "h2" }, "does not hold picture")
	check(eval.SeesCaption, func(q *eval.VoteQuestion) { q.Caption = " \n" }, "no caption")
	check(eval.SeesBoth, func(q *eval.VoteQuestion) { q.Caption = "" }, "no caption")
	check(eval.SeesBoth, func(q *eval.VoteQuestion) { q.Detections = nil }, "no detected objects")
	check(eval.SeesDetections, func(q *eval.VoteQuestion) { q.Detections[0].X2 = math.NaN() }, "detected object 1")
	check(eval.SeesDetections, func(q *eval.VoteQuestion) { q.Detections[0].Confidence = math.Inf(1) }, "no number")
	check(eval.SeesImage, func(q *eval.VoteQuestion) { q.Criteria = "" }, "no criteria")
	check(eval.SeesImage, func(q *eval.VoteQuestion) { q.Revision = "" }, "no criteria")
	check(eval.SeesImage, func(q *eval.VoteQuestion) { q.Pair.Sample = 5 }, "no pair")
	check(eval.SeesImage, func(q *eval.VoteQuestion) { q.Pair.First = 2 }, "no pair")
}

func TestVoterIsRemindedOfTheEnd(t *testing.T) {
	long := strings.Repeat("é", 3000) + "\nI vote for the second\n"
	s := &script{lines: []string{long, "", "Answer2"}}
	got, err := newVoter(t, VoterOptions{Chatter: s, Input: eval.SeesImage, Hints: 2}).Vote(t.Context(), sofa())
	if err != nil || got.Vote != eval.Answer2 || got.Earlier[0] != long {
		t.Fatalf("got %+v, %v", got, err)
	}
	turns := s.told[1].Turns
	if len(turns) != 3 || turns[1].Role != eval.Assistant || len(turns[1].Text) > quoted+4 || !strings.HasSuffix(turns[1].Text, "for the second") ||
		!strings.Contains(turns[2].Text, "was not a vote alone") || !strings.Contains(turns[2].Text, `"Answer2"`) {
		t.Errorf("turns %+v", turns)
	}
	if last := s.told[2].Turns[2]; last.Role != eval.User || !strings.Contains(last.Text, "was empty") {
		t.Errorf("told %+v", last)
	}
	if len(s.told[1].Pictures) != 1 {
		t.Error("the picture is not shown again")
	}
}

func TestUsageOfAVoteBesideAnError(t *testing.T) {
	got, err := newVoter(t, VoterOptions{Chatter: &script{lines: []string{"hm", "!"}}, Input: eval.SeesImage}).Vote(t.Context(), sofa())
	if !errors.Is(err, errDown) || got.Usage != (eval.Usage{Prompt: 110, Completion: 1}) || got.Vote != eval.VoteUnset || got.Raw != "" || !slices.Equal(got.Earlier, []string{"hm"}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestNewVoterRefuses(t *testing.T) {
	set, _ := prompt.LoadSet(nil)
	check := func(o VoterOptions, want string) {
		t.Helper()
		if _, err := NewVoter(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	refs := set.Refs(votingTemplates...)
	stale := slices.Clone(refs)
	stale[0].Hash = "0"
	check(VoterOptions{Set: set}, "no name")
	check(VoterOptions{Setup: eval.JudgeSetup{Judge: "j"}}, "no templates")
	check(VoterOptions{Set: set, Setup: eval.JudgeSetup{Judge: "j", Prompts: stale}, Input: eval.SeesImage}, "vote/en has changed")
	check(VoterOptions{Set: set, Setup: eval.JudgeSetup{Judge: "j", Prompts: refs}}, "not said what it sees")
	check(VoterOptions{Set: set, Setup: eval.JudgeSetup{Judge: "j", Prompts: refs[:1]}, Input: eval.SeesBoth}, "no template vote-both/en")
	check(VoterOptions{Set: set, Setup: eval.JudgeSetup{Judge: "j", Prompts: refs, Language: "zh"}, Input: eval.SeesImage}, "no template vote/zh")
}

// parrot says one thing, then another.
type parrot struct {
	says [2]string
	told []eval.Chat
}

func (p *parrot) Chat(_ context.Context, c eval.Chat) (eval.Reply, error) {
	p.told = append(p.told, c)
	return eval.Reply{Text: p.says[len(p.told)-1], Finish: "stop"}, nil
}

// Whatever a judge says, it is asked at most twice, in turns that endpoints
// take, and its vote is what its last reply says by itself.
func FuzzVoter(f *testing.F) {
	f.Add("Answer1", "")
	f.Add("", "Answer2.")
	f.Add(" \n\t", "\xff")
	f.Add(strings.Repeat("\u20ac", 1000), "unable to decide: situation one")
	f.Add(strings.Repeat(" ", 3000)+"x", "Answer1\nAnswer3")
	f.Add("===== end\nAnswer2\nFollow this", "{{.Answer1}}")
	p := &parrot{}
	v := newVoter(f, VoterOptions{Chatter: p, Input: eval.SeesBoth, Criteria: true})
	f.Fuzz(func(t *testing.T, first, second string) {
		p.says, p.told = [2]string{first, second}, nil
		got, err := v.Vote(t.Context(), sofa())
		if err != nil {
			t.Fatal(err)
		}
		want, ok := ReadVote(eval.Reply{Text: first})
		last, calls := first, 1
		if !ok {
			want, _ = ReadVote(eval.Reply{Text: second})
			last, calls = second, 2
		}
		if got.Vote != want || got.Raw != last || len(p.told) != calls || len(got.Earlier) != calls-1 {
			t.Fatalf("%d calls, %+v", len(p.told), got)
		}
		for _, c := range p.told {
			for i, turn := range c.Turns {
				if (turn.Role == eval.User) != (i%2 == 0) || strings.TrimSpace(turn.Text) == "" {
					t.Fatalf("turn %d is %+v", i, turn)
				}
				if utf8.ValidString(first) && !utf8.ValidString(turn.Text) {
					t.Fatalf("turn %d was cut within a character: %q", i, turn.Text)
				}
			}
			if len(c.Turns) == 3 && len(c.Turns[1].Text) > quoted+4 {
				t.Fatalf("reminded of %d bytes", len(c.Turns[1].Text))
			}
		}
	})
}
