package store

import (
	"context"
	"iter"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// ExternalScores keeps scores that were measured elsewhere.
type ExternalScores struct{ s *Store }

// ExternalScores is the handle of scores that were measured elsewhere.
func (s *Store) ExternalScores() *ExternalScores { return &ExternalScores{s} }

// RevisedScore is a measure that took the place of another.
type RevisedScore struct{ From, To eval.ExternalScore }

// Put commits measures in one transaction. One that says what stands for its
// benchmark, model and metric adds nothing; another value, source or n takes
// its place as a newer revision and leaves it stored. Added counts both new
// ones and revisions.
func (p *ExternalScores) Put(ctx context.Context, all []eval.ExternalScore) (added int, revised []RevisedScore, err error) {
	put := revisions[eval.ExternalScore]{
		s: p.s, kind: record.Measures, begin: func() { revised = nil },
		key: func(one *eval.ExternalScore) []byte { key := record.Measures.Key(one); return key[:len(key)-4] },
		needless: func(earlier []eval.ExternalScore, one *eval.ExternalScore) bool {
			old := newest(earlier)
			return old != nil && old.SaysSame(one)
		},
		added: func(_ *file.Tx, one *eval.ExternalScore, earlier []eval.ExternalScore) error {
			if old := newest(earlier); old != nil {
				anew := *one
				anew.Revision = old.Revision + 1
				revised = append(revised, RevisedScore{*old, anew})
			}
			return nil
		},
	}
	if added, err = put.addAll(ctx, "put measures", all); err != nil {
		return 0, nil, err
	}
	return added, revised, nil
}

// All yields every measure by benchmark, model and metric; of one of these, the
// newest revision comes last and stands. One that cannot be read yields an
// error that names it, and the scan goes on.
func (p *ExternalScores) All(ctx context.Context) iter.Seq2[eval.ExternalScore, error] {
	return scanUnder(ctx, p.s, record.Measures, nil)
}

// Current yields the measures that stand, in the order of All.
func (p *ExternalScores) Current(ctx context.Context) iter.Seq2[eval.ExternalScore, error] {
	return func(yield func(eval.ExternalScore, error) bool) {
		var last *eval.ExternalScore
		for m, err := range p.All(ctx) {
			if err == nil && last != nil && last.Benchmark == m.Benchmark && last.Model == m.Model && last.Metric == m.Metric {
				last = &m
				continue
			}
			if last != nil && !yield(*last, nil) {
				return
			}
			if last = &m; err != nil {
				if last = nil; !yield(m, err) {
					return
				}
			}
		}
		if last != nil {
			yield(*last, nil)
		}
	}
}
