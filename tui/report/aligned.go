package report

import (
	"fmt"
	"maps"
	"slices"

	"concord/annotate/agree"
	figures "concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/eval/stat"
	"concord/tui/widget"
)

// alignmentLines are how far each extractor reads as people do: over the
// whole queue, of each run, and in the reports that were saved.
func (m *Model) alignmentLines() []line {
	f := m.aligned()
	switch {
	case f == nil:
		return nil
	case m.charted:
		return m.chartLines(f)
	}
	overall, runs := f.rows()
	out := m.alignedGroup("all runs of the queue", overall, true)
	for _, rows := range runs {
		out = append(out, m.alignedGroup(runName(&rows[0].Head), rows, len(overall) == 0)...)
	}
	out = append(out, m.overTime(f, false)...)
	for _, s := range savedReports(f.report) {
		out = append(out, m.savedLines(s)...)
	}
	return out
}

// rows are today's: over the whole queue, where it has several runs, and of each
// run.
func (f *alignmentFigures) rows() (overall []*alignment.Row, runs [][]*alignment.Row) {
	for _, row := range slices.Concat(f.report.Overall, f.report.Rows) {
		a, ok := row.(*alignment.Row)
		n := len(runs)
		switch {
		case !ok || a.Saved != 0:
		case a.Run == 0:
			overall = append(overall, a)
		case n > 0 && runs[n-1][0].Run == a.Run:
			runs[n-1] = append(runs[n-1], a)
		default:
			runs = append(runs, []*alignment.Row{a})
		}
	}
	return overall, runs
}

// alignedGroup is a head with the extractors below it; shown tells whether
// they are shown before anybody asks.
func (m *Model) alignedGroup(name string, rows []*alignment.Row, shown bool) []line {
	if len(rows) == 0 {
		return nil
	}
	id := fmt.Sprintf("g%d\x00%d", rows[0].Saved, rows[0].Run)
	note := fmt.Sprintf("%s, labelled by %s", widget.Plural(rows[0].Items, "item"), people(rows[0].Annotators))
	head := line{
		id: id, name: name, parent: true, open: m.open[id] != shown, note: note,
		behind: m.itemsOf(name, rows),
		beside: func() [][2]string {
			said := note
			if rows[0].Annotators == 0 {
				said += m.Keyed("; {v} goes to the review")
			}
			return append([][2]string{{"labels", said}}, m.remarks()...)
		},
	}
	out := []line{head}
	if !head.open {
		return out
	}
	// Those without figures stand below those with some.
	for _, left := range []bool{false, true} {
		for _, r := range rows {
			if (r.LeftOut != "") == left {
				out = append(out, m.extractorLines(id, r)...)
			}
		}
	}
	return out
}

// remarks are what has to be known beside the figures of the queue.
func (m *Model) remarks() [][2]string {
	var out [][2]string
	if f := m.aligned(); f != nil {
		for _, n := range f.notes {
			out = append(out, [2]string{"note", n})
		}
	}
	return out
}

// hidden is why there are no items behind a rate.
func (m *Model) hidden() [][2]string {
	if f := m.aligned(); f != nil && f.veiled != "" {
		return [][2]string{{"hidden", f.veiled}}
	}
	return nil
}

func people(n int) string {
	switch n {
	case 0:
		return "nobody"
	case 1:
		return "1 person"
	}
	return widget.Count(n) + " people"
}

// alignedBehind are the items behind a rate. Those of a saved report are the
// items as they stand now, so none are offered; nor are any to a person who
// has yet to answer some.
func (m *Model) alignedBehind(r *alignment.Row, title string, s figures.Selection) OpenSamples {
	open := OpenSamples{
		Title: widget.Line(title) + " on " + widget.Line(string(r.Queue)), Extractor: r.Extractor, People: true,
	}
	if !m.opens(r) {
		return open
	}
	pick := func(name string, w figures.Which) List {
		s.Which = w
		return behind(m.source, r, name, s)
	}
	one, two := pick("Case I", alignment.CaseOne), pick("Case II", alignment.CaseTwo)
	same, out := pick("aligned", alignment.Aligned), pick("left out", alignment.Excluded)
	open.Lists = []List{together(same, one, two), same, one, two}
	if alignment.PartOf(&s).Person == "" {
		open.Lists = append(open.Lists, out)
	}
	return open
}

// itemsOf are all items of the queue that rows are about.
func (m *Model) itemsOf(title string, rows []*alignment.Row) OpenSamples {
	for _, r := range rows {
		open := m.alignedBehind(r, title, figures.Selection{})
		if r.LeftOut == "" && len(open.Lists) > 0 {
			all := together(open.Lists[0], open.Lists[len(open.Lists)-1])
			all.Name, all.Tells = "items", false
			open.Title, open.Extractor, open.Lists = title, "", []List{all}
			return open
		}
	}
	return OpenSamples{Title: title}
}

// alignedBeside is what stands beside an alignment rate: which way the rest
// went, what chance and habit would give, and what was left out.
func alignedBeside(r *alignment.Row, rate stat.Rate) [][2]string {
	out := [][2]string{{"alignment", whole(rate)}}
	if r.LeftOut != "" {
		return [][2]string{{"left out", r.LeftOut}}
	}
	out = append(out,
		[2]string{"misaligned", fmt.Sprintf("%s Case I, one side says none of the options · %s Case II, different options",
			widget.Count(r.CaseOne), widget.Count(r.CaseTwo))})
	if a := r.Adjudicated; a != nil {
		c := a.CaseTwo
		out = append(out, [2]string{"settled", fmt.Sprintf("with %s %s · Case II: %s", widget.Plural(a.Items, "ruling"), whole(a.Alignment),
			counts("person right", c.PersonRight, "judge right", c.JudgeRight, "ambiguous", c.Ambiguous, "both wrong", c.BothWrong, "open", c.Open))})
	}
	left := make([]any, 0, 2*len(r.Excluded))
	for _, reason := range slices.Sorted(maps.Keys(r.Excluded)) {
		left = append(left, reason, r.Excluded[reason])
	}
	excluded := counts(left...)
	if excluded == "" {
		excluded = "nothing"
	}
	return append(out, [2]string{"left out", excluded},
		[2]string{"agreement", "Cohen's kappa " + coefficient(r.Kappa) + "  ·  Gwet's AC1 " + coefficient(r.AC1)},
		[2]string{"baseline " + widget.Baseline, "always people's most frequent class: " + whole(r.Baseline)})
}

func coefficient(c agree.Coefficient) string {
	switch {
	case c.Undefined != "":
		return "– (" + c.Undefined + ")"
	case c.N == 0:
		return "– (no items)"
	case !c.Interval:
		return fmt.Sprintf("%.3f", c.Value)
	}
	return fmt.Sprintf("%.3f [%.3f, %.3f]", c.Value, c.Low, c.High)
}
