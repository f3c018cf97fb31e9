package report

import (
	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/report/alignment"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/store"
)

// newAnnotatorsCmd prints how the people of a queue worked.
func newAnnotatorsCmd(a *project.Project) *cobra.Command {
	var queue, policy, undecided, format string
	var items int
	cmd := &cobra.Command{
		Use:   "annotators --queue NAME",
		Short: "How the people of a queue agree, every two and each beside the others, and the time they take",
		Long: `Sets every two people of a queue beside each other, and each beside the word of
the others, with kappa and AC1; Fleiss' kappa and Krippendorff's alpha of all of
them together; what each has done, on known answers too where the queue has any,
and the time they took for an item. Who agrees
with the others less often than these do among themselves, or takes less than half
of their time, is pointed out, from 20 items on. Lists the slowest items, and those
that people differ on most. A queue of pairs has votes instead of labels.`,
		Args: cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.CheckFormat(&format, a.JSON); err != nil {
				return err
			}
			o := alignment.AnnotatorOptions{Queue: annotate.QueueName(queue), Listed: items}
			var err error
			if o.Policy, err = annotate.ParsePolicy(policy); err != nil {
				return cli.Usage(err)
			}
			if o.Undecided, err = annotate.ParseUndecided(undecided); err != nil {
				return cli.Usage(err)
			}
			return a.Read(cmd.Context(), func(st *store.Store) error {
				r, err := alignment.Annotators(cmd.Context(), facts.Source{Store: st}, o)
				if err != nil {
					return err
				}
				return a.Render(r, format)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&queue, "queue", "", "the queue that people worked on (required)")
	fs.StringVar(&policy, "policy", "majority", "when the others have agreed: unanimous, majority, plurality, or adjudicated (an adjudicator's ruling, else unanimous)")
	fs.StringVar(&undecided, "undecided", "dropped", "where the others have not: dropped, counted as none, or a class of its own (own)")
	fs.IntVar(&items, "items", 10, "how many slow and how many contested items are listed")
	fs.StringVar(&format, "format", "table", "table, json, csv, markdown or latex")
	a.Require(cmd, "queue")
	return cmd
}
