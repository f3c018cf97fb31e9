package store

import (
	"bytes"
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
	}
	shownRecord struct {
		Options []optionRecord `cbor:"1,keyasint,omitempty"`
		Answer  string         `cbor:"2,keyasint,omitempty"`
	}
)

func fromPrediction(p *eval.Prediction) predictionRecord {
	r := predictionRecord{
		Text: p.Text, Finish: p.Finish,
		Prompt: p.Usage.Prompt, Completion: p.Usage.Completion, Reasoning: p.Usage.Reasoning,
		Latency: int64(p.Latency), At: millis(p.At),
	}
	if p.Shown != nil {
		r.Shown = &shownRecord{Options: fromOptions(p.Shown.Options), Answer: string(p.Shown.Answer)}
	}
	if p.Failure != nil {
		r.Failed, r.FailureKind, r.FailureMessage = true, uint8(p.Failure.Kind), p.Failure.Message
	}
	return r
}

func (r predictionRecord) prediction(k eval.Key) eval.Prediction {
	p := eval.Prediction{
		Key: k, Text: r.Text, Finish: r.Finish,
		Usage:   eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning},
		Latency: time.Duration(r.Latency), At: fromMillis(r.At),
	}
	if r.Shown != nil {
		p.Shown = &eval.Shown{Options: toOptions(r.Shown.Options), Answer: eval.Choice(r.Shown.Answer)}
	}
	if r.Failed {
		p.Failure = &eval.Failure{Kind: eval.FailureKind(r.FailureKind), Message: r.FailureMessage}
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
	n = min(n, maxLatest)
	verr := r.s.view(func(tx *bbolt.Tx) error {
		c := tx.Bucket([]byte(tablePredictions)).Cursor()
		var k, v []byte
		if next, _ := c.Seek(runKey(id + 1)); next == nil {
			k, v = c.Last()
		} else {
			k, v = c.Prev()
		}
		for ; len(latest) < n && bytes.HasPrefix(k, runKey(id)); k, v = c.Prev() {
			p, perr := r.s.readPrediction(k, v)
			if perr != nil {
				err = perr
				continue
			}
			latest = append(latest, p)
		}
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

// Questions yields the samples of the run's dataset by ordinal, each with the
// predictions that the run holds, by pass. A record that cannot be read
// yields an error that names it, and the scan goes on without it.
func (r *Runs) Questions(ctx context.Context, run eval.Run) iter.Seq2[eval.Question, error] {
	return func(yield func(eval.Question, error) bool) {
		datasets := r.s.Datasets()
		if _, err := datasets.Dataset(run.Config.Dataset); err != nil {
			yield(eval.Question{}, err)
			return
		}
		next, stop := iter.Pull2(r.Predictions(ctx, run.ID, eval.Key{}))
		defer stop()
		m := merge{next: next}
		m.step()
		for sample, err := range datasets.Samples(ctx, run.Config.Dataset) {
			if err != nil {
				if !yield(eval.Question{}, err) {
					return
				}
				continue
			}
			q := eval.Question{Sample: sample}
			for _, err := range m.upTo(sample.Ordinal, &q.Predictions) {
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

// merge walks the predictions of a run beside its samples.
type merge struct {
	next func() (eval.Prediction, error, bool)
	p    eval.Prediction
	err  error
	more bool
}

func (m *merge) step() { m.p, m.err, m.more = m.next() }

// upTo moves on behind the predictions of a sample, and appends those to
// into. It gives the errors that it met on the way.
func (m *merge) upTo(o eval.Ordinal, into *[]eval.Prediction) (errs []error) {
	for ; m.more && (m.err != nil || m.p.Sample <= o); m.step() {
		switch {
		case m.err != nil:
			errs = append(errs, m.err)
		case m.p.Sample == o:
			*into = append(*into, m.p)
		}
	}
	return errs
}
