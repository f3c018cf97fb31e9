package main

import (
	"context"
	"fmt"
	"io"
	"iter"

	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/metric"
	"concord/store"
)

// layouts are the files of other tools that export predictions can write, as
// --layout names them.
var layouts = map[string]dataset.KitLayout{
	"kit":         dataset.KitPredictions,
	"submission":  dataset.KitSubmission,
	"kit-results": dataset.KitResults,
	layoutAcc:     dataset.KitResults,
}

// layoutAcc is the kit's accuracies, a CSV file whatever the format.
const layoutAcc = "kit-acc"

// exportKit writes one run in a layout of VLMEvalKit.
func exportKit(ctx context.Context, st *store.Store, w io.Writer, f *exportFlags, reader eval.Reader) ([]string, error) {
	runs, err := matchRuns(st, f.dataset, f.model, f.runs)
	if err != nil {
		return nil, err
	}
	if len(runs) != 1 {
		return nil, usageError{fmt.Errorf("a file of that layout holds one run, and %d pass the filters: name one with --run", len(runs))}
	}
	var columns dataset.KitColumns
	for s, err := range st.Datasets().Samples(ctx, runs[0].Config.Dataset) {
		if err != nil {
			return nil, err
		}
		if f.split == "" || s.Split == f.split {
			columns.Add(&s)
		}
	}
	layout := layouts[f.layout]
	rows := kitRows(ctx, st, f, runs[0], reader, layout == dataset.KitResults)
	if f.layout == layoutAcc {
		return nil, dataset.WriteKitAccuracy(w, rows)
	}
	return dataset.WriteKit(w, f.format, layout, &columns, rows)
}

// kitRows are the predictions of a run: of every pass, or, of results, of
// each question with its verdict.
func kitRows(ctx context.Context, st *store.Store, f *exportFlags, run eval.Run, reader eval.Reader, results bool) iter.Seq2[dataset.KitRow, error] {
	scheme := metric.Scheme{Run: run, Rules: reader}
	return func(yield func(dataset.KitRow, error) bool) {
		for q, err := range st.Runs().Questions(ctx, run) {
			if err != nil {
				yield(dataset.KitRow{}, err)
				return
			}
			if f.split != "" && q.Sample.Split != f.split {
				continue
			}
			for i := range q.Predictions {
				row := kitRow(&q.Sample, &q.Predictions[i])
				if results {
					if row.Pass != 0 { // the kit takes the question from its base row
						continue
					}
					kitVerdict(&row, &scheme, &q)
				}
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

func kitRow(s *eval.Sample, p *eval.Prediction) dataset.KitRow {
	return dataset.KitRow{Sample: *s, Pass: p.Pass, Shown: p.Asked(s), Prediction: p.Text, Failed: p.Failure != nil}
}

// kitVerdict is hit or miss by the run's strategy, and what was read in each
// pass.
func kitVerdict(row *dataset.KitRow, scheme *metric.Scheme, q *eval.Question) {
	o := scheme.Outcome(q)
	row.Scored, row.Hit = o.Circular.Decided(), o.Circular == metric.Right
	row.Log = fmt.Sprintf("%s by %s:", o.Circular, eval.ReaderID(scheme.Rules))
	for _, r := range o.Readings {
		read := r.Combined.Status.String()
		switch {
		case r.Failed:
			read = "failed"
		case r.Combined.IsFound():
			read = string(r.Combined.Choice)
		}
		row.Log += fmt.Sprintf(" pass %d answer %s read %s;", r.Pass, r.Answer, read)
	}
}
