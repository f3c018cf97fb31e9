package report

import (
	"fmt"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/correct"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// assumedError is the share of wrong labels that a corrected score is told for
// where no item with a known answer tells how often people err.
const assumedError = 0.02

// mostError is the largest share that a label says something at.
const mostError = 0.49

// Sensitivity is where a corrected score is if people err in a share of their
// labels. The share is assumed, or that of labels that are wrong on items with a
// known answer, with a prior (agree.Jeffreys). Such a share is not carried into
// the interval: known items are chosen, and may be easier or harder than others,
// they do not tell which way people err, and they are of single people and not of
// their consensus.
type Sensitivity struct {
	Error float64        `json:"error"`
	Known *stat.Estimate `json:"known_answers,omitempty"` // the error by known answers, with its interval; nil: assumed
	Low   float64        `json:"low"`                     // of the interval, if all errors make the score too high
	Value float64        `json:"value"`                   // if they go both ways alike
	High  float64        `json:"high"`                    // of the interval, if all errors make it too low

	modelled bool // by a model that knows of each person's own errors
}

// sensitivity tells a score if people err; nil of one that has no value. Known
// are the labels on items with a known answer: the ends are for as many errors as
// these allow. A model of people's errors has such as each makes alone, and not
// such as all make alike.
func sensitivity(s *correct.Score, scale correct.Options, modelled bool, known stat.Count) *Sensitivity {
	if s.Corrected.Reason() != "" {
		return nil
	}
	step := 0.0
	if scale.High-scale.Low > 1 {
		step = 1 // scores are whole numbers
	}
	out := &Sensitivity{Error: assumedError, modelled: modelled}
	most := assumedError
	if known.N > 0 && !out.modelled {
		e := agree.Jeffreys(known.N-known.K, known.N, stat.Confidence)
		out.Known, out.Error, most = &e, min(mostError, e.Value), min(mostError, e.High)
	}
	ends := s.Erring(most, step)
	out.Low, out.Value, out.High = ends.Low, s.Erring(out.Error, step).Even, ends.High
	return out
}

// remark says it under the score.
func (s *Sensitivity) remark(cell func(stat.Estimate) table.Cell) string {
	write := func(v float64) string { return cell(stat.Expected(v, 0)).FormatEstimate() }
	start, one := fmt.Sprintf("labels are assumed exact. If people err in %s %%", table.Percent(s.Error)), ""
	switch {
	case s.modelled:
		start = fmt.Sprintf("errors that people make alike are not in the model. If they do in %s %%", table.Percent(s.Error))
	case s.Known != nil:
		start = fmt.Sprintf("labels are assumed exact. By %s labels on items with a known answer people err in %s %% (%s to %s)",
			table.Grouped(s.Known.N), table.Percent(s.Known.Value), table.Percent(s.Known.Low), table.Percent(s.Known.High))
		one = " and as many as that"
	}
	return fmt.Sprintf("%s: %s if they err both ways alike; if all errors are one way%s, the interval reaches down to %s or up to %s.",
		start, write(s.Value), one, write(s.Low), write(s.High))
}

// CorrectedNotes say what was done to the scores of a report's rows.
func CorrectedNotes[R correctedRow](rows []R) []string {
	out := []string{CorrectedNote}
	sequence, modelled := false, false
	for _, r := range rows {
		for _, c := range r.Corrections() {
			if c != nil {
				sequence = sequence || c.Corrected.Sequence
				modelled = modelled || c.Policy == annotate.DawidSkene.String()
			}
		}
	}
	if modelled {
		out = append(out, ModelNote)
	}
	if sequence {
		out = append(out, table.SequenceNote)
	}
	return out
}
