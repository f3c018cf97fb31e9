package data

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/store"
)

func newExportVotesCmd(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	var only exchange.Voters
	cmd := &cobra.Command{
		Use:   "votes",
		Short: "Every vote on a pair of answers, of people and of judges",
		Long:  cli.Help("exportvotes"),
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case only.Judges && only.People:
				return cli.Usage(errors.New("--people and --judges leave out each other's votes: leave out one of them"))
			case only.Judges && f.Queue != "":
				return cli.Usage(errors.New("--queue is of people's votes: leave --judges out"))
			}
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return exchange.WriteVotes(ctx, st, w, &f, only)
			})
		},
	}
	f.Add(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.Queue, "queue", "", "only people's votes in this queue")
	fs.BoolVar(&only.People, "people", false, "only people's votes")
	fs.BoolVar(&only.Judges, "judges", false, "only judges' votes")
	fs.StringVar(&f.Dataset, "dataset", "", "only votes on this dataset")
	return cmd
}
