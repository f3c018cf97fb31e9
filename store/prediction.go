package store

import (
	"context"
	"fmt"
	"iter"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Prediction gives eval.ErrNotFound when nothing is recorded under k.
func (r *Runs) Prediction(k eval.Key) (eval.Prediction, error) {
	raw, err := r.s.file.Get(record.TablePredictions, record.PredictionKey(k))
	switch {
	case err != nil:
		return eval.Prediction{}, err
	case raw == nil:
		return eval.Prediction{}, fmt.Errorf("prediction %s: %w", k, eval.ErrNotFound)
	}
	return r.s.codec.ReadPrediction(record.PredictionKey(k), raw)
}

// predictionIn reads a prediction within a transaction.
func (r *Runs) predictionIn(tx *file.Tx, k eval.Key) (eval.Prediction, error) {
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
	return file.Records(r.s.file.Scan(ctx, record.TablePredictions, record.RunKey(id), record.PredictionKey(from)), r.s.codec.ReadPrediction)
}

// maxLatest bounds what Latest reads in its one transaction.
const maxLatest = 256

// Latest gives the n predictions furthest down the dataset, the last one
// first, at most 256: since a run works in the order of samples, about its
// latest. With an error come those that can be read.
func (r *Runs) Latest(id eval.RunID, n int) (latest []eval.Prediction, err error) {
	verr := r.s.file.View(func(tx *file.Tx) error {
		backward(tx, record.TablePredictions, id, min(n, maxLatest), func(k, v []byte, perr error) bool {
			var p eval.Prediction
			if perr == nil {
				p, perr = r.s.codec.ReadPrediction(k, v)
			}
			if perr != nil {
				err = perr
				return false
			}
			latest = append(latest, p)
			return true
		})
		return nil
	})
	if verr != nil {
		err = verr
	}
	return latest, err
}

// Attempts gives the failures that retries have replaced, oldest first.
func (r *Runs) Attempts(k eval.Key) ([]eval.Prediction, error) {
	return file.Collect(file.Records(r.s.file.Scan(context.Background(), record.TableAttempts, record.PredictionKey(k), nil), r.s.codec.ReadPrediction))
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
func (r *Runs) Failures(ctx context.Context, id eval.RunID, n int) (failures []eval.Prediction, err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	verr := r.s.file.View(func(tx *file.Tx) error {
		predictions := tx.Table(record.TablePredictions)
		backward(tx, record.TableFailed, id, min(n, maxLatest), func(k, _ []byte, perr error) bool {
			var p eval.Prediction
			if perr == nil {
				p, perr = r.s.codec.ReadPrediction(k, predictions.Get(k))
			}
			if perr != nil {
				err = perr
				return false
			}
			failures = append(failures, p)
			return true
		})
		return nil
	})
	if verr != nil {
		err = verr
	}
	return failures, err
}

// backward visits what stands under a run in t from its end, until n visits
// have said that they counted.
func backward(tx *file.Tx, t record.Table, id eval.RunID, n int, visit func(k, v []byte, err error) bool) {
	if n <= 0 {
		return
	}
	for p, err := range tx.Table(t).Down(record.RunKey(id), nil) {
		if visit(p.Key, p.Value, err) {
			n--
		}
		if n == 0 {
			return
		}
	}
}
