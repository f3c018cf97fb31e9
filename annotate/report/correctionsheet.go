package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"concord/annotate"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// CorrectionColumns are those of the cells of a line.
var CorrectionColumns = table.List("judge_only:score people_only:score corrected:score bounds labels gain needs")

// Line is the cells of correctionColumns.
func (c *Correction) Line(cell func(stat.Estimate) table.Cell) []table.Cell {
	gain, needs := "-", "-"
	if c.Gain.Labels != nil {
		gain = strconv.FormatFloat(*c.Gain.Labels, 'f', 1, 64) + " labels"
	}
	if c.Needs.Labels != nil {
		needs = table.Grouped(*c.Needs.Labels) + " labels for ±" + strconv.FormatFloat(c.Needs.Within, 'g', 3, 64)
	}
	return []table.Cell{cell(c.JudgeOnly), cell(c.People), cell(c.Corrected.Estimate), table.Text(c.between(cell)), table.Text(c.Labels.text()), table.Text(gain), table.Text(needs)}
}

// between writes the bounds as the cell writes the score.
func (c *Correction) between(cell func(stat.Estimate) table.Cell) string {
	if c.Bounds == nil {
		return "-"
	}
	end := func(v float64) string { return cell(stat.Expected(v, 0)).FormatEstimate() }
	return "[" + end(c.Bounds.Low) + ", " + end(c.Bounds.High) + "]"
}

// Remarks are what a reader has to know of the figures.
func (c *Correction) Remarks(of string, cell func(stat.Estimate) table.Cell) []string {
	var out []string
	if n := c.Labels.Waiting; n > 0 {
		out = append(out, fmt.Sprintf("%s: %s labels count and %s wait: items offered before them have no label yet. Label %s more, in the order offered, and all count.",
			of, table.Grouped(c.Labels.Counting), table.Grouped(n), table.Grouped(c.Labels.More)))
	}
	if n := c.Corrected.Missing; n > 0 {
		out = append(out, fmt.Sprintf("%s: drawn and skipped, or without consensus: %s. The bounds hold whatever people would say of them.", of, table.Grouped(n)))
	}
	if c.Corrected.Reason() == "" {
		line := of + ": "
		if c.Target != "" {
			line += "of " + c.Target + ", "
		}
		line += fmt.Sprintf("%s, policy %s, undecided %s.", c.Corrected.Method, c.Policy, c.Undecided)
		for _, s := range c.Strata {
			line += " " + s.remark()
		}
		out = append(out, line)
		if c.Erring != nil {
			out = append(out, of+": "+c.Erring.remark(cell))
		}
		if g := c.Gladen; g != nil {
			out = append(out, fmt.Sprintf("%s: by sensitivity %s and specificity %s alone (Rogan-Gladen): %s.",
				of, table.FormatRate(g.Sensitivity), table.FormatRate(g.Specificity), table.Computed(g.Value)))
		}
		if c.Needs.Undefined != "" {
			out = append(out, fmt.Sprintf("%s: %s.", of, c.Needs.Undefined))
		}
	}
	for _, why := range slices.Sorted(maps.Keys(c.LeftOut)) {
		which := "drawn and without a say of people"
		if why == annotate.LeftGold {
			which = "added since their answer is known, and not drawn"
		}
		out = append(out, fmt.Sprintf("%s: %s: %s %s.", of, which, why, table.Grouped(c.LeftOut[why])))
	}
	for _, w := range c.Warnings {
		out = append(out, fmt.Sprintf("%s: %s.", of, w))
	}
	return out
}

func (s *CorrectedStratum) remark() string {
	switch {
	case s.AsRead:
		return fmt.Sprintf("Taken as read: %s items, %s.", table.Grouped(s.Items), s.Name)
	case s.Lambda == nil:
		return fmt.Sprintf("%s: %s labels of %s items.", s.Name, table.Grouped(s.Labels), table.Grouped(s.Items))
	}
	return fmt.Sprintf("%s: %s labels of %s items, lambda %s.", s.Name, table.Grouped(s.Labels), table.Grouped(s.Items), table.Decimal(*s.Lambda))
}
