package data

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

func newImportCurationCmd(a *project.Project) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "curation FILE --dataset NAME",
		Short: "Import what experts say of samples: verdicts, axes, adjudications",
		Long:  cli.Help("curation"),
		Args:  cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckReadable(args[0]); err != nil {
				return err
			}
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error {
				in := exchange.VerdictImport{Rows: exchange.NewRows(a, eval.DatasetName(name), args[0]), Store: st, Experts: make(map[annotate.Annotator]*exchange.ExpertSoFar)}
				if _, err := st.Datasets().Dataset(in.Sum.Dataset); err != nil {
					return err
				}
				if err := in.Run(cmd.Context()); err != nil {
					return fmt.Errorf("import curation: %w", err)
				}
				return exchange.PrintRowsImported(a, in.Sum)
			})
		},
	}
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset that is curated (required)")
	a.Require(cmd, "dataset")
	return cmd
}

func newExportCurationCmd(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	var c curating.Flags
	cmd := &cobra.Command{
		Use:   "curation",
		Short: "What every expert says of each sample, with what it comes to",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.Check(cmd); err != nil {
				return err
			}
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				name, err := c.Name(st)
				if err != nil {
					return nil, err
				}
				p, err := curating.NewSettings(a, c).Panel(name)
				if err != nil {
					return nil, err
				}
				return exchange.WriteVerdicts(ctx, st, w, f.Format, name, p)
			})
		},
	}
	f.Add(cmd)
	c.Add(cmd)
	return cmd
}
