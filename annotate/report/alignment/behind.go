package alignment

import (
	"maps"
	"slices"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// opener opens the row's figures. A part without items, and the zero opener,
// open nothing.
func (r *Row) opener() report.Opener {
	return report.Opener{Row: r, Extractor: r.Extractor, People: true, Whole: true, Names: r.names}
}

// over is a cell with the items that it counts. Those of a saved report are the
// items as they stand now, so it opens none.
func (r *Row) over(c table.Cell, by report.Opener, which ...report.Which) table.Cell {
	if r.Saved != 0 || by.Row == nil {
		return c
	}
	return report.Over(c, by, which...)
}

// rate is an alignment rate, with the items by how they came out; of a person's
// own labels without those that are left out, which are of everybody.
func (r *Row) rate(rate stat.Rate, by report.Opener, person bool) table.Cell {
	parts := []report.Which{Aligned, CaseOne, CaseTwo}
	if r.CaseOpen > 0 {
		parts = []report.Which{Aligned, Misaligned}
	}
	c := r.over(table.Rate(rate), by, parts...)
	if r.CaseOpen > 0 {
		c = report.And(c, by, CaseOne, CaseTwo)
	}
	if !person {
		c = report.And(c, by, Excluded)
	}
	return c
}

// leftOut are the items that are not compared, by reason. Those that were added
// since their answer is known are not opened: who looks at them may be labelling
// them.
func (r *Row) leftOut() table.Cell {
	var c table.Cell
	for _, reason := range slices.Sorted(maps.Keys(r.Excluded)) {
		by := r.opener().With(Part{Reason: reason})
		switch {
		case reason == annotate.LeftGold:
		case report.BehindOf(&c) == nil:
			c = r.over(table.Count(r.Excluded[reason]), by, Excluded)
		default:
			c = report.And(c, by, Excluded)
		}
	}
	return report.Like(table.Text(r.excluded()), c)
}

// names are how the figures are called that are opened.
func (r *Row) names(s *report.Selection) string {
	part := PartOf(s)
	switch s.Which {
	case CaseOne:
		return "no option (case I)"
	case CaseTwo:
		return "other option (case II)"
	case Excluded:
		if part.Reason != "" {
			return part.Reason
		}
		return "left out"
	case CausedBy:
		for _, c := range causes(annotate.CaseTwoCauses{}) {
			if c.cause == part.Cause {
				return c.name
			}
		}
	case OnlyFirst:
		return "only " + r.Extractor + " as people"
	case OnlySecond:
		return "only " + part.With + " as people"
	default: // its own name says it
	}
	return ""
}
