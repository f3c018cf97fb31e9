package store

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Measures keeps scores that were measured elsewhere.
type Measures struct{ s *Store }

// Measures is the handle of scores that were measured elsewhere.
func (s *Store) Measures() *Measures { return &Measures{s} }

// Revised is a measure that took the place of another.
type Revised struct{ From, To eval.Measure }

// Put commits measures in one transaction. One that says what stands for its
// benchmark, model and metric adds nothing; another value, source or n takes
// its place as a newer revision and leaves it stored. Added counts both new
// ones and revisions.
func (p *Measures) Put(ctx context.Context, all []eval.Measure) (added int, revised []Revised, err error) {
	values, size, err := encoded(all, p.encode, func(one *eval.Measure) int { return 64 + len(one.Benchmark) + len(one.Model) })
	if err != nil {
		return 0, nil, fmt.Errorf("put measures: %w", err)
	}
	err = p.s.file.Do(ctx, size, func(tx *file.Tx) (err error) {
		revised = nil // the writer may apply it once more
		added, err = putEach(len(all), func(i int) (bool, error) {
			one := all[i]
			var last *eval.Measure
			ok, err := revise(tx, record.TableMeasures, record.MeasureKey(&one), values[i], p.read, func(earlier []eval.Measure) bool {
				last = standing(earlier, func(*eval.Measure) bool { return true })
				return last != nil && last.Says(&one)
			})
			if ok && last != nil {
				one.Revision = last.Revision + 1
				revised = append(revised, Revised{*last, one})
			}
			return ok, err
		})
		return err
	})
	if err != nil {
		return 0, nil, fmt.Errorf("put measures: %w", err)
	}
	return added, revised, nil
}

// All yields every measure by benchmark, model and metric; of one of these, the
// newest revision comes last and stands. One that cannot be read yields an
// error that names it, and the scan goes on.
func (p *Measures) All(ctx context.Context) iter.Seq2[eval.Measure, error] {
	return file.Records(p.s.file.Scan(ctx, record.TableMeasures, nil, nil), p.read)
}

// Standing yields the measures that stand, in the order of All.
func (p *Measures) Standing(ctx context.Context) iter.Seq2[eval.Measure, error] {
	return func(yield func(eval.Measure, error) bool) {
		var last *eval.Measure
		for m, err := range p.All(ctx) {
			if err == nil && last != nil && bytes.Equal(record.MeasureKey(last), record.MeasureKey(&m)) {
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

func (p *Measures) encode(m *eval.Measure) ([]byte, error) {
	for _, part := range [][2]string{{"benchmark", m.Benchmark}, {"model", m.Model}, {"metric", m.Metric}, {"source", m.Source}} {
		if err := record.CheckName(part[0], part[1]); err != nil {
			return nil, err
		}
	}
	if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) || m.N < 0 {
		return nil, fmt.Errorf("%w: value %g of %d", ErrInvalid, m.Value, m.N)
	}
	return p.s.codec.Encode(record.FromMeasure(m))
}

func (p *Measures) read(key, raw []byte) (eval.Measure, error) {
	benchmark, rest, ok := record.CutName(key)
	model, rest, named := record.CutName(rest)
	metric, rest, measured := record.CutName(rest)
	revision, numbered := record.Number(rest)
	if !ok || !named || !measured || !numbered || len(rest) != 4 {
		return eval.Measure{}, record.Corrupt(record.TableMeasures, key, "no key of a measure")
	}
	var r record.Measure
	if err := p.s.codec.Decode(record.TableMeasures, key, raw, &r); err != nil {
		return eval.Measure{}, err
	}
	if math.IsNaN(r.Value) || math.IsInf(r.Value, 0) || r.N < 0 {
		return eval.Measure{}, record.Corrupt(record.TableMeasures, key, "no score")
	}
	return eval.Measure{
		Benchmark: benchmark, Model: model, Metric: metric, Revision: int(revision),
		Value: r.Value, Source: r.Source, N: r.N, File: r.File, At: record.FromMillis(r.At),
	}, nil
}
