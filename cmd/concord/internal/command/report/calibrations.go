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

func newCalibrationsCmd(a *project.Project) *cobra.Command {
	var queue, format string
	cmd := &cobra.Command{
		Use:   "calibrations [--queue NAME]",
		Short: "Saved alignment reports over time, with what made each change, and stale ones",
		Long: `Prints what report alignment --save kept, for each queue and extractor in the
order of time: the figures as they were, the change since the report before and
what changed in between, and whether a figure would come out otherwise today.`,
		Args: cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.CheckFormat(&format, a.JSON); err != nil {
				return err
			}
			return a.Read(cmd.Context(), func(st *store.Store) error {
				r, err := alignment.Calibrations(cmd.Context(), facts.Source{Store: st}, alignment.CalibrationOptions{Queue: annotate.QueueName(queue)})
				if err != nil {
					return err
				}
				return a.Render(r, format)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&queue, "queue", "", "only this queue")
	fs.StringVar(&format, "format", "table", "table, json, csv, markdown, latex or html")
	return cmd
}
