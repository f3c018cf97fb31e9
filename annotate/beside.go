package annotate

import (
	"concord/annotate/agree"
	"concord/eval/stat"
)

// Beside is an extractor beside another on the items on which both are
// compared with people. Of Test and Looks First is the row's own extractor.
type Beside struct {
	With  string
	Looks stat.Looks // by which of the two is aligned
	Test  agree.Sameness
}

// Common is an extractor on the items on which all Extractors are compared:
// there their rates are of the same items.
type Common struct {
	Extractors []string
	Share
}

// verdicts are what came of comparing one extractor, an Alignment an item;
// unset where it is left out.
type verdicts []Alignment

func (v verdicts) beside(o verdicts, items []AlignItem, name string, sequence bool) Beside {
	out := Beside{With: name, Looks: stat.Looks{Sequence: sequence}}
	for i := range v {
		if v[i] != AlignmentUnset && o[i] != AlignmentUnset {
			out.Looks.Add(items[i].cluster(), v[i] == Aligned, o[i] == Aligned)
		}
	}
	out.Test = agree.McNemarOf(&out.Looks)
	return out
}

// beside sets every extractor that has figures next to every other one.
func (b Basis) beside(items []AlignItem, extractors []Extractor, rows []AlignmentRow, all []verdicts) {
	var names []string
	var in []int // of extractors that are compared on any item
	for i := range rows {
		if rows[i].Alignment.N > 0 {
			in, names = append(in, i), append(names, rows[i].Extractor)
		}
	}
	if len(in) < 2 {
		return
	}
	var shared []int
	for at := range items {
		common := true
		for _, i := range in {
			common = common && all[i][at] != AlignmentUnset
		}
		if common {
			shared = append(shared, at)
		}
	}
	for _, i := range in {
		row := &rows[i]
		for _, j := range in {
			if i != j {
				row.Besides = append(row.Besides, all[i].beside(all[j], items, rows[j].Extractor, b.Growing))
			}
		}
		l := newLot(nil, b.Growing)
		for _, at := range shared {
			c := b.Compare(&items[at], &extractors[i])
			l.add(&items[at], c.Alignment == Aligned, sideOf(c.People), sideOfMachine(c.Machine))
		}
		row.Common = &Common{Extractors: names, Share: l.share("")}
	}
}
