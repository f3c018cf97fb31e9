package data

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

func newImportRubricsCmd(a *project.Project) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "rubrics FOLDER",
		Short: "Import rubrics whole: questions, criteria, answers, and what raters said of them",
		Long:  cli.Help("rubrics-rubrics"),
		Args:  cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckReadable(args[0]); err != nil {
				return err
			}
			if name == "" {
				base := filepath.Base(args[0])
				name = base[:len(base)-len(filepath.Ext(base))]
			}
			if err := cli.CheckName("dataset", name); err != nil {
				return err
			}
			return a.Write(cmd.Context(), true, func(st *store.Store) error {
				sum, err := exchange.ImportRubrics(cmd.Context(), a, st, args[0], eval.DatasetName(name))
				if err != nil {
					return fmt.Errorf("import rubrics: %w", err)
				}
				return exchange.PrintRubrics(a, &sum)
			})
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "name of the dataset (default: that of the folder)")
	return cmd
}

func newImportGradesCmd(a *project.Project) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "grades FILE --dataset NAME",
		Short: "Import verdicts on single criteria of responses, by people and by judges",
		Long:  cli.Help("rubrics-grades"),
		Args:  cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckReadable(args[0]); err != nil {
				return err
			}
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error {
				sum, err := exchange.ImportGrades(cmd.Context(), a, st, eval.DatasetName(name), args[0])
				if err != nil {
					return fmt.Errorf("import grades: %w", err)
				}
				return exchange.PrintRowsImported(a, sum)
			})
		},
	}
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset whose responses were graded (required)")
	a.Require(cmd, "dataset")
	return cmd
}

func newExportGradesCmd(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	cmd := &cobra.Command{
		Use:   "grades",
		Short: "The newest verdict of every judge and person on each criterion, as import grades reads it",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return exchange.WriteGrades(ctx, st, w, &f)
			})
		},
	}
	f.Add(cmd)
	cmd.Flags().StringVar(&f.Only, "dataset", "", "only this dataset")
	return cmd
}
