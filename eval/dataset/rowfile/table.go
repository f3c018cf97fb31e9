package rowfile

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"concord/eval/dataset/problem"
	"concord/eval/dataset/profile"
)

// readTable reads a file of any table format, row by row.
func readTable[T any](path string, needed []string, parse func(columns) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		src, err := profile.Open(path, "", nil)
		if err != nil {
			yield(none, err)
			return
		}
		readRows(src, needed, parse)(yield)
	}
}

// readRows reads a source, row by row.
func readRows[T any](src *profile.Source, needed []string, parse func(columns) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for r, err := range src.Rows(context.Background()) {
			var out T
			if err == nil && len(r.Head.Twice) > 0 {
				yield(out, fmt.Errorf("read %s: there are two columns %.60q: rename or remove one of them", filepath.Base(src.File.Path), r.Head.Twice[0]))
				return
			}
			if err == nil {
				if out, err = parse(columns{&r}); err != nil {
					err = problem.At(src.File.Path, r.Line, "%s", err)
				}
				if n := missingColumn(r.Head.Names, needed); n != "" && src.IsTable() {
					var none T
					yield(none, fmt.Errorf("read %s: there is no column %s", filepath.Base(src.File.Path), n))
					return
				}
			}
			if !yield(out, err) {
				return
			}
		}
	}
}

// missingColumn names the first needed column that is not there; "a|b" needs
// one of the two.
func missingColumn(names, needed []string) string {
	for _, n := range needed {
		either := strings.Split(n, "|")
		if !slices.ContainsFunc(either, func(one string) bool { return slices.Contains(names, one) }) {
			return strings.Join(either, " or ")
		}
	}
	return ""
}

// columns gives a row's cells by the names of its columns.
type columns struct{ *profile.Row }
