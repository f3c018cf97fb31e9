package concord_test

import (
	"go/types"
	"path/filepath"
	"slices"
)

// knot is a set of files of one package that all refer to each other, directly
// or through others: a strongly connected component. None of them can be
// understood, tested or moved without the rest.
type knot struct {
	files []string
	lines int
}

// references tells which files of the package each of its files refers to: to
// a function, method, type, variable, constant, field or method of an interface
// that the other one declares.
func (p *sourcePackage) references() map[string]map[string]bool {
	out := make(map[string]map[string]bool, len(p.files))
	for _, f := range p.files {
		out[p.fset.Position(f.Package).Filename] = make(map[string]bool)
	}
	for id, obj := range p.info.Uses {
		if obj.Pkg() != p.types {
			continue
		}
		if _, isImport := obj.(*types.PkgName); isImport {
			continue
		}
		from, to := p.fset.File(id.Pos()).Name(), p.fset.File(obj.Pos()).Name()
		if from != to {
			out[from][to] = true
		}
	}
	return out
}

// knots are those of the package, the one of most lines first.
func (p *sourcePackage) knots() []knot {
	var out []knot
	for _, files := range components(p.references()) {
		k := knot{}
		for _, f := range files {
			k.files = append(k.files, filepath.Base(f))
			k.lines += p.linesOf(f)
		}
		slices.Sort(k.files)
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b knot) int { return b.lines - a.lines })
	return out
}

// linesOf is the length of a file that was parsed.
func (p *sourcePackage) linesOf(path string) int {
	for _, f := range p.files {
		if tf := p.fset.File(f.Package); tf.Name() == path {
			return tf.LineCount() - 1
		}
	}
	return 0
}

// components are the strongly connected components of a graph, by Tarjan's
// algorithm.
func components(graph map[string]map[string]bool) [][]string {
	var (
		out   [][]string
		stack []string
		index = make(map[string]int)
		low   = make(map[string]int)
		on    = make(map[string]bool)
		visit func(string)
	)
	visit = func(v string) {
		index[v] = len(index) + 1
		low[v] = index[v]
		stack, on[v] = append(stack, v), true
		for w := range graph[v] {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if on[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] != index[v] {
			return
		}
		at := slices.Index(stack, v)
		out = append(out, slices.Clone(stack[at:]))
		for _, w := range stack[at:] {
			on[w] = false
		}
		stack = stack[:at]
	}
	for v := range graph {
		if index[v] == 0 {
			visit(v)
		}
	}
	return out
}
