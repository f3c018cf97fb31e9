package report

import (
	"fmt"
	"slices"

	"concord/eval/stat"
)

func (r *BiasRow) columns() []Column {
	return columns(duelColumns, []Column{{Name: "queue"}, {Name: "person"}, {Name: "measure"}, {Name: "class"}, {Name: "share", Kind: KindRate}},
		countColumns("undecided", "equal_length", "incomplete"))
}

// lines gives one line for each position, and for each bin of lengths behind
// the whole.
func (r *BiasRow) lines() [][]Cell {
	start := append(r.cells(), text(string(r.Queue)), text(string(r.Person)))
	var out [][]Cell
	line := func(measure, class string, figures ...Cell) {
		all := make([]Cell, 4)
		copy(all, figures)
		out = append(out, slices.Concat(start, []Cell{text(measure), text(class)}, all))
	}
	if r.Queue == "" { // a person sees one order
		for i, share := range r.Position.cells() {
			line("position", positionColumns[i].Name, share)
		}
	}
	line("first_shown", "all", rate(r.FirstShown))
	out[0][len(out[0])-1] = integer(r.Incomplete)
	line("longer", "all", rate(r.Longer), integer(r.Undecided), integer(r.EqualLength))
	for i := range r.Lengths {
		l := &r.Lengths[i]
		line("longer", l.name(), rate(l.Longer), integer(l.Undecided))
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

func positionSheet(group []*biases) Table {
	t := Table{
		Name: "positions", Title: group[0].row.place(),
		Columns: columns([]Column{{Name: "model"}}, positionColumns[:1], []Column{{Kind: KindBar}}, positionColumns[1:], countColumns("incomplete")),
	}
	var same []stat.Rate
	for _, b := range group {
		same = append(same, b.row.Position.Same)
	}
	drawn := bars(same)
	for i, b := range group {
		p := b.row.Position.cells()
		t.Rows = append(t.Rows, []Cell{b.row.whose(), p[0], drawn[i], p[1], p[2], p[3], integer(b.row.Incomplete)})
	}
	return t
}

func lengthSheet(group []*biases) Table {
	t := Table{
		Name: "lengths", Title: group[0].row.place(),
		Columns: columns([]Column{{Name: group[0].row.whom()}, {Name: "longer_by"}, {Name: "longer_preferred", Kind: KindRate}, {Kind: KindBar}},
			countColumns("undecided", "equal_length")),
	}
	for _, b := range group {
		model := b.row.whose()
		rates := []stat.Rate{b.row.Longer}
		for _, l := range b.row.Lengths {
			rates = append(rates, l.Longer)
		}
		drawn := bars(rates)
		t.Rows = append(t.Rows, []Cell{model, text("any"), rate(b.row.Longer), drawn[0], integer(b.row.Undecided), integer(b.row.EqualLength)})
		for i := range b.row.Lengths {
			l := &b.row.Lengths[i]
			t.Rows = append(t.Rows, []Cell{model, text(l.name()), rate(l.Longer), drawn[i+1], integer(l.Undecided), blank()})
		}
	}
	return t
}

// shownSheet is the positional balance of people's votes.
func shownSheet(group []*biases) Table {
	t := Table{
		Name: "first shown", Title: group[0].row.place(),
		Columns: columns([]Column{{Name: "person"}, {Name: "first_shown", Kind: KindRate}, {Kind: KindBar}}, countColumns("incomplete")),
	}
	var all []stat.Rate
	for _, b := range group {
		all = append(all, b.row.FirstShown)
	}
	drawn := bars(all)
	for i, b := range group {
		t.Rows = append(t.Rows, []Cell{b.row.whose(), rate(b.row.FirstShown), drawn[i], integer(b.row.Incomplete)})
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

func (r *BiasRow) whose() Cell {
	switch {
	case r.Queue == "":
		return r.Head.cells()[3]
	case r.Person == "":
		return text(majorityName)
	}
	return text(string(r.Person))
}
