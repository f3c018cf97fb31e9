package store

import (
	"context"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

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
				p, perr = r.s.readPrediction(k, predictions.Get(k))
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
