package curating

import (
	"context"

	"concord/annotate/agree"
	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/quality"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/stat"
	"concord/store"
)

// Source shows the store as reports read it, and how datasets are curated.
type Source struct {
	facts.Source
	How       Settings
	Bootstrap agree.Bootstrap // of the agreement of experts; no Times: Resamples by the first seed
}

var _ catalogue.Facts = Source{}

// Resamples is how often agreement is resampled unless a flag says.
const Resamples = 2000

// Panel is how many experts decide on a dataset's samples.
func (f Source) Panel(d eval.DatasetName) (curation.Panel, error) { return f.How.Panel(d) }

// Curation is the report on the curation of a dataset.
func (f Source) Curation(ctx context.Context, d eval.DatasetName) (report.Report, error) {
	t, err := f.How.Terms(d)
	if err != nil {
		return report.Report{}, err
	}
	in, err := t.Candidates(f.Store, d)
	if err != nil {
		return report.Report{}, err
	}
	b := f.Bootstrap
	if b == (agree.Bootstrap{}) {
		b = agree.Bootstrap{Times: Resamples, Seed: 1, Confidence: stat.Confidence}
	}
	return quality.Curation(ctx, f, quality.CurationOptions{Dataset: d, Inspection: in, Panel: t.Panel, Targets: t.Targets, Bootstrap: b})
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
