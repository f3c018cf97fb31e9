package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"concord/annotate"
	figures "concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/eval/stat"
	"concord/tui/widget"
)

const noAnnotators = "Nobody has answered anything in a queue yet. {v} goes to the queues, and {l@queues} makes one there:\n" +
	"  concord queue create NAME --dataset N --from unparsable\n" +
	"  concord review --queue NAME"

// annotatorsLines are how the people of a queue worked: what is worth a talk,
// how far every two agree, each beside the others, and their time.
func (m *Model) annotatorsLines(f *pollFigures) []line {
	var out []line
	for _, r := range of[*alignment.AnnotatorsRow](f.report.Rows) {
		out = append(out, m.pointerLines(r, f)...)
		out = append(out, m.crewMatrix(r, f)...)
		for i := range r.People {
			out = append(out, m.crewLine(r, &r.People[i], f))
		}
		out = append(out, m.paceLines(r, f)...)
	}
	return out
}

// crewBehind puts the items behind a figure about people to a line.
func (m *Model) crewBehind(l *line, r *alignment.AnnotatorsRow, f *pollFigures, title string, picks ...crewPick) {
	l.behind = OpenSamples{Title: title}
	if f.veiled != "" {
		return
	}
	var samples []List
	var pairs []PairList
	for _, p := range picks {
		if p.n == 0 {
			continue
		}
		if r.Votes {
			pairs = append(pairs, PairList{Name: p.name, Tells: true, Pairs: figures.Pairs(r, p.Selection)})
		} else {
			samples = append(samples, behind(m.source, r, p.name, p.Selection))
		}
	}
	l.behind.Lists, l.behind.People, l.pairs = samples, true, OpenPairs{Title: title, Lists: pairs}
}

type crewPick struct {
	figures.Selection
	name string
	n    int // behind it
}

// crewPicks are the items on which somebody agrees with, differs from and is not
// compared with another person, or the others.
func crewPicks(before string, who, other annotate.Annotator, same, n, left int) []crewPick {
	s := func(w figures.Which, name string, n int) crewPick {
		return crewPick{figures.Selection{Which: w, Part: alignment.Part{Person: who, Other: other}}, before + name, n}
	}
	return []crewPick{
		s(figures.Disagree, "differ", n-same), s(figures.Agree, "agree", same), s(alignment.Excluded, "left out", left),
	}
}

func total(m map[string]int) int {
	n := 0
	for _, k := range m {
		n += k
	}
	return n
}

func (m *Model) pointerLines(r *alignment.AnnotatorsRow, f *pollFigures) []line {
	var out []line
	for i := range r.Pointers {
		p := &r.Pointers[i]
		said := widget.Line(p.Text)
		l := line{
			id: fmt.Sprint("w\x00", i), text: m.theme.Warn.Render("! ") + said,
			beside: func() [][2]string { return append([][2]string{{"to talk over", said}}, f.remarks()...) },
		}
		picks := []crewPick(nil)
		for j := range r.People {
			if x := &r.People[j]; x.Annotator == p.Annotator {
				picks = crewPicks("", x.Annotator, "", x.Others.K, x.Others.N, total(x.LeftOut))
			}
		}
		m.crewBehind(&l, r, f, widget.Line(string(p.Annotator))+" and the others", picks...)
		out = append(out, l)
	}
	return out
}

// crewMatrix is every person against every other one.
func (m *Model) crewMatrix(r *alignment.AnnotatorsRow, f *pollFigures) []line {
	if len(r.Pairs) == 0 {
		return nil
	}
	beside := func() [][2]string {
		return append([][2]string{{"matrix", "items that both read alike; · under 50 %, ░ from 50, ▒ from 70, ▓ from 85, █ from 95"}}, f.remarks()...)
	}
	titles := widget.Fit("", nameLeast)
	for i := range r.People {
		titles += widget.Fit(widget.Cut(widget.Line(string(r.People[i].Annotator)), cell-1), cell)
	}
	out := []line{{id: "x\x00titles", text: m.theme.Faint.Render(titles), behind: OpenSamples{Title: "every two people"}, beside: beside}}
	for i := range r.People {
		a := r.People[i].Annotator
		text := widget.Fit(widget.Cut(widget.Line(string(a)), nameLeast-2), nameLeast)
		var picks []crewPick
		for j := range r.People {
			b := r.People[j].Annotator
			at := slices.IndexFunc(r.Pairs, func(p alignment.AnnotatorPair) bool { return p.A == a && p.B == b || p.A == b && p.B == a })
			if at < 0 {
				text += widget.Fit("·", cell)
				continue
			}
			p := &r.Pairs[at]
			text += widget.Fit(m.heat(p.Agreement), cell)
			picks = append(picks, crewPicks(widget.Line(string(b))+": ", a, b, p.Agreement.K, p.Agreement.N, total(p.LeftOut))...)
		}
		l := line{id: "x\x00" + string(a), text: text, beside: beside}
		m.crewBehind(&l, r, f, widget.Line(string(a))+" and each of the others", picks...)
		out = append(out, l)
	}
	return out
}

