package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"

	"concord/annotate"
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

// rowSummary is what an import of labels, judgments or criteria did.
type rowSummary struct {
	Queue     annotate.QueueName `json:"queue,omitempty"`
	Dataset   eval.DatasetName   `json:"dataset,omitempty"`
	Read      int                `json:"read"`
	Added     int                `json:"added"`
	Revised   int                `json:"revised,omitempty"` // took the place of another
	Unchanged int                `json:"unchanged"`
	Skipped   int                `json:"skipped"`
	Warnings  int                `json:"warnings,omitempty"`
	Problems  []dataset.Problem  `json:"problems"`
}

func printRowsImported(a *app, s rowSummary) error {
	if a.json {
		return a.writeJSON(s)
	}
	warnings := ""
	if s.Warnings > 0 {
		warnings = fmt.Sprintf(", %d warnings", s.Warnings)
	}
	revised := ""
	if s.Revised > 0 {
		revised = fmt.Sprintf(", revised %d", s.Revised)
	}
	_, err := fmt.Fprintf(a.out, "read %d, skipped %d, added %d%s, unchanged %d%s\n", s.Read, s.Skipped, s.Added, revised, s.Unchanged, warnings)
	return err
}

// rows counts the rows of a file and reports those that are left out.
type rows struct {
	sum  rowSummary
	path string
	app  *app
}

// skip counts a row that cannot be taken. An error that is not about one row
// ends the import.
func (r *rows) skip(line int, err error) error {
	var p *dataset.Problem
	if !errors.As(err, &p) {
		if line == 0 {
			return err
		}
		p = &dataset.Problem{File: filepath.Base(r.path), Line: line, Reason: err.Error()}
	}
	r.sum.Skipped++
	if len(r.sum.Problems) < 100 {
		r.sum.Problems = append(r.sum.Problems, *p)
	}
	r.app.problem(*p)
	return nil
}
