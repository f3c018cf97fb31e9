package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/dataset/rowfile"
	"concord/store"
)

// criteriaImporter is who wrote criteria that nobody is named for.
const criteriaImporter annotate.Annotator = "import"

// criteriaRowImporter turns rows of a file into acts.
type criteriaRowImporter struct {
	*RowCounter
	st    *store.Store
	name  eval.DatasetName
	as    annotate.Annotator
	sets  map[eval.Ordinal]criteria.Set
	paths map[eval.SampleID]map[string][]string // of leaves of trees, by sample and name; nil: as the rows say
	batch []criteria.Act
}

// NewCriteriaImport begins an import of criteria into a dataset.
func NewCriteriaImport(st *store.Store, rows *RowCounter, as annotate.Annotator) *criteriaRowImporter {
	return &criteriaRowImporter{RowCounter: rows, st: st, name: rows.Sum.Dataset, as: as, sets: make(map[eval.Ordinal]criteria.Set)}
}

func (in *criteriaRowImporter) Run(ctx context.Context) error {
	if err := EachRow(in.RowCounter, rowfile.ReadCriteria(in.Path), func(r *rowfile.CriteriaRow) int { return r.Line }, in.importRow); err != nil {
		return err
	}
	return StoreInParts(ctx, in.batch, func(ctx context.Context, part []criteria.Act) error { return in.st.Criteria().Append(ctx, part...) })
}

