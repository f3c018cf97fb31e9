package concord_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// declaredNames are the names at package level that a file exports, fields and
// methods included. Package main exports nothing: all its names count.
func declaredNames(f *ast.File) []*ast.Ident {
	var out []*ast.Ident
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id.IsExported() {
				out = append(out, id)
			}
		}
	}
	top := func(ids ...*ast.Ident) {
		if f.Name.Name == "main" {
			out = append(out, ids...)
		} else {
			add(ids...)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			top(d.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					top(s.Names...)
				case *ast.TypeSpec:
					top(s.Name)
					add(members(s.Type)...)
				}
			}
		}
	}
	return out
}

// members are the names of the fields of a struct, those within it included, or
// of the methods of an interface.
func members(t ast.Expr) []*ast.Ident {
	var out []*ast.Ident
	ast.Inspect(t, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			return false
		case *ast.Field:
			out = append(out, n.Names...)
		}
		return true
	})
	return out
}

// literals are the string literals of a file that may be text, and whether each
// is the label of a key or the title of a column. Imports, tags of fields and patterns are none.
func literals(f *ast.File) map[*ast.BasicLit]bool {
	out, tags := make(map[*ast.BasicLit]bool), make(map[*ast.BasicLit]bool)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			tags[n.Tag] = true
		case *ast.CallExpr:
			name := calledName(n)
			if strings.HasSuffix(name, "MustCompile") {
				return false
			}
			if len(n.Args) > 1 && labelled[name] {
				if lit, ok := n.Args[1].(*ast.BasicLit); ok {
					out[lit] = true
				}
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Title" {
				if lit, ok := n.Value.(*ast.BasicLit); ok {
					out[lit] = true
				}
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING && !out[n] && !tags[n] {
				out[n] = false
			}
		}
		return true
	})
	return out
}

// columnLists are the literals in which a file names columns of tables.
func columnLists(f *ast.File) (out []*ast.BasicLit) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || calledName(call) != "Lay" && calledName(call) != "List" || len(call.Args) == 0 {
			return true
		}
		ast.Inspect(call.Args[0], func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				out = append(out, lit)
			}
			return true
		})
		return true
	})
	return out
}

func calledName(call *ast.CallExpr) string {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

// isPhrase reports whether a literal reads like text: it has a space in it, or
// begins with a capital. A single lower-case word may be a command, a flag, a
// field or a status.
func isPhrase(s string) bool {
	letters := strings.ContainsFunc(s, unicode.IsLetter)
	return letters && (strings.ContainsFunc(s, unicode.IsSpace) || unicode.IsUpper([]rune(s)[0]))
}

func isContent(dir string) bool { return slices.Contains(contents, dir) }

var (
	flagName = regexp.MustCompile(`--[a-z][a-z-]*`)
	// columnName is one of a table's columns with its kind: what scripts read.
	columnName = regexp.MustCompile(`[a-z_]*(?:_[a-z]+|:(?:count|rate|score|bar|text))\b`)
	// actionName is a key by the name of its action, which a screen fills in.
	actionName = regexp.MustCompile(`\{[^{} ]*\}`)
	spaces     = regexp.MustCompile(`\s+`)
)

// plainText is a text without names of flags, columns and actions, its white space as one
// space.
func plainText(s string) string {
	return spaces.ReplaceAllString(columnName.ReplaceAllString(flagName.ReplaceAllString(actionName.ReplaceAllString(s, ""), "--"), ""), " ")
}

// splitCamel gives the words of a name: "ballot box" of BallotBox, "HTML page"
// of HTMLPage.
func splitCamel(name string) string {
	r := []rune(name)
	var b strings.Builder
	for i, c := range r {
		starts := i > 0 && unicode.IsUpper(c) && (!unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1]))
		if starts || i > 0 && c == '_' {
			b.WriteByte(' ')
		}
		if c != '_' {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func TestNamesAreSplit(t *testing.T) {
	for name, want := range map[string]string{
		"BallotBox": "Ballot Box", "HTMLPage": "HTML Page", "labelLab": "label Lab", "ID": "ID", "max_room": "max room",
	} {
		if got := splitCamel(name); got != want {
			t.Errorf("%s is split into %q, want %q", name, got, want)
		}
	}
}

func TestPhrasesAreFound(t *testing.T) {
	for s, want := range map[string]bool{
		"settle": false, "two words": true, "Settled": true, "": false, ": settled": true, "a/b_c": false,
	} {
		if got := isPhrase(s); got != want {
			t.Errorf("isPhrase(%q) = %v, want %v", s, got, want)
		}
	}
}
