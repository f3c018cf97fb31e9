package pairwise

import (
	"fmt"
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// Columns names the columns of the lines that Lines gives.
func (r *BiasRow) Columns() []table.Column {
	return table.Columns(duelLayout.Columns, table.List("queue person measure class share:rate undecided:count equal_length:count incomplete:count"))
}

// Lines gives one line for each position, and for each bin of lengths behind
// the whole.
func (r *BiasRow) Lines() [][]table.Cell {
	start, by := append(r.cells(), table.Text(string(r.Queue)), table.Text(string(r.Person))), r.opener()
	var out [][]table.Cell
	line := func(measure, class string, figures ...table.Cell) {
		all := make([]table.Cell, 4)
		copy(all, figures)
		out = append(out, slices.Concat(start, []table.Cell{table.Text(measure), table.Text(class)}, all))
	}
	if r.Queue == "" { // a person sees one order
		for i, share := range r.Position.cells(by, r.Incomplete) {
			line("position", positionColumns[i].Name, share)
		}
	}
	line("first_shown", "all", r.shownFirst())
	out[0][len(out[0])-1] = report.Over(table.Count(r.Incomplete), by, Incompletes)
	line("longer", "all", r.longer()...)
	for i := range r.Lengths {
		line("longer", r.Lengths[i].name(), r.Lengths[i].cells(by)...)
	}
	return out
}

// opener opens the row's figures: people's to who has voted on all that they
// were over.
func (r *BiasRow) opener() report.Opener {
	by := r.Comparison.opener(r)
	if r.Queue == "" {
		return by
	}
	by.Ballot, by.People = nil, true
	by.Names = func(s *report.Selection) string {
		switch s.Which {
		case Wins:
			return "first run preferred"
		case Losses:
			return "other preferred"
		default:
			return pairNames(s)
		}
	}
	return by
}

// shownFirst is the share of votes for the answer shown first. People's pairs are
// by the answer that won; a judge's are behind the positions.
func (r *BiasRow) shownFirst() table.Cell {
	if r.Queue == "" {
		return table.Rate(r.FirstShown)
	}
	by := r.opener()
	return report.And(report.Over(table.Rate(r.FirstShown), by, Wins, Losses), by, LongerWon, ShorterWon)
}

// longer is the share of the longer answer, with what is in no share.
func (r *BiasRow) longer() []table.Cell {
	by := r.opener()
	return []table.Cell{
		report.And(report.Over(table.Rate(r.Longer), by, LongerWon, ShorterWon), by, NeitherWon),
		report.Over(table.Count(r.Undecided), by, NeitherWon), report.Over(table.Count(r.EqualLength), by, EqualLength),
	}
}

func (l *LengthRow) cells(by report.Opener) []table.Cell {
	longer, shorter, neither := l.Figure(LongerWon), l.Figure(ShorterWon), l.Figure(NeitherWon)
	return []table.Cell{report.And(report.Over(table.Rate(l.Longer), by, longer, shorter), by, neither), report.Over(table.Count(l.Undecided), by, neither)}
}

// biasSheets lay the rows out as people read them: those of one judge, or of the
// people of one queue, side by side.
func biasSheets(r *report.Report) []table.Table {
	var out []table.Table
	all := report.RowsOf[*BiasRow](r.Overall)
	for _, group := range table.GroupBy(report.RowsOf[*BiasRow](r.Rows), (*BiasRow).place) {
		for _, sum := range all {
			if sum.place() == group[0].place() {
				group = append([]*BiasRow{sum}, group...)
				break
			}
		}
		first := positionSheet
		if group[0].Queue != "" {
			first = shownSheet
		}
		out = append(out, first(group), lengthSheet(group))
	}
	return out
}

// place names people by their queue, where a judge has a name.
func (r *BiasRow) place() string {
	if r.Queue == "" {
		return r.Comparison.place()
	}
	return fmt.Sprintf("%s, people, queue %s, %s criteria, against %s", r.Dataset, r.Queue, r.criteria(), r.Anchor)
}

func positionSheet(group []*BiasRow) table.Table {
	t := table.Table{
		Name: "positions", Title: group[0].place(),
		Columns: table.Columns(table.List("model"), positionColumns[:1], table.List(":bar"), positionColumns[1:], table.List("incomplete:count first_shown:rate")),
	}
	var same []stat.Rate
	for _, r := range group {
		same = append(same, r.Position.Same)
	}
	drawn := table.Bars(same)
	for i, r := range group {
		by := r.opener()
		p := r.Position.cells(by, r.Incomplete)
		t.Rows = append(t.Rows, []table.Cell{r.whose(), p[0], drawn[i], p[1], p[2], p[3], report.Over(table.Count(r.Incomplete), by, Incompletes), r.shownFirst()})
	}
	return t
}

func lengthSheet(group []*BiasRow) table.Table {
	t := table.Table{
		Name: "lengths", Title: group[0].place(),
		Columns: table.List(group[0].whom() + " longer_by longer_preferred:rate :bar undecided:count equal_length:count"),
	}
	for _, r := range group {
		model := r.whose()
		rates := []stat.Rate{r.Longer}
		for _, l := range r.Lengths {
			rates = append(rates, l.Longer)
		}
		drawn, all := table.Bars(rates), r.longer()
		t.Rows = append(t.Rows, []table.Cell{model, table.Text("any"), all[0], drawn[0], all[1], all[2]})
		for i := range r.Lengths {
			c := r.Lengths[i].cells(r.opener())
			t.Rows = append(t.Rows, []table.Cell{model, table.Text(r.Lengths[i].name()), c[0], drawn[i+1], c[1], table.Blank()})
		}
	}
	return t
}

// shownSheet is the positional balance of people's votes.
func shownSheet(group []*BiasRow) table.Table {
	t := table.Table{
		Name: "first shown", Title: group[0].place(),
		Columns: table.List("person first_shown:rate :bar incomplete:count"),
	}
	var all []stat.Rate
	for _, r := range group {
		all = append(all, r.FirstShown)
	}
	drawn := table.Bars(all)
	for i, r := range group {
		t.Rows = append(t.Rows, []table.Cell{r.whose(), r.shownFirst(), drawn[i], report.Over(table.Count(r.Incomplete), r.opener(), Incompletes)})
	}
	return t
}

// whom is what the rows of a table differ in, and whose this row is.
func (r *BiasRow) whom() string {
	if r.Queue != "" {
		return "person"
	}
	return "model"
}

func (r *BiasRow) whose() table.Cell {
	switch {
	case r.Queue == "":
		return r.Cells()[3]
	case r.Person == "":
		return table.Text(majorityName)
	}
	return table.Text(string(r.Person))
}
