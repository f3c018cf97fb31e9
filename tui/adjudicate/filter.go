package adjudicate

import (
	"slices"

	"concord/annotate"
	"concord/annotate/report/alignment"
	"concord/eval"
)

// filter is which items are listed. The zero value lists all on which somebody
// differs.
type filter struct {
	between         alignment.Between
	unsettled       bool
	mine            bool // to answer: all that the person has not
	kind            annotate.Alignment
	cause           annotate.Cause
	level, model    string // a taxonomy path as eval.Path writes it
	annotator       annotate.Annotator
	unsure          float64
	cell            bool // of the matrix
	people, machine string
}

func (m *Model) wanted() alignment.Wanted {
	f := &m.filter
	w := alignment.Wanted{
		Extractor: m.extractor, After: m.after && f.cell, Between: f.between, Unsettled: f.unsettled, Case: f.kind, Cause: f.cause,
		Model: f.model, Annotator: f.annotator, Unsure: f.unsure,
	}
	for i := range m.all.Items {
		if path := m.all.Items[i].Taxonomy; f.level != "" && eval.Path(path) == f.level {
			w.Level = path
			break
		}
	}
	if f.mine {
		w.Any, w.Open = true, true
	}
	if f.cell {
		w.Any, w.People, w.Machine = true, f.people, f.machine
	}
	return w
}

// turned is the value behind the present one; behind the last comes none.
func turned[T comparable](all []T, now T) T {
	var none T
	if i := slices.Index(all, now); i+1 < len(all) {
		return all[i+1]
	}
	return none
}

// steps of the filter on how sure people were.
var unsure = []float64{0.3, 0.6, 1}

// narrow turns one of the filters on by its key, and reports whether the key
// is one of theirs.
func (m *Model) narrow(key string) bool {
	f := &m.filter
	switch key {
	case "d":
		f.mine = false
		f.between = turned([]alignment.Between{alignment.PersonMachine, alignment.PersonPerson, alignment.MachineMachine}, f.between)
	case "c":
		f.kind = turned([]annotate.Alignment{annotate.CaseOne, annotate.CaseTwo}, f.kind)
	case "y":
		f.cause = turned(annotate.Causes(), f.cause)
	case "m":
		f.model = turned(m.distinct(func(it *alignment.ComparedItem) []string { return []string{it.Model} }), f.model)
	case "t":
		f.level = turned(m.distinct(func(it *alignment.ComparedItem) []string { return []string{eval.Path(it.Taxonomy)} }), f.level)
	case "w":
		f.annotator = annotate.Annotator(turned(m.distinct(func(it *alignment.ComparedItem) (who []string) {
			for _, l := range it.Labels {
				who = append(who, string(l.Annotator))
			}
			return who
		}), string(f.annotator)))
	case "s":
		f.unsure = turned(unsure, f.unsure)
	case "o":
		f.unsettled = !f.unsettled
	default:
		return false
	}
	m.rebuild()
	return true
}

// distinct are the words that the items have, in order, without the empty one.
func (m *Model) distinct(of func(*alignment.ComparedItem) []string) []string {
	var out []string
	seen := map[string]bool{"": true}
	for i := range m.all.Items {
		for _, w := range of(&m.all.Items[i]) {
			if !seen[w] {
				seen[w] = true
				out = append(out, w)
			}
		}
	}
	slices.Sort(out)
	return out
}
