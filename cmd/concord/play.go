package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"concord/annotate"
	"concord/eval"
	"concord/store"
)

// judgeReplay stands before a recorder and adds a recorded judge's reading of
// each prediction that the rules could not read.
type judgeReplay struct {
	next  eval.Recorder
	judge func(eval.Key) (eval.Judgment, bool)
	put   func(context.Context, []eval.Judgment) (int, error)
	now   func() time.Time
}

// Record records the fact, and then the judge's reading of it.
func (j *judgeReplay) Record(ctx context.Context, f eval.Fact) error {
	if err := j.next.Record(ctx, f); err != nil {
		return err
	}
	if f.Prediction.Failure == nil && f.Reading.IsUnparsable() {
		return j.add(ctx, f.Prediction.Key)
	}
	return nil
}

func (j *judgeReplay) add(ctx context.Context, k eval.Key) error {
	judgment, ok := j.judge(k)
	if !ok {
		return nil
	}
	judgment.Run, judgment.At = k.Run, j.now()
	if _, err := j.put(ctx, []eval.Judgment{judgment}); err != nil {
		return fmt.Errorf("record judgment of %s: %w", k, err)
	}
	return nil
}

// judgment finds the recorded judge's reading of a prediction.
func (d *demoProject) judgment(k eval.Key) (eval.Judgment, bool) {
	for i, run := range d.runs {
		if run.ID == k.Run && int(k.Sample) < len(d.data.Samples) {
			return d.data.Models[i].Judgment(&d.data.Samples[k.Sample], k.Pass)
		}
	}
	return eval.Judgment{}, false
}

// catchUp adds what a crash left out between a prediction and what follows
// from it: its place in the queue and the judge's reading.
func (d *demoProject) catchUp(ctx context.Context, g *annotate.Grower) error {
	reader, err := rulesFor(d.data.Queue.Rules)
	if err != nil {
		return err
	}
	judge := &judgeReplay{judge: d.judgment, put: d.st.Judgments().Put, now: d.now}
	for f, err := range d.facts(ctx, reader) {
		if err != nil {
			return err
		}
		if f.Prediction.Failure != nil || !f.Reading.IsUnparsable() {
			continue
		}
		have, err := d.st.Judgments().Of(f.Prediction.Key)
		if err != nil {
			return err
		}
		if len(have) > 0 {
			continue
		}
		if err := judge.add(ctx, f.Prediction.Key); err != nil {
			return err
		}
	}
	if g == nil {
		return nil
	}
	return g.CatchUp(ctx, d.facts(ctx, reader))
}

// facts are what the runs have recorded, as the reader reads it now.
func (d *demoProject) facts(ctx context.Context, reader eval.Reader) iter.Seq2[eval.Fact, error] {
	return func(yield func(eval.Fact, error) bool) {
		for _, run := range d.runs {
			for q, err := range d.st.Runs().Questions(ctx, run) {
				if err != nil {
					yield(eval.Fact{}, err)
					return
				}
				for _, p := range q.Predictions {
					f := eval.Fact{Prediction: p, Reading: eval.Read(reader, &q.Sample, &p), Reader: eval.ReaderID(reader)}
					if !yield(f, nil) {
						return
					}
				}
			}
		}
	}
}

// countsOf are a run's totals as the reader reads them. Totals of another
// version of the rules are counted anew and kept.
func countsOf(ctx context.Context, st *store.Store, run eval.Run, reader eval.Reader) (eval.Counts, error) {
	c, err := st.Runs().Counts(run.ID)
	if err != nil || c.Predictions == 0 || c.Reader == eval.ReaderID(reader) {
		return c, err
	}
	fresh := eval.Counts{Reader: eval.ReaderID(reader)}
	for q, err := range st.Runs().Questions(ctx, run) {
		if err != nil {
			return c, err
		}
		fresh.Add(eval.Count(run.Config, &q, reader))
	}
	if err := st.Runs().SetCounts(ctx, run.ID, fresh); err != nil &&
		!errors.Is(err, store.ErrChanged) && !errors.Is(err, store.ErrReadOnly) {
		return c, err
	}
	fresh.Usage = c.Usage // of failures that answers took the place of, too
	return fresh, nil
}
