package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
)

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

func writeMeasures(ctx context.Context, st *store.Store, w io.Writer, format string, revisions bool) ([]string, error) {
	t, err := dataset.NewTable(w, format, []string{"benchmark", "model", "metric", "value", "source", "n", "revision", "file", "at"})
	if err != nil {
		return nil, asUsage(err)
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
