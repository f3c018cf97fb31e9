package store

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"concord/annotate"
	"concord/annotate/rubric"
	"concord/eval"
	"concord/store/file"
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
	known := make(map[eval.RunID]bool)
	put := revisions[eval.Grade]{
		s: g.s, kind: record.Grades, key: record.Grades.Key, begin: func() { clear(known) },
		may: func(tx *file.Tx, one *eval.Grade) error {
			if known[one.Run] {
				return nil
			}
			known[one.Run] = true
			return requireRecord(g.s, record.Runs, tx, record.RunKey(one.Run))
		},
		needless: func(earlier []eval.Grade, one *eval.Grade) bool {
			old := newestSaid(earlier, (*eval.Grade).HasReply)
			return old != nil && old.HasReply() && one.HasReply() && old.Graded == one.Graded && old.Hash == one.Hash && old.Raw == one.Raw
		},
	}
	return put.addInTx(ctx, all)
}

// All yields the judges' grades of a run, by response, judge and criterion; of
// one of these and a repeat the newest comes last. Failed calls are among them.
// One that cannot be read yields an error that names it, and the scan goes on.
func (g *Grades) All(ctx context.Context, id eval.RunID) iter.Seq2[eval.Grade, error] {
	return scanUnder(ctx, g.s, record.Grades, record.RunKey(id))
}

// Append commits a person's acts in their order, all or none. One that is stored
// already, word for word, is accepted in silence; any other whose number is not
// the next one gives annotate.ErrConflict. The run must be there and hold the
// sample, else eval.ErrNotFound.
func (g *Grades) Append(ctx context.Context, acts []rubric.Act) error {
	return appendActs(ctx, g.s, record.Gradings, acts, nil, g.appendAct)
}

func (g *Grades) appendAct(tx *file.Tx, one *rubric.Act, value []byte) error {
	key := record.ExpertPrefix(one.Dataset, one.Person)
	at := record.AppendU32(file.Clone(key), one.N)
	b := tx.Table(record.TableGradings)
	if bytes.Equal(unboundBytes(g.s, record.Gradings, tx, at), value) {
		return nil
	}
	if next := lastNumber(b, key) + 1; one.N != next {
		return fmt.Errorf("act %d comes next: %w", next, annotate.ErrConflict)
	}
	if one.Kind == rubric.Gave {
		run, err := g.s.Runs().run(tx, one.Response.Run)
		switch {
		case err != nil:
			return err
		case run.Config.Dataset != one.Dataset:
			return eval.NewNotFoundError("run %d is on dataset %q", run.ID, run.Config.Dataset)
		}
		if err := g.s.Datasets().holds(tx, one.Dataset, one.Response.Sample); err != nil {
			return err
		}
	}
	return bindAct(g.s, record.Gradings, tx, at, one)
}

// Acts yields all acts of grading on a dataset, person by person, each in order.
// One that cannot be read yields an error that names it, and the scan goes on.
func (g *Grades) Acts(ctx context.Context, d eval.DatasetName) iter.Seq2[rubric.Act, error] {
	return scanUnder(ctx, g.s, record.Gradings, record.AppendName(nil, string(d)))
}

// ActsOf gives one person's acts of grading on a dataset, in order. With an error
// come those that can be read.
func (g *Grades) ActsOf(d eval.DatasetName, who annotate.Annotator) ([]rubric.Act, error) {
	return listUnder(g.s, record.Gradings, record.ExpertPrefix(d, who))
}
