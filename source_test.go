package concord_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// sourcePackage is a package of this module or one that it needs, as the go
// command lists it, parsed and type-checked.
type sourcePackage struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
	ImportMap  map[string]string
	Module     *struct{ Main bool }
	files      []*ast.File
	info       *types.Info
	types      *types.Package
	err        error
	done       chan struct{}
	fset       *token.FileSet
}

// own reports whether the package is one of this module.
func (p *sourcePackage) own() bool { return p.Module != nil && p.Module.Main }

// name is the folder of the package below the module's root.
func (p *sourcePackage) name() string { return strings.TrimPrefix(p.ImportPath, "concord/") }

// loadModule gives the packages of this module, type-checked from source.
// The platform is fixed, so that measurements are the same everywhere. What
// other modules declare is checked without the bodies of functions.
var loadModule = sync.OnceValues(func() ([]*sourcePackage, error) { return checkModule("linux") })

// checkModule type-checks the packages of this module as they are for a system.
func checkModule(system string) ([]*sourcePackage, error) {
	all, err := listPackages(system)
	if err != nil {
		return nil, err
	}
	byPath := make(map[string]*sourcePackage, len(all))
	fset := token.NewFileSet()
	for _, p := range all {
		p.fset, p.done = fset, make(chan struct{})
		byPath[p.ImportPath] = p
	}
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, p := range all {
		go p.load(byPath, slots)
	}
	var own []*sourcePackage
	for _, p := range all {
		<-p.done
		if p.own() {
			own, err = append(own, p), errors.Join(err, p.err)
		}
	}
	slices.SortFunc(own, func(a, b *sourcePackage) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return own, err
}

// listPackages asks the go command for all packages of the module and those
// they need.
func listPackages(system string) ([]*sourcePackage, error) {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,Imports,ImportMap,Module", "./...")
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list packages: %w: %s", err, stderr.String())
	}
	var all []*sourcePackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(sourcePackage)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("read packages: %w", err)
		}
		all = append(all, p)
	}
}

// load parses the package, waits for what it imports and checks its types.
func (p *sourcePackage) load(byPath map[string]*sourcePackage, slots chan struct{}) {
	defer close(p.done)
	if p.ImportPath == "unsafe" {
		p.types = types.Unsafe
		return
	}
	slots <- struct{}{}
	p.err = p.parse()
	<-slots
	for _, imp := range p.Imports {
		if dep := byPath[p.mapped(imp)]; dep != nil {
			<-dep.done
		}
	}
	slots <- struct{}{}
	defer func() { <-slots }()
	if p.own() {
		p.info = &types.Info{Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object)}
	}
	var failed []error
	conf := types.Config{
		Importer:         importerFunc(func(path string) (*types.Package, error) { return find(byPath, p.mapped(path)) }),
		Sizes:            types.SizesFor("gc", "amd64"),
		FakeImportC:      true,
		IgnoreFuncBodies: !p.own(),
		Error:            func(err error) { failed = append(failed, err) },
	}
	p.types, _ = conf.Check(p.ImportPath, p.fset, p.files, p.info)
	p.err = errors.Join(p.err, errors.Join(failed...))
}

func (p *sourcePackage) parse() error {
	var failed error
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(p.fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		p.files, failed = append(p.files, f), errors.Join(failed, err)
	}
	return failed
}

// mapped is the path under which an import is listed: vendored in the
// standard library, it has another one than the source says.
func (p *sourcePackage) mapped(path string) string {
	if to, ok := p.ImportMap[path]; ok {
		return to
	}
	return path
}

func find(byPath map[string]*sourcePackage, path string) (*types.Package, error) {
	if p := byPath[path]; p != nil && p.types != nil {
		return p.types, nil
	}
	return nil, fmt.Errorf("package %s is not listed", path)
}

type importerFunc func(string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// modulePackages are the packages of the module for a test.
func modulePackages(t *testing.T) []*sourcePackage {
	t.Helper()
	if testing.Short() {
		t.Skip("type-checking all packages takes seconds: run without -short")
	}
	own, err := loadModule()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(own)
}

// sourceFiles are the paths of all Go files of the module but tests, those of
// other platforms included.
func sourceFiles(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".") {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			out = append(out, filepath.ToSlash(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
