package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"

	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/cmd/concord/internal/curating"
	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/dataset/tablefile"
	"concord/store"
)

// DatasetParts say what of a dataset goes out.
type DatasetParts struct {
	Public  bool
	Curated bool
	Panel   curation.Panel
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
	sets := make(map[eval.Ordinal]criteria.Set)
	for set, err := range st.Criteria().All(ctx, name) {
		if err != nil { // a sample whose discarding cannot be read must not go out
			return nil, err
		}
		sets[set.Sample] = set
	}
	discarded := 0
	rows := sampleRows(ctx, st, name, sets, parts.Public, &discarded)
	var left *unaccepted
	var cases map[eval.Ordinal]curation.Case
	if parts.Curated {
		if cases, err = curating.Decisions(ctx, st, name, parts.Panel); err != nil {
			return nil, err
		}
		left = new(unaccepted)
		rows = left.accepted(rows, cases)
	}
	o := export.SampleExport{Format: f.Format, Public: parts.Public}
	if err := measure(ctx, st, name, cases, &o); err != nil {
		return nil, err
	}
	o.Axes = o.Axes && !ds.Coarse
	warnings, err := export.WriteSamples(w, o, rows)
	if discarded > 0 {
		warnings = append(warnings, fmt.Sprintf("%d discarded samples were left out", discarded))
	}
	return append(warnings, left.warnings()...), err
}

// measure finds out what a format has to know before its first row: the
// letters of all options, how deep the taxonomy is, and how many and large the
// pictures are. With cases it looks at the accepted ones alone.
func measure(ctx context.Context, st *store.Store, name eval.DatasetName, cases map[eval.Ordinal]curation.Case, o *export.SampleExport) error {
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
		pictures, err := picturesOf(st, &s)
		if err != nil {
			return err
		}
		size := 0
		for _, p := range pictures {
			size += len(p)
		}
		o.Largest = max(o.Largest, size)
	}
	o.Letters, o.Axes = slices.Sorted(maps.Keys(seen)), deepest == 2 && choices
	return nil
}

func sampleRows(ctx context.Context, st *store.Store, name eval.DatasetName, sets map[eval.Ordinal]criteria.Set, public bool, discarded *int) iter.Seq2[export.SampleRow, error] {
	return func(yield func(export.SampleRow, error) bool) {
		for s, err := range st.Datasets().Samples(ctx, name) {
			set, acted := sets[s.Ordinal]
			if err == nil && public && acted && set.Removed != nil {
				*discarded++
				continue
			}
			row := export.SampleRow{Sample: s}
			if err == nil {
				row.Sample.Type = set.QuestionType(&s)
				if r, ok := set.Current(); ok {
					row.Criteria, row.Written = criterionCells(r.Criteria), true
				}
				row.Pictures, err = picturesOf(st, &s)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// picturesOf reads the bytes of a sample's pictures; nil for one that the
// project does not hold.
func picturesOf(st *store.Store, s *eval.Sample) ([][]byte, error) {
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
