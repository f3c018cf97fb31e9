package criteria

import (
	"fmt"
	"slices"
)

// TreeNode is a criterion of a tree: of the nodes of one list, those that name it
// as their Parent are below it.
type TreeNode struct {
	Criterion
	Parent string // the name of the node above; "": none
}

// FlattenTree gives the leaves of a tree, each with the names of the nodes above it
// as its path. Its weight is its share of the whole: the product of its share
// among its siblings, of their weights above zero, and those of the nodes above
// it. A parent that the list does not hold is the whole path, and the weights
// below it stand as they are.
func FlattenTree(nodes []TreeNode) ([]Criterion, error) {
	f := flattening{at: make(map[string]int), above: make(map[string]bool), sums: make(map[string]float64)}
	for i := range nodes {
		n := &nodes[i]
		if n.ID == "" {
			continue
		}
		if _, twice := f.at[n.ID]; twice {
			return nil, fmt.Errorf("two criteria are named %.60q", n.ID)
		}
		f.at[n.ID] = i
	}
	for i := range nodes {
		p := nodes[i].Parent
		f.above[p] = p != ""
		f.sums[p] += max(nodes[i].PointValue(), 0)
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

func (f *flattening) makeLeaf(nodes []TreeNode, i int) (Criterion, error) {
	c, share := nodes[i].Criterion, nodes[i].PointValue()
	var path []string
	for parent := nodes[i].Parent; parent != ""; {
		if path = append(path, parent); len(path) > len(nodes)+1 {
			return c, fmt.Errorf("criterion %.60q is above itself", nodes[i].ID)
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
