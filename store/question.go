package store

import (
	"context"
	"iter"

	"concord/eval"
	"concord/store/record"
)

// Questions yields the samples of the run's dataset by ordinal, each with the predictions that
// the run holds, by pass, and the newest judgment of each judge on each of them. A record that
// cannot be read yields an error that names it, and the scan goes on without it.
func (r *Runs) Questions(ctx context.Context, run eval.Run) iter.Seq2[eval.Question, error] {
	return r.joinQuestions(ctx, run, nil, true)
}

// joinQuestions yields them with judgments or without. Samples that are at hand are not read.
func (r *Runs) joinQuestions(ctx context.Context, run eval.Run, samples iter.Seq2[eval.Sample, error], judged bool) iter.Seq2[eval.Question, error] {
	return func(yield func(eval.Question, error) bool) {
		datasets := r.s.Datasets()
		if _, err := datasets.Dataset(run.Config.Dataset); err != nil {
			yield(eval.Question{}, err)
			return
		}
		predictions := newOrdinalMerge(r.Predictions(ctx, run.ID, eval.Key{}), func(p eval.Prediction) eval.Ordinal { return p.Sample })
		defer predictions.stop()
		judged := newOrdinalMerge(allJudgments(ctx, r.s, run.ID, judged), func(j eval.Judgment) eval.Ordinal { return j.Sample })
		defer judged.stop()
		if samples == nil {
			samples = datasets.Samples(ctx, run.Config.Dataset)
		}
		for sample, err := range samples {
			if err != nil {
				if !yield(eval.Question{}, err) {
					return
				}
				continue
			}
			q := eval.Question{Sample: sample}
			errs := predictions.advanceTo(sample.Ordinal, func(p eval.Prediction) { q.Predictions = append(q.Predictions, p) })
			errs = append(errs, judged.advanceTo(sample.Ordinal, func(j eval.Judgment) { q.Judgments = putNewest(q.Judgments, j) })...)
			for _, err := range errs {
				if !yield(eval.Question{Sample: sample}, err) {
					return
				}
			}
			if !yield(q, nil) {
				return
			}
		}
	}
}

// allJudgments are all judgments of a run, failed ones too. A run that nobody has
// judged is not searched for them.
func allJudgments(ctx context.Context, s *Store, id eval.RunID, any bool) iter.Seq2[eval.Judgment, error] {
	return func(yield func(eval.Judgment, error) bool) {
		if !any {
			return
		}
		for _, err := range s.file.Scan(ctx, record.TableJudges, record.RunKey(id), nil) {
			if err != nil {
				yield(eval.Judgment{}, err)
				return
			}
			scanUnder(ctx, s, record.Judgments, record.RunKey(id))(yield)
			return
		}
	}
}

// putNewest appends a judgment, or puts it in the place of its judge's last one on that prediction.
func putNewest(all []eval.Judgment, j eval.Judgment) []eval.Judgment {
	if n := len(all); n > 0 && all[n-1].Key == j.Key && all[n-1].Judge == j.Judge {
		all[n-1] = j
		return all
	}
	return append(all, j)
}

// ordinalMerge walks what is kept of a run, in the order of samples, beside them.
type ordinalMerge[T any] struct {
	of   func(T) eval.Ordinal
	next func() (T, error, bool)
	stop func()
	v    T
	err  error
	more bool
}

func newOrdinalMerge[T any](seq iter.Seq2[T, error], of func(T) eval.Ordinal) *ordinalMerge[T] {
	m := &ordinalMerge[T]{of: of}
	m.next, m.stop = iter.Pull2(seq)
	m.advance()
	return m
}

func (m *ordinalMerge[T]) advance() { m.v, m.err, m.more = m.next() }

// advanceTo moves on behind the records of a sample and hands them over. It gives
// the errors that it met on the way.
func (m *ordinalMerge[T]) advanceTo(o eval.Ordinal, take func(T)) (errs []error) {
	for ; m.more && (m.err != nil || m.of(m.v) <= o); m.advance() {
		switch {
		case m.err != nil:
			errs = append(errs, m.err)
		case m.of(m.v) == o:
			take(m.v)
		}
	}
	return errs
}
