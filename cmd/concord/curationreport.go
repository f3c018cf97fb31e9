package main

import (
	"github.com/spf13/cobra"

	"concord/annotate/agree"
	"concord/eval/stat"
	"concord/store"
)

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
