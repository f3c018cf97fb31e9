package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	figures "concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/tui/widget"
)

// chartLines are the alignment as bars (MMBench, Fig. 5): of the whole queue and
// of each run, every extractor by its rate, those without figures below; and
// then each extractor over time.
func (m *Model) chartLines(f *alignmentFigures) []line {
	overall, runs := f.rows()
	var out []line
	if len(overall) > 0 {
		out = m.bars("all runs of the queue", overall)
	}
	for _, rows := range runs {
		out = append(out, m.bars(runName(&rows[0].Head), rows)...)
	}
	return append(out, m.overTime(f, true)...)
}

// bars are the extractors of a group, the best first.
func (m *Model) bars(name string, rows []*alignment.Row) []line {
	id := fmt.Sprintf("c\x00%d", rows[0].Run)
	out := []line{{
		id: id, name: name, long: true, behind: m.itemsOf(name, rows),
		note:   fmt.Sprintf("%s, labelled by %s", widget.Plural(rows[0].Items, "item"), people(rows[0].Annotators)),
		beside: func() [][2]string { return append([][2]string{{"bars", barLegend}}, m.remarks()...) },
	}}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b *alignment.Row) int {
		none := func(r *alignment.Row) int {
			if r.Alignment.N == 0 {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(none(a), none(b)), cmp.Compare(b.Alignment.Value, a.Alignment.Value))
	})
	for _, r := range rows {
		out = append(out, m.extractorLine(id, r))
	}
	return out
}

const barLegend = "share of items that the extractor reads as people do, with its interval; " + widget.Baseline +
	" what always giving people's most frequent class would reach, " + widget.AtIt + " the same as the rate"

// overTime are the lines of those extractors of which figures were saved, each
// with today's as its last; shown tells whether they are before anybody asks.
func (m *Model) overTime(f *alignmentFigures, shown bool) []line {
	var lines [][]*alignment.CalibrationRow
	for _, r := range alignment.Line(&f.report) {
		n := len(lines)
		if n > 0 && sameLine(lines[n-1][0], r) {
			lines[n-1] = append(lines[n-1], r)
		} else {
			lines = append(lines, []*alignment.CalibrationRow{r})
		}
	}
	lines = slices.DeleteFunc(lines, func(l []*alignment.CalibrationRow) bool {
		return l[0].Saved == 0 || !slices.ContainsFunc(l, func(r *alignment.CalibrationRow) bool { return r.LeftOut == "" })
	})
	if len(lines) == 0 {
		return nil
	}
	head := line{
		id: "time", name: "over time", parent: true, open: m.open["time"] != shown,
		note:   "of " + widget.Plural(len(lines), "extractor") + ", from saved reports to today",
		behind: OpenSamples{Title: "over time"},
		beside: func() [][2]string {
			return append([][2]string{{"points", "each saved report as it was, and today's figure last; " + widget.Hollow + " stale"}}, m.remarks()...)
		},
	}
	out := []line{head}
	if !head.open {
		return out
	}
	for _, l := range lines {
		out = append(out, m.timeLines(l)...)
	}
	return out
}

func sameLine(a, b *alignment.CalibrationRow) bool {
	return a.Extractor == b.Extractor && a.Policy == b.Policy && a.Undecided == b.Undecided
}

// timeLines are one extractor over time: its newest figure, with all of them
// drawn below, and when it is open each of them.
func (m *Model) timeLines(rows []*alignment.CalibrationRow) []line {
	newest := rows[len(rows)-1]
	id := strings.Join([]string{"time", newest.Extractor, newest.Policy, newest.Undecided}, "\x00")
	name := widget.Line(newest.Extractor)
	if newest.Saved != 0 { // today's figures are of another consensus
		name += ", " + newest.Policy + ", undecided " + newest.Undecided
	}
	head := line{
		id: id, depth: 1, name: name, parent: true, open: m.open[id], rate: newest.Alignment, other: newest.Baseline,
		behind: OpenSamples{Title: name + " over time"},
	}
	for _, r := range rows {
		if a := r.Alignment; a.N > 0 {
			head.plot = append(head.plot, widget.Point{Label: pointName(r), Low: a.Low, Value: a.Value, High: a.High, Hollow: r.Stale})
		}
	}
	head.label = pointName(newest)
	out := []line{head}
	if !head.open {
		return out
	}
	for _, r := range rows {
		p := line{
			id: fmt.Sprintf("%s\x00%d", id, r.Saved), depth: 2, name: pointName(r), rate: r.Alignment, other: r.Baseline,
			behind: OpenSamples{Title: name + ", " + pointName(r)},
			beside: func() [][2]string { return append(pointBeside(r), m.hidden()...) },
		}
		switch {
		case r.Saved == 0:
			p.behind = m.todays(r, p.behind.Title)
		case r.Stale:
			p.label = widget.Hollow + " stale"
		default:
			p.label = widget.Holds
		}
		out = append(out, p)
	}
	return out
}

// pointName is which report a figure is of.
func pointName(r *alignment.CalibrationRow) string {
	if r.Saved == 0 {
		return "today"
	}
	return fmt.Sprintf("%s #%d", r.SavedAt.UTC().Format("01-02"), r.Saved)
}

// todays are the items behind today's figure.
func (m *Model) todays(r *alignment.CalibrationRow, title string) OpenSamples {
	overall, runs := m.aligned().rows()
	for _, rows := range append([][]*alignment.Row{overall}, runs...) {
		for _, a := range rows {
			if a.Extractor == r.Extractor && a.Run == r.Run {
				return m.alignedBehind(a, title, figures.Selection{})
			}
		}
	}
	return OpenSamples{Title: title}
}

// pointBeside is what stands beside a figure in a line over time.
func pointBeside(r *alignment.CalibrationRow) [][2]string {
	out := [][2]string{{"alignment", whole(r.Alignment)}}
	if r.Saved != 0 {
		now := widget.Holds + " as it would come out today"
		if r.Stale {
			now = widget.Hollow + " STALE: " + widget.Line(strings.Join(r.Reasons, "; "))
		}
		out = append(out,
			[2]string{"saved", fmt.Sprintf("report %d, %s by %s", r.Saved, r.SavedAt.UTC().Format("2006-01-02 15:04 UTC"), widget.Line(r.SavedBy))},
			[2]string{"now", now})
	}
	if s := r.Shift; s != nil {
		because := "on the same facts"
		if len(s.Because) > 0 {
			because = widget.Line(strings.Join(s.Because, "; "))
		}
		out = append(out, [2]string{"change", difference(s.Difference) + fmt.Sprintf(" since report %d: %s", s.Since, because)})
		if !s.Difference.Exact && s.Difference.Reason() == "" {
			out = append(out, [2]string{"", "the interval holds whatever items the two share, and is wide for it"})
		}
	}
	return append(out,
		[2]string{"agreement", "Cohen's kappa " + coefficient(r.Kappa) + "  ·  Gwet's AC1 " + coefficient(r.AC1)},
		[2]string{"baseline " + widget.Baseline, "always people's most frequent class: " + whole(r.Baseline)},
		[2]string{"of", fmt.Sprintf("%s, labelled by %s; %s, undecided %s", widget.Plural(r.Items, "item"), people(r.Annotators), r.Policy, r.Undecided)})
}

// opens reports whether the items behind a row may be shown.
func (m *Model) opens(r *alignment.Row) bool {
	f := m.aligned()
	return r.Saved == 0 && f != nil && f.veiled == ""
}
