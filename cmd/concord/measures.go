package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
)

func newImportMeasuresCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "scores FILE",
		Short: "Import models' scores on benchmarks, measured elsewhere",
		Long: `Imports JSON lines, CSV, TSV or xlsx with the columns benchmark, model, metric,
value (accuracies in percent), source and, optionally, n: what a paper or a
leaderboard prints. Reports that take such scores mark them as external. Another
value, source or n for the same benchmark, model and metric is kept as a newer
revision, which stands; the same one adds nothing.

Metrics have any name; report gain takes S_v, S_wv and S_t (with the picture,
without it, and of the language base) in the place of runs that are not there.

The scores from 1 to 5 that judges give open answers are another thing: concord
judge scores makes them, export scores writes them.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := readable(args[0]); err != nil {
				return err
			}
			return a.write(cmd.Context(), true, func(st *store.Store) error {
				return importMeasures(cmd.Context(), a, st, args[0])
			})
		},
	}
}

func importMeasures(ctx context.Context, a *app, st *store.Store, path string) error {
	in, at, taken := newRows(a, "", path), a.now(), once[[3]string]{}
	fact := func(r dataset.MeasureRow) (eval.Measure, int, error) {
		r.File, r.At = filepath.Base(path), at
		return r.Measure, r.Line, taken.take([3]string{r.Benchmark, r.Model, r.Metric}, r.Line, "%s of %s on %s", r.Metric, r.Model, r.Benchmark)
	}
	err := importFacts(ctx, in, dataset.ReadMeasures(path), fact, func(ctx context.Context, all []eval.Measure) (int, error) {
		added, revised, err := st.Measures().Put(ctx, all)
		in.sum.Revised += len(revised)
		in.sum.Added -= len(revised) // they are counted apart
		for _, r := range revised {
			printRevised(a, r)
		}
		return added, err
	})
	if err != nil {
		return fmt.Errorf("import scores: %w", err)
	}
	if err := printRowsImported(a, in.sum); err != nil || in.sum.Read > 0 || in.sum.Skipped == 0 {
		return err
	}
	return fmt.Errorf("import scores: no row of %s can be taken", filepath.Base(path))
}

// printRevised says which figure took another one's place.
func printRevised(a *app, r store.Revised) {
	_, _ = fmt.Fprintf(a.err, "%s of %s on %s: %s takes the place of %s\n", visible(r.To.Metric), visible(r.To.Model), visible(r.To.Benchmark),
		visible(measured(&r.To)), visible(measured(&r.From)))
}

func measured(m *eval.Measure) string {
	out := strconv.FormatFloat(m.Value, 'g', -1, 64)
	if m.N > 0 {
		out += " of " + count(m.N, "item")
	}
	return out + " (" + m.Source + ")"
}

func newExportMeasuresCmd(a *app) *cobra.Command {
	var f exportFlags
	var revisions bool
	cmd := &cobra.Command{
		Use:   "measures",
		Short: "Every score measured elsewhere, as import scores reads it",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return writeMeasures(ctx, st, w, f.format, revisions)
			})
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&revisions, "revisions", false, "earlier revisions too, before the one that stands")
	return cmd
}

func writeMeasures(ctx context.Context, st *store.Store, w io.Writer, format string, revisions bool) ([]string, error) {
	t, err := dataset.NewTable(w, format, []string{"benchmark", "model", "metric", "value", "source", "n", "revision", "file", "at"})
	if err != nil {
		return nil, usageError{err}
	}
	all := st.Measures().Standing(ctx)
	if revisions {
		all = st.Measures().All(ctx)
	}
	for m, merr := range all {
		if err = merr; err != nil {
			break
		}
		var n any // not told
		if m.N > 0 {
			n = m.N
		}
		if err = t.Write([]any{m.Benchmark, m.Model, m.Metric, m.Value, m.Source, n, m.Revision, m.File, dataset.Moment(m.At)}); err != nil {
			break
		}
	}
	warnings, cerr := t.Close()
	return warnings, errors.Join(err, cerr)
}
