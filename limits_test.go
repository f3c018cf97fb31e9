package concord_test

import (
	"bytes"
	"fmt"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The limits one level above a file and a function, which the linter holds.
// Test files do not count.
const (
	maxPackageFiles = 40
	maxPackageLines = 6_000
	maxMethods      = 30 // of one type, without those it gets by embedding
	maxKnotFiles    = 12 // a knot may be over one of these two, not over both
	maxKnotLines    = 2_500
	maxModuleLines  = 165_000
)

// limitKinds are the measurements that may have recorded offenders.
var limitKinds = []string{"files", "knot.files", "knot.lines", "lines", "methods"}

// size is what is measured of one package.
type size struct {
	name         string
	files, lines int
	knot         knot
	methods      map[string]int
}

// TestPackagesAreWithinLimits in files, lines, methods of a type and files that
// depend on each other. Offenders are recorded, and may only shrink. With -v it
// prints what is measured.
func TestPackagesAreWithinLimits(t *testing.T) {
	over, knots := make(map[entry]int), make(map[string]knot)
	table := "files   lines  knot: files   lines  package                   most methods\n"
	for _, p := range modulePackages(t) {
		if len(p.GoFiles) == 0 {
			continue
		}
		s := p.measure(t)
		knots[s.name] = s.knot
		s.offences(over)
		table += fmt.Sprintf("%5d  %6d  %11d  %6d  %-24s  %s\n", s.files, s.lines, len(s.knot.files), s.knot.lines, s.name, s.largestType())
	}
	if testing.Verbose() {
		t.Logf("measured:\n%s", table)
		for e := range over {
			if e.kind == "knot.files" {
				t.Logf("the knot of %s: %v", e.subject, knots[e.subject].files)
			}
		}
	}
	checkRecords(t, over, limitKinds, func(e entry) string {
		if strings.HasPrefix(e.kind, "knot.") {
			return fmt.Sprintf(": %v refer to each other", knots[e.subject].files)
		}
		return ""
	})
}

// TestModuleIsWithinLimit in lines of Go without tests.
func TestModuleIsWithinLimit(t *testing.T) {
	lines, kits := 0, testKits(t)
	for _, file := range sourceFiles(t) {
		if !kits[path.Dir(file)] {
			lines += countLines(t, file)
		}
	}
	t.Logf("%d lines of Go without tests, at most %d", lines, maxModuleLines)
	if lines > maxModuleLines {
		t.Errorf("%d lines of Go without tests: at most %d", lines, maxModuleLines)
	}
}

// testKits are the folders of packages that serve tests alone: their names end in
// "test", and nothing but tests imports them.
func testKits(t *testing.T) map[string]bool {
	t.Helper()
	kits := make(map[string]bool)
	all := modulePackages(t)
	for _, p := range all {
		if strings.HasSuffix(p.ImportPath, "test") {
			kits[strings.TrimPrefix(p.ImportPath, "concord/")] = true
		}
	}
	for _, p := range all {
		for _, imported := range p.Imports {
			delete(kits, strings.TrimPrefix(imported, "concord/"))
		}
	}
	return kits
}

// measure counts files and lines of every platform; types are those of one.
func (p *sourcePackage) measure(t *testing.T) size {
	t.Helper()
	s := size{name: p.name(), methods: make(map[string]int)}
	paths, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if !strings.HasSuffix(path, "_test.go") {
			s.files++
			s.lines += countLines(t, path)
		}
	}
	if knots := p.knots(); len(knots) > 0 {
		s.knot = knots[0]
		// One that is over both limits goes before a longer one of few files.
		if at := slices.IndexFunc(knots, knot.isTooLarge); at >= 0 {
			s.knot = knots[at]
		}
	}
	for _, name := range p.types.Scope().Names() {
		if tn, ok := p.types.Scope().Lookup(name).(*types.TypeName); ok && !tn.IsAlias() {
			if n := declaredMethods(tn.Type()); n > 0 {
				s.methods[name] = n
			}
		}
	}
	return s
}

// declaredMethods counts the methods that are declared on a type, or in an
// interface.
func declaredMethods(t types.Type) int {
	named, ok := t.(*types.Named)
	if !ok {
		return 0
	}
	if i, ok := named.Underlying().(*types.Interface); ok {
		return i.NumExplicitMethods()
	}
	return named.NumMethods()
}

func (k knot) isTooLarge() bool { return len(k.files) > maxKnotFiles && k.lines > maxKnotLines }

// offences adds what of the package is over a limit.
func (s size) offences(over map[entry]int) {
	if s.files > maxPackageFiles {
		over[entry{"files", s.name}] = s.files
	}
	if s.lines > maxPackageLines {
		over[entry{"lines", s.name}] = s.lines
	}
	if s.knot.isTooLarge() {
		over[entry{"knot.files", s.name}] = len(s.knot.files)
		over[entry{"knot.lines", s.name}] = s.knot.lines
	}
	for name, n := range s.methods {
		if n > maxMethods {
			over[entry{"methods", s.name + "." + name}] = n
		}
	}
}

// largestType names the type of most methods.
func (s size) largestType() string {
	best := "-"
	for name, n := range s.methods {
		if n > s.methods[best] || n == s.methods[best] && name < best {
			best = name
		}
	}
	return fmt.Sprintf("%s %d", best, s.methods[best])
}

func countLines(t *testing.T, path string) int {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(src, []byte("\n"))
}

// TestKnotsAreFound in a graph of two rings and a file beside them.
func TestKnotsAreFound(t *testing.T) {
	graph := map[string]map[string]bool{
		"a": {"b": true}, "b": {"c": true}, "c": {"a": true, "d": true},
		"d": {"e": true}, "e": {"d": true}, "f": {"a": true},
	}
	var got []string
	for _, c := range components(graph) {
		slices.Sort(c)
		got = append(got, strings.Join(c, ""))
	}
	slices.Sort(got)
	if want := []string{"abc", "de", "f"}; !slices.Equal(got, want) {
		t.Errorf("knots are %v, want %v", got, want)
	}
}
