package alignment

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/chart"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// CalibrationRow is one extractor's figures in one saved alignment report, over
// all of the queue's runs, and how they moved since the one saved before.
type CalibrationRow struct {
	report.ForEveryone
	ExtractorRow
	Saved   uint64    `json:"saved" column:"report" as:"place"` // the report's number; 0 of today's figures
	SavedAt time.Time `json:"saved_at"`
	SavedBy string    `json:"saved_by"`
	Version string    `json:"saved_version,omitempty"` // the concord that saved it

	Shift   *RateShift `json:"change"` // nil of the first one
	Stale   bool       `json:"stale"`  // for this extractor
	Reasons []string   `json:"stale_reasons"`

	inputs annotate.Inputs
	of     *Row // the row whose figures they are
}

// RateShift is how far an alignment rate moved between two saved reports. What they keep are
// figures and not items, and the items that people had labelled by then are partly the same:
// the interval holds however many they share, and is wider than one over known items. Without
// any change in between it is 0 and has none.
type RateShift struct {
	Since      uint64        `json:"since"` // the number of the report before
	Difference stat.Estimate `json:"difference"`
	Because    []string      `json:"because"` // what changed in between, of what the figure rests on
}

// CalibrationOptions say which saved reports are wanted.
type CalibrationOptions struct {
	Queue  annotate.QueueName // "": of all queues
	Reader func(name string) (eval.Reader, error)
}

// ReportCalibrations gives the saved alignment reports over time: by queue, extractor
// and consensus, oldest first.
func ReportCalibrations(ctx context.Context, facts report.Facts, o CalibrationOptions) (report.Report, error) {
	if o.Queue != "" {
		if _, err := facts.Queue(o.Queue); err != nil {
			return report.Report{}, err
		}
	}
	saved, err := facts.SavedReports(o.Queue)
	if err != nil {
		return report.Report{}, fmt.Errorf("read saved reports: %w", err)
	}
	now := make(map[annotate.QueueName]*reviewedQueue)
	var rows []*CalibrationRow
	for i := range saved {
		s := &saved[i]
		if s.Name != "alignment" {
			continue
		}
		ao := &Options{Queue: s.Queue, Reader: o.Reader, judgesOnly: true, saved: true}
		if now[s.Queue] == nil {
			if now[s.Queue], err = newReviewedQueue(ctx, facts, ao); err != nil {
				return report.Report{}, err
			}
		}
		more, err := newCalibrationRows(s, s.StaleChanges(now[s.Queue].inputsForSaved(s, ao)))
		if err != nil {
			return report.Report{}, err
		}
		rows = append(rows, more...)
	}
	out := report.Report{Name: "calibrations", Layout: calibrationLayout, Confidence: stat.Confidence, Bars: makeExtractorAndReportBars}
	sortAndSetShifts(rows)
	out.Rows = report.ToRows(rows)
	out.Sheets, out.Notes = makeCalibrationTables(rows)
	switch {
	case len(rows) == 0:
		out.Notes = []string{"No alignment report is saved yet: concord report alignment --queue NAME --save keeps one."}
	case slices.ContainsFunc(rows, func(r *CalibrationRow) bool { return r.Shift != nil }):
		out.Notes = append(out.Notes, shiftNote)
	}
	return out, nil
}

const shiftNote = "A change is between two saved reports, whose labelled items overlap by an unknown share: " +
	"its interval holds whatever they share (each rate at 97.5 %), and is wider than one over known items would be."

// newCalibrationRows gives the rows of one saved report: over the whole queue, or of its only run.
func newCalibrationRows(s *annotate.SavedReport, changes []annotate.Change) ([]*CalibrationRow, error) {
	rows, err := readSavedRows(s, nil)
	if err != nil {
		return nil, err
	}
	out := toCalibrationRows(rows, s.Inputs())
	for _, c := range out {
		c.Reasons = append(c.Reasons, report.DescribeChanges(c.relevantChanges(changes))...)
		c.Stale = len(c.Reasons) > 0
	}
	return out, nil
}

// toCalibrationRows gives the figures of alignment rows, saved or of today, as they stand
// in a line of them.
func toCalibrationRows(rows []*Row, from annotate.Inputs) []*CalibrationRow {
	whole := slices.ContainsFunc(rows, func(r *Row) bool { return r.Run == 0 })
	var out []*CalibrationRow
	for _, r := range rows {
		if whole && r.Run != 0 {
			continue
		}
		c := &CalibrationRow{ExtractorRow: r.ExtractorRow, Saved: r.Saved, SavedBy: r.SavedBy, Version: r.Version, Reasons: []string{}, inputs: from, of: r}
		if r.SavedAt != nil {
			c.SavedAt = *r.SavedAt
		}
		out = append(out, c)
	}
	return out
}

// relevantChanges are the changes that touch what this extractor's figures rest on.
func (r *CalibrationRow) relevantChanges(all []annotate.Change) []annotate.Change {
	return slices.DeleteFunc(slices.Clone(all), func(c annotate.Change) bool {
		switch c.Why {
		case annotate.StaleRules:
			return c.Name != r.Rules
		case annotate.StaleJudge:
			return r.Rules != "" || c.Name != r.Extractor
		}
		return false
	})
}

