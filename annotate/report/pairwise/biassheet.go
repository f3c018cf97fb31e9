package pairwise

import (
	"fmt"
	"slices"

	"concord/annotate/report/table"
	"concord/eval/stat"
)

// Columns names the columns of the lines that Lines gives.
func (r *BiasRow) Columns() []table.Column {
	return table.Columns(duelColumns, []table.Column{{Name: "queue"}, {Name: "person"}, {Name: "measure"}, {Name: "class"}, {Name: "share", Kind: table.KindRate}},
		table.CountColumns("undecided", "equal_length", "incomplete"))
}

// Lines gives one line for each position, and for each bin of lengths behind
// the whole.
func (r *BiasRow) Lines() [][]table.Cell {
	start := append(r.cells(), table.Text(string(r.Queue)), table.Text(string(r.Person)))
	var out [][]table.Cell
	line := func(measure, class string, figures ...table.Cell) {
		all := make([]table.Cell, 4)
		copy(all, figures)
		out = append(out, slices.Concat(start, []table.Cell{table.Text(measure), table.Text(class)}, all))
	}
	if r.Queue == "" { // a person sees one order
		for i, share := range r.Position.cells() {
			line("position", positionColumns[i].Name, share)
		}
	}
	line("first_shown", "all", table.Rate(r.FirstShown))
	out[0][len(out[0])-1] = table.Count(r.Incomplete)
	line("longer", "all", table.Rate(r.Longer), table.Count(r.Undecided), table.Count(r.EqualLength))
	for i := range r.Lengths {
		l := &r.Lengths[i]
		line("longer", l.name(), table.Rate(l.Longer), table.Count(l.Undecided))
	}
	return out
}

// place names people by their queue, where a judge has a name.
func (r *BiasRow) place() string {
	if r.Queue == "" {
		return r.Duel.place()
	}
	return fmt.Sprintf("%s, people, queue %s, %s criteria, against %s", r.Dataset, r.Queue, r.criteria(), r.Anchor)
}

func positionSheet(group []*biases) table.Table {
	t := table.Table{
		Name: "positions", Title: group[0].row.place(),
		Columns: table.Columns([]table.Column{{Name: "model"}}, positionColumns[:1], []table.Column{{Kind: table.KindBar}}, positionColumns[1:], table.CountColumns("incomplete")),
	}
	var same []stat.Rate
	for _, b := range group {
		same = append(same, b.row.Position.Same)
	}
	drawn := table.Bars(same)
	for i, b := range group {
		p := b.row.Position.cells()
		t.Rows = append(t.Rows, []table.Cell{b.row.whose(), p[0], drawn[i], p[1], p[2], p[3], table.Count(b.row.Incomplete)})
	}
	return t
}

func lengthSheet(group []*biases) table.Table {
	t := table.Table{
		Name: "lengths", Title: group[0].row.place(),
		Columns: table.Columns([]table.Column{{Name: group[0].row.whom()}, {Name: "longer_by"}, {Name: "longer_preferred", Kind: table.KindRate}, {Kind: table.KindBar}},
			table.CountColumns("undecided", "equal_length")),
	}
	for _, b := range group {
		model := b.row.whose()
		rates := []stat.Rate{b.row.Longer}
		for _, l := range b.row.Lengths {
			rates = append(rates, l.Longer)
		}
		drawn := table.Bars(rates)
		t.Rows = append(t.Rows, []table.Cell{model, table.Text("any"), table.Rate(b.row.Longer), drawn[0], table.Count(b.row.Undecided), table.Count(b.row.EqualLength)})
		for i := range b.row.Lengths {
			l := &b.row.Lengths[i]
			t.Rows = append(t.Rows, []table.Cell{model, table.Text(l.name()), table.Rate(l.Longer), drawn[i+1], table.Count(l.Undecided), table.Blank()})
		}
	}
	return t
}

// shownSheet is the positional balance of people's votes.
func shownSheet(group []*biases) table.Table {
	t := table.Table{
		Name: "first shown", Title: group[0].row.place(),
		Columns: table.Columns([]table.Column{{Name: "person"}, {Name: "first_shown", Kind: table.KindRate}, {Kind: table.KindBar}}, table.CountColumns("incomplete")),
	}
	var all []stat.Rate
	for _, b := range group {
		all = append(all, b.row.FirstShown)
	}
	drawn := table.Bars(all)
	for i, b := range group {
		t.Rows = append(t.Rows, []table.Cell{b.row.whose(), table.Rate(b.row.FirstShown), drawn[i], table.Count(b.row.Incomplete)})
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
