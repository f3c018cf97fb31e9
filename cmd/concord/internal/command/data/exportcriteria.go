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

func newExportCriteriaCmd(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	var history bool
	cmd := &cobra.Command{
		Use:   "criteria",
		Short: "The current criteria, or with --history every act that led there",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return exchange.WriteCriteria(ctx, st, w, &f, history)
			})
		},
	}
	f.Add(cmd)
	cmd.Flags().StringVar(&f.Only, "dataset", "", "only this dataset")
	cmd.Flags().BoolVar(&history, "history", false, "one row for each act: drafts, revisions, comments, reviews")
	return cmd
}
