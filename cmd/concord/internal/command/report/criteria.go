package report

import (
	"context"
	"iter"

	"github.com/spf13/cobra"

	"concord/annotate/criteria"
	"concord/annotate/report/quality"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

func newCriteriaReportCmd(a *project.Project) *cobra.Command {
	var format, name string
	var quotas []string
	cmd := &cobra.Command{
		Use:   "criteria",
		Short: "How far the criteria are: coverage and states per level, rounds of review, people",
		Long: `Prints, for each level and capability, how many samples there are, how far their
criteria are and what the quota lacks, then how many samples were revised in
each round of review, what everybody did and what curators should look at.

A quota is LEVEL=N, as in capability=10 or level=70 (or l1, l2, ... =N), that of
one group, as in "GROUP / GROUP=N", or a file with the columns level, capability
(or taxonomy) and n. It may be given
several times; later ones prevail.`,
		Args: cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.CheckFormat(&format, a.JSON); err != nil {
				return err
			}
			o := quality.CriteriaOptions{Dataset: eval.DatasetName(name)}
			var err error
			if o.Quotas, err = curating.ParseQuotas(quotas); err != nil {
				return cli.Usage(err)
			}
			a.Absolute("quota", quotas)
			return a.Read(cmd.Context(), func(st *store.Store) error {
				return reportCriteria(cmd.Context(), a, st, o, format)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&name, "dataset", "", "only this dataset (default: every one that has criteria)")
	fs.StringArrayVar(&quotas, "quota", nil, "how many samples a group is to have: LEVEL=N, or a `file`")
	fs.StringVar(&format, "format", "table", "table, json, csv, markdown, latex or html")
	return cmd
}

func reportCriteria(ctx context.Context, a *project.Project, st *store.Store, o quality.CriteriaOptions, format string) error {
	if o.Dataset != "" {
		if _, err := st.Datasets().Dataset(o.Dataset); err != nil {
			return err
		}
	}
	m := a.Progress("reading samples")
	o.Progress = m.Items
	r, err := quality.Criteria(ctx, criteriaFacts{st}, o)
	m.Done()
	if err != nil {
		return err
	}
	return a.Render(r, format)
}

// criteriaFacts shows the store as the report on criteria wants to read it.
type criteriaFacts struct{ st *store.Store }

var _ quality.CriteriaFacts = criteriaFacts{}

func (f criteriaFacts) Datasets() ([]eval.Dataset, error) { return f.st.Datasets().List() }

func (f criteriaFacts) Samples(ctx context.Context, d eval.DatasetName) iter.Seq2[eval.Sample, error] {
	return f.st.Datasets().Samples(ctx, d)
}

func (f criteriaFacts) CriteriaSets(ctx context.Context, d eval.DatasetName) iter.Seq2[criteria.Set, error] {
	return f.st.Criteria().All(ctx, d)
}

func (f criteriaFacts) Picture(h eval.PictureHash) ([]byte, error) {
	return f.st.Datasets().Picture(h)
}
