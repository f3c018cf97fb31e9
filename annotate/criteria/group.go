package criteria

import (
	"cmp"
	"slices"
)

// GroupTree is what is counted for each group of a taxonomy. The zero value has no
// group.
type GroupTree[G any] struct {
	groups map[string]*G
	order  []string // in which groups became known
}

// PathKey tells paths apart.
func PathKey(path []string) string {
	out := ""
	for _, p := range path {
		out += p + "\x00"
	}
	return out
}

// Find gives the group of a path, of one that is not known yet what add makes.
func (t *GroupTree[G]) Find(path []string, add func(path []string) G) *G {
	k := PathKey(path)
	if t.groups[k] == nil {
		if t.groups == nil {
			t.groups = make(map[string]*G)
		}
		g := add(slices.Clone(path))
		t.groups[k], t.order = &g, append(t.order, k)
	}
	return t.groups[k]
}

// List gives all groups, each before those below it, siblings in the order in which
// they became known.
func (t *GroupTree[G]) List(path func(*G) []string) []G {
	place := make(map[string]int, len(t.order))
	out := make([]G, len(t.order))
	for i, k := range t.order {
		place[k], out[i] = i, *t.groups[k]
	}
	slices.SortStableFunc(out, func(a, b G) int {
		x, y := path(&a), path(&b)
		for n := range min(len(x), len(y)) {
			if x[n] != y[n] {
				return cmp.Compare(place[PathKey(x[:n+1])], place[PathKey(y[:n+1])])
			}
		}
		return cmp.Compare(len(x), len(y))
	})
	return out
}
