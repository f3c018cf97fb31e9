package exchange

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/dataset/rowfile"
	"concord/eval/dataset/tablefile"
	"concord/store"
)

// ImportMeasures takes a file of scores that were made elsewhere.
func ImportMeasures(ctx context.Context, a *project.Project, st *store.Store, path string) error {
	in, at, taken := NewRows(a, "", path), a.Now(), Once[[3]string]{}
	fact := func(r rowfile.MeasureRow) (eval.Measure, int, error) {
		r.File, r.At = filepath.Base(path), at
		return r.Measure, r.Line, taken.Take([3]string{r.Benchmark, r.Model, r.Metric}, r.Line, "%s of %s on %s", r.Metric, r.Model, r.Benchmark)
	}
	err := ImportFacts(ctx, in, rowfile.ReadMeasures(path), fact, func(ctx context.Context, all []eval.Measure) (int, error) {
		added, revised, err := st.Measures().Put(ctx, all)
		in.Sum.Revised += len(revised)
		in.Sum.Added -= len(revised) // they are counted apart
		for _, r := range revised {
			printRevised(a, r)
		}
		return added, err
	})
	if err != nil {
		return fmt.Errorf("import scores: %w", err)
	}
	if err := PrintRowsImported(a, in.Sum); err != nil || in.Sum.Read > 0 || in.Sum.Skipped == 0 {
		return err
	}
	return fmt.Errorf("import scores: no row of %s can be taken", filepath.Base(path))
}

// printRevised says which figure took another one's place.
func printRevised(a *project.Project, r store.Revised) {
	_, _ = fmt.Fprintf(a.Err, "%s of %s on %s: %s takes the place of %s\n", cli.Visible(r.To.Metric), cli.Visible(r.To.Model), cli.Visible(r.To.Benchmark),
		cli.Visible(measured(&r.To)), cli.Visible(measured(&r.From)))
}

func measured(m *eval.Measure) string {
	out := strconv.FormatFloat(m.Value, 'g', -1, 64)
	if m.N > 0 {
		out += " of " + cli.Count(m.N, "item")
	}
	return out + " (" + m.Source + ")"
}

// WriteMeasures writes such scores, with their revisions if asked for.
func WriteMeasures(ctx context.Context, st *store.Store, w io.Writer, format string, revisions bool) ([]string, error) {
	all := st.Measures().Standing(ctx)
	if revisions {
		all = st.Measures().All(ctx)
	}
	columns := []string{"benchmark", "model", "metric", "value", "source", "n", "revision", "file", "at"}
	return WriteTable(w, format, columns, func(t *tablefile.Table) error {
		for m, err := range all {
			if err == nil { // a number of 0 is not told
				err = t.Write([]any{m.Benchmark, m.Model, m.Metric, m.Value, m.Source, versionCell(m.N), m.Revision, m.File, export.Timestamp(m.At)})
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
