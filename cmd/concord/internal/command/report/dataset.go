package report

import (
	"github.com/spf13/cobra"

	"concord/annotate/report/quality"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

func newDatasetReportCmd(a *project.Project) *cobra.Command {
	var format, name string
	var o quality.DatasetOptions
	cmd := &cobra.Command{
		Use:   "dataset",
		Short: "What the datasets hold: samples per level, type and kind, pictures, frequent instructions",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.CheckFormat(&format, a.JSON); err != nil {
				return err
			}
			return a.Read(cmd.Context(), func(st *store.Store) error {
				m := a.Progress("reading samples")
				o.Dataset, o.Progress = eval.DatasetName(name), m.Items
				r, err := quality.Datasets(cmd.Context(), criteriaFacts{st}, o)
				m.Done()
				if err != nil {
					return err
				}
				return a.Render(r, format)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&name, "dataset", "", "only this dataset")
	fs.IntVar(&o.Words, "words", 2, "how many words of a question are its instruction")
	fs.IntVar(&o.Top, "top", 20, "how many instructions are listed")
	fs.StringVar(&format, "format", "table", "table, json, csv, markdown, latex or html")
	return cmd
}
