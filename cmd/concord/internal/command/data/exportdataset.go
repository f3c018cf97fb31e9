package data

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset/tablefile"
	"concord/store"
)

func newExportDatasetCmd(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	var public, curated bool
	var c curating.Flags
	cmd := &cobra.Command{
		Use:   "dataset NAME",
		Short: "A dataset with its images, as a benchmark's file",
		Long:  cli.Help("exportdataset"),
		Args:  cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.Only, c.Dataset = args[0], args[0]
			if err := c.Check(cmd); err != nil {
				return err
			}
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				parts := exchange.DatasetParts{Public: public, Curated: curated}
				if curated {
					var err error
					if parts.Panel, err = curating.NewSettings(a, c).Panel(eval.DatasetName(f.Only)); err != nil {
						return nil, err
					}
				}
				return exchange.WriteDataset(ctx, st, w, &f, parts)
			})
		},
	}
	f.Add(cmd)
	cmd.Flags().BoolVar(&curated, "curated", false, "only the samples that experts have accepted, where they place them")
	c.AddExperts(cmd, ", with --curated")
	cmd.Flags().BoolVar(&public, "public", false, "leave out answers, reference answers, criteria and discarded samples")
	if flag := cmd.Flags().Lookup("format"); flag != nil {
		flag.DefValue, f.Format = tablefile.TSV, tablefile.TSV
	}
	return cmd
}
