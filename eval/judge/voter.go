package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/prompt"
)

// VoterOptions make a voter.
type VoterOptions struct {
	Setup    eval.JudgeSetup
	Chatter  eval.Chatter // nil for a voter that Chat alone is asked of
	Set      *prompt.Set
	Input    eval.Input
	Criteria bool // it sees the samples' criteria
	Hints    int  // 0: DefaultHints; negative: none
}

// Voter is a judge model that says which of two answers is better (MLLM-Bench,
// Sec. 5.1). It is safe for concurrent use.
type Voter struct {
	o        VoterOptions
	template string
	language string
	setup    string // hash
}

// NewVoter checks that the setup can be carried out.
func NewVoter(o VoterOptions) (*Voter, error) {
	if o.Setup.Judge == "" {
		return nil, errors.New("make voter: it has no name")
	}
	if o.Set == nil {
		return nil, fmt.Errorf("make voter %s: it has no templates", o.Setup.Judge)
	}
	if err := o.Set.Check(o.Setup.Prompts); err != nil {
		return nil, fmt.Errorf("make voter %s: %w", o.Setup.Judge, err)
	}
	v := &Voter{o: o, template: prompt.Compares(o.Input), language: cmp.Or(o.Setup.Language, prompt.English)}
	if v.template == "" {
		return nil, fmt.Errorf("make voter %s: it is not said what it sees of a picture", o.Setup.Judge)
	}
	if !slices.ContainsFunc(o.Setup.Prompts, func(r eval.PromptRef) bool { return r.Name == v.template && r.Language == v.language }) {
		return nil, fmt.Errorf("make voter %s: its settings name no template %s/%s", o.Setup.Judge, v.template, v.language)
	}
	if o.Hints == 0 {
		v.o.Hints = DefaultHints
	}
	v.setup, _ = Hash(o.Setup)
	return v, nil
}

// Name is the judge's name in reports.
func (v *Voter) Name() string { return v.o.Setup.Judge }

// Ballot says how it votes.
func (v *Voter) Ballot(repeat int) eval.Ballot {
	return eval.Ballot{Judge: v.Name(), Criteria: v.o.Criteria, Input: v.o.Input, Repeat: repeat}
}

// Vote asks the judge model about a pair. A reply without a vote is asked for
// again with what was wrong with it, and then stands as it is. Errors are
// those of a Chatter; the usage is that of all calls, beside an error too.
// Latency and At are left to the caller.
func (v *Voter) Vote(ctx context.Context, q eval.VoteQuestion) (eval.Preference, error) {
	out := eval.Preference{Pair: q.Pair, Ballot: v.Ballot(q.Repeat), Setup: v.setup}
	item, chat, ref, err := v.ask(q)
	if err != nil {
		return out, err
	}
	out.Prompt = ref.Hash
	if v.o.Criteria {
		out.Text = q.Revision
	}
	for hints := v.o.Hints; ; hints-- {
		reply, err := v.o.Chatter.Chat(ctx, chat)
		out.Usage.Add(reply.Usage)
		out.Served = cmp.Or(reply.Model, out.Served)
		if err != nil {
			return out, err
		}
		vote, ok := Vote(reply)
		if ok || hints <= 0 {
			out.Vote, out.Raw, out.Finish = vote, reply.Text, reply.Finish
			return out, nil
		}
		out.Earlier = append(out.Earlier, reply.Text)
		item.Wrong = prompt.WrongWordy
		if strings.TrimSpace(reply.Text) == "" {
			item.Wrong = prompt.WrongEmpty
		}
		hint, err := v.o.Set.Again(v.o.Setup.Prompts, v.template, item)
		if err != nil {
			return out, err
		}
		chat = remind(chat, tail(reply.Text), hint)
	}
}

// Chat is the first call about a pair. Its errors are failures: of the sample
// when something that the judge is to see is missing.
func (v *Voter) Chat(q eval.VoteQuestion) (eval.Chat, error) {
	_, chat, _, err := v.ask(q)
	return chat, err
}

func (v *Voter) ask(q eval.VoteQuestion) (prompt.Item, eval.Chat, eval.PromptRef, error) {
	item, err := v.item(&q)
	if err != nil {
		return item, eval.Chat{}, eval.PromptRef{}, err
	}
	chat, ref, err := v.o.Set.Fill(v.o.Setup.Prompts, v.template, item)
	if err == nil && item.Pictured {
		chat.Pictures, err = prompt.Pictures(&q.Sample, q.Pictures)
	}
	return item, chat, ref, err
}

// item is what the judge is told about a pair.
func (v *Voter) item(q *eval.VoteQuestion) (prompt.Item, error) {
	s := &q.Sample
	i := prompt.Item{
		Language: v.language, Question: s.Question, Hint: s.Hint, Options: s.Options,
		Answer1: q.Answers[0], Answer2: q.Answers[1], Type: q.Type,
	}
	if q.Pair.Sample != s.Ordinal || q.Pair.First == q.Pair.Second {
		return i, failure("sample %s: runs %d and %d on sample number %d are no pair of answers to it", s.ID, q.Pair.First, q.Pair.Second, q.Pair.Sample)
	}
	if v.o.Criteria {
		if strings.TrimSpace(q.Criteria) == "" || q.Revision == "" {
			return i, failure("sample %s has no criteria for the judge to see", s.ID)
		}
		i.Criteria = q.Criteria
	}
	if v.o.Input == eval.SeesImage {
		i.Pictured = len(s.Pictures) > 0
	}
	if v.o.Input == eval.SeesCaption || v.o.Input == eval.SeesBoth {
		if strings.TrimSpace(q.Caption) == "" {
			return i, failure("sample %s has no caption for the judge to see", s.ID)
		}
		i.Caption = q.Caption
	}
	if v.o.Input == eval.SeesDetections || v.o.Input == eval.SeesBoth {
		if err := checkDetections(s.ID, q.Detections); err != nil {
			return i, err
		}
		i.Detections = q.Detections
	}
	return i, nil
}

func checkDetections(id eval.SampleID, all []eval.Detection) error {
	if all == nil {
		return failure("sample %s has no detected objects for the judge to see", id)
	}
	for n, d := range all {
		for _, x := range []float64{d.Confidence, d.X1, d.Y1, d.X2, d.Y2} {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return failure("detected object %d of sample %s has a box or confidence that is no number", n+1, id)
			}
		}
	}
	return nil
}
