// Package judge asks a judge model which option an answer means (MMBench,
// Sec. 3, step 2, and App. D): what the rules could not read. A Voter asks
// one which of two answers is better (MLLM-Bench, Sec. 5.1), a Scorer how right
// an open answer is (MMBench, App. D.2), a Grader which criteria it meets. A Captioner has the pictures described
// for judges that cannot see them.
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
	caller
	fallback bool
	seed     uint64
}

var _ eval.Judge = (*Judge)(nil)

// New checks that the setup can be carried out.
func New(o Options) (*Judge, error) {
	c, err := newCaller("judge", "", Dependencies{Setup: o.Setup, Chatter: o.Chatter, Set: o.Set, Hints: o.Hints})
	if err != nil {
		return nil, err
	}
	switch o.Setup.Language {
	case "", prompt.English, prompt.Chinese:
	default:
		return nil, fmt.Errorf("make judge %s: unknown language %q", o.Setup.Judge, o.Setup.Language)
	}
	if p := o.Setup.Pseudo; p != "" && !isLetter(string(p)) {
		return nil, fmt.Errorf("make judge %s: pseudo-choice %q is no letter A to Z", o.Setup.Judge, p)
	}
	return &Judge{c, o.Fallback, o.Seed}, nil
}

// Judge asks the judge model about a prediction. The usage is that of all
// calls, beside an error too.
func (j *Judge) Judge(ctx context.Context, q eval.JudgeQuestion) (eval.Judgment, error) {
	out := eval.Judgment{Judge: j.Name(), Call: eval.Call{Setup: j.setup}}
	item, err := j.promptItem(q)
	if err != nil {
		return out, err
	}
	chat, ref, err := j.fillPrompt(q, item)
	if err != nil {
		return out, err
	}
	out.Prompt = ref.Hash
	var reading eval.Extraction
	wrong := prompt.WrongUnset
	got, err := j.askUntilParsed(ctx, judgeCall{chat: chat, template: prompt.JudgeTemplate(q.Sample.Kind), item: item, quote: excerptHead, read: func(r eval.Reply) prompt.ReplyProblem {
		reading, wrong = readReply(item, r)
		return wrong
	}})
	out.Raw, out.Earlier, out.Finish, out.Served, out.Usage = got.raw, got.earlier, got.finish, got.served, got.usage
	switch {
	case err != nil:
		return out, err
	case wrong != prompt.WrongUnset:
		reading = j.fallbackReading(q, item)
	}
	out.Extraction = reading
	return out, nil
}

// BuildChat builds the first call about a prediction, for batch files.
func (j *Judge) BuildChat(q eval.JudgeQuestion) (eval.Chat, error) {
	item, err := j.promptItem(q)
	if err != nil {
		return eval.Chat{}, err
	}
	chat, _, err := j.fillPrompt(q, item)
	return chat, err
}

// Read reads a reply to Chat, which cannot be asked for again. A prediction
// that Chat refuses gives a judgment with a failure.
func (j *Judge) Read(q eval.JudgeQuestion, reply eval.Reply) eval.Judgment {
	out := eval.Judgment{
		Judge: j.Name(), Call: eval.Call{Setup: j.setup, Finish: reply.Finish, Served: reply.Model, Usage: reply.Usage}, Raw: reply.Text,
	}
	item, err := j.promptItem(q)
	if err == nil {
		var ref eval.PromptRef
		_, ref, err = j.fillPrompt(q, item)
		out.Prompt = ref.Hash
	}
	if err != nil {
		out.Failure = eval.FailureOf(err)
		return out
	}
	var wrong prompt.ReplyProblem
	if out.Extraction, wrong = readReply(item, reply); wrong != prompt.WrongUnset {
		out.Extraction = j.fallbackReading(q, item)
	}
	return out
}

// promptItem is what the judge is told about a prediction.
func (j *Judge) promptItem(q eval.JudgeQuestion) (prompt.Item, error) {
	i := prompt.Item{
		Language: prompt.QuestionLanguage(q.Sample.Question, j.means.Setup.Language),
		Question: q.Sample.Question,
		Answer:   q.Prediction.Text,
	}
	switch {
	case prompt.JudgeTemplate(q.Sample.Kind) == "":
		return i, newFailure("sample %s is %s: its answers hold no choice to read", q.Sample.ID, q.Sample.Kind)
	case q.Prediction.Failure != nil:
		return i, newFailure("sample %s pass %d has no answer to read", q.Sample.ID, q.Prediction.Pass)
	case q.Sample.Kind == eval.KindChoice && len(q.Shown.Options) == 0:
		return i, newFailure("sample %s has no options", q.Sample.ID)
	}
	if q.Sample.Kind == eval.KindChoice {
		i.Options = q.Shown.Options
		i.Pseudo = pseudoLetter(j.means.Setup.Pseudo, q.Shown.Options)
	}
	return i, nil
}

func (j *Judge) fillPrompt(q eval.JudgeQuestion, i prompt.Item) (eval.Chat, eval.PromptRef, error) {
	return j.means.Set.FillTemplate(j.means.Setup.Prompts, prompt.JudgeTemplate(q.Sample.Kind), i)
}
