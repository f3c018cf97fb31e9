package main

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"concord/eval"
	"concord/eval/dataset"
)

func newRows(a *app, name eval.DatasetName, path string) *rows {
	return &rows{sum: rowSummary{Dataset: name, Problems: []dataset.Problem{}}, path: path, app: a}
}

// factBatch is how many facts a transaction of an import holds.
const factBatch = 5000

// importFacts makes facts of a file's rows and puts them. What cannot be a fact
// is reported with its line.
func importFacts[R, F any](ctx context.Context, in *rows, all iter.Seq2[R, error],
	fact func(R) (F, int, error), put func(context.Context, []F) (int, error),
) error {
	var batch []F
	for row, err := range all {
		var f F
		line := 0
		if err == nil {
			f, line, err = fact(row)
		}
		if err != nil {
			if err := in.skip(line, err); err != nil {
				return err
			}
			continue
		}
		in.sum.Read++
		batch = append(batch, f)
	}
	for part := range slices.Chunk(batch, factBatch) {
		added, err := put(ctx, part)
		if err != nil {
			return err
		}
		in.sum.Added += added
		in.sum.Unchanged += len(part) - added
	}
	return nil
}

// once are the lines that took what a file may say once.
type once[K comparable] map[K]int

func (o once[K]) take(k K, line int, what string, args ...any) error {
	if first, ok := o[k]; ok {
		return fmt.Errorf("line %d gives %s already", first, fmt.Sprintf(what, args...))
	}
	o[k] = line
	return nil
}
