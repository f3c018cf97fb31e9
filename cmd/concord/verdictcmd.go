package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/eval"
	"concord/store"
)

func newImportCurationCmd(a *app) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "curation FILE --dataset NAME",
		Short: "Import what experts say of samples: verdicts, axes, rulings",
		Long: `Imports JSON lines {"sample", "annotator", "verdict", "axis"?, "note"?, "at"?,
"act"?}, or the same as CSV, TSV or xlsx. A verdict is needs_image, answerable,
in_question, wrong or duplicate; an axis is a list or a path, as in
"perception / coarse"; act is verdict or, of an adjudicator, ruling. What an
expert says already is left as it is.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := readable(args[0]); err != nil {
				return err
			}
			return a.writeExisting(cmd.Context(), func(st *store.Store) error {
				in := verdictImport{rows: newRows(a, eval.DatasetName(name), args[0]), st: st, experts: make(map[annotate.Annotator]*expertSoFar)}
				if _, err := st.Datasets().Dataset(in.sum.Dataset); err != nil {
					return err
				}
				if err := in.run(cmd.Context()); err != nil {
					return fmt.Errorf("import curation: %w", err)
				}
				return printRowsImported(a, in.sum)
			})
		},
	}
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset that is curated (required)")
	a.require(cmd, "dataset")
	return cmd
}

func newExportCurationCmd(a *app) *cobra.Command {
	var f exportFlags
	var c curateFlags
	cmd := &cobra.Command{
		Use:   "curation",
		Short: "What every expert says of each sample, with what it comes to",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.check(cmd); err != nil {
				return err
			}
			return runExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				name, err := c.name(st)
				if err != nil {
					return nil, err
				}
				p, err := newCurating(a, c).panel(name)
				if err != nil {
					return nil, err
				}
				return writeVerdicts(ctx, st, w, f.format, name, p)
			})
		},
	}
	f.add(cmd)
	c.add(cmd)
	return cmd
}
