package data

import (
	"fmt"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/eval/dataset/rowfile"
	"concord/store"
)

func newImportLabelsCmd(a *project.Project) *cobra.Command {
	var queue string
	cmd := &cobra.Command{
		Use:   "labels FILE --queue NAME",
		Short: "Import what people labelled elsewhere",
		Long: `Imports JSON lines or CSV with the columns sample, pass (default 0), model (may
be left out when the queue has one), annotator, choice (an option's letter, or
none, ambiguous, refused) or, of an open answer, score (1 to 5), and, optionally,
confidence, reason, note, at, informed, guideline (a version's number). A row whose act is ruling is an
adjudicator's, with an optional cause (person_right, judge_right, ambiguous,
both_wrong): it is no label. A label that is there already is left as
it is, and an item takes no more labels than its queue's overlap.`,
		Args: cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error {
				in, err := exchange.NewLabelImport(st, annotate.QueueName(queue), args[0], a)
				if err != nil {
					return err
				}
				for row, err := range rowfile.ReadLabels(args[0]) {
					if err := in.Take(row, err); err != nil {
						return fmt.Errorf("import labels: %w", err)
					}
				}
				if err := in.Commit(cmd.Context()); err != nil {
					return fmt.Errorf("import labels: %w", err)
				}
				return exchange.PrintRowsImported(a, in.Sum)
			})
		},
	}
	cmd.Flags().StringVar(&queue, "queue", "", "the queue that was labelled (required)")
	a.Require(cmd, "queue")
	return cmd
}
