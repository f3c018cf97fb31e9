package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"concord/annotate/criteria"
	"concord/eval"
)

// questions yields what is due, read as it stands when it is asked.
func (v *voting) questions(ctx context.Context) iter.Seq2[eval.VoteQuestion, error] {
	return each(ctx, v.due, v.question)
}

// question is all that a judge is shown about a pair. A picture that the
// project does not hold is none.
func (v *voting) question(d dueVote) (eval.VoteQuestion, error) {
	st, name, at := v.lab.st, v.order.Dataset, d.pair.Sample
	q := eval.VoteQuestion{Pair: d.pair, Repeat: d.repeat, Pictures: st.Datasets().Picture}
	var err error
	if q.Sample, err = st.Datasets().Sample(name, at); err != nil {
		return q, err
	}
	q.Sample.Pictures = slices.DeleteFunc(slices.Clone(q.Sample.Pictures), func(p eval.Picture) bool { return !held(p) })
	for i, run := range []eval.RunID{d.pair.First, d.pair.Second} {
		p, err := st.Runs().Prediction(eval.Key{Run: run, Sample: at})
		if err != nil {
			return q, err
		}
		q.Answers[i] = p.Text
	}
	set, err := st.Criteria().Set(name, at)
	if err != nil {
		return q, err
	}
	q.Type = set.QuestionType(&q.Sample)
	if v.order.Criteria {
		q.Criteria, q.Revision = criteria.Text(set.Criteria()), criteria.Hash(set.Criteria())
	}
	if seesCaption(v.order.Input) {
		if q.Caption, err = v.lab.caption(name, at, v.captioner); err != nil {
			return q, err
		}
	}
	if seesDetections(v.order.Input) {
		q.Detections, err = st.Detections().Of(name, at)
	}
	return q, err
}

// keepCriteria stores the texts of the criteria that votes will name, all at
// once so that they share commits.
func (v *voting) keepCriteria(ctx context.Context) error {
	if !v.order.Criteria || len(v.due) == 0 {
		return nil
	}
	var failed []error
	var mu sync.Mutex
	var wg sync.WaitGroup
	for set, err := range v.lab.st.Criteria().All(ctx, v.order.Dataset) {
		if err != nil {
			failed = append(failed, err)
			break
		}
		text := criteria.Text(set.Criteria())
		if text == "" {
			continue
		}
		wg.Go(func() {
			if _, err := v.lab.st.Texts().Put(ctx, text); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed = append(failed, fmt.Errorf("keep criteria of sample %d: %w", set.Sample, err))
			}
		})
	}
	wg.Wait()
	return errors.Join(failed...)
}

// voteTokens is a judge's vote with a line or two of reasons.
const voteTokens = 60

// estimate is what is due, before it is asked: of what was asked already, the
// length of a reply is known.
func (v *voting) estimate() (eval.Estimate, error) {
	voter, err := v.voter(nil)
	if err != nil {
		return eval.Estimate{}, err
	}
	return v.weigh(&v.Tally, len(v.due), voteTokens, func(i int) (eval.Sample, eval.Chat, error) {
		q, err := v.question(v.due[i])
		if err != nil {
			return q.Sample, eval.Chat{}, err
		}
		chat, err := voter.Chat(q)
		return q.Sample, chat, err
	})
}
