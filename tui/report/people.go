package report

import (
	"fmt"
	"slices"

	"concord/annotate"
	figures "concord/annotate/report"
	"concord/annotate/report/pairwise"
	"concord/eval/stat"
	"concord/tui/widget"
)

// peopleLines are how far every two people vote alike: a matrix, and a line for
// each two.
func (m *Model) peopleLines(f *pollFigures) []line {
	rows := of[*pairwise.PeopleRow](f.people.Rows)
	if len(rows) == 0 || f.veiled != "" {
		return nil
	}
	head := m.head0("p", "people among themselves", f)
	out := []line{head}
	if !head.open {
		return out
	}
	out = append(out, m.matrix(rows, f)...)
	for _, r := range rows {
		name := widget.Line(string(r.A)) + " and " + widget.Line(string(r.B))
		lists := pairLists(r, nil, peoplePicks(r)...)
		for i, x := range []struct {
			label string
			rate  stat.Rate
		}{{"prefer the same", r.Agreement}, {"all classes", r.AllClasses}} {
			l := line{
				id: "p\x00" + name + "\x00" + x.label, depth: 1, label: x.label, rate: x.rate,
				behind: OpenSamples{Title: name}, pairs: OpenPairs{Title: name + " on " + widget.Line(string(r.Queue)), Lists: lists},
				beside: func() [][2]string { return peopleBeside(r, f) },
			}
			if i == 0 {
				l.name = name
			}
			out = append(out, l)
		}
	}
	return out
}

func peoplePicks(r *pairwise.PeopleRow) []pick {
	return []pick{
		{"agree", figures.Agree, -1},
		{"differ", figures.Disagree, -1},
		{"undecided", pairwise.PeopleUndecided, r.Undecided},
		{"other pairs asked for", pairwise.Filtered, r.LeftOut.Filtered},
		{"not voted on by both", pairwise.NotVoted, r.LeftOut.NotVoted},
		{"flagged", pairwise.FlaggedVotes, r.LeftOut.Flagged},
		{"after the reveal", pairwise.InformedVotes, r.LeftOut.Informed},
	}
}

func peopleBeside(r *pairwise.PeopleRow, f *pollFigures) [][2]string {
	left := counts("not voted on by both", r.LeftOut.NotVoted, "flagged", r.LeftOut.Flagged,
		"after the reveal", r.LeftOut.Informed, "other pairs asked for", r.LeftOut.Filtered)
	out := [][2]string{
		{"agreement", whole(r.Agreement) + " pairs on which both prefer an answer; " + widget.Count(r.Undecided) + " undecided"},
		{"chance", "Cohen's kappa " + coefficient(r.Kappa) + "  ·  Gwet's AC1 " + coefficient(r.AC1)},
		{"all classes", whole(r.AllClasses) + "  kappa " + coefficient(r.AllKappa) + "  ·  AC1 " + coefficient(r.AllAC1)},
		{"left out", or(left, "nothing") + " of " + widget.Plural(r.Pairs, "pair")},
	}
	return append(out, f.remarks()...)
}

// cell is how wide a cell of the matrix is.
const cell = 13

// matrix is every person against every other (Table 15): above the diagonal
// both prefer an answer, below it all classes count.
func (m *Model) matrix(rows []*pairwise.PeopleRow, f *pollFigures) []line {
	var people []annotate.Annotator
	for _, r := range rows {
		for _, who := range []annotate.Annotator{r.A, r.B} {
			if !slices.Contains(people, who) {
				people = append(people, who)
			}
		}
	}
	if len(people) < 3 {
		return nil // the line of the two says it all
	}
	const legend = "above the diagonal both prefer an answer; below it all classes count; " +
		"· under 50 %, ░ from 50, ▒ from 70, ▓ from 85, █ from 95"
	beside := func() [][2]string { return append([][2]string{{"matrix", legend}}, f.remarks()...) }
	titles := widget.Fit("", nameLeast)
	for _, who := range people {
		titles += widget.Fit(widget.Cut(widget.Line(string(who)), cell-1), cell)
	}
	out := []line{{id: "p\x00titles", depth: 1, text: m.theme.Faint.Render(titles), behind: OpenSamples{Title: "people among themselves"}, beside: beside}}
	for _, a := range people {
		text := widget.Fit(widget.Cut(widget.Line(string(a)), nameLeast-2), nameLeast)
		var lists []PairList
		for _, b := range people {
			i := slices.IndexFunc(rows, func(r *pairwise.PeopleRow) bool { return r.A == a && r.B == b || r.A == b && r.B == a })
			if i < 0 {
				text += widget.Fit("·", cell)
				continue
			}
			rate := rows[i].Agreement
			if rows[i].A == b {
				rate = rows[i].AllClasses
			}
			text += widget.Fit(m.heat(rate), cell)
			with := pairLists(rows[i], nil, peoplePicks(rows[i])...)
			for _, l := range with[1:3] {
				l.Name = widget.Line(string(b)) + ": " + l.Name
				lists = append(lists, l)
			}
		}
		name := widget.Line(string(a)) + " and the others"
		out = append(out, line{
			id: "p\x00row\x00" + string(a), depth: 1, text: text, behind: OpenSamples{Title: name},
			pairs: OpenPairs{Title: name, Lists: lists}, beside: beside,
		})
	}
	return out
}

// heat is a rate with its n behind a mark of how high it is.
func (m *Model) heat(r stat.Rate) string {
	t := m.theme
	if r.N == 0 {
		return t.Faint.Render("–    n 0")
	}
	mark, style := widget.Shade(r.Value, [4]float64{0.5, 0.7, 0.85, 0.95}), t.Good
	switch {
	case r.Value < 0.5:
		style = t.Bad
	case r.Value < 0.7:
		style = t.Warn
	}
	return style.Render(mark+mark) + fmt.Sprintf(" %3.0f", 100*r.Value) + t.Faint.Render(fmt.Sprintf(" n%d", r.N))
}
