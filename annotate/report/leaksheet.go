package report

import (
	"context"
	"fmt"
	"iter"

	"concord/eval"
)

func (r *LeaksRow) columns() []Column {
	return []Column{
		{Name: "dataset"},
		{Name: "split"},
		{Name: "strategy"},
		{Name: "group"},
		{Name: "class"},
		{Name: "samples", Kind: KindCount},
		{Name: "share", Kind: KindRate},
	}
}

// lines give every pair, by how many pairs samples are turned, and the
// suspected.
func (r *LeaksRow) lines() [][]Cell {
	var out [][]Cell
	add := func(group, class string, n int, share Cell) {
		out = append(out, []Cell{text(string(r.Dataset)), text(r.Split), text(r.Strategy), text(group), text(class), integer(n), share})
	}
	for _, p := range r.Pairs {
		add("pair", fmt.Sprintf("%s (run %d) beside %s (run %d, %d shots)", p.Model, p.Run, p.Base, p.BaseRun, p.Shots), p.Turned.K, rate(p.Turned))
	}
	add("samples", "incomplete", r.Incomplete, blank())
	for _, h := range r.Turned {
		add("turned", grouped(h.Hits), h.Samples.K, rate(h.Samples))
	}
	add("suspected", "more than half", r.Suspected.K, rate(r.Suspected))
	return out
}

// sheets are the pairs, and by how many of them samples are turned.
func (r *LeaksRow) sheets() []Table {
	title := string(r.Dataset) + ", split " + r.Split + ", " + r.Strategy
	if r.Synthetic {
		title += " (synthetic)"
	}
	pairs := Table{Name: "leaks", Title: title, Columns: []Column{
		{Name: "model"},
		{Name: "run", Kind: KindCount},
		{Name: "language_base"},
		{Name: "base_run", Kind: KindCount},
		{Name: "shots", Kind: KindCount},
		{Name: "extractor"},
		{Name: "turned", Kind: KindRate},
	}}
	for _, p := range r.Pairs {
		pairs.Rows = append(pairs.Rows, []Cell{
			text(p.Model), integer(int(p.Run)), text(p.Base), integer(int(p.BaseRun)), integer(p.Shots), text(p.Extractor),
			rate(p.Turned).over(opener{row: r, extractor: p.Extractor, at: Selection{Model: p.Model}}, Leaked),
		})
	}
	turned := hitSheet("samples by pairs that turn them", title, r.Turned, func(c Cell, hits int) Cell {
		o := r.opener()
		o.at.Hits = hits
		return c.over(o, TurnedBy)
	})
	turned.Columns[0].Name = "pairs"
	whole := Table{Name: "suspected", Title: title, Columns: columns([]Column{{Name: "suspected", Kind: KindRate}}, countColumns("incomplete"))}
	whole.Rows = [][]Cell{{rate(r.Suspected).over(r.opener(), Suspected), integer(r.Incomplete).over(r.opener(), Incomplete)}}
	out := []Table{}
	if len(r.Pairs) > 0 {
		out = append(out, pairs, turned)
	}
	return append(out, whole)
}

// opener shows the samples as the first pair's model answered them.
func (r *LeaksRow) opener() opener {
	o := opener{row: r}
	if len(r.Pairs) > 0 {
		o.extractor = r.Pairs[0].Extractor
	}
	return o
}

// keys yields the samples behind a figure, as the first pair's model answered
// them: the Suspected, those with Selection.Hits turns by Turned, and by Leaked
// those that the pair of Selection.Model turns, as that model did.
func (r *LeaksRow) keys(_ context.Context, _ Facts, s Selection) iter.Seq2[eval.Key, error] {
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
func (r *LeaksRow) behind(o eval.Ordinal, turns int, s *Selection) *GainSide {
	switch s.Which {
	case Suspected:
		if turns >= 0 && r.suspects(turns) {
			return r.looks[0].text
		}
	case TurnedBy:
		if turns >= 0 && turns == s.Hits {
			return r.looks[0].text
		}
	case Incomplete:
		if turns == someUndecided {
			return r.looks[0].text
		}
	case Leaked:
		for i := range r.looks {
			if turned, _ := r.looks[i].turned(o); turned && r.Pairs[i].Model == s.Model {
				return r.looks[i].text
			}
		}
	default:
	}
	return nil
}
