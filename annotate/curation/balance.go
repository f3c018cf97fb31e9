package curation

import (
	"cmp"
	"slices"

	"concord/annotate"
	"concord/annotate/criteria"
)

// Group is how far one group of the taxonomy is: an axis, or a capability with
// all of its axes, or the whole. Samples stand where experts place them.
type Group struct {
	Path       []string // from coarse to fine; empty: all
	Candidates int
	Accepted   int
	Target     int // 0: none
	leaf       bool
}

// Leaf reports whether no other group is below it.
func (g *Group) Leaf() bool { return g.leaf }

// Missing is how many accepted samples the target lacks.
func (g *Group) Missing() int { return max(0, g.Target-g.Accepted) }

// Balance counts candidates over the taxonomy. The zero value counts nothing.
type Balance struct {
	groups map[string]*Group
	order  []string
}

// key tells paths apart.
func key(path []string) string {
	out := ""
	for _, p := range path {
		out += p + "\x00"
	}
	return out
}

func (b *Balance) group(path []string) *Group {
	if b.groups == nil {
		b.groups = make(map[string]*Group)
	}
	k := key(path)
	g := b.groups[k]
	if g == nil {
		g = &Group{Path: slices.Clone(path)}
		b.groups[k] = g
		b.order = append(b.order, k)
	}
	return g
}

// Know makes a group known that may have no sample.
func (b *Balance) Know(path []string) {
	for n := range len(path) + 1 {
		b.group(path[:n])
	}
}

// Add counts a candidate where it belongs.
func (b *Balance) Add(path []string, accepted bool) {
	for n := range len(path) + 1 {
		g := b.group(path[:n])
		g.Candidates++
		if accepted {
			g.Accepted++
		}
	}
}

// Groups gives all groups with their targets, each before those below it,
// siblings in the order in which they became known; the first is the whole. A
// group without a target of its own has the sum of those below it.
func (b *Balance) Groups(targets []criteria.Quota) []Group {
	for _, t := range targets {
		b.Know(t.Path)
	}
	b.Know(nil)
	for _, g := range b.groups {
		g.Target, g.leaf = 0, !slices.ContainsFunc(b.order, func(k string) bool { return below(b.groups[k], g) })
	}
	for _, t := range targets {
		for _, g := range b.groups {
			if reaches(t, g) {
				g.Target = t.N
			}
		}
	}
	out := b.sorted()
	for i := range slices.Backward(out) {
		if out[i].Target > 0 {
			continue
		}
		for j := range out {
			if below(&out[j], &out[i]) && len(out[j].Path) == len(out[i].Path)+1 {
				out[i].Target += out[j].Target
			}
		}
	}
	return out
}

// reaches reports whether a target is one of a group.
func reaches(t criteria.Quota, g *Group) bool {
	if len(t.Path) > 0 {
		return slices.Equal(t.Path, g.Path)
	}
	return len(g.Path) > 0 && (len(g.Path) == t.Level || t.Level == annotate.FinestLevel && g.leaf)
}

// below reports whether a group is within another.
func below(g, of *Group) bool {
	return len(g.Path) > len(of.Path) && slices.Equal(g.Path[:len(of.Path)], of.Path)
}

func (b *Balance) sorted() []Group {
	place := make(map[string]int, len(b.order))
	for i, k := range b.order {
		place[k] = i
	}
	out := make([]Group, 0, len(b.order))
	for _, k := range b.order {
		out = append(out, *b.groups[k])
	}
	slices.SortStableFunc(out, func(x, y Group) int {
		for n := range min(len(x.Path), len(y.Path)) {
			if x.Path[n] != y.Path[n] {
				return cmp.Compare(place[key(x.Path[:n+1])], place[key(y.Path[:n+1])])
			}
		}
		return cmp.Compare(len(x.Path), len(y.Path))
	})
	return out
}
