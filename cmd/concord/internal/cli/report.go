package cli

import (
	"cmp"
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/table"
)

// CheckFormat takes --json into the format that a report is to be printed in, and
// refuses one that there is not, before anything is read.
func CheckFormat(format *string, json bool) error {
	if json {
		*format = "json"
	}
	if _, err := table.ParseFormat(*format); err != nil {
		return Usage(err)
	}
	return nil
}

// Render prints a report; a table is fitted to the terminal it goes to. A report
// whose rows all refuse their corrected score is printed, with the reasons, and
// fails.
func (e *Env) Render(r report.Report, format string) error {
	f, err := table.ParseFormat(format)
	if err != nil {
		return Usage(err)
	}
	return cmp.Or(report.Render(e.Out, e.Styled(r), f, e.Width()), report.CheckCorrected(&r))
}

// Styled is the report as the flags want its tables.
func (e *Env) Styled(r report.Report) report.Report {
	r.Style = e.Style
	if e.Marks != nil {
		if marks := e.Marks(); len(marks) > 0 {
			r.Damaged, r.Notes = marks[0], slices.Concat(marks, r.Notes)
		}
	}
	return r
}
