package data

import (
	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/extract"
	"concord/eval/judge"
	"concord/store"
)

func newImportVotesCmd(a *project.Project) *cobra.Command {
	var o dataset.VoteOptions
	var people exchange.PeopleOptions
	var name string
	var runs []uint
	cmd := &cobra.Command{
		Use:   "votes FILE --dataset NAME [--judge NAME] [--queue NAME]",
		Short: "Import votes on pairs of answers, a judge model's or people's",
		Long:  cli.Help("importvotes"),
		Args:  cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Dataset, o.Read, o.Now, o.Skipped = eval.DatasetName(name), judge.Vote, a.Now, a.Problem
			for _, r := range runs {
				o.Runs = append(o.Runs, eval.RunID(r))
			}
			var err error
			if o.Reader, err = facts.RulesFor(extract.Default); err != nil {
				return err
			}
			if err := cli.CheckReadable(args[0]); err != nil {
				return err
			}
			people.Dataset, people.Runs, people.Strict, people.By = o.Dataset, runs, o.Strict, annotate.Annotator(project.UserName())
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error {
				return exchange.ImportVotes(cmd.Context(), a, st, args[0], o, people)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&name, "dataset", "", "the dataset whose answers were voted on (required)")
	f.StringVar(&o.Judge, "judge", "", "the judge's name in reports (default: as the file names it)")
	f.UintSliceVar(&runs, "run", nil, "the models' runs, by `number`, where a model has several")
	f.StringVar(&people.Queue, "queue", "", "of people's votes: the queue of pairs that takes them (default: as a row names it, else the file's name)")
	f.IntVar(&people.Overlap, "overlap", 0, "of people's votes: how many people may vote on a pair of a queue that is made (default: as many as the file names)")
	f.BoolVar(&o.Strict, "strict", false, "fail at the first row that cannot be taken")
	a.Require(cmd, "dataset")
	return cmd
}
