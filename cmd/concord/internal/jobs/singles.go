package jobs

import (
	"context"
	"fmt"
	"iter"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/engine"
	"concord/eval/judge"
)

// singleCalls is an order of single calls to one model, made out: D is what is due, Q
// what is asked about it, read when it is asked.
//
//	facts that are stored --stands--> what stands --sort--> Tally, Due --Runner--> engine.Runner
type singleCalls[D, Q any] struct {
	judgeConfig
	eval.Tally
	Due     []D
	missing map[string]int // reason -> what cannot be asked for

	title    string // what messages call the job, in front of the model's name
	unit     string // what a call gives, as in "vote"
	role     string // what the model is to it: judge or model
	tokens   int    // of a reply, before one is known
	question func(D) (Q, error)
	job      func() eval.Job // what the calls are about
	prepare  func(context.Context, eval.Chatter) (modelCaller[Q], error)
}

// modelCaller is a model, ready to be asked; of one without a chatter chat alone is
// called.
type modelCaller[Q any] struct {
	chat func(Q) (*eval.Sample, eval.Chat, error) // what is said first, and of which sample
	run  func(engine.SingleCalls[Q]) (*engine.Runner, error)
}

// Title is what messages call the job.
func (s *singleCalls[D, Q]) Title() string { return s.title + " " + cli.EscapeControls(s.setup.Judge) }

func (s *singleCalls[D, Q]) fact() string { return s.unit }

// sortDue counts what is wanted: it is due, or stands as a failure, as a reply that
// holds what was asked for, or as one that does not.
func (s *singleCalls[D, Q]) sortDue(d D, due, failed, holds bool) {
	s.Wanted++
	switch {
	case due:
		s.Due = append(s.Due, d)
	case failed:
		s.Failed++
	case holds:
		s.Stored++
	default:
		s.Unparsed++
	}
}

// Estimate gives what is due, before it is asked: of what was asked already, the
// length of a reply is known.
func (s *singleCalls[D, Q]) Estimate() (eval.Estimate, error) {
	c, err := s.prepare(context.Background(), nil)
	if err != nil {
		return eval.Estimate{}, err
	}
	return s.estimateCalls(&s.Tally, len(s.Due), s.tokens, func(i int) (*eval.Sample, eval.Chat, error) {
		q, err := s.question(s.Due[i])
		if err != nil {
			return nil, eval.Chat{}, err
		}
		return c.chat(q)
	})
}

// NewRunner gives what asks for what is due.
func (s *singleCalls[D, Q]) NewRunner(ctx context.Context, e Effort) (*engine.Runner, error) {
	if e.Results != "" {
		free := 0.0 // what is there is paid for
		e.Budget, s.hints = &free, -1
		e.Concurrency = 1 // repeats say the same: each is to get the reply of its own, also after a kill
	}
	model, err := s.prepareChatter(ctx, e)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", s.role, s.asked(), err)
	}
	replies := &batchReplies{model: model, said: make(map[string][]batchResult)}
	var chatter eval.Chatter = model
	if e.Results != "" {
		chatter = replies
	}
	c, err := s.prepare(ctx, chatter)
	if err == nil && e.Results != "" {
		err = s.takeResults(c, replies, e.Results)
	}
	if err != nil {
		return nil, err
	}
	return c.run(engine.SingleCalls[Q]{
		Terms: s.Factory.newTerms(e, s.asked()), Job: s.job(), Price: s.Factory.Models.priceOf(s.asked()), Tally: s.Tally,
		Due: func(ctx context.Context) iter.Seq2[Q, error] { return eachQuestion(ctx, s.Due, s.question) },
	})
}

// eachQuestion yields what is to be asked about what is due, read when it is asked.
func eachQuestion[D, Q any](ctx context.Context, due []D, question func(D) (Q, error)) iter.Seq2[Q, error] {
	return func(yield func(Q, error) bool) {
		for _, d := range due {
			if ctx.Err() != nil {
				return
			}
			q, err := question(d)
			if !yield(q, err) || err != nil {
				return
			}
		}
	}
}

// callFact is what every fact of a single call has; K is what it is about.
type callFact[K comparable] struct {
	of      K
	by      string // the model
	setup   string // hash; "": it was made elsewhere
	usage   eval.Usage
	failure *eval.Failure
}

// newestFacts is what stands of the model's facts: the newest reply, else a failure of
// the sample. It adds up what all of them took. What was made with other settings
// cannot be gone on with: kind and on name it then, as in "scores of J" "on run 1".
func newestFacts[K comparable, D, Q, F any](r *singleCalls[D, Q], kind, on string, all iter.Seq2[F, error], cut func(*F) callFact[K]) (map[K]F, error) {
	hash, _ := judge.HashSetup(r.setup)
	out, reads := make(map[K]F), make(map[K]bool)
	for one, err := range all {
		if err != nil {
			return nil, err
		}
		f := cut(&one)
		switch {
		case f.by != r.setup.Judge:
			continue
		case f.failure == nil && f.setup != hash && f.setup != "":
			return nil, fmt.Errorf("%s %s on %s %s\n%s of two kinds are never mixed. Give the %s as it is now another name in concord.toml: [models.NAME] with model = %q",
				r.title, f.by, on, r.describeDifference(f.setup), kind, r.role, r.setup.Name)
		}
		r.Usage.Add(f.usage)
		if f.failure == nil || f.failure.Kind == eval.FailureSample && !reads[f.of] {
			out[f.of], reads[f.of] = one, f.failure == nil
		}
	}
	return out, nil
}
