package store

import (
	"context"
	"iter"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Measures keeps scores that were measured elsewhere.
type Measures struct{ records[eval.Measure] }

// Measures is the handle of scores that were measured elsewhere.
func (s *Store) Measures() *Measures {
	return &Measures{records[eval.Measure]{s, record.Measures}}
}

// Revised is a measure that took the place of another.
type Revised struct{ From, To eval.Measure }

// Put commits measures in one transaction. One that says what stands for its
// benchmark, model and metric adds nothing; another value, source or n takes
// its place as a newer revision and leaves it stored. Added counts both new
// ones and revisions.
func (p *Measures) Put(ctx context.Context, all []eval.Measure) (added int, revised []Revised, err error) {
	put := revising[eval.Measure]{
		records: p.records, begin: func() { revised = nil },
		key: func(one *eval.Measure) []byte { key := p.kind.Key(one); return key[:len(key)-4] },
		needless: func(earlier []eval.Measure, one *eval.Measure) bool {
			old := last(earlier)
			return old != nil && old.Says(one)
		},
		added: func(_ *file.Tx, one *eval.Measure, earlier []eval.Measure) error {
			if old := last(earlier); old != nil {
				anew := *one
				anew.Revision = old.Revision + 1
				revised = append(revised, Revised{*old, anew})
			}
			return nil
		},
	}
	if added, err = put.all(ctx, "put measures", all); err != nil {
		return 0, nil, err
	}
	return added, revised, nil
}

// All yields every measure by benchmark, model and metric; of one of these, the
// newest revision comes last and stands. One that cannot be read yields an
// error that names it, and the scan goes on.
func (p *Measures) All(ctx context.Context) iter.Seq2[eval.Measure, error] {
	return p.scan(ctx, nil)
}

// Standing yields the measures that stand, in the order of All.
func (p *Measures) Standing(ctx context.Context) iter.Seq2[eval.Measure, error] {
	return func(yield func(eval.Measure, error) bool) {
		var last *eval.Measure
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
