package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"concord/store"
)

func newExportCriteriaCmd(a *app) *cobra.Command {
	var f exportFlags
	var history bool
	cmd := &cobra.Command{
		Use:   "criteria",
		Short: "The criteria that stand, or with --history every act that led there",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return writeCriteria(ctx, st, w, &f, history)
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.only, "dataset", "", "only this dataset")
	cmd.Flags().BoolVar(&history, "history", false, "one row for each act: drafts, revisions, comments, reviews")
	return cmd
}
