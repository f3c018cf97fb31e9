package report

import (
	"fmt"

	"concord/annotate/correct"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// assumedError is the share of wrong labels that every corrected score is also
// told for.
const assumedError = 0.02

// Sensitivity is where a corrected score is if people err in a share of their
// labels.
type Sensitivity struct {
	Error float64 `json:"error"`
	Low   float64 `json:"low"`   // of the interval, if all errors make the score too high
	Value float64 `json:"value"` // if they go both ways alike
	High  float64 `json:"high"`  // of the interval, if all errors make it too low
}

// sensitivity tells a score if people err; nil of one that has no value.
func sensitivity(s *correct.Score, scale correct.Options) *Sensitivity {
	if s.Corrected.Reason() != "" {
		return nil
	}
	step := 0.0
	if scale.High-scale.Low > 1 {
		step = 1 // scores are whole numbers
	}
	e := s.Erring(assumedError, step)
	return &Sensitivity{assumedError, e.Low, e.Even, e.High}
}

// remark says it under the score.
func (s *Sensitivity) remark(cell func(stat.Estimate) table.Cell) string {
	write := func(v float64) string { return cell(stat.Expected(v, 0)).FormatEstimate() }
	return fmt.Sprintf("labels are assumed exact. If people err in %s %%: %s if they err both ways alike; if all errors are one way, the interval reaches down to %s or up to %s.",
		table.Percent(s.Error), write(s.Value), write(s.Low), write(s.High))
}

// CorrectedNotes say what was done to the scores of a report's rows.
func CorrectedNotes[R correctedRow](rows []R) []string {
	out := []string{CorrectedNote}
	for _, r := range rows {
		for _, c := range r.Corrections() {
			if c != nil && c.Corrected.Sequence {
				return append(out, table.SequenceNote)
			}
		}
	}
	return out
}
