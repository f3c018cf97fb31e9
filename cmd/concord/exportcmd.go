package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/eval/dataset"
	"concord/eval/extract"
	"concord/store"
)

func newExportCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write datasets, predictions, judgments, labels, votes, criteria or scores measured elsewhere as JSON lines, CSV, TSV, xlsx or parquet",
		Args:  usageArgs(cobra.NoArgs),
		RunE:  needSubcommand,
	}
	cmd.AddCommand(newExportPredictionsCmd(a), newExportLabelsCmd(a), newExportJudgmentsCmd(a), newExportScoresCmd(a),
		newExportVotesCmd(a), newExportCriteriaCmd(a), newExportCurationCmd(a), newExportDatasetCmd(a), newExportMeasuresCmd(a))
	return cmd
}

func newExportPredictionsCmd(a *app) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "predictions",
		Short: "Every prediction with its question and what the rules read in it",
		Long: `Writes every prediction with its question and what the rules read in it, or,
with --layout, one run as another tool's file:

  kit          VLMEvalKit's {model}_{dataset}.xlsx, from which it and
               concord import predictions go on
  submission   what MMBench's evaluation server takes; --split test leaves out
               the rest
  kit-results  the kit's _result file: a row for each question with hit and log,
               or, of yes and no, its _auxmatch file with extracted and score
  kit-acc      the kit's _acc.csv
  kit-score    the kit's _score.csv of MME

The kit's scores are by its own rules: add --rules vlmevalkit-2026, or vlmevalkit
for yes and no.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			reader, err := rulesFor(f.rules)
			if err != nil {
				return err
			}
			if _, known := layouts[f.layout]; !known && f.layout != "" {
				return asUsage(fmt.Errorf("unknown layout %q: want one of %s", f.layout, strings.Join(slices.Sorted(maps.Keys(layouts)), ", ")))
			}
			if f.split != "" && f.layout == "" {
				return asUsage(errors.New("--split goes with --layout"))
			}
			if f.layout != "" && !cmd.Flags().Changed("format") {
				f.format = dataset.FormatXLSX
			}
			return runExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				if f.layout != "" {
					return exportKit(ctx, st, w, &f, reader)
				}
				letters, err := lettersOf(ctx, st, &f)
				if err != nil {
					return nil, err
				}
				return dataset.WritePredictions(w, f.format, letters, predictionRows(ctx, st, &f, reader))
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.dataset, "dataset", "", "only this dataset")
	cmd.Flags().StringVar(&f.model, "model", "", "only this model")
	cmd.Flags().UintSliceVar(&f.runs, "run", nil, "only these runs, by `number`")
	cmd.Flags().StringVar(&f.rules, "rules", extract.Default, "rule `set` that reads the predictions")
	cmd.Flags().StringVar(&f.layout, "layout", "", "write one run as another tool's file: kit, submission, kit-results, kit-acc or kit-score (default format then: xlsx)")
	cmd.Flags().StringVar(&f.split, "split", "", "only this split, with --layout")
	return cmd
}

func newExportLabelsCmd(a *app) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "labels",
		Short: "Every label that stands, with who, when and how long",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return writeLabels(ctx, st, w, &f)
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.queue, "queue", "", "only this queue")
	cmd.Flags().BoolVar(&f.golds, "golds", false, "with the known answers of items that check people, and the items that were added for it (whoever labels should not see this)")
	return cmd
}
