package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"concord/annotate/authoring"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/cmd/concord/internal/curating"
	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/dataset/rowfile"
	"concord/eval/dataset/tablefile"
	"concord/store"
)

// DatasetParts say what of a dataset goes out.
type DatasetParts struct {
	Public, Curated bool
	Panel           curation.Panel
	Split           SplitFlags
}

// WriteDataset writes a dataset, whole or in the parts asked for.
func WriteDataset(ctx context.Context, st *store.Store, w io.Writer, f *ExportFlags, parts DatasetParts) ([]string, error) {
	name := eval.DatasetName(f.Only)
	ds, err := st.Datasets().Dataset(name)
	switch {
	case err != nil:
		return nil, err
	case !ds.Complete:
		return nil, fmt.Errorf("dataset %s is not imported whole: import it again", name)
	}
	sets, err := criteria.SetsBySample(st.Criteria().All(ctx, name))
	if err != nil { // a sample whose discarding cannot be read must not go out
		return nil, err
	}
	discarded := 0
	rows := rowsOfSamples(ctx, st, name, sets, parts.Public, &discarded)
	var left *acceptedFilter
	var cases map[eval.Ordinal]curation.Case
	if parts.Curated {
		if cases, err = curating.CasesBySample(ctx, st, name, parts.Panel); err != nil {
			return nil, err
		}
		left = new(acceptedFilter)
		rows = left.filterAccepted(rows, cases)
	}
	if parts.Split.Ratio != "" {
		of, err := parts.Split.assignSplitParts(ctx, st, name, cases)
		if err != nil {
			return nil, err
		}
		rows = parts.Split.filterRowsOfPart(of, rows)
	}
	o := export.SampleExport{Format: f.Format, Public: parts.Public}
	if err := readDatasetShape(ctx, st, name, cases, &o); err != nil {
		return nil, err
	}
	o.Axes = o.Axes && !ds.Coarse
	warnings, err := export.WriteSamples(w, o, rows)
	if discarded > 0 {
		warnings = append(warnings, fmt.Sprintf("%d discarded samples were left out", discarded))
	}
	written, unread := eval.Collect(st.Authoring().AllSets(ctx, name))
	if n := eval.Count(written, func(s authoring.Set) bool {
		return s.State != criteria.Unwritten && s.State != criteria.Approved || len(s.Drafts) > 0
	}); n > 0 {
		warnings = append(warnings, fmt.Sprintf("written samples and changes that are not accepted yet, and left out: %d", n))
	}
	stale, unknown := st.Authoring().DescribeStale(ctx, name)
	if stale != "" {
		warnings = append(warnings, stale)
	}
	return append(warnings, left.warnOfLeftOut()...), errors.Join(err, unread, unknown)
}

// readDatasetShape finds out what a format has to know before its first row: the
// letters of all options, how deep the taxonomy is, and how many and large the
// pictures are. With cases it looks at the accepted ones alone.
func readDatasetShape(ctx context.Context, st *store.Store, name eval.DatasetName, cases map[eval.Ordinal]curation.Case, o *export.SampleExport) error {
	seen := make(map[eval.Choice]bool)
	deepest, choices := 0, true
	for s, err := range st.Datasets().Samples(ctx, name) {
		if err != nil {
			return err
		}
		path := s.Taxonomy
		if cases != nil {
			d := cases[s.Ordinal].Decision
			if path = d.Axis; d.Outcome != curation.Accepted {
				continue
			}
		}
		deepest, choices = max(deepest, len(path)), choices && s.Kind == eval.KindChoice
		for _, option := range s.Options {
			seen[option.Letter] = true
		}
		o.Several = o.Several || len(s.Pictures) > 1
		if o.Format != tablefile.XLSX {
			continue
		}
		pictures, err := readPictures(st, &s)
		if err != nil {
			return err
		}
		o.Largest = max(o.Largest, eval.Sum(pictures, func(p []byte) int { return len(p) }))
	}
	o.Letters, o.Axes = slices.Sorted(maps.Keys(seen)), deepest == 2 && choices
	return nil
}

func rowsOfSamples(ctx context.Context, st *store.Store, name eval.DatasetName, sets map[eval.Ordinal]criteria.Set, public bool, discarded *int) iter.Seq2[export.SampleRow, error] {
	kept := eval.Filter(st.Datasets().Samples(ctx, name), func(s *eval.Sample) bool {
		removed := public && sets[s.Ordinal].Removed != nil
		*discarded += eval.Either(removed, 1, 0)
		return !removed
	})
	return eval.MapSeq(kept, func(s eval.Sample) (row export.SampleRow, err error) {
		set := sets[s.Ordinal]
		row.Sample = s
		row.Sample.Type = set.QuestionType(&s)
		if r, ok := set.CurrentRevision(); ok {
			row.Criteria, row.Written = criteriaCells(r.Criteria), true
		}
		row.Pictures, err = readPictures(st, &s)
		return row, err
	})
}

