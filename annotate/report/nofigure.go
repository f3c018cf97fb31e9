package report

import (
	"errors"
	"fmt"
)

// ErrNoFigure reports that people's labels correct no row of a report.
var ErrNoFigure = errors.New("no row has a corrected score")

// CheckCorrected gives ErrNoFigure, with the reason of the first row, when
// every row refuses its corrected score. Without a row there is nothing to
// refuse.
func (r *Report) CheckCorrected() error {
	reason := ""
	for _, row := range r.Rows {
		for _, c := range correctionsOf(row) {
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

// correctionsOf are those of a row that has some.
func correctionsOf(row Row) (out []*Correction) {
	add := func(c *Correction) {
		if c != nil {
			out = append(out, c)
		}
	}
	switch r := row.(type) {
	case *AccuracyRow:
		add(r.Correction)
	case *VotesRow:
		add(r.Correction)
	case *ScoresRow:
		for i := range r.Judges {
			add(r.Judges[i].Correction)
		}
	}
	return out
}
