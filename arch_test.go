package concord_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows says what the packages of each folder may import of this module.
// A folder that ends in /... stands for itself and all below it. The longest
// match decides. ARCHITECTURE.md tells why the arrows point this way.
var arrows = map[string][]string{
	"cmd/...":               {"cmd/concord/config", "cmd/concord/gate", "cmd/concord/keys", "tui/...", "store", "annotate/...", "eval/..."},
	"cmd/concord/config":    {"eval", "tui/keymap"},
	"cmd/concord/gate":      {"cmd/concord/keys"},
	"cmd/concord/keys":      {},
	"store":                 {"annotate", "annotate/criteria", "annotate/curation", "annotate/packet", "eval", "eval/dataset", "eval/stat"},
	"tui":                   {"tui/...", "annotate/...", "eval/..."},
	"tui/widget":            {},
	"tui/keymap":            {},
	"tui/palette":           {"tui/widget"},
	"tui/term":              {"tui/term/background"},
	"tui/term/...":          {},
	"tui/prose":             {"tui/widget"},
	"tui/pull":              {},
	"tui/sitting":           {"tui/widget", "tui/keymap", "annotate", "eval"},
	"tui/offer":             {"annotate", "eval"},
	"tui/linear":            {"tui/offer", "tui/widget", "annotate", "eval"},
	"tui/jobs":              {"tui/widget", "tui/keymap", "eval"},
	"tui/...":               {"tui/widget", "tui/keymap", "tui/prose", "tui/pull", "tui/sitting", "tui/offer", "tui/jobs", "annotate", "annotate/criteria", "annotate/curation", "annotate/report", "annotate/agree", "eval", "eval/stat"},
	"annotate":              {"annotate/agree", "annotate/journal", "eval", "eval/stat"},
	"annotate/journal":      {},
	"annotate/agree":        {"eval/stat"},
	"annotate/audit":        {"annotate", "annotate/criteria", "annotate/curation", "annotate/packet", "eval"},
	"annotate/correct":      {"eval/stat"},
	"annotate/criteria":     {"annotate", "eval", "eval/stat"},
	"annotate/curation":     {"annotate", "annotate/criteria", "annotate/journal", "eval", "eval/stat"},
	"annotate/packet":       {"annotate", "annotate/criteria", "annotate/journal", "eval"},
	"annotate/report/chart": {},
	"annotate/report":       {"annotate/report/chart", "annotate", "annotate/agree", "annotate/correct", "annotate/criteria", "annotate/curation", "eval", "eval/extract", "eval/metric", "eval/stat"},
	"eval":                  {},
	"eval/...":              {"eval"},
	"eval/demo":             {"eval", "eval/replay"},
	"eval/judge":            {"eval", "eval/prompt"},
	"eval/openai/...":       {"eval", "eval/openai/..."},
	"eval/metric":           {"eval", "eval/stat"},
	"eval/stat":             {},
	".":                     {},
}

// homes says which folders may import a module of others: where the code that
// would have to change with it lives. A module that is not here has no home yet.
// A module stands for all its packages.
var homes = map[string][]string{
	"go.etcd.io/bbolt":                   {"store"},
	"github.com/fxamacker/cbor/v2":       {"store"},
	"github.com/sashabaranov/go-openai":  {"eval/openai/..."},
	"github.com/xuri/excelize/v2":        {"eval/dataset"},
	"github.com/parquet-go/parquet-go":   {"eval/dataset"},
	"github.com/pelletier/go-toml/v2":    {"eval/demo", "cmd/concord/config"},
	"gonum.org/v1/gonum":                 {"annotate/agree", "eval/stat"},
	"github.com/montanaflynn/stats":      {"annotate/agree"},
	"github.com/rivo/uniseg":             {"annotate/report"},
	"github.com/spf13/cobra":             {"cmd/concord"},
	"github.com/spf13/pflag":             {"cmd/concord"},
	"github.com/schollz/progressbar/v3":  {"cmd/concord"},
	"github.com/mattn/go-isatty":         {"cmd/concord", "tui/term"},
	"golang.org/x/term":                  {"cmd/concord", "cmd/concord/gate", "tui/term"},
	"github.com/muesli/cancelreader":     {"cmd/concord/gate"},
	"golang.org/x/sys":                   {"tui/term"},
	"golang.org/x/crypto":                {"cmd/concord/keys", "cmd/concord/gate"},
	"golang.org/x/image":                 {"annotate/criteria", "eval/demo", "eval/openai", "tui/widget"},
	"golang.org/x/time":                  {"eval/openai", "cmd/concord/gate"},
	"github.com/charmbracelet/bubbletea": {"tui/...", "cmd/concord"},
	"github.com/charmbracelet/lipgloss":  {"tui/...", "cmd/concord"},
	"github.com/charmbracelet/bubbles":   {"tui/...", "cmd/concord"},
	"github.com/charmbracelet/x/ansi":    {"tui/..."},
	"github.com/yuin/goldmark":           {"tui/prose"},
	"github.com/pmezard/go-difflib":      {"tui/prose"},
	"github.com/sahilm/fuzzy":            {"tui/palette"},
	"github.com/muesli/termenv":          {"tui/..."},
}

