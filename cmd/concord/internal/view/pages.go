package view

import (
	"context"
	"iter"

	"concord/annotate/agree"
	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/cmd/concord/internal/curating"
	"concord/eval"
	"concord/eval/stat"
)

// What pages of tables are made of, beside the facts about runs.

// Dataset reads one dataset.
func (f Reports) Dataset(d eval.DatasetName) (eval.Dataset, error) {
	return f.Store.Datasets().Dataset(d)
}

// Samples reads the samples of a dataset in order.
func (f Reports) Samples(ctx context.Context, d eval.DatasetName) iter.Seq2[eval.Sample, error] {
	return f.Store.Datasets().Samples(ctx, d)
}

// Picture reads one picture.
func (f Reports) Picture(h eval.PictureHash) ([]byte, error) { return f.Store.Datasets().Picture(h) }

// CurationActs reads what experts said of the samples of a dataset.
func (f Reports) CurationActs(ctx context.Context, d eval.DatasetName) iter.Seq2[curation.Act, error] {
	return f.Store.Curation().All(ctx, d)
}

// Inspections lists the inspections of the project.
func (f Reports) Inspections() ([]curation.Inspection, error) { return f.Store.Inspections().List() }

// Panel is how many experts decide on a sample.
func (f Reports) Panel(d eval.DatasetName) (curation.Panel, error) { return f.How.Panel(d) }

// Curation is the report on a dataset's curation, as the command prints it when
// no flag is given.
func (f Reports) Curation(ctx context.Context, d eval.DatasetName) (report.Report, error) {
	return f.How.Report(ctx, f.Store, d, agree.Bootstrap{Times: curating.Resamples, Seed: 1, Confidence: stat.Confidence})
}

// Card is what the configuration knows of a model.
func (f Reports) Card(model string) (eval.Card, bool) {
	if f.Cards == nil {
		return eval.Card{}, false
	}
	return f.Cards(model)
}
