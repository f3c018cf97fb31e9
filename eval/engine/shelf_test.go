package engine_test

import (
	"context"
	"iter"
	"slices"
	"sync"

	"concord/eval"
	"concord/eval/engine"
)

// shelf is a source and a recorder in memory, with the rules of the store.
type shelf struct {
	mu        sync.Mutex
	samples   []eval.Sample
	facts     map[eval.Key]eval.Fact
	judgments map[eval.Key][]eval.Judgment // the newest of each judge
	closed    int                          // questions that a fact or a judgment closed
	fail      error
}

func newShelf(samples ...eval.Sample) *shelf {
	for i := range samples {
		samples[i].Ordinal = eval.Ordinal(i)
	}
	return &shelf{
		samples: samples, facts: map[eval.Key]eval.Fact{}, judgments: map[eval.Key][]eval.Judgment{},
	}
}

func (s *shelf) Questions(_ context.Context, r eval.Run) iter.Seq2[eval.Question, error] {
	return func(yield func(eval.Question, error) bool) {
		for _, sample := range s.samples {
			q := eval.Question{Sample: sample}
			s.mu.Lock()
			for p := range eval.Pass(26) {
				k := eval.Key{Run: r.ID, Sample: sample.Ordinal, Pass: p}
				if f, ok := s.facts[k]; ok {
					q.Predictions = append(q.Predictions, f.Prediction)
					q.Judgments = append(q.Judgments, s.judgments[k]...)
				}
			}
			s.mu.Unlock()
			if !yield(q, nil) {
				return
			}
		}
	}
}

func (s *shelf) Record(_ context.Context, f eval.Fact) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	if old, ok := s.facts[f.Prediction.Key]; ok && old.Prediction.Failure == nil {
		return eval.ErrRecorded
	}
	if f.Closes {
		s.closed++
	}
	s.facts[f.Prediction.Key] = f
	return nil
}

func (s *shelf) RecordJudgment(_ context.Context, j eval.Judgment, closes bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	if closes {
		s.closed++
	}
	all := s.judgments[j.Key]
	if i := slices.IndexFunc(all, func(o eval.Judgment) bool { return o.Judge == j.Judge }); i >= 0 {
		all[i] = j
		return nil
	}
	s.judgments[j.Key] = append(all, j)
	return nil
}

// recount is what the questions come to when they are counted anew.
func (s *shelf) recount(p engine.Plan) eval.Counts {
	c := eval.Counts{Reader: eval.ReaderID(p.Reader)}
	for q, err := range s.Questions(context.Background(), p.Run) {
		if err != nil {
			panic(err)
		}
		c.Add(eval.CountsOfQuestion(p.Run.Config, &q, p.Reader))
	}
	return c
}

// counts is what a store would keep.
func (s *shelf) counts() (c eval.Counts) {
	for _, f := range s.facts {
		c.Predictions++
		if f.Prediction.Failure != nil {
			c.Failures++
			continue
		}
		c.Statuses[f.Reading.Status]++
	}
	c.Questions = s.closed
	c.Reader = eval.ReaderID(letters{})
	return c
}
