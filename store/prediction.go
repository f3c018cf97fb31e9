package store

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

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

// Predictions yields a run's predictions by sample and pass, beginning with
// the sample and pass of from. One that cannot be read yields an error that
// names it, and the scan goes on.
func (r *Runs) Predictions(ctx context.Context, id eval.RunID, from eval.Key) iter.Seq2[eval.Prediction, error] {
	from.Run = id
	return file.DecodeRecords(r.s.file.Scan(ctx, record.TablePredictions, record.RunKey(id), record.PredictionKey(from)), r.s.codec.ReadPrediction)
}

// maxLatest bounds what Latest reads in its one transaction.
const maxLatest = 256

// Latest gives the n predictions furthest down the dataset, the last one
// first, at most 256: since a run works in the order of samples, about its
// latest. With an error come those that can be read.
func (r *Runs) Latest(id eval.RunID, n int) ([]eval.Prediction, error) {
	return readLastPredictions(r.s, record.TablePredictions, id, n)
}

// Attempts gives the failures that retries have replaced, oldest first.
func (r *Runs) Attempts(k eval.Key) ([]eval.Prediction, error) {
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

// Failures gives the n failed predictions furthest down the dataset, the last
// one first, at most 256, as Latest does of all. It reads no more records than
// it gives, however large the run is. With an error come those that can be
// read.
func (r *Runs) Failures(ctx context.Context, id eval.RunID, n int) ([]eval.Prediction, error) {
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
