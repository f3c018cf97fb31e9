package data

import (
	"fmt"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

func newImportCriteriaCmd(a *project.Project) *cobra.Command {
	var name, as string
	cmd := &cobra.Command{
		Use:   "criteria FILE --dataset NAME",
		Short: "Import what good answers must do, sample by sample",
		Long:  cli.Help("importcriteria"),
		Args:  cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckReadable(args[0]); err != nil {
				return err
			}
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error {
				in, err := exchange.NewCriteriaImport(st, eval.DatasetName(name), args[0], annotate.Annotator(as), a)
				if err != nil {
					return err
				}
				if err := in.Run(cmd.Context()); err != nil {
					return fmt.Errorf("import criteria: %w", err)
				}
				return exchange.PrintRowsImported(a, in.Sum)
			})
		},
	}
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset that the criteria are of (required)")
	cmd.Flags().StringVar(&as, "as", "", "your `name`: who wrote what the file names no author of, and reviewed what it names no reviewer of")
	a.Require(cmd, "dataset")
	return cmd
}
