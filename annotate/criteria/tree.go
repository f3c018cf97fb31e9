package criteria

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	_ "image/gif" // the formats that benchmarks' pictures come in
	_ "image/jpeg"
	_ "image/png"
	"slices"
	"strings"

	"concord/eval"

	_ "golang.org/x/image/webp"
)

// TreeNode is a criterion of a tree: of a list's nodes, those that name it as their Parent are below it.
type TreeNode struct {
	Criterion
	Parent string // the name of the node above; "": none
}

// FlattenTree gives the leaves of a tree, each with the names of the nodes above it as its
// path. Its weight is its share of the whole: the product of its share among its siblings, of
// their weights above zero, and those of the nodes above it. A parent that the list does not
// hold is the whole path, and the weights below it stand as they are.
func FlattenTree(nodes []TreeNode) ([]Criterion, error) {
	f := flattening{at: make(map[string]int), above: make(map[string]bool), sums: make(map[string]float64)}
	for i := range nodes {
		n := &nodes[i]
		if n.ID == "" {
			continue
		}
		if _, twice := f.at[n.ID]; twice {
			return nil, fmt.Errorf("two criteria are named %.60q: give each a name of its own", n.ID)
		}
		f.at[n.ID] = i
	}
	for i := range nodes {
		p := nodes[i].Parent
		f.above[p] = p != ""
		f.sums[p] += max(nodes[i].PointValue(), 0)
	}
	if circle := f.findCircle(nodes); circle != nil {
		return nil, fmt.Errorf("the parents of criteria go in a circle: %.200s: take one of these parents out", strings.Join(circle, " is below "))
	}
	var out []Criterion
	for i := range nodes {
		if f.above[nodes[i].ID] {
			continue
		}
		c, err := f.makeLeaf(nodes, i)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

type flattening struct {
	at    map[string]int
	above map[string]bool    // nodes with others below them
	sums  map[string]float64 // of the weights above zero below a node
}

// findCircle names nodes that stand above themselves, from one of them to itself again; nil: none.
func (f *flattening) findCircle(nodes []TreeNode) []string {
	walk := make([]int, len(nodes)) // the first that came by, from 1
	for i := range nodes {
		at, ok := i, true
		for ok && walk[at] == 0 {
			walk[at] = i + 1
			at, ok = f.at[nodes[at].Parent]
		}
		if !ok || walk[at] != i+1 {
			continue
		}
		names := []string{nodes[at].ID}
		for len(names) == 1 || names[len(names)-1] != names[0] {
			names = append(names, nodes[f.at[names[len(names)-1]]].Parent)
		}
		return names
	}
	return nil
}

// mostAbove bounds how deep a tree is.
const mostAbove = 64

func (f *flattening) makeLeaf(nodes []TreeNode, i int) (Criterion, error) {
	c, share := nodes[i].Criterion, nodes[i].PointValue()
	var path []string
	for parent := nodes[i].Parent; parent != ""; {
		if path = append(path, parent); len(path) > mostAbove {
			return c, fmt.Errorf("criterion %.60q has more than %d above it: make the tree flatter", nodes[i].ID, mostAbove)
		}
		at, ok := f.at[parent]
		if !ok {
			break
		}
		if sum := f.sums[parent]; sum > 0 {
			share /= sum
		}
		share *= nodes[at].PointValue()
		parent = nodes[at].Parent
	}
	if _, within := f.at[nodes[i].Parent]; within {
		c.Weighted, c.Weight = true, share
	}
	if len(path) > 0 {
		slices.Reverse(path)
		c.Path = path
	}
	return c, nil
}

// GroupTree is what is counted for each group of a taxonomy. The zero value has no group.
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

// FindOrAdd gives the group of a path, of one that is not known yet what add makes.
func (t *GroupTree[G]) FindOrAdd(path []string, add func(path []string) G) *G {
	k := PathKey(path)
	if t.groups[k] == nil {
		g := add(slices.Clone(path))
		eval.EnsureMap(&t.groups)[k], t.order = &g, append(t.order, k)
	}
	return t.groups[k]
}

// List gives all groups, each before those below it, siblings in the order in which they became known.
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

// Size is a picture's width and height in pixels.
type Size struct{ Width, Height int }

// ShortEdge is the length of the short edge.
func (s Size) ShortEdge() int { return min(s.Width, s.Height) }

// IsClear reports whether the picture passes the point Clarity of the checklist, as far as its size tells.
func (s Size) IsClear() bool { return s.ShortEdge() >= ShortEdge }

// ReadPictureSize reads the size of a picture from its head.
func ReadPictureSize(data []byte) (Size, error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	return Size{c.Width, c.Height}, eval.WrapError(err, "measure image")
}
