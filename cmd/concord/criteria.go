package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
)

func newImportCriteriaCmd(a *app) *cobra.Command {
	var name, as string
	cmd := &cobra.Command{
		Use:   "criteria FILE --dataset NAME",
		Short: "Import what good answers must do, sample by sample",
		Long: `Imports JSON lines {"sample", "criteria": [{"type", "text"}] or a numbered text,
"question_type"?, "author"?, "state"?, "reason"?}, the same as CSV, TSV or xlsx,
MLLM-Bench's files of votes (their field criteria), and what export criteria
writes, with --history act by act.

Criteria that the project has already are left as they are; others become a
revision of them. Who wrote them is the row's author, else --as, else "import".
A state beyond the review needs a reviewer who is not the author: the row's, or
--as. Without one the criteria are kept in review.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := readable(args[0]); err != nil {
				return err
			}
			return a.writeExisting(cmd.Context(), func(st *store.Store) error {
				in, err := newCriteriaImport(st, eval.DatasetName(name), args[0], annotate.Annotator(as), a)
				if err != nil {
					return err
				}
				if err := in.run(cmd.Context()); err != nil {
					return fmt.Errorf("import criteria: %w", err)
				}
				return printRowsImported(a, in.sum)
			})
		},
	}
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset that the criteria are of (required)")
	cmd.Flags().StringVar(&as, "as", "", "your `name`: who wrote what the file names no author of, and reviewed what it names no reviewer of")
	a.require(cmd, "dataset")
	return cmd
}

// criteriaImporter is who wrote criteria that nobody is named for.
const criteriaImporter annotate.Annotator = "import"

// criteriaBatch is how many acts a transaction of an import holds.
const criteriaBatch = 2000

// criteriaImport turns rows of a file into acts.
type criteriaImport struct {
	rows
	st    *store.Store
	name  eval.DatasetName
	as    annotate.Annotator
	sets  map[eval.Ordinal]criteria.Set
	batch []criteria.Act
}

func newCriteriaImport(st *store.Store, name eval.DatasetName, path string, as annotate.Annotator, a *app) (*criteriaImport, error) {
	if _, err := st.Datasets().Dataset(name); err != nil {
		return nil, err
	}
	in := &criteriaImport{st: st, name: name, as: as, sets: make(map[eval.Ordinal]criteria.Set)}
	in.rows = rows{sum: rowSummary{Dataset: name, Problems: []dataset.Problem{}}, path: path, app: a}
	return in, nil
}

func (in *criteriaImport) run(ctx context.Context) error {
	for row, err := range dataset.ReadCriteria(in.path) {
		if err == nil {
			err = in.take(&row)
		}
		if err != nil {
			if err := in.skip(row.Line, err); err != nil {
				return err
			}
		}
		if len(in.batch) >= criteriaBatch {
			if err := in.commit(ctx); err != nil {
				return err
			}
		}
	}
	return in.commit(ctx)
}

func (in *criteriaImport) commit(ctx context.Context) error {
	if len(in.batch) == 0 {
		return nil
	}
	err := in.st.Criteria().Append(ctx, in.batch...)
	in.batch = in.batch[:0]
	return err
}

// take turns one row into acts, all or none of them.
func (in *criteriaImport) take(row *dataset.CriteriaRow) error {
	if row.Dataset != "" && row.Dataset != string(in.name) {
		return fmt.Errorf("the row is of dataset %s", row.Dataset)
	}
	s, err := in.st.Datasets().SampleByID(in.name, row.Sample)
	if err != nil {
		return err
	}
	set, known := in.sets[s.Ordinal]
	if !known {
		if set, err = in.st.Criteria().Set(in.name, s.Ordinal); err != nil {
			return err
		}
	}
	h := criteriaHand{set: set, sample: &s, row: row, in: in}
	if row.Act != "" {
		err = h.replay()
	} else {
		err = h.write()
	}
	if err != nil {
		return fmt.Errorf("sample %s: %w", row.Sample, err)
	}
	in.sum.Read++
	in.sets[s.Ordinal] = h.set
	if len(h.acts) == 0 {
		in.sum.Unchanged++
		return nil
	}
	in.sum.Added++
	in.batch = append(in.batch, h.acts...)
	for _, w := range criteria.Warn(h.set.Criteria()) {
		if row.Written && w != criteria.UntypedText { // files rarely name the types
			in.warn(row.Line, fmt.Sprintf("sample %s: %s: the criteria are kept", row.Sample, describeWarning(w, len(h.set.Criteria()))))
		}
	}
	return nil
}

func describeWarning(w criteria.Warning, n int) string {
	if w == criteria.NoCriteria {
		return "no criteria"
	}
	return fmt.Sprintf("%d criteria, more than %d", n, criteria.Most)
}

// warn reports a row that was kept.
func (in *criteriaImport) warn(line int, reason string) {
	p := dataset.Problem{File: filepath.Base(in.path), Line: line, Reason: reason, Warning: true}
	in.sum.Warnings++
	if len(in.sum.Problems) < 100 {
		in.sum.Problems = append(in.sum.Problems, p)
	}
	in.app.problem(p)
}

// criteriaHand makes the acts of one row.
type criteriaHand struct {
	in     *criteriaImport
	set    criteria.Set
	sample *eval.Sample
	row    *dataset.CriteriaRow
	acts   []criteria.Act
}

// do does one act as somebody, with what more adds to it.
func (h *criteriaHand) do(kind criteria.Kind, who annotate.Annotator, more func(*criteria.Act)) error {
	at := h.row.At
	if at.IsZero() {
		at = h.in.app.now()
	}
	act := h.set.New(kind, who, at)
	act.Imported = true
	if more != nil {
		more(&act)
	}
	next, err := h.set.Do(act)
	if err != nil {
		return err
	}
	h.set, h.acts = next, append(h.acts, act)
	return nil
}

func (h *criteriaHand) author() annotate.Annotator {
	switch {
	case h.row.Author != "":
		return annotate.Annotator(h.row.Author)
	case h.in.as != "":
		return h.in.as
	}
	return criteriaImporter
}

// criteria are those of the row, whichever way it states them.
func (h *criteriaHand) criteria() ([]criteria.Criterion, error) {
	if h.row.List == nil {
		return criteria.Parse(h.row.Text), nil
	}
	out := make([]criteria.Criterion, 0, len(h.row.List))
	for i, c := range h.row.List {
		t, err := criteria.ParseType(c.Type)
		if err != nil {
			return nil, fmt.Errorf("criterion %d: %w", i+1, err)
		}
		out = append(out, criteria.Criterion{Type: t, Text: c.Text})
	}
	return out, nil
}

// errNoReviewer says why a state of the file is not reached.
var errNoReviewer = errors.New("it needs a reviewer who is not the author: name one in the row, or with --as")
