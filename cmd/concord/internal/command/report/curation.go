package report

import (
	"github.com/spf13/cobra"

	"concord/annotate/agree"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/project"
	"concord/eval/stat"
	"concord/store"
)

func newCurationReportCmd(a *project.Project) *cobra.Command {
	var f curating.Flags
	var format string
	var resamples int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "curation",
		Short: "What experts accept: the funnel per source, verdicts, agreement, accepted per axis against the target",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.CheckFormat(&format, a.JSON); err != nil {
				return err
			}
			if err := f.Check(cmd); err != nil {
				return err
			}
			a.Absolute("target", f.Targets)
			return a.Read(cmd.Context(), func(st *store.Store) error {
				name, err := f.Name(st)
				if err != nil {
					return err
				}
				b := agree.Bootstrap{Times: resamples, Seed: seed, Confidence: stat.Confidence}
				r, err := curating.NewSettings(a, f).Report(cmd.Context(), st, name, b)
				if err != nil {
					return err
				}
				return a.Render(r, format)
			})
		},
	}
	f.Add(cmd)
	fs := cmd.Flags()
	fs.StringVar(&format, "format", "table", "table, json, csv, markdown or latex")
	fs.IntVar(&resamples, "resamples", curating.Resamples, "resamples of the intervals of agreement")
	fs.Uint64Var(&seed, "seed", 1, "seed of the resamples")
	return cmd
}
