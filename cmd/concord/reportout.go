package main

import (
	"concord/annotate/report"
	"concord/annotate/report/table"
)

// formatOf takes --json into the format that a report is to be printed in, and
// refuses one that there is not, before anything is read.
func formatOf(format *string, json bool) error {
	if json {
		*format = "json"
	}
	if _, err := table.ParseFormat(*format); err != nil {
		return asUsage(err)
	}
	return nil
}

// render prints a report; a table is fitted to the terminal it goes to.
func (e *env) render(r report.Report, format string) error {
	f, err := table.ParseFormat(format)
	if err != nil {
		return asUsage(err)
	}
	return report.Render(e.out, e.styled(r), f, e.width())
}

// styled is the report as the flags want its tables.
func (e *env) styled(r report.Report) report.Report {
	r.Style = e.style
	return r
}
