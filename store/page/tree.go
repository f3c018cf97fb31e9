package page

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sort"
)

// deepest bounds the levels of a tree: with two children a page, 32 levels are
// more pages than there are.
const deepest = 32

// Tree is a table of the file, or the table of tables.
type Tree struct {
	r        *Reader
	root     uint64
	inline   []byte // its only page, within the page of another
	Sequence uint64 // the last number that bbolt gave out
}

// Root is the table of tables.
func (r *Reader) Root() Tree { return Tree{r: r, root: r.meta.Root} }

// Table finds a table by its name in the table of tables; false when there is none.
func (t Tree) Table(name []byte) (Tree, bool, *Error) {
	leaf, i, ok, err := t.Find(name)
	if err != nil || !ok {
		return Tree{}, false, err
	}
	sub, err := t.subTree(&leaf, i)
	return sub, err == nil, err
}

// subTree is the table under element i of a leaf.
func (t Tree) subTree(leaf *Page, i int) (Tree, *Error) {
	v := leaf.Value(i)
	wrong := func(why string) (Tree, *Error) {
		return Tree{}, &Error{Page: leaf.ID, Why: fmt.Sprintf("table %q: %s", leaf.Key(i), why)}
	}
	if !leaf.IsTable(i) || len(v) < 16 {
		return wrong("it is no table")
	}
	sub := Tree{r: t.r, root: binary.NativeEndian.Uint64(v), Sequence: binary.NativeEndian.Uint64(v[8:])}
	switch {
	case sub.root == 0:
		sub.inline = v[16:]
		if _, err := parsePage(leaf.ID, sub.inline, 0); err != nil {
			return sub, err
		}
	case len(v) != 16:
		return wrong("it is neither here nor elsewhere")
	}
	return sub, nil
}

// openPage reads the page of a tree that element i of its parent leads to, and
// checks that its keys lie where the parent says.
func (t Tree) openPage(id uint64, low, high []byte, depth int) (Page, *Error) {
	if t.inline != nil {
		return parsePage(0, t.inline, 0)
	}
	p, err := t.r.ReadPage(id)
	return p, p.checkPlace(err, low, high, depth)
}

// checkPlace says what is wrong with a page between two keys: err, where it could not be read.
func (p *Page) checkPlace(err *Error, low, high []byte, depth int) *Error {
	switch {
	case err != nil:
	case depth > deepest:
		err = &Error{Page: p.ID, Why: "it is too deep down"}
	case low != nil && bytes.Compare(p.Key(0), low) < 0, high != nil && bytes.Compare(p.Key(p.Len-1), high) >= 0:
		err = &Error{Page: p.ID, Why: "its keys belong elsewhere"}
	}
	if err != nil {
		err.Low, err.High = low, high
	}
	return err
}

// Leaf is a leaf of a tree, and between which keys it may hold some.
type Leaf struct {
	Page
	Low, High []byte
}

// Find gives the leaf and the place of a key, or where it would be. Of a key
// that is not there it looks at the neighbours, so that no key above has led
// astray; whether the other records of the leaf are whole, it does not know.
func (t Tree) Find(key []byte) (leaf Page, i int, found bool, err *Error) {
	var low, high []byte
	id, inner := t.root, []pathStep(nil)
	for depth := 0; ; depth++ {
		if leaf, err = t.openPage(id, low, high, depth); err != nil {
			return leaf, 0, false, err
		}
		if leaf.Leaf {
			break
		}
		i = leaf.childIndex(key)
		inner = append(inner, pathStep{leaf, i, low, high})
		id, low, high = leaf.Child(i), leaf.Key(i), leaf.upperBound(i, high)
	}
	i = leaf.FirstNotBefore(key)
	if i < leaf.Len && bytes.Equal(leaf.Key(i), key) {
		return leaf, i, true, nil
	}
	if i == 0 && leaf.Len > 0 {
		err = t.checkNeighbour(inner, key, false)
	}
	if i == leaf.Len && err == nil {
		err = t.checkNeighbour(inner, key, true)
	}
	return leaf, i, false, err
}

// pathStep is a branch on the way down, and the child that was taken.
type pathStep struct {
	Page
	i         int
	low, high []byte
}

// checkNeighbour checks that a key lies before what the next leaf begins with, or
// behind what the previous one ends with.
func (t Tree) checkNeighbour(inner []pathStep, key []byte, next bool) *Error {
	for level := len(inner) - 1; level >= 0; level-- {
		f := &inner[level]
		i := f.i + 1
		if !next {
			i = f.i - 1
		}
		if i < 0 || i >= f.Len {
			continue
		}
		id, low, high := f.Child(i), f.Key(i), f.upperBound(i, f.high)
		for depth := level + 1; ; depth++ {
			p, err := t.openPage(id, low, high, depth)
			if err != nil {
				return err
			}
			at := 0
			if !next {
				at = p.Len - 1
			}
			if !p.Leaf {
				id, low, high = p.Child(at), p.Key(at), p.upperBound(at, high)
				continue
			}
			if c := bytes.Compare(p.Key(at), key); next == (c <= 0) {
				return &Error{Page: f.ID, Why: "a key of it leads astray", Low: f.low, High: f.high}
			}
			return nil
		}
	}
	return nil
}

// childIndex is the element of a branch under which a key belongs.
func (p *Page) childIndex(key []byte) int {
	return max(0, sort.Search(p.Len, func(i int) bool { return bytes.Compare(p.Key(i), key) > 0 })-1)
}

// FirstNotBefore is the first element whose key is not before a key.
func (p *Page) FirstNotBefore(key []byte) int {
	return sort.Search(p.Len, func(i int) bool { return bytes.Compare(p.Key(i), key) >= 0 })
}

// upperBound is the key behind all keys of a branch's child.
func (p *Page) upperBound(i int, high []byte) []byte {
	if i+1 < p.Len {
		return p.Key(i + 1)
	}
	return high
}

// Ascend visits the leaves of a tree from that of a key on, until visit says no. A page that cannot be
// read is visited as its error; what lies behind it is visited all the same.
func (t Tree) Ascend(from []byte, visit func(Leaf, *Error) bool) {
	t.visitLeaves(t.root, nil, nil, from, 0, 1, visit)
}

// Descend visits the leaves of a tree from that of a key down, as Ascend does;
// from the last one for nil.
func (t Tree) Descend(from []byte, visit func(Leaf, *Error) bool) {
	t.visitLeaves(t.root, nil, nil, from, 0, -1, visit)
}

// visitLeaves visits those below a page; step is 1 upwards, and -1 downwards.
func (t Tree) visitLeaves(id uint64, low, high, from []byte, depth, step int, visit func(Leaf, *Error) bool) bool {
	p, err := t.openPage(id, low, high, depth)
	if err != nil || p.Leaf {
		return visit(Leaf{p, low, high}, err)
	}
	i := p.childIndex(from)
	if from == nil && step < 0 {
		i = p.Len - 1
	}
	for ; i >= 0 && i < p.Len; i += step {
		if !t.visitLeaves(p.Child(i), p.Key(i), p.upperBound(i, high), from, depth+1, step, visit) {
			return false
		}
	}
	return true
}