// compareInTime orders rows so that those which follow each other in time stand together.
func compareInTime(a, b *CalibrationRow) int {
	return cmp.Or(cmp.Compare(a.Queue, b.Queue), cmp.Compare(a.Extractor, b.Extractor), cmp.Compare(a.Policy, b.Policy), cmp.Compare(a.Undecided, b.Undecided))
}

// sortAndSetShifts orders the rows, today's last, and says of each how it differs from the one before.
func sortAndSetShifts(rows []*CalibrationRow) {
	slices.SortFunc(rows, func(a, b *CalibrationRow) int {
		return cmp.Or(compareInTime(a, b), report.CompareBools(a.Saved == 0, b.Saved == 0), a.SavedAt.Compare(b.SavedAt), cmp.Compare(a.Saved, b.Saved))
	})
	for i := 1; i < len(rows); i++ {
		if a, b := rows[i-1], rows[i]; compareInTime(a, b) == 0 {
			b.Shift = newShift(a, b)
		}
	}
}

func newShift(a, b *CalibrationRow) *RateShift {
	s := &RateShift{Since: a.Saved, Difference: stat.IndependentDifference(a.Alignment, b.Alignment), Because: report.DescribeChanges(b.relevantChanges(a.inputs.ChangesSince(b.inputs)))}
	if s.Because == nil {
		s.Because = []string{}
		if s.Difference.Value == 0 && s.Difference.WhyUndefined() == "" {
			s.Difference = stat.NewExactEstimate(0, b.Alignment.N)
		}
	}
	return s
}

// KeysBehind lists the predictions that a selection counts.
func (r *CalibrationRow) KeysBehind(context.Context, report.Facts, report.Selection) iter.Seq2[eval.Key, error] {
	return report.YieldError(fmt.Errorf("open saved report %d: it keeps numbers and no items", r.Saved))
}

// drawAlignment draws the alignment of every extractor (MMBench, Fig. 5), of the
// whole queue where it has several runs, and the confusion of each.
func drawAlignment(rep *report.Report) []chart.Drawing {
	overall, rows := report.SelectRows[*Row](rep.Overall), report.SelectRows[*Row](rep.Rows)
	if len(overall) > 0 {
		rows = overall
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(r *Row) bool { return r.LeftOut != "" || r.Saved != 0 })
	var out []chart.Drawing
	for _, group := range table.GroupBy(rows, func(r *Row) string { return string(r.Queue) + ", policy " + r.Policy }) {
		var bars []chart.Bar
		for _, r := range group {
			b := report.NewRateBar(r.Extractor, r.Alignment)
			if r.Run != 0 {
				b.Group = r.RunLabel()
			}
			bars = append(bars, b)
		}
		at := "queue " + string(group[0].Queue) + ", policy " + group[0].Policy
		out = append(out, report.DrawBars("Alignment with people, "+at, report.Percent, "%", bars)...)
	}
	return append(out, eval.FilterMap(rows, drawConfusion)...)
}

func drawConfusion(r *Row) (chart.Drawing, bool) {
	if len(r.Confusion) == 0 {
		return chart.Drawing{}, false
	}
	var people, machine []string
	cells := make([]chart.Cell, 0, len(r.Confusion))
	for _, c := range r.Confusion {
		people, machine = append(people, c.People), append(machine, c.Machine)
		cells = append(cells, chart.Cell{Row: c.People, Column: c.Machine, N: c.N})
	}
	title := "Confusion, " + r.Extractor + ", queue " + string(r.Queue)
	if r.Run != 0 {
		title += ", " + r.RunLabel()
	}
	return chart.DrawHeatmap(title, "people", "machine", sortUnique(people), sortUnique(machine), cells), true
}

// sortUnique gives every name once: letters, and then the words.
func sortUnique(names []string) []string {
	slices.SortFunc(names, compareClasses)
	return slices.Compact(names)
}

// makeExtractorAndReportBars makes the rates of an alignment report as bars: every extractor on
// the whole queue and on each run (MMBench, Fig. 5), and of calibrations each line over time.
func makeExtractorAndReportBars(r *report.Report) []table.BarGroup {
	var out []table.BarGroup
	group := func(title string) *table.BarGroup {
		if n := len(out); n == 0 || out[n-1].Title != title {
			out = append(out, table.BarGroup{Title: title})
		}
		return &out[len(out)-1]
	}
	for _, row := range append(r.Overall[:len(r.Overall):len(r.Overall)], r.Rows...) {
		switch x := row.(type) {
		case *Row:
			if x.Saved != 0 {
				continue
			}
			title := eval.Either(x.Run != 0, fmt.Sprintf("run %d, %s", x.Run, x.Cells()[3].String()), "all runs")
			g := group(fmt.Sprintf("%s, %s items", title, table.FormatGrouped(x.Items)))
			g.AddRate(x.Extractor, x.Alignment, x.Baseline)
		case *CalibrationRow:
			g := group(x.Extractor + " on queue " + string(x.Queue) + ", " + annotate.DescribePolicies(x.Policy, x.Undecided))
			name := fmt.Sprintf("report %d", x.Saved)
			if x.Stale {
				name += " (stale)"
			}
			g.AddRate(name, x.Alignment, x.Baseline)
		}
	}
	return out
}
