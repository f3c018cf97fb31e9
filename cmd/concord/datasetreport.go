package main

import (
	"github.com/spf13/cobra"

	"concord/annotate/report/quality"
	"concord/eval"
	"concord/store"
)

func newDatasetReportCmd(a *app) *cobra.Command {
	var format, name string
	var o quality.DatasetOptions
	cmd := &cobra.Command{
		Use:   "dataset",
		Short: "What the datasets hold: samples per level, type and kind, pictures, frequent instructions",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := formatOf(&format, a.json); err != nil {
				return err
			}
			return a.read(cmd.Context(), func(st *store.Store) error {
				m := a.meter("reading samples")
				o.Dataset, o.Progress = eval.DatasetName(name), m.items
				r, err := quality.Datasets(cmd.Context(), criteriaFacts{st}, o)
				m.done()
				if err != nil {
					return err
				}
				return a.render(r, format)
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
