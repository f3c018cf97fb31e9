package annotate

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"concord/annotate/agree"
	"concord/eval/stat"
)

// Share is the alignment within a part of the items. The coefficients are over
// options and "not one option".
type Share struct {
	Name       string   // a model or a person
	Path       []string // or a taxonomy path
	Alignment  stat.Rate
	Kappa, AC1 agree.Coefficient
}

// lot holds compared items by the classes that people and the machine gave.
type lot struct {
	path  []string
	items agree.Classified
}

func newLot(path []string, sequence bool) *lot {
	return &lot{path: path, items: agree.Classified{Sequence: sequence}}
}

func (l *lot) add(it *AlignItem, aligned bool, people, machine side) {
	l.items.Add(it.cluster(), people.class(), machine.class(), aligned)
}

const nothingCompared = "no item has both a consensus and an extracted answer"

func (l *lot) share(name string) Share {
	out := Share{Name: name, Path: slices.Clone(l.path), Alignment: l.items.Agreement(nothingCompared)}
	out.Kappa, out.AC1 = l.items.Coefficients(stat.Confidence)
	return out
}

func compareClasses(a, b [2]string) int {
	return cmp.Or(strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1]))
}

// baseline is the rate of a reader that always gives people's most frequent
// class.
func (l *lot) baseline() stat.Rate { return l.items.Baseline(nothingCompared) }

// lots are those of the parts of one kind, by name.
type lots map[string]*lot

func (ls lots) of(name string, path []string, whole *lot) *lot {
	l, ok := ls[name]
	if !ok {
		l = newLot(path, whole.items.Sequence)
		ls[name] = l
	}
	return l
}

// shares are the parts in the order of their names. Those that have a path
// are called by it.
func (ls lots) shares() []Share {
	var out []Share
	for _, name := range slices.Sorted(maps.Keys(ls)) {
		l := ls[name]
		if l.path != nil {
			name = ""
		}
		out = append(out, l.share(name))
	}
	return out
}