// crewLine is one person beside the others' word.
func (m *Model) crewLine(r *alignment.AnnotatorsRow, x *alignment.AnnotatorLine, f *pollFigures) line {
	l := line{
		id: "o\x00" + string(x.Annotator), name: widget.Line(string(x.Annotator)), label: "with the others", rate: x.Others, other: x.Without,
		beside: func() [][2]string { return crewBeside(x, f) },
	}
	m.crewBehind(&l, r, f, l.name+" and the others", crewPicks("", x.Annotator, "", x.Others.K, x.Others.N, total(x.LeftOut))...)
	return l
}

// rated is a rate with what it is of, or why there is none.
func rated(r stat.Rate, of string) string {
	if r.N == 0 {
		return whole(r)
	}
	return whole(r) + " " + of
}

func crewBeside(x *alignment.AnnotatorLine, f *pollFigures) [][2]string {
	left := make([]any, 0, 2*len(x.LeftOut))
	for _, reason := range slices.Sorted(maps.Keys(x.LeftOut)) {
		left = append(left, reason, x.LeftOut[reason])
	}
	out := [][2]string{
		{"agreement", rated(x.Others, "with the others' word")},
		{"others " + widget.Baseline, rated(x.Without, "among themselves")},
		{"chance", "Cohen's kappa " + coefficient(x.Kappa) + "  ·  Gwet's AC1 " + coefficient(x.AC1)},
	}
	if x.Known != nil {
		out = append(out, [2]string{"checks", rated(*x.Known, "of the known answers")})
	}
	return slices.Concat(out, [][2]string{
		{"labels", counts("labelled", x.Labelled, "skipped", x.Skipped, "flagged", x.Flagged, "after the reveal", x.Informed, "imported", x.Imported, "rulings", x.Rulings)},
		{"left out", or(counts(left...), "nothing")},
	}, f.remarks())
}

// paceLines are everybody's time for an item: the middle half of their times
// around the median, on one scale.
func (m *Model) paceLines(r *alignment.AnnotatorsRow, f *pollFigures) []line {
	most := 0.0
	for i := range r.People {
		if q := r.People[i].Time.Upper; q != nil {
			most = max(most, *q)
		}
	}
	var out []line
	for i := range r.People {
		x := &r.People[i]
		t := &x.Time
		text := widget.Fit(widget.Cut(widget.Line(string(x.Annotator)), nameLeast-2), nameLeast)
		said := [][2]string{{"time", "no time is known of their labels"}}
		if t.Lower == nil || t.Median == nil || t.Upper == nil || most <= 0 {
			text += m.theme.Faint.Render("– no time is known")
		} else {
			const wide = 28
			text += fmt.Sprintf("median %5.1f s  n %-5s ", *t.Median, widget.Count(t.Items)) +
				m.theme.Interval(wide, *t.Lower/most, *t.Median/most, *t.Upper/most)
			said = [][2]string{{"time", fmt.Sprintf("median %.1f s, half of the items between %.1f and %.1f s, n %s", *t.Median, *t.Lower, *t.Upper, widget.Count(t.Items))}}
			if s := t.Same; s != nil {
				said = append(said, [2]string{"the others", fmt.Sprintf("on the same %s: %.1f s, and theirs %.1f s", widget.Plural(s.Items, "item"), s.Median, s.Others)})
			}
			said = append(said, [2]string{"in all", fmt.Sprintf("%.0f min; the bar ends at %.0f s", math.Ceil(t.Total/60), most)})
		}
		l := line{
			id: "t\x00" + string(x.Annotator), text: text,
			beside: func() [][2]string { return append(said, f.remarks()...) },
		}
		m.crewBehind(&l, r, f, strings.TrimSpace(widget.Line(string(x.Annotator)))+", time", crewPicks("", x.Annotator, "", x.Others.K, x.Others.N, total(x.LeftOut))...)
		out = append(out, l)
	}
	return out
}
