package jobs

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"concord/annotate/criteria"
	"concord/eval"
)

// voteTokens is a judge's vote with a line or two of reasons.
const voteTokens = 60

// questions yields what is due, read as it stands when it is asked.
func (v *Voting) questions(ctx context.Context) iter.Seq2[eval.VoteQuestion, error] {
	return each(ctx, v.Due, v.question)
}

// question is all that a judge is shown about a pair: all images of the sample,
// or none.
func (v *Voting) question(d dueVote) (eval.VoteQuestion, error) {
	st, name, at := v.Factory.Store, v.Order.Dataset, d.pair.Sample
	q := eval.VoteQuestion{Pair: d.pair, Repeat: d.ballot.Repeat, Pictures: st.Datasets().Picture}
	var err error
	if q.Sample, err = st.Datasets().Sample(name, at); err != nil {
		return q, err
	}
	if v.of[at].blind {
		q.Sample.Pictures = nil
	}
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
	if v.Order.Criteria {
		q.Criteria, q.Revision = criteria.Text(set.Criteria()), criteria.Hash(set.Criteria())
	}
	if seesCaption(v.Order.Input) {
		if q.Caption, err = v.Factory.Evidence.caption(name, at, v.captioner); err != nil {
			return q, err
		}
	}
	if seesDetections(v.Order.Input) {
		q.Detections, err = st.Detections().Of(name, at)
	}
	return q, err
}

// keepCriteria stores the texts of the criteria that votes will name, all at
// once so that they share commits.
func (v *Voting) keepCriteria(ctx context.Context) error {
	if !v.Order.Criteria || len(v.Due) == 0 {
		return nil
	}
	var failed []error
	var mu sync.Mutex
	var wg sync.WaitGroup
	for set, err := range v.Factory.Store.Criteria().All(ctx, v.Order.Dataset) {
		if err != nil {
			failed = append(failed, err)
			break
		}
		text := criteria.Text(set.Criteria())
		if text == "" {
			continue
		}
		wg.Go(func() {
			if _, err := v.Factory.Store.Texts().Put(ctx, text); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed = append(failed, fmt.Errorf("keep criteria of sample %d: %w", set.Sample, err))
			}
		})
	}
	wg.Wait()
	return errors.Join(failed...)
}

// Estimate is what is due, before it is asked: of what was asked already, the
// length of a reply is known.
func (v *Voting) Estimate() (eval.Estimate, error) {
	voter, err := v.voter(nil)
	if err != nil {
		return eval.Estimate{}, err
	}
	return v.weigh(&v.Tally, len(v.Due), voteTokens, func(i int) (eval.Sample, eval.Chat, error) {
		q, err := v.question(v.Due[i])
		if err != nil {
			return q.Sample, eval.Chat{}, err
		}
		chat, err := voter.Chat(q)
		return q.Sample, chat, err
	})
}