// importRow turns one row into acts, all or none of them.
func (in *criteriaRowImporter) importRow(row *rowfile.CriteriaRow) error {
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
	h := criteriaRowActs{set: set, sample: &s, row: row, in: in}
	if err = eval.Either(row.Act != "", h.replayAct, h.importCriteria)(); err != nil {
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
	for _, w := range criteria.FindWarnings(h.set.Criteria()) {
		if row.Written && w != criteria.UntypedText { // files rarely name the types
			why := fmt.Sprintf("%d criteria, more than %d", len(h.set.Criteria()), criteria.Most)
			why = eval.Either(w == criteria.NoCriteria, "the list of criteria is empty, so that its responses get no score", why)
			in.reportWarning(row.Line, fmt.Sprintf("sample %s: %s: the criteria are kept", row.Sample, why))
		}
	}
	return nil
}

func (in *criteriaRowImporter) reportWarning(line int, reason string) {
	in.Sum.Warnings++
	in.reportProblem(dataset.Problem{File: filepath.Base(in.Path), Line: line, Reason: reason, Warning: true})
}

type criteriaRowActs struct {
	in     *criteriaRowImporter
	set    criteria.Set
	sample *eval.Sample
	row    *rowfile.CriteriaRow
	acts   []criteria.Act
}

func (h *criteriaRowActs) addAct(kind criteria.Kind, who annotate.Annotator, more func(*criteria.Act)) error {
	act := h.set.NewAct(kind, who, h.in.TimeOrNow(h.row.At))
	act.Imported = true
	if more != nil {
		more(&act)
	}
	return h.addAllowedAct(act)
}

// addAllowedAct has an act follow the others, if the criteria allow it as they stand.
func (h *criteriaRowActs) addAllowedAct(act criteria.Act) error {
	next, err := h.set.WithAct(act)
	if err != nil {
		return err
	}
	h.set, h.acts = next, append(h.acts, act)
	return nil
}

func (h *criteriaRowActs) chooseAuthor() annotate.Annotator {
	return cmp.Or(annotate.Annotator(h.row.Author), h.in.as, criteriaImporter)
}

// criteriaOfRow reads those of the row, whichever way it states them.
func (h *criteriaRowActs) criteriaOfRow() ([]criteria.Criterion, error) {
	if h.row.List == nil {
		return criteria.ParseText(h.row.Text), nil
	}
	out, err := criteriaOfCells(h.row.List)
	for i := range out {
		if path := h.in.paths[h.row.Sample][out[i].ID]; path != nil {
			out[i].Path = path
		}
	}
	return out, err
}

// criteriaOfCells are the criteria of a list, or the leaves of a tree. Of rubrics,
// whose criteria have names or weights, a type may be any.
func criteriaOfCells(cells []rowfile.CriterionCell) ([]criteria.Criterion, error) {
	nodes := make([]criteria.TreeNode, len(cells))
	for i, c := range cells {
		one := criteria.Criterion{Text: c.Text, ID: string(c.ID), Tags: c.Tags, Path: c.Path, Credit: c.Partial}
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
		nodes[i] = criteria.TreeNode{Criterion: one, Parent: string(c.Parent)}
	}
	return criteria.FlattenTree(nodes)
}

// errNoReviewer says why a state of the file is not reached.
var errNoReviewer = errors.New("it needs a reviewer who is not the author: name one in the row, or with --as")

// importCriteria turns a row that states criteria into the acts that lead there.
func (h *criteriaRowActs) importCriteria() error {
	if t := h.row.Type; t != eval.TypeUnset && t != h.set.QuestionType(h.sample) {
		if err := h.addAct(criteria.TypeSet, h.chooseAuthor(), func(a *criteria.Act) { a.Type = t }); err != nil {
			return err
		}
	}
	if h.row.Written {
		if err := h.writeNewCriteria(); err != nil {
			return err
		}
	}
	if h.row.Assignee != "" && h.set.Assignee == "" {
		if err := h.addAct(criteria.Assigned, h.chooseAuthor(), func(a *criteria.Act) { a.Assignee = annotate.Annotator(h.row.Assignee) }); err != nil {
			return err
		}
	}
	return h.addDiscardActs()
}

// writeNewCriteria writes the criteria, where the sample has others, and takes new ones as
// far through the review as the row says.
func (h *criteriaRowActs) writeNewCriteria() error {
	cs, err := h.criteriaOfRow()
	if err != nil {
		return err
	}
	state := criteria.Draft
	if h.row.State != "" {
		if state, err = criteria.ParseState(h.row.State); err != nil {
			return err
		}
	}
	last, written := h.set.CurrentRevision()
	switch {
	case written && criteria.EqualLists(last.Criteria, cs):
		return nil
	case !written:
		err = h.addAct(criteria.Drafted, h.chooseAuthor(), func(a *criteria.Act) { a.Criteria = cs })
	default:
		err = h.addAct(criteria.Revised, h.chooseAuthor(), func(a *criteria.Act) { a.Criteria, a.Reason = cs, cmp.Or(h.row.Reason, "imported") })
	}
	if err != nil {
		return err
	}
	if err := h.addActsUpToState(state); err != nil {
		if !errors.Is(err, errNoReviewer) && !errors.Is(err, criteria.ErrOwn) {
			return err
		}
		h.in.reportWarning(h.row.Line, fmt.Sprintf("sample %s is kept as %s, not %s: %s", h.row.Sample, h.set.State, state, errNoReviewer))
	}
	return nil
}

// addActsUpToState takes a set through the review, up to a state.
func (h *criteriaRowActs) addActsUpToState(to criteria.State) error {
	if to >= criteria.InReview && h.set.State == criteria.Draft {
		if err := h.addAct(criteria.Submitted, h.chooseAuthor(), nil); err != nil {
			return err
		}
	}
	switch to {
	case criteria.ChangesRequested:
		return h.addReview(criteria.RequestedChanges, h.row.Reviewer)
	case criteria.Approved:
		return h.addReview(criteria.Accepted, h.row.Reviewer)
	case criteria.Checked:
		if err := h.addReview(criteria.Accepted, h.row.Reviewer); err != nil {
			return err
		}
		return h.addReview(criteria.Verified, h.row.Verifier)
	case criteria.Unwritten, criteria.Draft, criteria.InReview:
	}
	return nil
}

func (h *criteriaRowActs) addReview(kind criteria.Kind, who string) error {
	by := cmp.Or(annotate.Annotator(who), h.in.as)
	if by == "" {
		return errNoReviewer
	}
	return h.addAct(kind, by, func(a *criteria.Act) {
		if a.Text = h.row.Request; a.Text == "" && kind == criteria.RequestedChanges {
			a.Text = "requested before the import"
		}
	})
}

func (h *criteriaRowActs) addDiscardActs() error {
	if h.row.Discarded != "" && h.set.Removed == nil {
		if err := h.addAct(criteria.Discarded, h.chooseAuthor(), func(a *criteria.Act) { a.Reason = h.row.Discarded }); err != nil {
			return err
		}
	}
	if err := h.checkReplacement(); err != nil {
		return err
	}
	if h.row.Replacement != "" && h.set.Removed != nil && h.set.Removed.By == "" {
		return h.addAct(criteria.Replaced, h.chooseAuthor(), func(a *criteria.Act) { a.Other = eval.SampleID(h.row.Replacement) })
	}
	return nil
}

// checkReplacement checks the replacement that the row names, if it names any.
func (h *criteriaRowActs) checkReplacement() error {
	id := eval.SampleID(h.row.Replacement)
	if id == "" {
		return nil
	}
	if id == h.sample.ID {
		return errors.New("a sample cannot stand in for itself")
	}
	_, err := h.in.st.Datasets().SampleByID(h.in.name, id)
	return err
}

// replayAct takes up one act of a history, as it was done.
func (h *criteriaRowActs) replayAct() error {
	kind, err := criteria.ParseKind(h.row.Act)
	if err != nil {
		return err
	}
	cs, err := h.criteriaOfRow()
	if err == nil {
		err = h.checkReplacement()
	}
	if err != nil {
		return err
	}
	r := h.row
	act := criteria.Act{
		Dataset: h.set.Dataset, Sample: h.set.Sample, N: r.N, Kind: kind, Who: annotate.Annotator(r.Author), Round: r.Round,
		Criteria: cs, Type: r.Type, Reason: r.Reason, Text: r.Comment, Assignee: annotate.Annotator(r.Assignee),
		Other: eval.SampleID(r.Replacement), Target: r.Target, Imported: true, At: r.At,
	}
	act.Ticks = eval.Map(r.Ticks, func(t rowfile.TickCell) criteria.Tick {
		return criteria.Tick{Item: criteria.ChecklistItem(t.Item), OK: t.OK}
	})
	if n := int(act.N); n >= 1 && n <= len(h.set.History.Acts) {
		if !isSameAct(h.set.History.Acts[n-1], act) {
			return fmt.Errorf("act %d is another one here: that one is kept", n)
		}
		return nil
	}
	return h.addAllowedAct(act)
}

// isSameAct compares what was done, by whom and when; that one of them came from a file makes no difference.
func isSameAct(a, b criteria.Act) bool {
	if a.At.UnixMilli() != b.At.UnixMilli() || !criteria.EqualLists(a.Criteria, b.Criteria) || !slices.Equal(a.Ticks, b.Ticks) {
		return false
	}
	a.At, a.Criteria, a.Ticks, a.Imported = b.At, b.Criteria, b.Ticks, b.Imported
	return reflect.DeepEqual(a, b)
}
