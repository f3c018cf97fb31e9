package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval/dataset/export"
	"concord/eval/dataset/tablefile"
	"concord/eval/extract"
	"concord/store"
)

// NewExportCmd makes the command export.
func NewExportCmd(a *project.Project) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write datasets, predictions, judgments, labels, votes, criteria or scores measured elsewhere as JSON lines, CSV, TSV, xlsx or parquet",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE:  cli.NeedSubcommand,
	}
	cmd.AddCommand(newExportPredictionsCmd(a), newExportLabelsCmd(a), newExportJudgmentsCmd(a), newExportScoresCmd(a),
		newExportVotesCmd(a), newExportCriteriaCmd(a), newExportGradesCmd(a), newExportCurationCmd(a), newExportDatasetCmd(a), newExportMeasuresCmd(a))
	return cmd
}

func newExportPredictionsCmd(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	cmd := &cobra.Command{
		Use:   "predictions",
		Short: "Every prediction with its question and what the rules read in it",
		Long:  cli.Help("export"),
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			reader, err := facts.RulesFor(f.Rules)
			if err != nil {
				return err
			}
			if _, known := exchange.Layouts[f.Layout]; !known && f.Layout != "" {
				return cli.Usage(fmt.Errorf("unknown layout %q: want one of %s", f.Layout, strings.Join(slices.Sorted(maps.Keys(exchange.Layouts)), ", ")))
			}
			if f.Split != "" && f.Layout == "" {
				return cli.Usage(errors.New("--split goes with --layout"))
			}
			if f.Layout != "" && !cmd.Flags().Changed("format") {
				f.Format = tablefile.XLSX
			}
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				if f.Layout != "" {
					return exchange.ExportKit(ctx, st, w, &f, reader)
				}
				letters, err := exchange.LettersOf(ctx, st, &f)
				if err != nil {
					return nil, err
				}
				return export.WritePredictions(w, f.Format, letters, exchange.PredictionRows(ctx, st, &f, reader))
			})
		},
	}
	f.Add(cmd)
	cmd.Flags().StringVar(&f.Dataset, "dataset", "", "only this dataset")
	cmd.Flags().StringVar(&f.Model, "model", "", "only this model")
	cmd.Flags().UintSliceVar(&f.Runs, "run", nil, "only these runs, by `number`")
	cmd.Flags().StringVar(&f.Rules, "rules", extract.Default, "rule `set` that reads the predictions")
	cmd.Flags().StringVar(&f.Layout, "layout", "", "write one run as another tool's file: kit, submission, kit-results, kit-acc or kit-score (default format then: xlsx)")
	cmd.Flags().StringVar(&f.Split, "split", "", "only this split, with --layout")
	return cmd
}

func newExportLabelsCmd(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	cmd := &cobra.Command{
		Use:   "labels",
		Short: "Every label that counts, with who, when and how long",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return exchange.WriteLabels(ctx, st, w, &f)
			})
		},
	}
	f.Add(cmd)
	cmd.Flags().StringVar(&f.Queue, "queue", "", "only this queue")
	cmd.Flags().BoolVar(&f.GoldItems, "golds", false, "with the known answers of items that check people, and the items that were added for it (whoever labels should not see this)")
	return cmd
}
