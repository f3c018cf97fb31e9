package main

import (
	"context"
	"errors"
	"iter"

	"concord/annotate"
	"concord/eval"
	"concord/tui/samples"
)

// Of yields the predictions of the keys, as read by an extractor.
func (s specimens) Of(ctx context.Context, a samples.Ask, keys iter.Seq2[eval.Key, error]) iter.Seq2[samples.Row, error] {
	return func(yield func(samples.Row, error) bool) {
		d := drilling{specimens: s, ask: a, watches: make(map[eval.DatasetName]*watch), sealed: make(map[eval.Key]bool)}
		for k, err := range keys {
			var row samples.Row
			again := false
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				row, again, err = d.row(k)
			}
			if again {
				continue
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// drilling goes through the predictions behind a figure for one person.
type drilling struct {
	specimens
	ask     samples.Ask
	watches map[eval.DatasetName]*watch
	sealed  map[eval.Key]bool // pass 0 of the sealed ones that are in the list
}

func (d *drilling) watched(of eval.DatasetName) *watch {
	if d.watches[of] == nil {
		d.watches[of] = d.watch(d.ask.Who, of)
	}
	return d.watches[of]
}

// row is the row of a prediction. again tells that it stands in the list
// already: a sealed sample and run stands there once, as pass 0, since which
// of its passes a figure chose would tell.
func (d *drilling) row(k eval.Key) (row samples.Row, again bool, err error) {
	run, err := d.st.Runs().Run(k.Run)
	if err != nil {
		return row, false, err
	}
	view, err := d.watched(run.Config.Dataset).sample(k.Sample)
	if err != nil {
		return row, false, err
	}
	if view.Sealed() {
		if d.ask.Tells {
			return samples.Row{LeftOut: true}, false, nil
		}
		k.Pass = 0
		again, d.sealed[k] = d.sealed[k], true
		if again {
			return row, true, nil
		}
	}
	row, err = d.one(run, view, k)
	return shownRow(row), false, err
}

func (d *drilling) one(run eval.Run, view *annotate.View, k eval.Key) (samples.Row, error) {
	sample, err := d.st.Datasets().Sample(run.Config.Dataset, k.Sample)
	if err != nil {
		return samples.Row{}, err
	}
	p, err := d.st.Runs().Prediction(k)
	if errors.Is(err, eval.ErrNotFound) {
		return unasked(view, k, sample.ID), nil
	}
	if err != nil {
		return samples.Row{}, err
	}
	row, legible := predicted(&sample, &p), true
	if view.Sealed() {
		row, legible = veiled(view, &sample, &p)
	}
	if !legible {
		return row, nil
	}
	row.Said = said(view.Labels(k))
	if row.Failure == "" {
		if row.Reading, err = d.reading(run, &sample, &p, d.ask.Extractor); err != nil {
			return samples.Row{}, err
		}
	}
	if !view.Sealed() {
		row.Verdict, row.Why = verdict(&row)
	}
	return row, nil
}

// unasked is the row of a prediction that is not there yet.
func unasked(view *annotate.View, k eval.Key, id eval.SampleID) samples.Row {
	if view.Sealed() {
		return samples.Row{Key: k, Sample: id, Sight: annotate.SightSealed}
	}
	return samples.Row{Key: k, Sample: id, Sight: annotate.SightOpen, Verdict: samples.Unscored, Why: "not asked yet"}
}

// verdict is whether an open prediction is right by itself.
func verdict(row *samples.Row) (samples.Verdict, string) {
	switch {
	case row.Failure == "" && row.Truth == "":
		return samples.Unscored, "no ground truth"
	case row.Failure == "" && row.Reading.Status == eval.StatusUnset:
		return samples.Unscored, "not read by these rules"
	case row.Failure == "" && row.Reading.IsFound() && row.Reading.Choice == row.Truth:
		return samples.Right, ""
	}
	return samples.Wrong, ""
}
