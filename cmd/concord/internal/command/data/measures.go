package data

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/store"
)

func newImportMeasuresCmd(a *project.Project) *cobra.Command {
	return &cobra.Command{
		Use:   "scores FILE",
		Short: "Import models' scores on benchmarks, measured elsewhere",
		Long: `Imports JSON lines, CSV, TSV or xlsx with the columns benchmark, model, metric,
value (accuracies in percent), source and, optionally, n: what a paper or a
leaderboard prints. Reports that take such scores mark them as external. Another
value, source or n for the same benchmark, model and metric is kept as a newer
revision, which counts; the same one adds nothing.

Metrics have any name; report gain takes S_v, S_wv and S_t (with the image,
without it, and of the language base) in the place of runs that are not there.

The scores from 1 to 5 that judges give open answers are another thing: concord
judge scores makes them, export scores writes them.`,
		Args: cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckReadable(args[0]); err != nil {
				return err
			}
			return a.Write(cmd.Context(), true, func(st *store.Store) error {
				return exchange.ImportMeasures(cmd.Context(), a, st, args[0])
			})
		},
	}
}

func newExportMeasuresCmd(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	var revisions bool
	cmd := &cobra.Command{
		Use:   "measures",
		Short: "Every score measured elsewhere, as import scores reads it",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return exchange.WriteMeasures(ctx, st, w, f.Format, revisions)
			})
		},
	}
	f.Add(cmd)
	cmd.Flags().BoolVar(&revisions, "revisions", false, "earlier revisions too, before the current one")
	return cmd
}
