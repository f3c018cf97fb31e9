package exchange

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

// write turns a row that states criteria into the acts that lead there.
func (h *criteriaHand) write() error {
	if t := h.row.Type; t != eval.TypeUnset && t != h.set.QuestionType(h.sample) {
		if err := h.do(criteria.TypeSet, h.author(), func(a *criteria.Act) { a.Type = t }); err != nil {
			return err
		}
	}
	if h.row.Written {
		if err := h.text(); err != nil {
			return err
		}
	}
	if h.row.Assignee != "" && h.set.Assignee == "" {
		if err := h.do(criteria.Assigned, h.author(), func(a *criteria.Act) { a.Assignee = annotate.Annotator(h.row.Assignee) }); err != nil {
			return err
		}
	}
	return h.discard()
}

// text writes the criteria, where the sample has others, and takes new ones as
// far through the review as the row says.
func (h *criteriaHand) text() error {
	cs, err := h.criteria()
	if err != nil {
		return err
	}
	state := criteria.Draft
	if h.row.State != "" {
		if state, err = criteria.ParseState(h.row.State); err != nil {
			return err
		}
	}
	last, written := h.set.Current()
	switch {
	case written && criteria.EqualLists(last.Criteria, cs):
		return nil
	case !written:
		err = h.do(criteria.Drafted, h.author(), func(a *criteria.Act) { a.Criteria = cs })
	default:
		err = h.do(criteria.Revised, h.author(), func(a *criteria.Act) { a.Criteria, a.Reason = cs, h.reason() })
	}
	if err != nil {
		return err
	}
	if err := h.advance(state); err != nil {
		if !errors.Is(err, errNoReviewer) && !errors.Is(err, criteria.ErrOwn) {
			return err
		}
		h.in.warn(h.row.Line, fmt.Sprintf("sample %s is kept as %s, not %s: %s", h.row.Sample, h.set.State, state, errNoReviewer))
	}
	return nil
}

func (h *criteriaHand) reason() string {
	if h.row.Reason != "" {
		return h.row.Reason
	}
	return "imported"
}

// advance takes a set through the review, up to a state.
func (h *criteriaHand) advance(to criteria.State) error {
	if to >= criteria.InReview && h.set.State == criteria.Draft {
		if err := h.do(criteria.Submitted, h.author(), nil); err != nil {
			return err
		}
	}
	switch to {
	case criteria.ChangesRequested:
		return h.review(criteria.RequestedChanges, h.row.Reviewer)
	case criteria.Approved:
		return h.review(criteria.Accepted, h.row.Reviewer)
	case criteria.Checked:
		if err := h.review(criteria.Accepted, h.row.Reviewer); err != nil {
			return err
		}
		return h.review(criteria.Verified, h.row.Verifier)
	case criteria.Unwritten, criteria.Draft, criteria.InReview:
	}
	return nil
}

func (h *criteriaHand) review(kind criteria.Kind, who string) error {
	by := annotate.Annotator(who)
	if by == "" {
		by = h.in.as
	}
	if by == "" {
		return errNoReviewer
	}
	return h.do(kind, by, func(a *criteria.Act) {
		if a.Text = h.row.Request; a.Text == "" && kind == criteria.RequestedChanges {
			a.Text = "requested before the import"
		}
	})
}

func (h *criteriaHand) discard() error {
	if h.row.Discarded != "" && h.set.Removed == nil {
		if err := h.do(criteria.Discarded, h.author(), func(a *criteria.Act) { a.Reason = h.row.Discarded }); err != nil {
			return err
		}
	}
	if err := h.standsIn(); err != nil {
		return err
	}
	if h.row.Replacement != "" && h.set.Removed != nil && h.set.Removed.By == "" {
		return h.do(criteria.Replaced, h.author(), func(a *criteria.Act) { a.Other = eval.SampleID(h.row.Replacement) })
	}
	return nil
}

// standsIn checks the replacement that the row names, if it names any.
func (h *criteriaHand) standsIn() error {
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

// replay takes up one act of a history, as it was done.
func (h *criteriaHand) replay() error {
	kind, err := criteria.ParseKind(h.row.Act)
	if err != nil {
		return err
	}
	cs, err := h.criteria()
	if err == nil {
		err = h.standsIn()
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
	for _, t := range r.Ticks {
		act.Ticks = append(act.Ticks, criteria.Tick{Item: criteria.Item(t.Item), OK: t.OK})
	}
	if n := int(act.N); n >= 1 && n <= len(h.set.History.Acts) {
		if !sameAct(h.set.History.Acts[n-1], act) {
			return fmt.Errorf("act %d is another one here: that one is kept", n)
		}
		return nil
	}
	next, err := h.set.Do(act)
	if err != nil {
		return err
	}
	h.set, h.acts = next, append(h.acts, act)
	return nil
}

// sameAct compares what was done, by whom and when; that one of them came
// from a file makes no difference.
func sameAct(a, b criteria.Act) bool {
	if a.At.UnixMilli() != b.At.UnixMilli() || !criteria.EqualLists(a.Criteria, b.Criteria) || !slices.Equal(a.Ticks, b.Ticks) {
		return false
	}
	a.At, a.Criteria, a.Ticks, a.Imported = b.At, b.Criteria, b.Ticks, b.Imported
	return reflect.DeepEqual(a, b)
}
