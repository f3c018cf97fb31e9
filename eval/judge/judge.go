// Package judge asks a judge model which option an answer means (MMBench,
// Sec. 3, step 2, and App. D): what the rules could not read. A Voter asks
// one which of two answers is better (MLLM-Bench, Sec. 5.1).
//
// It refuses to guess: replies are read strictly, a reply that does not parse
// is asked for once more with what was wrong with it, and then the reading is
// Missing. A choice is drawn at random (step 3) only where a run asks for it,
// seeded and under a method of its own.
//
// Its one invariant: a choice that it gives is among the options that the
// judged model was shown, and no call about a question is made twice with the
// same words.
package judge

import (
	"context"
	"errors"
	"fmt"

	"concord/eval"
	"concord/eval/prompt"
)

// The methods of readings; eval.Fallback is the third.
const (
	Method   = "judge"    // the judge's reply says it
	Unparsed = "unparsed" // no reply of the judge could be read; the status is Missing
)

// DefaultPseudo is the letter for "none of the options" when a setup names
// none: that of the benchmark's card.
const DefaultPseudo eval.Choice = "Z"

// DefaultHints is how often a reply that does not parse is asked for again.
const DefaultHints = 1

// Options make a judge.
type Options struct {
	Setup    eval.JudgeSetup
	Chatter  eval.Chatter // nil for a judge of batch files, which calls nothing
	Set      *prompt.Set
	Hints    int    // 0: DefaultHints; negative: none
	Fallback bool   // MMBench step 3
	Seed     uint64 // of the fallback's draw
}

// Judge is a judge model with its settings. It is safe for concurrent use.
type Judge struct {
	o     Options
	setup string // hash
}

var _ eval.Judge = (*Judge)(nil)

// New checks that the setup can be carried out.
func New(o Options) (*Judge, error) {
	if o.Setup.Judge == "" {
		return nil, errors.New("make judge: it has no name")
	}
	if o.Set == nil {
		return nil, fmt.Errorf("make judge %s: it has no templates", o.Setup.Judge)
	}
	if err := o.Set.Check(o.Setup.Prompts); err != nil {
		return nil, fmt.Errorf("make judge %s: %w", o.Setup.Judge, err)
	}
	switch o.Setup.Language {
	case "", prompt.English, prompt.Chinese:
	default:
		return nil, fmt.Errorf("make judge %s: unknown language %q", o.Setup.Judge, o.Setup.Language)
	}
	if p := o.Setup.Pseudo; p != "" && !isLetter(string(p)) {
		return nil, fmt.Errorf("make judge %s: pseudo-choice %q is no letter A to Z", o.Setup.Judge, p)
	}
	if o.Hints == 0 {
		o.Hints = DefaultHints
	}
	hash, _ := Hash(o.Setup)
	return &Judge{o: o, setup: hash}, nil
}

// Name is the judge's name in reports.
func (j *Judge) Name() string { return j.o.Setup.Judge }

// Judge asks the judge model about a prediction. The usage is that of all
// calls, beside an error too.
func (j *Judge) Judge(ctx context.Context, q eval.Judging) (eval.Judgment, error) {
	out := eval.Judgment{Judge: j.Name(), Setup: j.setup}
	item, err := j.item(q)
	if err != nil {
		return out, err
	}
	chat, ref, err := j.fill(q, item)
	if err != nil {
		return out, err
	}
	out.Prompt = ref.Hash
	for hints := j.o.Hints; ; hints-- {
		reply, err := j.o.Chatter.Chat(ctx, chat)
		out.Usage.Add(reply.Usage)
		if err != nil {
			return out, err
		}
		out.Raw, out.Finish, out.Served = reply.Text, reply.Finish, reply.Model
		var wrong prompt.Wrong
		if out.Extraction, wrong = read(item, reply); wrong == prompt.WrongUnset {
			return out, nil
		}
		if hints <= 0 {
			out.Extraction = j.unread(q, item)
			return out, nil
		}
		item.Wrong = wrong
		out.Earlier = append(out.Earlier, reply.Text)
		hint, err := j.o.Set.Again(j.o.Setup.Prompts, prompt.Reads(q.Sample.Kind), item)
		if err != nil {
			return out, err
		}
		chat = remind(chat, head(reply.Text), hint)
	}
}

// Chat is the first call about a prediction, for batch files.
func (j *Judge) Chat(q eval.Judging) (eval.Chat, error) {
	item, err := j.item(q)
	if err != nil {
		return eval.Chat{}, err
	}
	chat, _, err := j.fill(q, item)
	return chat, err
}

// Read reads a reply to Chat, which cannot be asked for again. A prediction
// that Chat refuses gives a judgment with a failure.
func (j *Judge) Read(q eval.Judging, reply eval.Reply) eval.Judgment {
	out := eval.Judgment{
		Judge: j.Name(), Setup: j.setup, Raw: reply.Text, Finish: reply.Finish, Served: reply.Model, Usage: reply.Usage,
	}
	item, err := j.item(q)
	if err == nil {
		var ref eval.PromptRef
		_, ref, err = j.fill(q, item)
		out.Prompt = ref.Hash
	}
	if err != nil {
		out.Failure = eval.FailureOf(err)
		return out
	}
	var wrong prompt.Wrong
	if out.Extraction, wrong = read(item, reply); wrong != prompt.WrongUnset {
		out.Extraction = j.unread(q, item)
	}
	return out
}

// item is what the judge is told about a prediction.
func (j *Judge) item(q eval.Judging) (prompt.Item, error) {
	i := prompt.Item{
		Language: prompt.Language(q.Sample.Question, j.o.Setup.Language),
		Question: q.Sample.Question,
		Answer:   q.Prediction.Text,
	}
	switch {
	case prompt.Reads(q.Sample.Kind) == "":
		return i, failure("sample %s is %s: its answers hold no choice to read", q.Sample.ID, q.Sample.Kind)
	case q.Prediction.Failure != nil:
		return i, failure("sample %s pass %d has no answer to read", q.Sample.ID, q.Prediction.Pass)
	case q.Sample.Kind == eval.KindChoice && len(q.Shown.Options) == 0:
		return i, failure("sample %s has no options", q.Sample.ID)
	}
	if q.Sample.Kind == eval.KindChoice {
		i.Options = q.Shown.Options
		i.Pseudo = pseudo(j.o.Setup.Pseudo, q.Shown.Options)
	}
	return i, nil
}

func (j *Judge) fill(q eval.Judging, i prompt.Item) (eval.Chat, eval.PromptRef, error) {
	return j.o.Set.Fill(j.o.Setup.Prompts, prompt.Reads(q.Sample.Kind), i)
}

func failure(format string, args ...any) error {
	return &eval.Failure{Kind: eval.FailureSample, Unasked: true, Message: fmt.Sprintf(format, args...)}
}
