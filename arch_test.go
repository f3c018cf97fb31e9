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

// arrows says what each package may import of this module: exactly what it
// imports, so that a new arrow is a change of this table. ARCHITECTURE.md tells
// why the arrows point this way.
var arrows = map[string][]string{
	"cmd/concord":             {"cmd/concord/config", "cmd/concord/gate", "cmd/concord/keys", "tui", "tui/begin", "tui/compare", "tui/connect", "tui/criteria", "tui/curate", "tui/duels", "tui/enrol", "tui/guideline", "tui/jobs", "tui/keymap", "tui/linear", "tui/offer", "tui/pairs", "tui/people", "tui/report", "tui/review", "tui/runs", "tui/samples", "tui/sitting", "tui/term", "tui/votes", "tui/widget", "store", "annotate", "annotate/agree", "annotate/chronicle", "annotate/criteria", "annotate/curation", "annotate/packet", "annotate/report", "eval", "eval/dataset", "eval/demo", "eval/extract", "eval/judge", "eval/metric", "eval/openai", "eval/openai/openaitest", "eval/prompt", "eval/replay", "eval/stat"},
	"cmd/concord/config":      {"tui/keymap", "eval"},
	"cmd/concord/gate":        {"cmd/concord/keys"},
	"cmd/concord/keys":        {},
	"tui":                     {"tui/begin", "tui/compare", "tui/connect", "tui/criteria", "tui/curate", "tui/duels", "tui/enrol", "tui/guideline", "tui/keymap", "tui/pairs", "tui/palette", "tui/people", "tui/report", "tui/review", "tui/runs", "tui/samples", "tui/sitting", "tui/widget", "annotate", "eval"},
	"tui/begin":               {"tui/keymap", "tui/widget"},
	"tui/compare":             {"tui/keymap", "tui/offer", "tui/sitting", "tui/widget", "annotate", "annotate/curation", "annotate/report", "eval"},
	"tui/connect":             {"tui/widget"},
	"tui/criteria":            {"tui/keymap", "tui/widget", "annotate", "annotate/criteria", "eval"},
	"tui/curate":              {"tui/keymap", "tui/sitting", "tui/widget", "annotate", "annotate/curation", "eval"},
	"tui/duels":               {"tui/jobs", "tui/keymap", "tui/widget", "annotate", "eval", "eval/stat"},
	"tui/enrol":               {"tui/keymap", "tui/widget", "annotate", "eval"},
	"tui/guideline":           {"tui/keymap", "tui/offer", "tui/widget", "annotate"},
	"tui/jobs":                {"tui/keymap", "tui/widget", "eval"},
	"tui/keymap":              {},
	"tui/keymap/keymaptest":   {"tui/keymap"},
	"tui/linear":              {"tui/offer", "tui/widget", "annotate", "eval"},
	"tui/offer":               {"annotate", "eval"},
	"tui/pairs":               {"tui/keymap", "tui/prose", "tui/pull", "tui/widget", "annotate", "eval"},
	"tui/palette":             {"tui/widget"},
	"tui/people":              {"tui/keymap", "tui/widget", "annotate"},
	"tui/prose":               {"tui/widget"},
	"tui/pull":                {},
	"tui/report":              {"tui/keymap", "tui/widget", "annotate", "annotate/agree", "annotate/curation", "annotate/report", "eval", "eval/stat"},
	"tui/review":              {"tui/keymap", "tui/offer", "tui/sitting", "tui/widget", "annotate", "eval", "eval/stat"},
	"tui/runs":                {"tui/jobs", "tui/keymap", "tui/sitting", "tui/widget", "annotate", "eval"},
	"tui/samples":             {"tui/keymap", "tui/pull", "tui/widget", "annotate", "eval"},
	"tui/sitting":             {"tui/keymap", "tui/widget", "annotate", "eval"},
	"tui/sitting/sittingtest": {"tui/sitting", "tui/widget", "annotate", "eval"},
	"tui/term":                {"tui/term/background"},
	"tui/term/background":     {},
	"tui/votes":               {"tui/keymap", "tui/offer", "tui/prose", "tui/sitting", "tui/widget", "annotate", "eval"},
	"tui/widget":              {},
	"store":                   {"annotate", "annotate/criteria", "annotate/curation", "annotate/packet", "eval", "eval/dataset", "eval/stat"},
	"annotate":                {"annotate/agree", "annotate/journal", "eval", "eval/stat"},
	"annotate/agree":          {"eval/stat"},
	"annotate/chronicle":      {"annotate", "annotate/criteria", "annotate/curation", "annotate/packet", "eval"},
	"annotate/correct":        {"eval/stat"},
	"annotate/criteria":       {"annotate", "eval", "eval/stat"},
	"annotate/curation":       {"annotate", "annotate/criteria", "annotate/journal", "eval", "eval/stat"},
	"annotate/journal":        {},
	"annotate/packet":         {"annotate", "annotate/criteria", "annotate/journal", "eval"},
	"annotate/report":         {"annotate", "annotate/agree", "annotate/correct", "annotate/criteria", "annotate/curation", "annotate/report/chart", "eval", "eval/extract", "eval/metric", "eval/stat"},
	"annotate/report/chart":   {},
	"eval":                    {},
	"eval/dataset":            {"eval"},
	"eval/demo":               {"eval"},
	"eval/extract":            {"eval"},
	"eval/judge":              {"eval", "eval/prompt"},
	"eval/metric":             {"eval", "eval/stat"},
	"eval/openai":             {"eval"},
	"eval/openai/openaitest":  {},
	"eval/prompt":             {"eval"},
	"eval/replay":             {"eval"},
	"eval/stat":               {},
	".":                       {},
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
	"gonum.org/v1/gonum":                 {"annotate/agree"},
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
	used := make(map[string]map[string]bool)
	for file, imports := range importsOf(t, false) {
		dir := filepath.ToSlash(filepath.Dir(file))
		allowed, known := arrows[dir]
		if !known {
			t.Errorf("%s: folder %s is not in the table of arrows", file, dir)
			continue
		}
		if used[dir] == nil {
			used[dir] = make(map[string]bool)
		}
		for _, imp := range imports {
			own, inside := strings.CutPrefix(imp, "concord/")
			if !inside {
				continue
			}
			used[dir][own] = true
			if !slices.Contains(allowed, own) {
				t.Errorf("%s imports %s: %s may import only %v", file, imp, dir, allowed)
			}
		}
	}
	for dir, allowed := range arrows {
		for _, own := range allowed {
			if !used[dir][own] {
				t.Errorf("%s may import %s and does not: take it out of the table of arrows", dir, own)
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

func covers(pattern, dir string) bool {
	root, tree := strings.CutSuffix(pattern, "/...")
	return dir == root || tree && strings.HasPrefix(dir, root+"/")
}
