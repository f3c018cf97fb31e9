package exchange

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/dataset/rowfile"
	"concord/store"
)

// criteriaImporter is who wrote criteria that nobody is named for.
const criteriaImporter annotate.Annotator = "import"

// criteriaBatch is how many acts a transaction of an import holds.
const criteriaBatch = 2000

// criteriaImport turns rows of a file into acts.
type criteriaImport struct {
	Rows
	st    *store.Store
	name  eval.DatasetName
	as    annotate.Annotator
	sets  map[eval.Ordinal]criteria.Set
	paths map[eval.SampleID]map[string][]string // of leaves of trees, by sample and name; nil: as the rows say
	batch []criteria.Act
}

// NewCriteriaImport begins an import of criteria into a dataset.
func NewCriteriaImport(st *store.Store, name eval.DatasetName, path string, as annotate.Annotator, a *project.Project) (*criteriaImport, error) {
	if _, err := st.Datasets().Dataset(name); err != nil {
		return nil, err
	}
	in := &criteriaImport{st: st, name: name, as: as, sets: make(map[eval.Ordinal]criteria.Set)}
	in.Rows = Rows{Sum: RowSummary{Dataset: name, Problems: []dataset.Problem{}}, Path: path, Project: a}
	return in, nil
}

func (in *criteriaImport) Run(ctx context.Context) error {
	for row, err := range rowfile.ReadCriteria(in.Path) {
		if err == nil {
			err = in.take(&row)
		}
		if err != nil {
			if err := in.Skip(row.Line, err); err != nil {
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
func (in *criteriaImport) take(row *rowfile.CriteriaRow) error {
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
	in.Sum.Read++
	in.sets[s.Ordinal] = h.set
	if len(h.acts) == 0 {
		in.Sum.Unchanged++
		return nil
	}
	in.Sum.Added++
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
	p := dataset.Problem{File: filepath.Base(in.Path), Line: line, Reason: reason, Warning: true}
	in.Sum.Warnings++
	if len(in.Sum.Problems) < 100 {
		in.Sum.Problems = append(in.Sum.Problems, p)
	}
	in.Project.Problem(p)
}

// criteriaHand makes the acts of one row.
type criteriaHand struct {
	in     *criteriaImport
	set    criteria.Set
	sample *eval.Sample
	row    *rowfile.CriteriaRow
	acts   []criteria.Act
}

// do does one act as somebody, with what more adds to it.
func (h *criteriaHand) do(kind criteria.Kind, who annotate.Annotator, more func(*criteria.Act)) error {
	act := h.set.New(kind, who, h.in.At(h.row.At))
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
	out, err := flattened(h.row.List)
	for i := range out {
		if path := h.in.paths[h.row.Sample][out[i].ID]; path != nil {
			out[i].Path = path
		}
	}
	return out, err
}

// flattened are the criteria of a list, or the leaves of a tree. Of rubrics,
// whose criteria have names or weights, a type may be any.
func flattened(cells []rowfile.CriterionCell) ([]criteria.Criterion, error) {
	nodes := make([]criteria.Node, len(cells))
	for i, c := range cells {
		one := criteria.Criterion{Text: c.Text, ID: string(c.ID), Tags: c.Tags, Path: c.Path}
		t, err := criteria.ParseType(c.Type)
		switch {
		case err == nil:
			one.Type = t
		case c.ID == "" && c.Weight == nil:
			return nil, fmt.Errorf("criterion %d: %w", i+1, err)
		default:
			one.Class = c.Type
		}
		if c.Weight != nil {
			one.Weighted, one.Weight = true, *c.Weight
		}
		nodes[i] = criteria.Node{Criterion: one, Parent: string(c.Parent)}
	}
	return criteria.Flatten(nodes)
}

// errNoReviewer says why a state of the file is not reached.
var errNoReviewer = errors.New("it needs a reviewer who is not the author: name one in the row, or with --as")
