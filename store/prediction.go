package store

import (
	"context"
	"fmt"
	"iter"
	"time"

	"go.etcd.io/bbolt"

	"concord/eval"
)

// The record of a prediction. Its key is the record's.
type (
	predictionRecord struct {
		Text           string       `cbor:"1,keyasint,omitempty"`
		Shown          *shownRecord `cbor:"2,keyasint,omitempty"`
		Finish         string       `cbor:"3,keyasint,omitempty"`
		Prompt         int          `cbor:"4,keyasint,omitempty"`
		Completion     int          `cbor:"5,keyasint,omitempty"`
		Reasoning      int          `cbor:"6,keyasint,omitempty"`
		Latency        int64        `cbor:"7,keyasint,omitempty"` // nanoseconds
		At             int64        `cbor:"8,keyasint,omitempty"`
		FailureKind    uint8        `cbor:"9,keyasint,omitempty"`
		FailureMessage string       `cbor:"10,keyasint,omitempty"`
		Failed         bool         `cbor:"11,keyasint,omitempty"`
		Thought        string       `cbor:"12,keyasint,omitempty"` // what it thought, apart from Text
		FailureAfter   int64        `cbor:"13,keyasint,omitempty"` // nanoseconds
		FailureStatus  int          `cbor:"14,keyasint,omitempty"`
		Served         string       `cbor:"15,keyasint,omitempty"`
	}
	shownRecord struct {
		Options []optionRecord `cbor:"1,keyasint,omitempty"`
		Answer  string         `cbor:"2,keyasint,omitempty"`
	}
)

func fromPrediction(p *eval.Prediction) predictionRecord {
	r := predictionRecord{
		Text: p.Text, Thought: p.Reasoning, Finish: p.Finish, Served: p.Served,
		Prompt: p.Usage.Prompt, Completion: p.Usage.Completion, Reasoning: p.Usage.Reasoning,
		Latency: int64(p.Latency), At: millis(p.At),
	}
	if p.Shown != nil {
		r.Shown = &shownRecord{Options: fromOptions(p.Shown.Options), Answer: string(p.Shown.Answer)}
	}
	if p.Failure != nil {
		r.Failed, r.FailureKind, r.FailureMessage = true, uint8(p.Failure.Kind), p.Failure.Message
		r.FailureAfter, r.FailureStatus = int64(p.Failure.After), p.Failure.Status
	}
	return r
}

func (r predictionRecord) prediction(k eval.Key) eval.Prediction {
	p := eval.Prediction{
		Key: k, Text: r.Text, Reasoning: r.Thought, Finish: r.Finish, Served: r.Served,
		Usage:   eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning},
		Latency: time.Duration(r.Latency), At: fromMillis(r.At),
	}
	if r.Shown != nil {
		p.Shown = &eval.Shown{Options: toOptions(r.Shown.Options), Answer: eval.Choice(r.Shown.Answer)}
	}
	if r.Failed {
		p.Failure = toFailure(r.FailureKind, r.FailureMessage, r.FailureAfter, r.FailureStatus)
	}
	return p
}

func (s *Store) readPrediction(key, raw []byte) (eval.Prediction, error) {
	var r predictionRecord
	if err := s.codec.decode(tablePredictions, key, raw, &r); err != nil {
		return eval.Prediction{}, err
	}
	k, _, ok := cutKey(key)
	if !ok {
		return eval.Prediction{}, corrupt(tablePredictions, key, "no key of a prediction")
	}
	return r.prediction(k), nil
}

// Prediction gives eval.ErrNotFound when nothing is recorded under k.
func (r *Runs) Prediction(k eval.Key) (eval.Prediction, error) {
	raw, err := r.s.get(tablePredictions, predictionKey(k))
	switch {
	case err != nil:
		return eval.Prediction{}, err
	case raw == nil:
		return eval.Prediction{}, fmt.Errorf("prediction %s: %w", k, eval.ErrNotFound)
	}
	return r.s.readPrediction(predictionKey(k), raw)
}

// predictionIn reads a prediction within a transaction.
func (r *Runs) predictionIn(tx *bbolt.Tx, k eval.Key) (eval.Prediction, error) {
	key := predictionKey(k)
	raw := tx.Bucket([]byte(tablePredictions)).Get(key)
	if raw == nil {
		return eval.Prediction{}, fmt.Errorf("prediction %s: %w", k, eval.ErrNotFound)
	}
	return r.s.readPrediction(key, raw)
}

// Predictions yields a run's predictions by sample and pass, beginning with
// the sample and pass of from. One that cannot be read yields an error that
// names it, and the scan goes on.
func (r *Runs) Predictions(ctx context.Context, id eval.RunID, from eval.Key) iter.Seq2[eval.Prediction, error] {
	from.Run = id
	return records(r.s.scan(ctx, tablePredictions, runKey(id), predictionKey(from)), r.s.readPrediction)
}

// maxLatest bounds what Latest reads in its one transaction.
const maxLatest = 256

// Latest gives the n predictions furthest down the dataset, the last one
// first, at most 256: since a run works in the order of samples, about its
// latest. With an error come those that can be read.
func (r *Runs) Latest(id eval.RunID, n int) (latest []eval.Prediction, err error) {
	verr := r.s.view(func(tx *bbolt.Tx) error {
		backward(tx, tablePredictions, id, min(n, maxLatest), func(k, v []byte) bool {
			p, perr := r.s.readPrediction(k, v)
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
	return collect(records(r.s.scan(context.Background(), tableAttempts, predictionKey(k), nil), r.s.readPrediction))
}
