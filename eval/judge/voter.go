package judge

import (
	"context"
	"fmt"
	"math"
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
	caller
	input    eval.Input
	criteria bool
	template string
}

var _ eval.Voter = (*Voter)(nil)

// NewVoter checks that the setup can be carried out.
func NewVoter(o VoterOptions) (*Voter, error) {
	template := prompt.VoteTemplate(o.Input)
	c, err := newCheckedCaller("voter", template, Dependencies{Setup: o.Setup, Chatter: o.Chatter, Set: o.Set, Hints: o.Hints})
	switch {
	case err != nil:
		return nil, err
	case template == "":
		return nil, fmt.Errorf("make voter %s: it is not said what it sees of a picture", o.Setup.Judge)
	}
	return &Voter{caller: c, input: o.Input, criteria: o.Criteria, template: template}, nil
}

// BallotOfRepeat says how it votes.
func (v *Voter) BallotOfRepeat(repeat int) eval.Ballot {
	return eval.Ballot{Judge: v.Name(), Criteria: v.criteria, Input: v.input, Repeat: repeat}
}

// ballotOfVote is the ballot of one vote: one without the image that it was to see is never one with it.
func (v *Voter) ballotOfVote(q *eval.VoteQuestion) eval.Ballot {
	b := v.BallotOfRepeat(q.Repeat)
	if v.input == eval.SeesImage && len(q.Sample.Pictures) == 0 {
		b.Input = eval.SeesNothing
	}
	return b
}

// Vote asks the judge model about a pair. A reply without a vote is asked for again with what
// was wrong with it, and then stands as it is. Errors are those of a Chatter; the usage is that
// of all calls, beside an error too. Latency and At are left to the caller.
func (v *Voter) Vote(ctx context.Context, q eval.VoteQuestion) (eval.Preference, error) {
	out := eval.Preference{Pair: q.Pair, Ballot: v.ballotOfVote(&q), Call: eval.Call{Setup: v.setup}}
	item, chat, ref, err := v.fillPrompt(q)
	if err != nil {
		return out, err
	}
	out.Prompt = ref.Hash
	out.Sent = eval.Sent{Known: true, Images: len(chat.Pictures), Prompt: ref.Hash, Params: v.setup}
	if v.input == eval.SeesImage {
		out.Sent.Lacking = max(q.Sample.CountImages()-len(chat.Pictures), 0)
	}
	if v.criteria {
		out.Text = q.Revision
	}
	out.Raw, out.Earlier, err = v.askUntilParsed(ctx, &out.Call, judgeCall{chat: chat, template: v.template, item: item, quote: quoteTail, read: func(r eval.Reply) prompt.ReplyProblem {
		vote, ok := ReadVote(r)
		if !ok {
			return explainUnread(r)
		}
		out.Vote = vote
		return prompt.WrongUnset
	}})
	return out, err
}

// BuildChat builds the first call about a pair. Its errors are failures: of the sample
// when something that the judge is to see is missing.
func (v *Voter) BuildChat(q eval.VoteQuestion) (eval.Chat, error) {
	_, chat, _, err := v.fillPrompt(q)
	return chat, err
}

func (v *Voter) fillPrompt(q eval.VoteQuestion) (prompt.Item, eval.Chat, eval.PromptRef, error) {
	item, err := v.buildVoteItem(&q)
	if err != nil {
		return item, eval.Chat{}, eval.PromptRef{}, err
	}
	pictures := eval.Either(item.Pictured, len(q.Sample.Pictures), 0)
	chat, ref, err := v.means.Set.FillTemplateWithPictures(v.means.Setup.Prompts, v.template, item, pictures)
	if err == nil && item.Pictured {
		chat.Pictures, err = prompt.LoadPictures(&q.Sample, q.Pictures)
	}
	return item, chat, ref, err
}

// buildVoteItem is what the judge is told about a pair.
func (v *Voter) buildVoteItem(q *eval.VoteQuestion) (prompt.Item, error) {
	s := &q.Sample
	i := prompt.Item{Language: v.lang, Question: s.Question, Hint: s.Hint, Options: s.Options, Answer1: q.Answers[0], Answer2: q.Answers[1], Type: q.Type}
	if q.Pair.Sample != s.Ordinal || q.Pair.First == q.Pair.Second {
		return i, newSampleFailure("sample %s: runs %d and %d on sample number %d are no pair of answers to it", s.ID, q.Pair.First, q.Pair.Second, q.Pair.Sample)
	}
	if v.criteria {
		if strings.TrimSpace(q.Criteria) == "" || q.Revision == "" {
			return i, newSampleFailure("sample %s has no criteria for the judge to see", s.ID)
		}
		i.Criteria = q.Criteria
	}
	if v.input == eval.SeesImage {
		i.Pictured = len(s.Pictures) > 0
	}
	if v.input == eval.SeesCaption || v.input == eval.SeesBoth {
		if strings.TrimSpace(q.Caption) == "" {
			return i, newSampleFailure("sample %s has no caption for the judge to see", s.ID)
		}
		i.Caption = q.Caption
	}
	if v.input == eval.SeesDetections || v.input == eval.SeesBoth {
		if err := checkDetections(s.ID, q.Detections); err != nil {
			return i, err
		}
		i.Detections = q.Detections
	}
	return i, nil
}

func checkDetections(id eval.SampleID, all []eval.Detection) error {
	if all == nil {
		return newSampleFailure("sample %s has no detected objects for the judge to see", id)
	}
	for n, d := range all {
		for _, x := range []float64{d.Confidence, d.X1, d.Y1, d.X2, d.Y2} {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return newSampleFailure("detected object %d of sample %s has a box or confidence that is no number", n+1, id)
			}
		}
	}
	return nil
}

// votes are the only ways to say one (MLLM-Bench, Sec. 5.1).
var votes = map[string]eval.Vote{
	"answer1":                         eval.Answer1,
	"answer2":                         eval.Answer2,
	"unable to decide: situation one": eval.SituationOne,
	"unable to decide: situation two": eval.SituationTwo,
}

// ReadVote reads which of two answers a reply prefers. The last line that is not empty must be
// a vote and nothing else, in whatever case, with a full stop and marks of emphasis, code,
// headings or quotes around it at most. What a reply argues before that is not looked at, and a
// last line that was cut off may have gone on, so it says nothing.
func ReadVote(r eval.Reply) (eval.Vote, bool) {
	if r.Finish == "length" {
		return eval.VoteUnset, false
	}
	text := strings.TrimSpace(r.Text)
	if i := strings.LastIndexAny(text, "\n\r"); i >= 0 {
		text = text[i+1:]
	}
	const longest = 128 // bytes of a line with a vote
	if len(text) > longest {
		return eval.VoteUnset, false
	}
	line := strings.TrimLeft(strings.TrimSpace(text), "#> ")
	line = strings.Trim(line, "*_` .")
	v, ok := votes[strings.ToLower(strings.Join(strings.Fields(line), " "))]
	return v, ok
}