// readPictures reads the bytes of a sample's pictures; nil for one that the project does not hold.
func readPictures(st *store.Store, s *eval.Sample) ([][]byte, error) {
	out := make([][]byte, len(s.Pictures))
	for i, p := range s.Pictures {
		if p.Hash == "" {
			continue
		}
		data, err := st.Datasets().Picture(p.Hash)
		if err != nil && !errors.Is(err, eval.ErrNotFound) {
			return nil, err
		}
		out[i] = data
	}
	return out, nil
}

// acceptedFilter counts the samples of a curated dataset that stay, and those that go out without an axis.
type acceptedFilter struct {
	by       [curation.Outcomes]int
	unplaced int
}

// filterAccepted gives the rows that experts have accepted, where they place them.
func (l *acceptedFilter) filterAccepted(rows iter.Seq2[export.SampleRow, error], cases map[eval.Ordinal]curation.Case) iter.Seq2[export.SampleRow, error] {
	return eval.Filter(rows, func(row *export.SampleRow) bool {
		d := cases[row.Sample.Ordinal].Decision
		if d.Outcome != curation.Accepted {
			l.by[d.Outcome]++
			return false
		}
		if row.Sample.Taxonomy = d.Axis; len(d.Axis) == 0 {
			l.unplaced++
		}
		return true
	})
}

// warnOfLeftOut say what was left out; none of a dataset that is not curated.
func (l *acceptedFilter) warnOfLeftOut() []string {
	if l == nil {
		return nil
	}
	var out []string
	for o, n := range l.by {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d samples were left out: %s", n, curation.Outcome(o)))
		}
	}
	if l.unplaced > 0 {
		out = append(out, fmt.Sprintf("%d accepted samples have no axis", l.unplaced))
	}
	return out
}

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
	header, write := criteriaColumns, writeCriteriaRow
	if history {
		header, write = criteriaActColumns, writeCriteriaActs
	}
	return WriteTable(w, f.Format, header, func(t *tablefile.Table) error {
		all, err := st.Datasets().List()
		for _, d := range all {
			if err != nil || f.Only != "" && f.Only != string(d.Name) {
				continue
			}
			err = eachCriteriaSet(ctx, st, d.Name, func(s *eval.Sample, set *criteria.Set) error { return write(t, s, set) })
		}
		return err
	})
}

// eachCriteriaSet walks the samples of a dataset that anybody has acted on.
func eachCriteriaSet(ctx context.Context, st *store.Store, d eval.DatasetName, do func(*eval.Sample, *criteria.Set) error) error {
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

func writeCriteriaRow(t *tablefile.Table, s *eval.Sample, set *criteria.Set) error {
	r, written := set.CurrentRevision()
	var cells, request, at, state any
	if written {
		cells, at, state = criteriaCells(r.Criteria), export.FormatTimestamp(r.At), set.State.String()
	}
	reviewer := string(set.Reviewer)
	if n := len(set.Requests); n > 0 {
		request, reviewer = set.Requests[n-1].Text, string(set.Requests[n-1].Who)
	}
	var discarded, replacement string
	if set.Removed != nil {
		discarded, replacement = set.Removed.Reason, string(set.Removed.By)
	}
	warnings := eval.Map(set.Warnings(s), criteria.Warning.String)
	return t.Write([]any{
		string(s.ID), cells, set.QuestionType(s).String(), state, string(r.Who), reviewer, string(set.Verifier), request,
		r.Reason, at, string(set.Assignee), discarded, replacement, string(set.Dataset), s.Taxonomy, r.Number, set.Round, r.Hash,
		strings.Join(warnings, " "),
	})
}

func writeCriteriaActs(t *tablefile.Table, s *eval.Sample, set *criteria.Set) error {
	for i := range set.History.Acts {
		a := &set.History.Acts[i]
		var cells, ticks any
		if a.Kind == criteria.Drafted || a.Kind == criteria.Revised {
			cells = criteriaCells(a.Criteria)
		}
		if len(a.Ticks) > 0 {
			ticks = eval.Map(a.Ticks, func(t criteria.Tick) rowfile.TickCell { return rowfile.TickCell{Item: string(t.Item), OK: t.OK} })
		}
		if err := t.Write([]any{
			string(s.ID), int(a.N), a.Kind.String(), string(a.Who), export.FormatTimestamp(a.At), a.Round, cells, a.Type.String(), a.Reason, a.Text, ticks,
			string(a.Assignee), string(a.Other), export.CellOrNil(int(a.Target)), a.Imported, string(set.Dataset), set.History.Gone[a.N],
		}); err != nil {
			return err
		}
	}
	return nil
}

// criteriaCells gives criteria as a cell: a list, empty for none.
func criteriaCells(cs []criteria.Criterion) []rowfile.CriterionCell {
	out := make([]rowfile.CriterionCell, len(cs))
	for i, c := range cs {
		out[i] = rowfile.CriterionCell{ID: rowfile.Name(c.ID), Type: c.TypeName(), Text: c.Text, Tags: c.Tags, Path: c.Path, Partial: c.Credit}
		if c.Weighted {
			out[i].Weight = &c.Weight
		}
	}
	return out
}
