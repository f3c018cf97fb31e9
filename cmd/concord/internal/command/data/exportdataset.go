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
		Long: `Writes a dataset as benchmarks publish theirs: one row for each question, with
the image as base64 (the rotations of CircularEval follow from the questions),
or as bytes in parquet. A workbook has large images over several cells, since
Excel cuts one. concord import dataset reads every format back as it was.
Types of questions are those that people set, where they did.

With --public, nothing goes out that tells a good answer: no ground truth, no
reference answer, no criteria. Samples that were discarded stay out, too.

With --curated, only samples go out that experts have accepted (see: concord
curate), each with the capability and axis where they place it.`,
		Args: cli.UsageArgs(cobra.ExactArgs(1)),
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
