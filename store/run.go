package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"slices"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store/file"
	"concord/store/record"
)

var (
	_ dataset.RunSink          = (*Runs)(nil)
	_ dataset.PredictionLookup = (*Runs)(nil)
	_ eval.Recorder            = (*Runs)(nil)
	_ eval.Source              = (*Runs)(nil)
)

// Runs keeps runs, their predictions and their counts.
type Runs struct{ s *Store }

// Runs is the handle of runs.
func (s *Store) Runs() *Runs { return &Runs{s} }

// hashConfig is the hash by which a run is found.
func (r *Runs) hashConfig(c eval.Config) ([]byte, error) {
	raw, err := r.s.codec.EncodeBare(record.NewConfigRecord(&c))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(raw)
	return sum[:], nil
}

// FindRun finds the run with exactly this configuration, or gives eval.ErrNotFound.
func (r *Runs) FindRun(c eval.Config) (run eval.Run, err error) {
	key, err := r.hashConfig(c)
	if err != nil {
		return run, err
	}
	return readInTx(r.s, func(tx *file.Tx) (eval.Run, error) { return r.findRunInTx(tx, key, c) })
}

func (r *Runs) findRunInTx(tx *file.Tx, key []byte, c eval.Config) (eval.Run, error) {
	id, ok := record.DecodeNumber(tx.Table(record.TableConfigs).Get(key))
	if !ok {
		return eval.Run{}, fmt.Errorf("run of %s on %s: %w", c.Model, c.Dataset, eval.ErrNotFound)
	}
	return r.readRun(tx, eval.RunID(id))
}

// CreateRun makes a run of a configuration. The configuration is what a run
// is: one that is there already is returned, not made again.
func (r *Runs) CreateRun(ctx context.Context, c eval.Config) (run eval.Run, err error) {
	if err := record.CheckName("dataset", string(c.Dataset)); err != nil {
		return run, err
	}
	key, err := r.hashConfig(c)
	if err != nil {
		return run, err
	}
	now := record.FromMillis(record.ToMillis(r.s.now()))
	err = r.s.file.Apply(ctx, 0, func(tx *file.Tx) error {
		found, err := r.findRunInTx(tx, key, c)
		switch {
		case err == nil:
			run = found
			return nil
		case !errors.Is(err, eval.ErrNotFound):
			return file.NewRejection(err)
		}
		run = eval.Run{Config: c, Created: now}
		return r.putNewRun(tx, key, &run)
	})
	return eval.Either(err == nil, run, eval.Run{}), err
}

func (r *Runs) putNewRun(tx *file.Tx, key []byte, run *eval.Run) error {
	b := tx.Table(record.TableRuns)
	n, err := b.NextNumber()
	if err != nil {
		return err
	}
	run.ID = eval.RunID(n)
	if err := putValue(r.s, record.Runs, tx, run); err != nil {
		return err
	}
	if err := tx.Table(record.TableConfigs).Put(key, record.RunKey(run.ID)); err != nil {
		return err
	}
	r.holdCounts(tx, run.ID, new(eval.Counts))
	return nil
}

// MarkRunImported notes that the file of an imported run was read to its end.
func (r *Runs) MarkRunImported(ctx context.Context, id eval.RunID) error {
	return changeRun(ctx, r, id, func(run *eval.Run) bool { was := run.Whole; run.Whole = true; return !was })
}

// SetEndReason notes why a run ended before it was done; "" of one that is at work, or done.
func SetEndReason(ctx context.Context, s *Store, id eval.RunID, why string) error {
	return changeRun(ctx, s.Runs(), id, func(run *eval.Run) bool { was := run.Ended; run.Ended = why; return was != why })
}

// changeRun changes a run, where change says that it did.
func changeRun(ctx context.Context, r *Runs, id eval.RunID, change func(*eval.Run) bool) error {
	return r.s.file.Apply(ctx, 0, func(tx *file.Tx) error {
		run, err := r.readRun(tx, id)
		if err != nil || !change(&run) {
			return file.NewRejection(err)
		}
		return putValue(r.s, record.Runs, tx, &run)
	})
}

// readRun reads a run within a transaction.
func (r *Runs) readRun(tx *file.Tx, id eval.RunID) (eval.Run, error) {
	return getRecord(r.s, record.Runs, tx, record.RunKey(id))
}

// Run gives eval.ErrNotFound for a number that no run has.
func (r *Runs) Run(id eval.RunID) (eval.Run, error) {
	return readOne(r.s, record.Runs, record.RunKey(id))
}

