package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math"

	"concord/annotate"
	"concord/annotate/rubric"
	"concord/eval"
	"concord/store/file"
	"concord/store/heads"
	"concord/store/record"
)

// Grades keeps what judges and people say of single criteria of responses.
type Grades struct{ s *Store }

// Grades is the handle of grades.
func (s *Store) Grades() *Grades { return &Grades{s} }

// Put commits judges' grades in one transaction. One that says what the same
// judge has said of that criterion before adds nothing; another one is kept
// beside it, as its newer revision.
func (g *Grades) Put(ctx context.Context, all []eval.Grade) (added int, err error) {
	values, size, err := encoded(all, g.encode, func(one *eval.Grade) int { return 128 + len(one.Judge) + len(one.Criterion) })
	if err != nil {
		return 0, err
	}
	err = g.s.file.Do(ctx, size, func(tx *file.Tx) (err error) {
		known := make(map[eval.RunID]bool)
		added, err = putEach(len(all), func(i int) (bool, error) {
			one := &all[i]
			if !known[one.Run] {
				if _, err := g.s.Runs().in(tx, one.Run); err != nil {
					return false, err
				}
				known[one.Run] = true
			}
			return revise(tx, record.TableGrades, record.GradeKey(one), values[i], g.read, func(earlier []eval.Grade) bool {
				old := standing(earlier, (*eval.Grade).Reads)
				return old != nil && old.Reads() && one.Reads() && old.Graded == one.Graded && old.Hash == one.Hash && old.Raw == one.Raw
			})
		})
		return err
	})
	return added, err
}

func (g *Grades) encode(one *eval.Grade) ([]byte, error) {
	if err := record.CheckName("judge", one.Judge); err != nil {
		return nil, err
	}
	if err := record.CheckName("criterion", one.Criterion); err != nil {
		return nil, err
	}
	if !sound(one.Graded) || one.Repeat < 0 {
		return nil, fmt.Errorf("%w: grade %d of repeat %d", ErrInvalid, one.Verdict, one.Repeat)
	}
	return g.s.codec.Encode(record.FromGrade(one))
}

// sound reports whether a verdict is one, and its score a number.
func sound(v eval.Graded) bool {
	return int(v.Verdict) < eval.Verdicts && !math.IsNaN(v.Score) && !math.IsInf(v.Score, 0)
}

func (g *Grades) read(key, raw []byte) (eval.Grade, error) {
	k, judge, criterion, repeat, ok := record.CutGrade(key)
	if !ok {
		return eval.Grade{}, record.Corrupt(record.TableGrades, key, "no key of a grade")
	}
	var r record.Grade
	if err := g.s.codec.Decode(record.TableGrades, key, raw, &r); err != nil {
		return eval.Grade{}, err
	}
	one := r.Grade(k, judge, criterion, repeat)
	if !sound(one.Graded) {
		return eval.Grade{}, record.Corrupt(record.TableGrades, key, "no grade")
	}
	return one, nil
}

// All yields the judges' grades of a run, by response, judge and criterion; of
// one of these and a repeat the newest comes last. Failed calls are among them.
// One that cannot be read yields an error that names it, and the scan goes on.
func (g *Grades) All(ctx context.Context, id eval.RunID) iter.Seq2[eval.Grade, error] {
	return file.Records(g.s.file.Scan(ctx, record.TableGrades, record.RunKey(id), nil), g.read)
}

// Append commits a person's acts in their order, all or none. One that is stored
// already, word for word, is accepted in silence; any other whose number is not
// the next one gives annotate.ErrConflict. The run must be there and hold the
// sample, else eval.ErrNotFound.
func (g *Grades) Append(ctx context.Context, acts []rubric.Act) error {
	values, size := make([][]byte, len(acts)), 0
	for i := range acts {
		one := &acts[i]
		if err := record.CheckName("annotator", string(one.Person)); err != nil {
			return err
		}
		if !sound(one.Graded) || one.Kind == rubric.Gave && (one.Criterion == "" || one.Graded.Verdict == eval.VerdictUnset) {
			return fmt.Errorf("%w: act %d of %s gives no verdict on a criterion", ErrInvalid, one.N, one.Person)
		}
		r := record.FromGrading(one)
		raw, err := g.s.codec.Encode(&r)
		if err != nil {
			return err
		}
		values[i] = raw
		size += 2*len(raw) + 256
	}
	return g.s.file.Do(ctx, size, func(tx *file.Tx) error {
		for i := range acts {
			if err := g.append(tx, &acts[i], values[i]); err != nil {
				return fmt.Errorf("append act %d of %s on dataset %q: %w", acts[i].N, acts[i].Person, acts[i].Dataset, err)
			}
		}
		return nil
	})
}

func (g *Grades) append(tx *file.Tx, one *rubric.Act, value []byte) error {
	key := record.ExpertKey(one.Dataset, one.Person)
	at := record.AppendU32(file.Clone(key), one.N)
	b := tx.Table(record.TableGradings)
	if stored := heads.By(g.s.codec).Unbound(record.TableGradings, b.Get(at)); stored != nil && bytes.Equal(stored, value) {
		return nil
	}
	if next := lastNumber(b, key) + 1; one.N != next {
		return fmt.Errorf("act %d comes next: %w", next, annotate.ErrConflict)
	}
	if one.Kind == rubric.Gave {
		run, err := g.s.Runs().in(tx, one.Response.Run)
		switch {
		case err != nil:
			return err
		case run.Config.Dataset != one.Dataset:
			return fmt.Errorf("run %d is on dataset %q: %w", run.ID, run.Config.Dataset, eval.ErrNotFound)
		}
		if err := g.s.Datasets().holds(tx, one.Dataset, one.Response.Sample); err != nil {
			return err
		}
	}
	r := record.FromGrading(one)
	value, err := heads.By(g.s.codec).Bind(tx, record.TableGradings, at, &r)
	if err != nil {
		return err
	}
	return b.Put(at, value)
}

// Acts yields all acts of grading on a dataset, person by person, each in order.
// One that cannot be read yields an error that names it, and the scan goes on.
func (g *Grades) Acts(ctx context.Context, d eval.DatasetName) iter.Seq2[rubric.Act, error] {
	return file.Records(g.s.file.Scan(ctx, record.TableGradings, record.AppendName(nil, string(d)), nil), g.readAct)
}

// ActsOf gives one person's acts of grading on a dataset, in order. With an error
// come those that can be read.
func (g *Grades) ActsOf(d eval.DatasetName, who annotate.Annotator) ([]rubric.Act, error) {
	return file.Collect(file.Records(g.s.file.Scan(context.Background(), record.TableGradings, record.ExpertKey(d, who), nil), g.readAct))
}

func (g *Grades) readAct(key, raw []byte) (rubric.Act, error) {
	d, rest, ok := record.CutName(key)
	who, n, named := record.CutName(rest)
	if !ok || !named || len(n) != 4 {
		return rubric.Act{}, record.Corrupt(record.TableGradings, key, "no key of an act")
	}
	var r record.Grading
	if err := g.s.codec.Decode(record.TableGradings, key, raw, &r); err != nil {
		return rubric.Act{}, err
	}
	return r.Act(eval.DatasetName(d), annotate.Annotator(who), binary.BigEndian.Uint32(n)), nil
}
