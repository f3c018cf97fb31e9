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
		Long:  cli.Help("measures"),
		Args:  cli.UsageArgs(cobra.ExactArgs(1)),
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
