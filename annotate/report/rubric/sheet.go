package rubric

import (
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/annotate/rubric"
)

var (
	scoreLayout     = report.Lay("dataset model rater score bounds met partial unmet unable ungraded", Row{}, rubric.Counts{})
	partLayout      = report.Lay("model rater by name score met partial unmet unable ungraded", Part{}, rubric.Counts{})
	alignmentLayout = report.Lay("dataset judge of n agreement cohen_kappa gwet_ac1 macro_f1 sensitivity specificity winning_rate advantage_probability excluded", AlignmentRow{})
)

// Measured has the bounds as a text.
func (r *Row) Measured() report.Cells {
	if r.Bounds == nil {
		return nil
	}
	return report.Cells{"bounds": table.Text("[" + table.Percent(r.Bounds.Low) + ", " + table.Percent(r.Bounds.High) + "]")}
}

// Measured says of which criteria the row is.
func (r *AlignmentRow) Measured() report.Cells {
	of := "all criteria"
	switch {
	case r.Type != "":
		of = "type " + r.Type
	case r.Criterion != "":
		of = "criterion " + r.Criterion
	}
	return report.Cells{"of": table.Text(of)}
}

// scoreSheets are the scores, and below them their parts.
func scoreSheets(r *report.Report) []table.Table {
	scores := scoreLayout.Table("rubric", "")
	parts := partLayout.Table("parts", "By level, type and tag")
	for _, row := range r.Rows {
		one := row.(*Row)
		scores.Rows = append(scores.Rows, scoreLayout.RowLine(one))
		for i := range one.Parts {
			parts.Rows = append(parts.Rows, partLayout.Line(report.Opener{Row: one}, &one.Parts[i], report.Cells{
				"model": table.Text(one.Model), "rater": table.Text(one.Rater),
			}))
		}
	}
	return slices.DeleteFunc([]table.Table{scores, parts}, func(t table.Table) bool { return len(t.Rows) == 0 })
}
