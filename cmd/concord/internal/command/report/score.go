package report

import (
	"github.com/spf13/cobra"

	"concord/annotate/report"
	"concord/annotate/report/catalogue"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/store"
)

var _ catalogue.Facts = facts.Source{}

// newScoreReportCmd is the report on open answers.
func newScoreReportCmd(a *project.Project) *cobra.Command {
	kind := catalogue.Scores()
	var f reportFlags
	cmd := &cobra.Command{
		Use:   kind.Name,
		Short: kind.Short,
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return reportRuns(cmd.Context(), a, &f, func(st *store.Store) (report.Report, error) {
				return kind.Build(cmd.Context(), f.source(st), f.options())
			})
		},
	}
	f.add(cmd)
	f.clusterFlag(cmd)
	corrects(cmd, &f.opts.Corrected, false)
	cmd.Flags().StringVar(&f.opts.Judge, "judge", "", "only scores of this judge")
	return cmd
}
