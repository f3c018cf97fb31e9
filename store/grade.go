package store

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"

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

// Put commits judges' grades in one transaction. One that says what the same judge has said of
// that criterion before adds nothing; another one is kept beside it, as its newer revision.
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
	return scanPrefix(ctx, g.s, record.Grades, record.RunKey(id))
}

// Append commits a person's acts in their order, all or none. One that is stored already, word
// for word, is accepted in silence; any other whose number is not the next one gives
// annotate.ErrConflict. The run must be there and hold the sample, else eval.ErrNotFound.
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
	if next := nextNumberUnder(b, key, 1); one.N != next {
		return fmt.Errorf("act %d comes next: %w", next, annotate.ErrConflict)
	}
	if one.Kind == rubric.Gave {
		run, err := g.s.Runs().readRun(tx, one.Response.Run)
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
	return putChainedAct(g.s, record.Gradings, tx, at, one)
}

// Acts yields all acts of grading on a dataset, person by person, each in order.
// One that cannot be read yields an error that names it, and the scan goes on.
func (g *Grades) Acts(ctx context.Context, d eval.DatasetName) iter.Seq2[rubric.Act, error] {
	return scanPrefix(ctx, g.s, record.Gradings, record.AppendName(nil, string(d)))
}

// ActsOf gives one person's acts of grading on a dataset, in order. With an error
// come those that can be read.
func (g *Grades) ActsOf(d eval.DatasetName, who annotate.Annotator) ([]rubric.Act, error) {
	return listPrefix(g.s, record.Gradings, record.ExpertPrefix(d, who))
}

// Reports keeps alignment reports that somebody saved.
type Reports struct{ s *Store }

// Reports is the handle of saved reports.
func (s *Store) Reports() *Reports { return &Reports{s} }

// SaveReport keeps a report and gives its number, from 1. The number in r is
// not looked at, and a report without a time gets the present one.
func (p *Reports) SaveReport(ctx context.Context, r annotate.SavedReport) (id uint64, err error) {
	if r.At.IsZero() {
		r.At = p.s.now()
	}
	raw, err := record.Reports.Encode(p.s.codec, &r)
	if err != nil {
		return 0, err
	}
	id, err = putNumbered(ctx, p.s, record.Reports, raw, func(*file.Tx) error { return nil })
	return id, eval.WrapError(err, "save report %s", r.Name)
}

// SavedReports gives the saved reports of a queue, or of all for "", oldest
// first. With an error come those that can be read.
func (p *Reports) SavedReports(queue annotate.QueueName) ([]annotate.SavedReport, error) {
	all, err := listPrefix(p.s, record.Reports, nil)
	return slices.DeleteFunc(all, func(r annotate.SavedReport) bool { return queue != "" && r.Queue != queue }), err
}

// ExternalScores keeps scores that were measured elsewhere.
type ExternalScores struct{ s *Store }

// ExternalScores is the handle of scores that were measured elsewhere.
func (s *Store) ExternalScores() *ExternalScores { return &ExternalScores{s} }

// RevisedScore is a measure that took the place of another.
type RevisedScore struct{ From, To eval.ExternalScore }

// Put commits measures in one transaction. One that says what stands for its benchmark, model
// and metric adds nothing; another value, source or n takes its place as a newer revision and
// leaves it stored. Added counts both new ones and revisions.
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
	added, err = put.addAll(ctx, "put measures", all)
	return added, revised, err
}

// All yields every measure by benchmark, model and metric; of one of these, the newest revision comes
// last and stands. One that cannot be read yields an error that names it, and the scan goes on.
func (p *ExternalScores) All(ctx context.Context) iter.Seq2[eval.ExternalScore, error] {
	return scanPrefix(ctx, p.s, record.Measures, nil)
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
