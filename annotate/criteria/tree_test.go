package criteria

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

func node(id, parent string, weight float64) TreeNode {
	return TreeNode{Criterion{ID: id, Text: id, Weighted: true, Weight: weight}, parent}
}

// A leaf weighs its share of the whole, and what its file says where the nodes
// above it are not there.
func TestFlatten(t *testing.T) {
	cs, err := FlattenTree([]TreeNode{
		node("root", "", 1), node("a", "root", 1), node("b", "root", 3),
		node("a1", "a", 2), node("a2", "a", 2), node("b1", "b", 1), node("b2", "b", -4),
		node("lone", "elsewhere", 0.25),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"a1": 0.125, "a2": 0.125, "b1": 0.75, "b2": -3, "lone": 0.25}
	for _, c := range cs {
		if c.Weight != want[c.ID] {
			t.Errorf("%s weighs %g, want %g", c.ID, c.Weight, want[c.ID])
		}
		delete(want, c.ID)
	}
	if len(want) > 0 {
		t.Errorf("%v are missing", want)
	}
	if got := cs[0].Path; !slices.Equal(got, []string{"root", "a"}) {
		t.Errorf("path %v", got)
	}
	for why, nodes := range map[string][]TreeNode{
		"give each a name of its own": {node("a", "", 1), node("a", "", 1)},
		"go in a circle":              {node("a", "b", 1), node("b", "a", 1), node("c", "b", 1)},
	} {
		if _, err := FlattenTree(nodes); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", why, err)
		}
	}
}

// Nodes that stand above themselves are named, and none of them vanishes.
func TestCircle(t *testing.T) {
	for _, c := range []struct {
		nodes []TreeNode
		want  string
	}{
		{[]TreeNode{node("a", "a", 1)}, "a is below a:"},
		{[]TreeNode{node("c", "a", 1), node("a", "b", 1), node("b", "a", 1), node("d", "", 1)}, "a is below b is below a:"},
		{[]TreeNode{node("a", "", 1), node("b", "a", 1), node("c", "b", 1), node("", "c", 1)}, ""},
	} {
		_, err := FlattenTree(c.nodes)
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.nodes, err, c.want)
		}
	}
	var deep []TreeNode
	for i := range mostAbove + 2 {
		deep = append(deep, node(strconv.Itoa(i+1), strconv.Itoa(i), 1))
	}
	if _, err := FlattenTree(deep); err == nil {
		t.Error("a tree of any depth is taken")
	}
}
