package exchange

import (
	"context"
	"fmt"
	"io"
	"strings"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/dataset/rowfile"
	"concord/eval/dataset/tablefile"
	"concord/store"
)

// The columns begin with those that import criteria reads.
var (
	criteriaColumns = []string{
		"sample", "criteria", "question_type", "state", "author", "reviewer", "verifier", "request", "reason", "at",
		"assignee", "discarded", "replacement", "dataset", "taxonomy", "revision", "round", "sha256", "warnings",
	}
	criteriaActColumns = []string{
		"sample", "n", "act", "who", "at", "round", "criteria", "question_type", "reason", "text", "ticks",
		"assignee", "other", "target", "imported", "dataset", "taken_back",
	}
)

// WriteCriteria writes the criteria of a dataset, or every act on them.
func WriteCriteria(ctx context.Context, st *store.Store, w io.Writer, f *ExportFlags, history bool) ([]string, error) {
	header, write := criteriaColumns, criteriaRow
	if history {
		header, write = criteriaActColumns, criteriaActs
	}
	return WriteTable(w, f.Format, header, func(t *tablefile.Table) error {
		all, err := st.Datasets().List()
		for _, d := range all {
			if err != nil || f.Only != "" && f.Only != string(d.Name) {
				continue
			}
			err = eachCriteria(ctx, st, d.Name, func(s *eval.Sample, set *criteria.Set) error { return write(t, s, set) })
		}
		return err
	})
}

// eachCriteria walks the samples of a dataset that anybody has acted on.
func eachCriteria(ctx context.Context, st *store.Store, d eval.DatasetName, do func(*eval.Sample, *criteria.Set) error) error {
	for set, err := range st.Criteria().All(ctx, d) {
		var s eval.Sample
		if err == nil {
			s, err = st.Datasets().Sample(d, set.Sample)
		}
		if err == nil {
			err = do(&s, &set)
		}
		if err != nil {
			return fmt.Errorf("export criteria of dataset %s: %w", d, err)
		}
	}
	return nil
}

func criteriaRow(t *tablefile.Table, s *eval.Sample, set *criteria.Set) error {
	r, written := set.Current()
	var cells, request, at, state any
	if written {
		cells, at, state = criterionCells(r.Criteria), export.Timestamp(r.At), set.State.String()
	}
	if n := len(set.Requests); n > 0 {
		request = set.Requests[n-1].Text
	}
	reviewer := string(set.Reviewer)
	if n := len(set.Requests); n > 0 {
		reviewer = string(set.Requests[n-1].Who)
	}
	var discarded, replacement string
	if set.Removed != nil {
		discarded, replacement = set.Removed.Reason, string(set.Removed.By)
	}
	var warnings []string
	for _, w := range set.Warnings(s) {
		warnings = append(warnings, w.String())
	}
	return t.Write([]any{
		string(s.ID), cells, set.QuestionType(s).String(), state, string(r.Who), reviewer, string(set.Verifier), request,
		r.Reason, at, string(set.Assignee), discarded, replacement, string(set.Dataset), s.Taxonomy, r.Number, set.Round, r.Hash,
		strings.Join(warnings, " "),
	})
}

func criteriaActs(t *tablefile.Table, s *eval.Sample, set *criteria.Set) error {
	for i := range set.History.Acts {
		a := &set.History.Acts[i]
		var cells, ticks, target any
		if a.Kind == criteria.Drafted || a.Kind == criteria.Revised {
			cells = criterionCells(a.Criteria)
		}
		if len(a.Ticks) > 0 {
			list := make([]rowfile.TickCell, len(a.Ticks))
			for i, t := range a.Ticks {
				list[i] = rowfile.TickCell{Item: string(t.Item), OK: t.OK}
			}
			ticks = list
		}
		if a.Target > 0 {
			target = int(a.Target)
		}
		if err := t.Write([]any{
			string(s.ID), int(a.N), a.Kind.String(), string(a.Who), export.Timestamp(a.At), a.Round, cells, a.Type.String(), a.Reason, a.Text, ticks,
			string(a.Assignee), string(a.Other), target, a.Imported, string(set.Dataset), set.History.Gone[a.N],
		}); err != nil {
			return err
		}
	}
	return nil
}

// criterionCells are criteria as a cell: a list, empty for none.
func criterionCells(cs []criteria.Criterion) []rowfile.CriterionCell {
	out := make([]rowfile.CriterionCell, len(cs))
	for i, c := range cs {
		out[i] = rowfile.CriterionCell{ID: rowfile.Name(c.ID), Type: c.Demands(), Text: c.Text, Tags: c.Tags, Path: c.Path}
		if c.Weighted {
			out[i].Weight = &c.Weight
		}
	}
	return out
}