// SimilarRuns gives the runs that differ from a configuration at most in how their model is asked and read:
// those of the same dataset, model, strategy, modality, number of worked examples and origin, oldest first.
func (r *Runs) SimilarRuns(ctx context.Context, c eval.Config) ([]eval.Run, error) {
	all, err := file.Collect(scanPrefix(ctx, r.s, record.Runs, nil))
	return slices.DeleteFunc(all, func(run eval.Run) bool {
		o := &run.Config
		return o.Dataset != c.Dataset || o.Model != c.Model || o.Strategy != c.Strategy ||
			o.Modality != c.Modality || o.Settings.Shots != c.Settings.Shots || o.Origin != c.Origin
	}), err
}

// List gives all runs, oldest first. With an error come those that can be read.
func (r *Runs) List() ([]eval.Run, error) { return listPrefix(r.s, record.Runs, nil) }

// Counts gives a run's totals. Where Reader is not the reader in use, its
// Statuses and Questions say nothing: count anew and call SetCounts.
func (r *Runs) Counts(id eval.RunID) (eval.Counts, error) {
	t, err := readOne(r.s, record.Totals, record.RunKey(id))
	return t.Counts, err
}

func (r *Runs) readCounts(tx *file.Tx, id eval.RunID) (*eval.Counts, error) {
	if c, ok := tx.HeldValue(id).(*eval.Counts); ok {
		return c, nil
	}
	t, err := getRecord(r.s, record.Totals, tx, record.RunKey(id))
	return &t.Counts, err
}

// holdCounts has a run's totals written at the end of the transaction, once for all facts in it.
func (r *Runs) holdCounts(tx *file.Tx, id eval.RunID, c *eval.Counts) {
	tx.WriteAtEnd(id, c, func() error { return putValue(r.s, record.Totals, tx, &record.RunTotals{Run: id, Counts: *c}) })
}

// countsToChange gives a run's totals, of which every change is kept.
func (r *Runs) countsToChange(tx *file.Tx, id eval.RunID) (*eval.Counts, error) {
	c, err := r.readCounts(tx, id)
	if err == nil && tx.HeldValue(id) == nil {
		r.holdCounts(tx, id, c)
	}
	return c, err
}

// changeCounts changes a run's totals.
func (r *Runs) changeCounts(tx *file.Tx, id eval.RunID, change func(*eval.Counts)) error {
	c, err := r.countsToChange(tx, id)
	if err == nil {
		change(c)
	}
	return err
}

// SetCounts keeps what a reader found when it counted a run anew; was is what Counts gave
// before. It gives ErrChanged, and keeps nothing, when the totals are no longer these, or c
// does not have as many predictions and failures: facts, or judgments that closed a question,
// arrived during the count. The usage stays as it is: no reading changes what was paid.
func (r *Runs) SetCounts(ctx context.Context, id eval.RunID, was, c eval.Counts) error {
	return r.s.file.Apply(ctx, 0, func(tx *file.Tx) error {
		have, err := r.readCounts(tx, id)
		if err != nil {
			return file.NewRejection(err)
		}
		if *have != was || have.Predictions != c.Predictions || have.Failures != c.Failures {
			return file.NewRejection(fmt.Errorf("set counts of run %d, now %d predictions, %d of them failures, and %d questions: %w",
				id, have.Predictions, have.Failures, have.Questions, ErrChanged))
		}
		c.Usage = have.Usage
		r.holdCounts(tx, id, &c)
		return nil
	})
}

// Prediction gives eval.ErrNotFound when nothing is recorded under k.
func (r *Runs) Prediction(k eval.Key) (eval.Prediction, error) {
	return readInTx(r.s, func(tx *file.Tx) (eval.Prediction, error) { return r.readPrediction(tx, k) })
}

// readPrediction reads a prediction within a transaction.
func (r *Runs) readPrediction(tx *file.Tx, k eval.Key) (eval.Prediction, error) {
	key := record.PredictionKey(k)
	raw := tx.Table(record.TablePredictions).Get(key)
	if raw == nil {
		return eval.Prediction{}, fmt.Errorf("prediction %s: %w", k, eval.ErrNotFound)
	}
	return r.s.codec.ReadPrediction(key, raw)
}

// Predictions yields a run's predictions by sample and pass, beginning with the sample and pass
// of from. One that cannot be read yields an error that names it, and the scan goes on.
func (r *Runs) Predictions(ctx context.Context, id eval.RunID, from eval.Key) iter.Seq2[eval.Prediction, error] {
	from.Run = id
	return file.DecodeRecords(r.s.file.Scan(ctx, record.TablePredictions, record.RunKey(id), record.PredictionKey(from)), r.s.codec.ReadPrediction)
}

// maxLatest bounds what LatestPredictions reads in its one transaction.
const maxLatest = 256

