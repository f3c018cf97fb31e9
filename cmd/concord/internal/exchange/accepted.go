package exchange

import (
	"fmt"
	"iter"

	"concord/annotate/curation"
	"concord/eval"
	"concord/eval/dataset/export"
)

// unaccepted counts the samples of a curated dataset that do not go out, and
// those that go out without an axis.
type unaccepted struct {
	by       [curation.Outcomes]int
	unplaced int
}

// accepted are the rows that experts have accepted, where they place them.
func (l *unaccepted) accepted(rows iter.Seq2[export.SampleRow, error], cases map[eval.Ordinal]curation.Case) iter.Seq2[export.SampleRow, error] {
	return func(yield func(export.SampleRow, error) bool) {
		for row, err := range rows {
			if err == nil {
				d := cases[row.Sample.Ordinal].Decision
				if d.Outcome != curation.Accepted {
					l.by[d.Outcome]++
					continue
				}
				if row.Sample.Taxonomy = d.Axis; len(d.Axis) == 0 {
					l.unplaced++
				}
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// warnings say what was left out; none of a dataset that is not curated.
func (l *unaccepted) warnings() []string {
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
