package report

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"concord/annotate/report"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/pairwise"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// NewReportCmd makes the command report with its reports.
func NewReportCmd(a *project.Project) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Print the papers' tables and plots from what is stored",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE:  cli.NeedSubcommand,
	}
	for _, k := range catalogue.Commands() {
		cmd.AddCommand(NewKindCmd(a, &k))
	}
	cmd.AddCommand(newReportAllCmd(a))
	fs := cmd.PersistentFlags()
	fs.BoolVar(&a.Style.NoIntervals, "no-intervals", false, "tables without intervals (CSV and JSON keep them)")
	fs.BoolVar(&a.Style.NoCounts, "no-counts", false, "tables without the counts behind each figure (CSV and JSON keep them)")
	return cmd
}

// asking is a report's command: what the catalogue asks for, and what only a
// command can do.
type asking struct {
	*catalogue.Asking
	a      *project.Project
	format string
	facts  curating.Source
	before func(*store.Store) error                                                   // nil: nothing
	after  func(context.Context, *store.Store, report.Report) (again bool, err error) // nil: nothing
	write  func() bool                                                                // the command changes the project; nil: it does not
}

// extras are what commands have beside the catalogue's flags.
var extras = map[string]func(*asking, *cobra.Command){
	"alignment": saves, "criteria": quotas, "inspectors": thresholds, "curation": experts,
}

// NewKindCmd is the command of a report of the catalogue.
func NewKindCmd(a *project.Project, k *catalogue.Kind) *cobra.Command {
	ask := &asking{Asking: k.Ask(), a: a}
	cmd := &cobra.Command{
		Use: k.Name, Short: k.Short, Long: k.Help(), Example: k.Show,
		Args: cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return ask.run(cmd) },
	}
	if k.Takes != "" {
		cmd.Use += " " + k.Takes
	}
	cmd.Flags().StringVar(&ask.format, "format", "table", "table, json, csv, markdown, latex or html")
	if extra := extras[k.Name]; extra != nil {
		extra(ask, cmd)
	}
	for _, f := range ask.Flags {
		flag := cmd.Flags().VarPF(f.Value, f.Name, "", f.Usage)
		if flag.Hidden = f.Hidden; f.Value.Type() == "bool" {
			flag.NoOptDefVal = "true"
		}
		if f.Needed {
			a.Require(cmd, f.Name)
		}
	}
	return cmd
}

func (k *asking) run(cmd *cobra.Command) error {
	ctx := cmd.Context()
	if err := cli.CheckFormat(&k.format, k.a.JSON); err != nil {
		return err
	}
	if err := k.Check(); err != nil {
		return cli.Usage(err)
	}
	open := k.a.Read
	if k.write != nil && k.write() {
		open = func(_ context.Context, do func(*store.Store) error) error { return k.a.Change(cmd, nil, do) }
	}
	return open(ctx, func(st *store.Store) error {
		r, err := k.build(ctx, st)
		if err != nil {
			return err
		}
		if err := k.a.Render(r, k.format); err != nil || k.Unmet == nil {
			return err
		}
		if unmet := k.Unmet(&r); len(unmet) > 0 {
			return cli.Gate(unmet)
		}
		return nil
	})
}

// build makes the report, of runs with a note for each that is not done.
func (k *asking) build(ctx context.Context, st *store.Store) (report.Report, error) {
	k.facts.Source = facts.Source{Store: st, Clustering: k.Cluster}
	if k.before != nil {
		if err := k.before(st); err != nil {
			return report.Report{}, err
		}
	}
	runs, none := k.match(ctx, st)
	if none != nil && (!k.Outside || !errors.Is(none, eval.ErrNotFound)) {
		return report.Report{}, none
	}
	r, err := k.make(ctx)
	switch {
	case errors.Is(err, pairwise.ErrNoAnchor):
		return r, cli.Usage(err)
	case err != nil:
		return r, cmp.Or(none, err)
	}
	if k.after != nil {
		if again, err := k.after(ctx, st, r); err != nil || !again {
			return r, err
		}
		return k.make(ctx)
	}
	for _, run := range runs {
		note, err := facts.Unfinished(st, run)
		if err != nil {
			return r, err
		}
		if note != "" {
			r.Notes = append(r.Notes, note)
		}
	}
	return r, nil
}

func (k *asking) make(ctx context.Context) (report.Report, error) {
	o := k.Options
	if k.Of == catalogue.OnRuns {
		o.Cards = project.Cards(k.a)
	}
	if k.Doing != "" {
		m := k.a.Progress(k.Doing)
		defer m.Done()
		o.Progress = m.Items
	}
	r, err := k.Build(ctx, k.facts, o)
	if err != nil || k.Cluster == nil {
		return r, err
	}
	err = k.Cluster.Check()
	r.Notes = append(r.Notes, k.Cluster.Notes()...)
	return r, err
}
