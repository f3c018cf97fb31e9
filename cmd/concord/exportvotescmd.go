package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"concord/store"
)

func newExportVotesCmd(a *app) *cobra.Command {
	var f exportFlags
	var only voters
	cmd := &cobra.Command{
		Use:   "votes",
		Short: "Every vote on a pair of answers, of people and of judges",
		Long: `Writes people's votes that stand, queue by queue, and every vote of the judges
with its raw reply, replies without a vote (vote is empty) and failed calls among
them. model_1 and model_2 are in the order in which their answers were shown.
import votes takes people's votes back.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case only.judges && only.people:
				return asUsage(errors.New("--people and --judges leave out each other's votes: leave out one of them"))
			case only.judges && f.queue != "":
				return asUsage(errors.New("--queue is of people's votes: leave --judges out"))
			}
			return runExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return writeVotes(ctx, st, w, &f, only)
			})
		},
	}
	f.add(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.queue, "queue", "", "only people's votes in this queue")
	fs.BoolVar(&only.people, "people", false, "only people's votes")
	fs.BoolVar(&only.judges, "judges", false, "only judges' votes")
	fs.StringVar(&f.dataset, "dataset", "", "only votes on this dataset")
	return cmd
}
