package report

import (
	"errors"
	"fmt"
)

// ErrNoFigure reports that people's labels correct no row of a report.
var ErrNoFigure = errors.New("no row has a corrected score")

// correctedRow is a row that has corrected scores, nil where none was asked for.
type correctedRow interface{ Corrections() []*Correction }

// CheckCorrected gives ErrNoFigure, with the reason of the first row, when
// every row refuses its corrected score. Without a row there is nothing to
// refuse.
func CheckCorrected(r *Report) error {
	reason := ""
	for _, row := range r.Rows {
		corrected, ok := row.(correctedRow)
		if !ok {
			continue
		}
		for _, c := range corrected.Corrections() {
			if c == nil {
				continue
			}
			why := c.Corrected.Reason()
			if why == "" {
				return nil
			}
			if reason == "" {
				reason = why
			}
		}
	}
	if reason == "" {
		return nil
	}
	return fmt.Errorf("correct the score: %w: %s", ErrNoFigure, reason)
}
