package main

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/report/quality"
	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
)

func newCriteriaReportCmd(a *app) *cobra.Command {
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
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := formatOf(&format, a.json); err != nil {
				return err
			}
			o := quality.CriteriaOptions{Dataset: eval.DatasetName(name)}
			var err error
			if o.Quotas, err = parseQuotas(quotas); err != nil {
				return usageError{err}
			}
			a.absolute("quota", quotas)
			return a.read(cmd.Context(), func(st *store.Store) error {
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

func reportCriteria(ctx context.Context, a *app, st *store.Store, o quality.CriteriaOptions, format string) error {
	if o.Dataset != "" {
		if _, err := st.Datasets().Dataset(o.Dataset); err != nil {
			return err
		}
	}
	m := a.meter("reading samples")
	o.Progress = m.items
	r, err := quality.Criteria(ctx, criteriaFacts{st}, o)
	m.done()
	if err != nil {
		return err
	}
	return a.render(r, format)
}

// parseQuotas reads the values of --quota, in their order.
func parseQuotas(values []string) ([]criteria.Quota, error) {
	var out []criteria.Quota
	for _, v := range values {
		level, n, ok := strings.Cut(v, "=")
		if _, err := os.Stat(v); err != nil && ok {
			if q, ok := groupQuota(level, n); ok {
				out = append(out, q)
				continue
			}
			l, count, err := annotate.ParseLevel(level + ":" + n)
			if err != nil {
				return nil, fmt.Errorf("quota %q: %w", v, err)
			}
			out = append(out, criteria.Quota{Level: l, N: count})
			continue
		}
		for row, err := range dataset.ReadQuotas(v) {
			if err != nil {
				return nil, fmt.Errorf("quota: %w", err)
			}
			out = append(out, criteria.Quota{Path: row.Path, N: row.N})
		}
	}
	return out, nil
}

// groupQuota reads "GROUP / GROUP=N", what one group is to have.
func groupQuota(path, n string) (criteria.Quota, bool) {
	levels := strings.Split(path, " / ")
	count, err := strconv.Atoi(strings.TrimSpace(n))
	if err != nil || count < 1 || len(levels) < 2 {
		return criteria.Quota{}, false
	}
	for i := range levels {
		if levels[i] = strings.TrimSpace(levels[i]); levels[i] == "" {
			return criteria.Quota{}, false
		}
	}
	return criteria.Quota{Path: levels, N: count}, true
}

// absolute has a flag's files found by another process, too, which may answer
// this command from a folder of its own.
func (e *env) absolute(flag string, files []string) {
	for _, f := range files {
		path, err := filepath.Abs(f)
		if _, serr := os.Stat(f); err != nil || serr != nil {
			continue
		}
		e.args = slices.Clone(e.args)
		for i, arg := range e.args {
			switch arg {
			case f:
				e.args[i] = path
			case "--" + flag + "=" + f:
				e.args[i] = "--" + flag + "=" + path
			}
		}
	}
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
