package accuracy

import (
	"context"
	"fmt"
	"iter"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
)

// Columns names the columns of the lines that Lines gives.
func (r *LeaksRow) Columns() []table.Column {
	return table.List("dataset split strategy group class samples:count share:rate")
}

// Lines give every pair, by how many pairs samples are turned, and the
// suspected.
func (r *LeaksRow) Lines() [][]table.Cell {
	var out [][]table.Cell
	add := func(group, class string, n int, share table.Cell) {
		out = append(out, []table.Cell{table.Text(string(r.Dataset)), table.Text(r.Split), table.Text(r.Strategy), table.Text(group), table.Text(class), table.Count(n), share})
	}
	for _, p := range r.Pairs {
		add("pair", fmt.Sprintf("%s (run %d) beside %s (run %d, %d shots)", p.Model, p.Run, p.Base, p.BaseRun, p.Shots), p.Turned.K, table.Rate(p.Turned))
	}
	add("samples", "incomplete", r.Incomplete, table.Blank())
	for _, h := range r.Turned {
		add("turned", table.Grouped(h.Hits), h.Samples.K, table.Rate(h.Samples))
	}
	add("suspected", "more than half", r.Suspected.K, table.Rate(r.Suspected))
	return out
}

// sheets are the pairs, and by how many of them samples are turned.
func (r *LeaksRow) sheets() []table.Table {
	title := string(r.Dataset) + ", split " + r.Split + ", " + r.Strategy
	if r.Synthetic {
		title += " (synthetic)"
	}
	pairs := table.Table{Name: "leaks", Title: title, Columns: table.List("model run:count language_base base_run:count shots:count extractor turned:rate")}
	for _, p := range r.Pairs {
		pairs.Rows = append(pairs.Rows, []table.Cell{
			table.Text(p.Model), table.Count(int(p.Run)), table.Text(p.Base), table.Count(int(p.BaseRun)), table.Count(p.Shots), table.Text(p.Extractor),
			report.Over(table.Rate(p.Turned), opens(r, p.Extractor).With(Part{Model: p.Model}), Leaked),
		})
	}
	turned := report.HitSheet("samples by pairs that turn them", title, r.Turned, func(c table.Cell, hits int) table.Cell {
		return report.Over(c, r.opener().With(Part{Hits: hits}), TurnedBy)
	})
	turned.Columns[0].Name = "pairs"
	whole := table.Table{Name: "suspected", Title: title, Columns: table.List("suspected:rate incomplete:count")}
	whole.Rows = [][]table.Cell{{report.Over(table.Rate(r.Suspected), r.opener(), Suspected), report.Over(table.Count(r.Incomplete), r.opener(), report.Incomplete)}}
	out := []table.Table{}
	if len(r.Pairs) > 0 {
		out = append(out, pairs, turned)
	}
	return append(out, whole)
}

// opener shows the samples as the first pair's model answered them.
func (r *LeaksRow) opener() report.Opener {
	o := opens(r, "")
	if len(r.Pairs) > 0 {
		o.Extractor = r.Pairs[0].Extractor
	}
	return o
}

// Keys yields the samples behind a figure, as the first pair's model answered
// them: the Suspected, those with Part.Hits turns by Turned, and by Leaked
// those that the pair of Part.Model turns, as that model did.
func (r *LeaksRow) Keys(_ context.Context, _ report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	return func(yield func(eval.Key, error) bool) {
		for i, turns := range r.turns {
			o := eval.Ordinal(i) //nolint:gosec // an index of samples
			side := r.behind(o, turns, &s)
			if side == nil {
				continue
			}
			if !yield(eval.Key{Run: side.Run, Sample: o, Pass: side.passes[i]}, nil) {
				return
			}
		}
	}
}

// behind is the side whose answer stands for a sample behind a figure; nil for
// another sample.
func (r *LeaksRow) behind(o eval.Ordinal, turns int, s *report.Selection) *GainSide {
	switch s.Which {
	case Suspected:
		if turns >= 0 && r.suspects(turns) {
			return r.looks[0].text
		}
	case TurnedBy:
		if turns >= 0 && turns == accuracyPart(s).Hits {
			return r.looks[0].text
		}
	case report.Incomplete:
		if turns == someUndecided {
			return r.looks[0].text
		}
	case Leaked:
		for i := range r.looks {
			if turned, _ := r.looks[i].turned(o); turned && r.Pairs[i].Model == accuracyPart(s).Model {
				return r.looks[i].text
			}
		}
	default:
	}
	return nil
}