// LatestPredictions gives the n predictions furthest down the dataset, the last one first, at most 256: since a
// run works in the order of samples, about its latest. With an error come those that can be read.
func (r *Runs) LatestPredictions(id eval.RunID, n int) ([]eval.Prediction, error) {
	return readLastPredictions(r.s, record.TablePredictions, id, n)
}

// ReplacedFailures gives the failures that retries have replaced, oldest first.
func (r *Runs) ReplacedFailures(k eval.Key) ([]eval.Prediction, error) {
	return file.Collect(file.DecodeRecords(r.s.file.Scan(context.Background(), record.TableAttempts, record.PredictionKey(k), nil), r.s.codec.ReadPrediction))
}

// indexFailure keeps the failed predictions of runs findable among all others,
// in the transaction that records one or has an answer take its place.
func indexFailure(tx *file.Tx, key []byte, failed, replaced bool) error {
	b := tx.Table(record.TableFailed)
	switch {
	case failed:
		return b.Put(key, nil)
	case replaced:
		return b.Delete(key)
	}
	return nil
}

// FailedPredictions gives the n failed predictions furthest down the dataset, the last one first, at
// most 256, as LatestPredictions does of all. It reads no more records than it gives, however large the
// run is. With an error come those that can be read.
func (r *Runs) FailedPredictions(ctx context.Context, id eval.RunID, n int) ([]eval.Prediction, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return readLastPredictions(r.s, record.TableFailed, id, n)
}

// readLastPredictions reads the predictions under the last keys of a run in t.
func readLastPredictions(s *Store, t record.Table, id eval.RunID, n int) (out []eval.Prediction, err error) {
	if n = min(n, maxLatest); n <= 0 {
		return nil, nil
	}
	verr := s.file.View(func(tx *file.Tx) error {
		for pair, perr := range tx.Table(t).ScanDown(record.RunKey(id), nil) {
			var p eval.Prediction
			if perr == nil {
				p, perr = s.codec.ReadPrediction(pair.Key, tx.Table(record.TablePredictions).Get(pair.Key))
			}
			if perr != nil {
				err = perr
			} else if out = append(out, p); len(out) == n {
				return nil
			}
		}
		return nil
	})
	return out, errors.Join(verr, err)
}

// PutBatch keeps a batch of a run, in the place of what was known of it.
func PutBatch(ctx context.Context, s *Store, b eval.Batch) error {
	return s.file.Apply(ctx, 256, func(tx *file.Tx) error { return putValue(s, record.Batches, tx, &b) })
}

// OpenBatches gives the batches of a run whose results are to come.
func OpenBatches(s *Store, run eval.RunID) ([]eval.Batch, error) {
	all, err := listPrefix(s, record.Batches, record.Batches.Key(&eval.Batch{Run: run}))
	return eval.Select(all, func(b eval.Batch) bool { return b.Taken.IsZero() }), err
}

// Questions yields the samples of the run's dataset by ordinal, each with the predictions that
// the run holds, by pass, and the newest judgment of each judge on each of them. A record that
// cannot be read yields an error that names it, and the scan goes on without it.
func (r *Runs) Questions(ctx context.Context, run eval.Run) iter.Seq2[eval.Question, error] {
	return r.joinQuestions(ctx, run, nil, true)
}

// joinQuestions yields them with judgments or without. Samples that are at hand are not read.
func (r *Runs) joinQuestions(ctx context.Context, run eval.Run, samples iter.Seq2[eval.Sample, error], withJudgments bool) iter.Seq2[eval.Question, error] {
	return func(yield func(eval.Question, error) bool) {
		datasets := r.s.Datasets()
		if _, err := datasets.Dataset(run.Config.Dataset); err != nil {
			yield(eval.Question{}, err)
			return
		}
		predictions := newOrdinalMerge(r.Predictions(ctx, run.ID, eval.Key{}), func(p eval.Prediction) eval.Ordinal { return p.Sample })
		defer predictions.stop()
		judged := newOrdinalMerge(allJudgments(ctx, r.s, run.ID, withJudgments), func(j eval.Judgment) eval.Ordinal { return j.Sample })
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
			errs = append(errs, judged.advanceTo(sample.Ordinal, func(j eval.Judgment) { q.Judgments = putNewestJudgment(q.Judgments, j) })...)
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
			scanPrefix(ctx, s, record.Judgments, record.RunKey(id))(yield)
			return
		}
	}
}

// putNewestJudgment appends a judgment, or puts it in the place of its judge's last one on that prediction.
func putNewestJudgment(all []eval.Judgment, j eval.Judgment) []eval.Judgment {
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
