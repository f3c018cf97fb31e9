package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate/agree"
	figures "concord/annotate/report"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/widget"
)

// alignmentLines are how far each extractor reads as people do: over the
// whole queue, of each run, and in the reports that were saved.
func (m *Model) alignmentLines() []line {
	f := m.aligned()
	if f == nil {
		return nil
	}
	var overall, runs []*figures.AlignmentRow
	for _, row := range slices.Concat(f.report.Overall, f.report.Rows) {
		a, ok := row.(*figures.AlignmentRow)
		switch {
		case !ok || a.Saved != 0:
		case a.Run == 0:
			overall = append(overall, a)
		default:
			runs = append(runs, a)
		}
	}
	out := m.alignedGroup("all runs of the queue", overall, true)
	for len(runs) > 0 {
		n := 1
		for n < len(runs) && runs[n].Run == runs[0].Run {
			n++
		}
		out = append(out, m.alignedGroup(runName(&runs[0].Head), runs[:n], len(overall) == 0)...)
		runs = runs[n:]
	}
	for _, s := range savedReports(f.report) {
		out = append(out, m.savedLines(s)...)
	}
	return out
}

// alignedGroup is a head with the extractors below it; shown tells whether
// they are shown before anybody asks.
func (m *Model) alignedGroup(name string, rows []*figures.AlignmentRow, shown bool) []line {
	if len(rows) == 0 {
		return nil
	}
	id := fmt.Sprintf("g%d\x00%d", rows[0].Saved, rows[0].Run)
	note := fmt.Sprintf("%s, labelled by %s", widget.Plural(rows[0].Items, "item"), people(rows[0].Annotators))
	head := line{
		id: id, name: name, parent: true, open: m.open[id] != shown, note: note,
		behind: OpenSamples{Title: name},
		beside: func() [][2]string {
			said := note
			if rows[0].Annotators == 0 {
				said += "; v goes to the review"
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

// extractorLines are an extractor's rate and, when open, its parts.
func (m *Model) extractorLines(group string, r *figures.AlignmentRow) []line {
	l := line{
		id: group + "\x00" + r.Extractor, depth: 1, name: widget.Line(r.Extractor), rate: r.Alignment,
		beside: func() [][2]string { return append(alignedBeside(r, r.Alignment), m.hidden()...) },
		behind: m.alignedBehind(r, r.Extractor, figures.Selection{}),
	}
	if r.LeftOut != "" {
		l.note, l.behind.Lists = "left out: "+widget.Line(r.LeftOut), nil
		return []line{l}
	}
	l.parent, l.open = len(r.Levels)+len(r.People)+len(r.Models) > 0, m.open[l.id]
	out := []line{l}
	if !l.open {
		return out
	}
	part := func(kind, name string, rate stat.Rate, s *figures.Selection) {
		p := line{
			id: l.id + "\x00" + kind + name, depth: 2, name: widget.Line(name), label: kind, rate: rate,
			beside: func() [][2]string { return append(alignedBeside(r, rate), m.hidden()...) },
			behind: OpenSamples{Title: r.Extractor + ", " + name},
		}
		if s != nil {
			p.behind = m.alignedBehind(r, p.behind.Title, *s)
		}
		out = append(out, p)
	}
	for _, x := range r.Models {
		part("model", x.Model, x.Alignment, &figures.Selection{Model: x.Model})
	}
	for _, x := range r.People {
		part("person", x.Annotator, x.Alignment, nil)
	}
	for _, x := range r.Levels {
		part("level", eval.Path(x.Path), x.Alignment, &figures.Selection{Level: x.Path})
	}
	return out
}

// alignedBehind are the items behind a rate. Those of a saved report are the
// items as they stand now, so none are offered; nor are any to a person who
// has yet to answer some.
func (m *Model) alignedBehind(r *figures.AlignmentRow, title string, s figures.Selection) OpenSamples {
	open := OpenSamples{
		Title: widget.Line(title) + " on " + widget.Line(string(r.Queue)), Extractor: r.Extractor, People: true,
	}
	if f := m.aligned(); r.Saved != 0 || f == nil || f.veiled != "" {
		return open
	}
	pick := func(name string, w figures.Which) List {
		s.Which = w
		return behind(m.source, r, name, s)
	}
	one, two := pick("Case I", figures.CaseOne), pick("Case II", figures.CaseTwo)
	same, out := pick("aligned", figures.Aligned), pick("left out", figures.Excluded)
	open.Lists = []List{together(same, one, two), same, one, two, out}
	return open
}

// alignedBeside is what stands beside an alignment rate: which way the rest
// went, what chance and habit would give, and what was left out.
func alignedBeside(r *figures.AlignmentRow, rate stat.Rate) [][2]string {
	out := [][2]string{{"alignment", whole(rate)}}
	if r.LeftOut != "" {
		return [][2]string{{"left out", r.LeftOut}}
	}
	out = append(out,
		[2]string{"misaligned", fmt.Sprintf("%s Case I, one side says none of the options · %s Case II, different options",
			widget.Count(r.CaseOne), widget.Count(r.CaseTwo))},
		[2]string{"agreement", "Cohen's kappa " + coefficient(r.Kappa) + "  ·  Gwet's AC1 " + coefficient(r.AC1)},
		[2]string{"baseline", "always people's most frequent class: " + whole(r.Baseline)})
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
	return append(out, [2]string{"left out", excluded})
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

// savedReports are the rows of each saved report, oldest first.
func savedReports(r figures.Report) [][]*figures.AlignmentRow {
	var out [][]*figures.AlignmentRow
	at := make(map[uint64]int)
	for _, row := range slices.Concat(r.Overall, r.Rows) {
		a, ok := row.(*figures.AlignmentRow)
		if !ok || a.Saved == 0 {
			continue
		}
		i, known := at[a.Saved]
		if !known {
			i = len(out)
			at[a.Saved] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], a)
	}
	slices.SortFunc(out, func(a, b []*figures.AlignmentRow) int { return int(a[0].Saved) - int(b[0].Saved) })
	return out
}

// savedLines are a saved report: whether it is stale, and its figures as they
// were.
func (m *Model) savedLines(rows []*figures.AlignmentRow) []line {
	first := rows[0]
	if first.Run == 0 { // the whole queue says it all
		rows = slices.DeleteFunc(slices.Clone(rows), func(r *figures.AlignmentRow) bool { return r.Run != 0 })
	}
	out := m.alignedGroup(fmt.Sprintf("saved report %d", first.Saved), rows, false)
	note := ""
	if first.SavedAt != nil {
		note = first.SavedAt.Format("2006-01-02 15:04 UTC")
	}
	note += " by " + widget.Line(first.SavedBy)
	today := "as it would come out today"
	if first.Stale != nil && *first.Stale {
		today = "STALE: " + widget.Line(strings.Join(first.Reasons, "; "))
	}
	out[0].note = note + " · " + today
	out[0].beside = func() [][2]string {
		return append([][2]string{{"saved", note}, {"now", today}}, m.remarks()...)
	}
	return out
}
