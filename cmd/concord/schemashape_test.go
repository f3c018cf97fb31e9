package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// shapes are the structs of the sources that have JSON names. What a test sees of
// an object is some of what its struct allows: a whole number where the field is a
// float, no null where it is a pointer, all names where some may be left out.
type shapes struct {
	structs [][]shapeField
	named   map[string]ast.Expr // types by package and name
}

// shapeField is a field of a struct with its JSON name.
type shapeField struct {
	name     string
	of       ast.Expr
	pkg      string
	optional bool // it is left out where it is empty
}

func readShapes(tb testing.TB, root string) *shapes {
	tb.Helper()
	s := &shapes{named: make(map[string]ast.Expr)}
	found := make(map[*ast.StructType]string) // with their packages
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				s.named[file.Name.Name+"."+n.Name.Name] = n.Type
			case *ast.StructType:
				found[n] = file.Name.Name
			}
			return true
		})
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	for n, pkg := range found {
		if fields := s.fieldsOf(n, pkg); len(fields) > 0 {
			s.structs = append(s.structs, fields)
		}
	}
	return s
}

// fieldsOf are a struct's fields with JSON names, those that it embeds among them.
func (s *shapes) fieldsOf(n *ast.StructType, pkg string) []shapeField {
	var out []shapeField
	for _, f := range n.Fields.List {
		tag := ""
		if f.Tag != nil {
			text, _ := strconv.Unquote(f.Tag.Value)
			tag = reflect.StructTag(text).Get("json")
		}
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case name != "" && name != "-":
			out = append(out, shapeField{name, f.Type, pkg, strings.Contains(options, "omit")})
		case len(f.Names) == 0:
			of, from := s.resolve(f.Type, pkg)
			if embedded, ok := of.(*ast.StructType); ok {
				out = append(out, s.fieldsOf(embedded, from)...)
			}
		}
	}
	return out
}

// resolve follows names and pointers to a type that is written out, or to one of the language.
func (s *shapes) resolve(of ast.Expr, pkg string) (written ast.Expr, from string) {
	for range 10 {
		name := ""
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
			continue
		case *ast.IndexExpr:
			of = t.X
			continue
		case *ast.Ident:
			name = pkg + "." + t.Name
		case *ast.SelectorExpr:
			x, ok := t.X.(*ast.Ident)
			if !ok {
				return of, pkg
			}
			pkg, name = x.Name, x.Name+"."+t.Sel.Name
		}
		next, ok := s.named[name]
		if !ok {
			return of, pkg
		}
		of = next
	}
	return of, pkg
}

// matching are the fields of the structs that have all names, by name.
func (s *shapes) matching(names []string) map[string][]shapeField {
	out := make(map[string][]shapeField)
	for _, fields := range s.structs {
		has := func(name string) bool {
			return slices.ContainsFunc(fields, func(f shapeField) bool { return f.name == name })
		}
		if slices.ContainsFunc(names, func(n string) bool { return !has(n) }) {
			continue
		}
		for _, f := range fields {
			out[f.name] = append(out[f.name], f)
		}
	}
	return out
}

// widen lets the schema of an object that was seen take what the structs of its
// shape allow.
func (s *shapes) widen(seen *schema) {
	fields := s.matching(slices.Collect(maps.Keys(seen.Properties)))
	if len(fields) == 0 { // it is made of a map: what is whole here may have a fraction elsewhere
		for _, p := range seen.Properties {
			if slices.Equal(p.Type, []string{"integer"}) {
				p.Type = []string{"number"}
			}
		}
	}
	for name, p := range seen.Properties {
		for _, f := range fields[name] {
			if f.optional {
				seen.Required = slices.DeleteFunc(slices.Clone(seen.Required), func(n string) bool { return n == name })
			}
			s.widenTo(p, f)
		}
	}
}

// widenTo lets a value take what a field's type allows.
func (s *shapes) widenTo(p *schema, f shapeField) {
	if _, ok := f.of.(*ast.StarExpr); ok && !f.optional {
		p.Type = append(p.Type, "null")
	}
	switch of, _ := s.resolve(f.of, f.pkg); t := of.(type) {
	case *ast.Ident:
		if strings.HasPrefix(t.Name, "float") {
			p.Type = append(slices.DeleteFunc(slices.Clone(p.Type), func(t string) bool { return t == "integer" }), "number")
		}
	case *ast.MapType: // whose names are data
		for _, name := range slices.Sorted(maps.Keys(p.Properties)) {
			p.Values = widen(p.Values, p.Properties[name])
		}
		p.Properties, p.Required = nil, nil
	}
	p.Type = slices.Compact(slices.Sorted(slices.Values(p.Type)))
}

// widenLine lets each cell of a line be empty, each number have a fraction, and an index
// be a text, as some releases have it.
func widenLine(line *schema) {
	for name, p := range line.Properties {
		p.Type = append(slices.Clone(p.Type), "null")
		if slices.Contains(p.Type, "integer") {
			p.Type = append(slices.DeleteFunc(p.Type, func(t string) bool { return t == "integer" }), "number")
		}
		if name == "index" {
			p.Type = append(p.Type, "number", "string")
		}
		p.Type = slices.Compact(slices.Sorted(slices.Values(p.Type)))
	}
}
