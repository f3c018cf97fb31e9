package main

import (
	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/report"
	"concord/store"
)

func newCalibrationsCmd(a *app) *cobra.Command {
	var queue, format string
	cmd := &cobra.Command{
		Use:   "calibrations [--queue NAME]",
		Short: "Saved alignment reports over time, with what made each change, and stale ones",
		Long: `Prints what report alignment --save kept, for each queue and extractor in the
order of time: the figures as they were, the change since the report before and
what changed in between, and whether a figure would come out otherwise today.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := formatOf(&format, a.json); err != nil {
				return err
			}
			return a.read(cmd.Context(), func(st *store.Store) error {
				r, err := report.Calibrations(cmd.Context(), facts{st}, report.CalibrationOptions{Queue: annotate.QueueName(queue)})
				if err != nil {
					return err
				}
				return a.render(r, format)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&queue, "queue", "", "only this queue")
	fs.StringVar(&format, "format", "table", "table, json, csv, markdown, latex or html")
	return cmd
}
