package data

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/draw"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/eval/dataset/rowfile"
	"concord/store"
)

func newImportLabelsCmd(a *project.Project) *cobra.Command {
	var queue string
	var drawn draw.Elsewhere
	cmd := &cobra.Command{
		Use:   "labels FILE --queue NAME",
		Short: "Import what people labelled elsewhere",
		Long:  cli.Help("importlabels"),
		Example: `  concord import labels first.csv --queue first
  concord import labels crowd.csv --queue crowd --sample-of all --dataset mmbench --model qwen2-vl-7b --seed 7
  concord import labels crowd.csv --queue crowd --sample-of all --dataset mmbench --probability p_drawn --seed 7`,
		Args: cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := sampleFlags(cmd, &drawn); err != nil {
				return err
			}
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error {
				if drawn.Of != "" {
					drawn.By = annotate.Annotator(project.UserName())
					return draw.ImportSample(cmd.Context(), a, st, annotate.QueueName(queue), args[0], &drawn)
				}
				return importLabels(cmd.Context(), a, st, annotate.QueueName(queue), args[0])
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&queue, "queue", "", "the queue that was labelled (required); with --sample-of, the one that is made")
	f.StringVar(&drawn.Of, "sample-of", "", "the labels are of a sample drawn elsewhere from this `population` of predictions (of all passes), as queue create --from names it: all, or those that --rules does not read")
	f.StringVar(&drawn.Dataset, "dataset", "", "with --sample-of: the dataset whose predictions it was drawn from")
	f.StringSliceVar(&drawn.Models, "model", nil, "with --sample-of: only predictions of these `models`")
	f.UintSliceVar(&drawn.Runs, "run", nil, "with --sample-of: only these runs, by `number`")
	f.StringVar(&drawn.Rules, "rules", "concord", "with --sample-of: rule `set` that does not read them")
	f.StringVar(&drawn.Probability, "probability", "", "with --sample-of: the `column` with the probability with which each item was drawn (default: all were as likely)")
	f.StringVar(&drawn.Weight, "weight", "", "with --sample-of: the `column` with 1 over it")
	f.Uint64Var(&drawn.Seed, "seed", 0, "with --sample-of: the seed of the draw, as a record")
	a.Require(cmd, "queue")
	return cmd
}

// importLabels takes a file's labels into a queue that is there.
func importLabels(ctx context.Context, a *project.Project, st *store.Store, q annotate.QueueName, path string) error {
	in, err := exchange.NewLabelImport(st, q, path, a)
	if err != nil {
		return err
	}
	for row, err := range rowfile.ReadLabels(path) {
		if err := in.Take(row, err); err != nil {
			return fmt.Errorf("import labels: %w", err)
		}
	}
	if err := in.Commit(ctx); err != nil {
		return fmt.Errorf("import labels: %w", err)
	}
	return exchange.PrintRowsImported(a, in.Sum)
}

// sampleFlags refuses what only a sample has where none is declared.
func sampleFlags(cmd *cobra.Command, f *draw.Elsewhere) error {
	for _, name := range []string{"dataset", "model", "run", "rules", "probability", "weight", "seed"} {
		if f.Of == "" && cmd.Flags().Changed(name) {
			return cli.Usage(fmt.Errorf("--%s goes with --sample-of, which says what the labels are a sample of", name))
		}
	}
	return nil
}
