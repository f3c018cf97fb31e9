package main

import (
	"context"
	"iter"

	"github.com/spf13/cobra"

	"concord/annotate/agree"
	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/report/quality"
	"concord/eval"
	"concord/eval/stat"
	"concord/store"
)

// curationFacts shows the store as the report on curation wants to read it.
type curationFacts struct{ st *store.Store }

var _ quality.CurationFacts = curationFacts{}

func (f curationFacts) Dataset(d eval.DatasetName) (eval.Dataset, error) {
	return f.st.Datasets().Dataset(d)
}

func (f curationFacts) Samples(ctx context.Context, d eval.DatasetName) iter.Seq2[eval.Sample, error] {
	return f.st.Datasets().Samples(ctx, d)
}

func (f curationFacts) CurationActs(ctx context.Context, d eval.DatasetName) iter.Seq2[curation.Act, error] {
	return f.st.Curation().All(ctx, d)
}

// curationResamples is how often agreement is resampled unless a flag says.
const curationResamples = 2000

// report is the report on the curation of a dataset.
func (c curating) report(ctx context.Context, st *store.Store, d eval.DatasetName, b agree.Bootstrap) (report.Report, error) {
	t, err := c.terms(d)
	if err != nil {
		return report.Report{}, err
	}
	in, err := t.candidates(st, d)
	if err != nil {
		return report.Report{}, err
	}
	return quality.Curation(ctx, curationFacts{st}, quality.CurationOptions{
		Dataset: d, Inspection: in, Panel: t.panel, Targets: t.targets, Bootstrap: b,
	})
}

// curated are the datasets of which experts have said anything; only, where it
// is not "", is the one that is asked about.
func curated(ctx context.Context, st *store.Store, only eval.DatasetName) ([]eval.DatasetName, error) {
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

func newCurationReportCmd(a *app) *cobra.Command {
	var f curateFlags
	var format string
	var resamples int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "curation",
		Short: "What experts accept: the funnel per source, verdicts, agreement, accepted per axis against the target",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := formatOf(&format, a.json); err != nil {
				return err
			}
			if err := f.check(cmd); err != nil {
				return err
			}
			a.absolute("target", f.targets)
			return a.read(cmd.Context(), func(st *store.Store) error {
				name, err := f.name(st)
				if err != nil {
					return err
				}
				b := agree.Bootstrap{Times: resamples, Seed: seed, Confidence: stat.Confidence}
				r, err := newCurating(a, f).report(cmd.Context(), st, name, b)
				if err != nil {
					return err
				}
				return a.render(r, format)
			})
		},
	}
	f.add(cmd)
	fs := cmd.Flags()
	fs.StringVar(&format, "format", "table", "table, json, csv, markdown or latex")
	fs.IntVar(&resamples, "resamples", curationResamples, "resamples of the intervals of agreement")
	fs.Uint64Var(&seed, "seed", 1, "seed of the resamples")
	return cmd
}

// decisions are the cases of a dataset's samples by sample.
func decisions(ctx context.Context, st *store.Store, d eval.DatasetName, p curation.Panel) (map[eval.Ordinal]curation.Case, error) {
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
