package report

import (
	"fmt"
	"strings"

	figures "concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/eval/stat"
	"concord/tui/widget"
)

// correctedLines stand below a run's accuracy where people's labels correct it:
// what the labels alone say, where they say it of all, and the corrected score,
// on the same scale. The samples behind them are those behind the accuracy.
func correctedLines(row *accuracy.Row, id string, behind OpenSamples) []line {
	c := row.Correction
	if c == nil || c.Corrected.Reason() != "" {
		return nil
	}
	draw := func(label string, e stat.Estimate) line {
		behind.Title = runName(&row.Head) + ", " + row.Strategy + ", " + label
		return line{
			behind: behind,
			id:     id + "\x00" + label, run: row.Run, label: "  " + label, labels: true,
			rate:   stat.Rate{N: e.N, Value: e.Value, Low: e.Low, High: e.High, Undefined: e.Reason(), Sequence: e.Sequence},
			beside: func() [][2]string { return besideCorrected(c) },
		}
	}
	out := []line{draw("corrected", c.Corrected.Estimate)}
	if c.People.Reason() == "" {
		out = append([]line{draw("people", c.People)}, out...)
	}
	return out
}

// besideCorrected is what the corrected score is made of.
func besideCorrected(c *figures.Correction) [][2]string {
	out := [][2]string{
		{"judge only", estimate(c.JudgeOnly)},
		{"people only", estimate(c.People)},
		{"corrected", estimate(c.Corrected.Estimate) + "  " + c.Corrected.Method},
	}
	if c.Target != "" {
		out = append(out, [2]string{"target", c.Target})
	}
	if b := c.Bounds; b != nil {
		out = append(out, [2]string{"bounds", fmt.Sprintf("[%.1f, %.1f] with %s skipped or without consensus", 100*b.Low, 100*b.High, widget.Count(c.Corrected.Missing))})
	}
	if c.Corrected.Sequence {
		out = append(out, [2]string{"interval", "seq: a confidence sequence, which holds at every look while people label"})
	}
	if s := c.Erring; s != nil {
		out = append(out, [2]string{"if people err", fmt.Sprintf("in %.0f %% of labels, which are assumed exact: %.1f %% both ways alike, [%.1f, %.1f] all one way", 100*s.Error, 100*s.Value, 100*s.Low, 100*s.High)})
	}
	out = append(out, counting(c))
	for _, w := range c.Warnings {
		out = append(out, [2]string{"warning", widget.Line(w)})
	}
	if c.Gain.Labels != nil {
		out = append(out, [2]string{"gained", fmt.Sprintf("the machine's word is worth %.1f labels", *c.Gain.Labels)})
	}
	needs := c.Needs.Undefined
	if c.Needs.Labels != nil {
		needs = widget.Plural(*c.Needs.Labels, "label")
	}
	out = append(out, [2]string{fmt.Sprintf("±%.0f points", 100*c.Needs.Within), needs})
	var parts []string
	for _, s := range c.Strata {
		if s.AsRead {
			parts = append(parts, fmt.Sprintf("%s as read (%s)", widget.Count(s.Items), widget.Line(s.Name)))
		} else {
			parts = append(parts, fmt.Sprintf("%s labels of %s, %s", widget.Count(s.Labels), widget.Count(s.Items), widget.Line(s.Name)))
		}
	}
	out = append(out, [2]string{"made of", strings.Join(parts, " · ")})
	return out
}

// counting tells how many labels the score is made of, and how many more make
// all of them count.
func counting(c *figures.Correction) [2]string {
	l := &c.Labels
	out := widget.Plural(l.Counting, "label")
	if l.Waiting > 0 {
		out = fmt.Sprintf("%s of %s: label %s more, in order, for all", widget.Count(l.Counting), widget.Plural(l.Counting+l.Waiting, "label"), widget.Count(l.More))
	}
	return [2]string{"counting", out}
}

// estimate is a figure with its interval in percent, in one piece.
func estimate(e stat.Estimate) string {
	if reason := e.Reason(); reason != "" {
		return "– " + widget.Line(reason)
	}
	return fmt.Sprintf("%.1f %% [%s%.1f, %.1f]  n ", 100*e.Value, sequenceMark(e.Sequence), 100*e.Low, 100*e.High) + widget.Count(e.N)
}
