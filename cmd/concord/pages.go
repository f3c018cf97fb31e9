package main

import (
	"context"
	"iter"

	"concord/annotate/agree"
	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/stat"
)

// What pages of tables are made of, beside the facts about runs.

func (f figures) Dataset(d eval.DatasetName) (eval.Dataset, error) {
	return f.st.Datasets().Dataset(d)
}

func (f figures) Samples(ctx context.Context, d eval.DatasetName) iter.Seq2[eval.Sample, error] {
	return f.st.Datasets().Samples(ctx, d)
}

func (f figures) Picture(h eval.PictureHash) ([]byte, error) { return f.st.Datasets().Picture(h) }

func (f figures) CurationActs(ctx context.Context, d eval.DatasetName) iter.Seq2[curation.Act, error] {
	return f.st.Curation().All(ctx, d)
}

func (f figures) Inspections() ([]curation.Inspection, error) { return f.st.Inspections().List() }

// Panel is how many experts decide on a sample.
func (f figures) Panel(d eval.DatasetName) (curation.Panel, error) { return f.how.panel(d) }

// Curation is the report on a dataset's curation, as the command prints it when
// no flag is given.
func (f figures) Curation(ctx context.Context, d eval.DatasetName) (report.Report, error) {
	return f.how.report(ctx, f.st, d, agree.Bootstrap{Times: curationResamples, Seed: 1, Confidence: stat.Confidence})
}

// Card is what the configuration knows of a model.
func (f figures) Card(model string) (eval.Card, bool) {
	if f.cards == nil {
		return eval.Card{}, false
	}
	return f.cards(model)
}