func TestModulesStayAtHome(t *testing.T) {
	for file, imports := range importsOf(t, false) {
		dir := filepath.ToSlash(filepath.Dir(file))
		for _, imp := range imports {
			if host, _, _ := strings.Cut(imp, "/"); !strings.Contains(host, ".") {
				continue
			}
			home, known := homeOf(imp)
			if !known {
				t.Errorf("%s imports %s, whose module is not in the table of homes", file, imp)
			} else if !slices.ContainsFunc(home, func(h string) bool { return covers(h, dir) }) {
				t.Errorf("%s imports %s: only %v may", file, imp, home)
			}
		}
	}
}

func homeOf(imp string) ([]string, bool) {
	for module, folders := range homes {
		if covers(module+"/...", imp) {
			return folders, true
		}
	}
	return nil, false
}

func TestImportsRunOneWay(t *testing.T) {
	for file, imports := range importsOf(t, false) {
		dir := filepath.ToSlash(filepath.Dir(file))
		allowed, known := allowedFor(dir)
		if !known {
			t.Errorf("%s: folder %s is not in the table of arrows", file, dir)
			continue
		}
		for _, imp := range imports {
			own, inside := strings.CutPrefix(imp, "concord/")
			if inside && own != dir && !slices.ContainsFunc(allowed, func(a string) bool { return covers(a, own) }) {
				t.Errorf("%s imports %s: %s may import only %v", file, imp, dir, allowed)
			}
		}
	}
}

func TestVocabularyNeedsOnlyTheStandardLibrary(t *testing.T) {
	for file, imports := range importsOf(t, false) {
		if filepath.ToSlash(filepath.Dir(file)) != "eval" {
			continue
		}
		for _, imp := range imports {
			if first, _, _ := strings.Cut(imp, "/"); strings.Contains(first, ".") || first == "concord" {
				t.Errorf("%s imports %s", file, imp)
			}
		}
	}
}

func TestTopLevelIsAsDrawn(t *testing.T) {
	want := []string{"annotate", "cmd", "eval", "store", "tui"}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			got = append(got, e.Name())
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("top-level folders are %v, want %v", got, want)
	}
}

func importsOf(t *testing.T, tests bool) map[string][]string {
	t.Helper()
	out := make(map[string][]string)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") != tests {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, imp := range f.Imports {
			p, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return err
			}
			out[path] = append(out[path], p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		t.Fatal("found no Go files")
	}
	return out
}

// allowedFor finds the arrows of the most specific pattern: the deepest
// folder, and a folder itself before the tree below it.
func allowedFor(dir string) ([]string, bool) {
	rank := func(pattern string) int {
		root, tree := strings.CutSuffix(pattern, "/...")
		if tree {
			return 2 * len(root)
		}
		return 2*len(root) + 1
	}
	best, found := "", false
	for pattern := range arrows {
		if covers(pattern, dir) && (!found || rank(pattern) > rank(best)) {
			best, found = pattern, true
		}
	}
	return arrows[best], found
}

func covers(pattern, dir string) bool {
	root, tree := strings.CutSuffix(pattern, "/...")
	return dir == root || tree && strings.HasPrefix(dir, root+"/")
}
