package curating

import (
	"context"
	"iter"

	"concord/annotate/agree"
	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/report/quality"
	"concord/eval"
	"concord/store"
)

// Source shows the store as the report on curation wants to read it.
type Source struct{ Store *store.Store }

var _ quality.CurationFacts = Source{}

// Dataset reads one dataset.
func (f Source) Dataset(d eval.DatasetName) (eval.Dataset, error) {
	return f.Store.Datasets().Dataset(d)
}

// Samples reads the samples of a dataset in order.
func (f Source) Samples(ctx context.Context, d eval.DatasetName) iter.Seq2[eval.Sample, error] {
	return f.Store.Datasets().Samples(ctx, d)
}

// CurationActs reads what experts said of the samples of a dataset.
func (f Source) CurationActs(ctx context.Context, d eval.DatasetName) iter.Seq2[curation.Act, error] {
	return f.Store.Curation().All(ctx, d)
}

// Resamples is how often agreement is resampled unless a flag says.
const Resamples = 2000

// Report is the report on the curation of a dataset.
func (c Settings) Report(ctx context.Context, st *store.Store, d eval.DatasetName, b agree.Bootstrap) (report.Report, error) {
	t, err := c.Terms(d)
	if err != nil {
		return report.Report{}, err
	}
	in, err := t.Candidates(st, d)
	if err != nil {
		return report.Report{}, err
	}
	return quality.Curation(ctx, Source{st}, quality.CurationOptions{
		Dataset: d, Inspection: in, Panel: t.Panel, Targets: t.Targets, Bootstrap: b,
	})
}

// Curated are the datasets of which experts have said anything; only, where it
// is not "", is the one that is asked about.
func Curated(ctx context.Context, st *store.Store, only eval.DatasetName) ([]eval.DatasetName, error) {
	all, err := st.Datasets().List()
	if err != nil {
		return nil, err
	}
	var out []eval.DatasetName
	for _, d := range all {
		if only != "" && d.Name != only {
			continue
		}
		for _, err := range st.Curation().All(ctx, d.Name) {
			if err != nil {
				return nil, err
			}
			out = append(out, d.Name)
			break
		}
	}
	return out, nil
}

// Decisions are the cases of a dataset's samples by sample.
func Decisions(ctx context.Context, st *store.Store, d eval.DatasetName, p curation.Panel) (map[eval.Ordinal]curation.Case, error) {
	var items []curation.Item
	for s, err := range st.Datasets().Samples(ctx, d) {
		if err != nil {
			return nil, err
		}
		items = append(items, curation.Item{Sample: s.Ordinal, Axis: s.Taxonomy})
	}
	var acts []curation.Act
	for act, err := range st.Curation().All(ctx, d) {
		if err != nil {
			return nil, err
		}
		acts = append(acts, act)
	}
	cases, _, err := curation.Cases(items, acts, p)
	out := make(map[eval.Ordinal]curation.Case, len(cases))
	for i := range cases {
		out[cases[i].Sample] = cases[i]
	}
	return out, err
}
