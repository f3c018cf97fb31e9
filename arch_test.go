package concord_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// importsFile holds every arrow between packages of this module: a line an
// import, the folder first, then what it imports. A new arrow is a new line,
// and one that is gone takes its line away (go test . -update, with -raise to
// add). directions bounds what may stand there.
const importsFile = ".arch/imports"

// directions says what the packages of each folder may import of this module at
// most. A folder that ends in /... stands for itself and all below it. The
// longest match decides. ARCHITECTURE.md tells why the arrows point this way.
var directions = map[string][]string{
	"cmd/...": {"cmd/...", "tui/...", "store/...", "annotate/...", "eval/..."},

	// The rooms of the application, the lowest first. The groups of commands do not
	// know each other, and nothing below them knows them.
	"cmd/concord/internal/config":           {"annotate", "eval/...", "tui/keymap"},
	"cmd/concord/internal/keys":             {},
	"cmd/concord/internal/server/ssh":       {"cmd/concord/internal/keys", "eval/bound", "eval/text"},
	"cmd/concord/internal/cli":              {"cmd/concord/internal/config", "annotate/report/...", "eval", "eval/bound", "eval/dataset", "eval/text", "store", "tui/widget"},
	"cmd/concord/internal/project":          {"cmd/concord/internal/cli", "cmd/concord/internal/config", "annotate", "eval", "eval/bound", "store"},
	"cmd/concord/internal/screen":           {"cmd/concord/internal/cli", "cmd/concord/internal/config", "cmd/concord/internal/project", "store", "tui/..."},
	"cmd/concord/internal/rules":            {"cmd/concord/internal/cli", "cmd/concord/internal/project", "eval", "eval/extract/..."},
	"cmd/concord/internal/facts":            {"cmd/concord/internal/cli", "store", "annotate/...", "eval/..."},
	"cmd/concord/internal/roster":           {"cmd/concord/internal/keys", "cmd/concord/internal/project", "store", "annotate", "eval"},
	"cmd/concord/internal/curating":         {"cmd/concord/internal/cli", "cmd/concord/internal/config", "cmd/concord/internal/facts", "cmd/concord/internal/project", "store", "tui/...", "annotate/...", "eval/..."},
	"cmd/concord/internal/exchange":         {"cmd/concord/internal/cli", "cmd/concord/internal/project", "cmd/concord/internal/facts", "cmd/concord/internal/curating", "store", "annotate/...", "eval/..."},
	"cmd/concord/internal/draw":             {"cmd/concord/internal/cli", "cmd/concord/internal/config", "cmd/concord/internal/project", "cmd/concord/internal/facts", "cmd/concord/internal/exchange", "store", "annotate/...", "eval/..."},
	"cmd/concord/internal/jobs/...":         {"cmd/concord/internal/cli", "cmd/concord/internal/config", "cmd/concord/internal/project", "cmd/concord/internal/facts", "cmd/concord/internal/jobs/...", "store", "tui/...", "annotate/...", "eval/..."},
	"cmd/concord/internal/doctor":           {"cmd/concord/internal/cli", "cmd/concord/internal/config", "cmd/concord/internal/project", "cmd/concord/internal/facts", "cmd/concord/internal/jobs", "cmd/concord/internal/screen", "store", "tui/...", "eval/..."},
	"cmd/concord/internal/view":             {"cmd/concord/internal/cli", "cmd/concord/internal/config", "cmd/concord/internal/project", "cmd/concord/internal/facts", "cmd/concord/internal/curating", "cmd/concord/internal/exchange", "cmd/concord/internal/draw", "cmd/concord/internal/jobs/...", "cmd/concord/internal/doctor", "store", "tui/...", "annotate/...", "eval/..."},
	"cmd/concord/internal/server":           {"cmd/concord/internal/unsaved", "cmd/concord/internal/cli", "cmd/concord/internal/config", "cmd/concord/internal/keys", "cmd/concord/internal/project", "cmd/concord/internal/screen", "cmd/concord/internal/facts", "cmd/concord/internal/roster", "cmd/concord/internal/curating", "cmd/concord/internal/jobs/...", "cmd/concord/internal/view", "cmd/concord/internal/server/ssh", "store", "tui/...", "annotate/...", "eval/..."},
	"cmd/concord/internal/unsaved":          {"store", "annotate", "annotate/criteria", "annotate/curation"},
	"cmd/concord/internal/command/data":     {"cmd/concord/internal/unsaved", "cmd/concord/internal/rules", "cmd/concord/internal/cli", "cmd/concord/internal/project", "cmd/concord/internal/facts", "cmd/concord/internal/curating", "cmd/concord/internal/exchange", "cmd/concord/internal/draw", "store", "annotate/...", "eval/..."},
	"cmd/concord/internal/command/report":   {"cmd/concord/internal/cli", "cmd/concord/internal/project", "cmd/concord/internal/facts", "cmd/concord/internal/curating", "store", "annotate/...", "eval/..."},
	"cmd/concord/internal/workers":          {"cmd/concord/internal/cli", "cmd/concord/internal/config", "cmd/concord/internal/project", "cmd/concord/internal/jobs", "eval/..."},
	"cmd/concord/internal/command/run":      {"cmd/concord/internal/cli", "cmd/concord/internal/project", "cmd/concord/internal/facts", "cmd/concord/internal/curating", "cmd/concord/internal/exchange", "cmd/concord/internal/jobs", "cmd/concord/internal/view", "cmd/concord/internal/workers", "store", "tui/home", "annotate/...", "eval/..."},
	"cmd/concord/internal/command/queue":    {"cmd/concord/internal/cli", "cmd/concord/internal/project", "cmd/concord/internal/screen", "cmd/concord/internal/exchange", "cmd/concord/internal/draw", "cmd/concord/internal/view", "cmd/concord/internal/server", "store", "tui/...", "annotate/...", "eval/..."},
	"cmd/concord/internal/command/criteria": {"cmd/concord/internal/cli", "cmd/concord/internal/project", "cmd/concord/internal/screen", "cmd/concord/internal/curating", "cmd/concord/internal/view", "cmd/concord/internal/server", "store", "tui/...", "annotate/...", "eval/..."},
	"cmd/concord/internal/command/team":     {"cmd/concord/internal/cli", "cmd/concord/internal/keys", "cmd/concord/internal/project", "cmd/concord/internal/roster", "cmd/concord/internal/server", "cmd/concord/internal/workers", "store", "tui/...", "annotate/...", "eval/..."},
	"cmd/concord/internal/command/setup":    {"cmd/concord/internal/cli", "cmd/concord/internal/config", "cmd/concord/internal/project", "cmd/concord/internal/screen", "cmd/concord/internal/facts", "cmd/concord/internal/jobs", "cmd/concord/internal/doctor", "cmd/concord/internal/view", "cmd/concord/internal/server", "store", "tui/...", "annotate/...", "eval/..."},

	"store/...":        {"store/...", "annotate/...", "eval/..."},
	"tui/...":          {"tui/...", "annotate/...", "eval/..."},
	"tui/widget":       {"eval/bound", "eval/text"},
	"tui/keymap":       {},
	"tui/term/...":     {"tui/term/...", "tui/widget"},
	"annotate/...":     {"annotate/...", "eval/..."},
	"annotate/agree":   {"eval/stat"},
	"annotate/correct": {"eval/stat"},
	"annotate/journal": {},
	"eval":             {},
	"eval/...":         {"eval/..."},
	"eval/stat":        {},

	// Files of benchmarks, the lowest first: how they are cut, what their columns
	// are, and what stands in rows.
	"eval/bound":                   {},
	"eval/dataset/internal/fastio": {"eval/bound", "eval/dataset/problem"},
	"eval/dataset/format":          {"eval/bound", "eval/dataset/internal/fastio", "eval/dataset/problem", "eval/dataset/tablefile", "eval/text"},
	"eval/dataset/column":          {"eval", "eval/dataset/format", "eval/dataset/internal/fastio"},
	"eval/dataset/profile":         {"eval", "eval/bound", "eval/dataset/column", "eval/dataset/format", "eval/dataset/internal/fastio", "eval/dataset/problem"},
	"eval/dataset/hub":             {"eval/bound"},
	"eval/dataset/rowfile":         {"eval", "eval/dataset/column", "eval/dataset/profile", "eval/dataset/internal/fastio", "eval/dataset/problem"},
	"eval/dataset/export":          {"eval", "eval/dataset/column", "eval/dataset/profile", "eval/dataset/rowfile", "eval/dataset/internal/fastio", "eval/dataset/tablefile"},

	".": {},
}

// homes says which folders may import a module of others: where the code that
// would have to change with it lives. A module that is not here has no home yet.
// A module stands for all its packages.
var homes = map[string][]string{
	"go.etcd.io/bbolt":                   {"store", "store/file"},
	"github.com/fxamacker/cbor/v2":       {"store/record"},
	"github.com/go-json-experiment/json": {"eval/openai/..."},
	"github.com/sashabaranov/go-openai":  {"eval/openai/..."},
	"github.com/klauspost/compress":      {"store/record"},
	"github.com/parquet-go/parquet-go":   {"eval/dataset/format", "eval/dataset/tablefile"},
	"github.com/pelletier/go-toml/v2":    {"eval/dataset/column", "eval/extract/pattern", "eval/demo", "annotate/report/catalogue", "tui/keymap", "tui/report", "cmd/concord/internal/config"},
	"gonum.org/v1/gonum":                 {"annotate/agree", "eval/stat", "eval/stat/ranking"},
	"github.com/montanaflynn/stats":      {"annotate/agree"},
	"github.com/rivo/uniseg":             {"annotate/report/table"},
	"github.com/spf13/cobra":             {"cmd/concord/..."},
	"github.com/spf13/pflag":             {"cmd/concord/..."},
	"github.com/schollz/progressbar/v3":  {"cmd/concord/internal/cli"},
	"github.com/mattn/go-isatty":         {"cmd/concord/internal/cli", "cmd/concord/internal/doctor", "tui/term"},
	"golang.org/x/term":                  {"cmd/concord/internal/cli", "cmd/concord/internal/doctor", "cmd/concord/internal/server/ssh", "tui/term"},
	"github.com/muesli/cancelreader":     {"cmd/concord/internal/server/ssh"},
	"github.com/gliderlabs/ssh":          {"cmd/concord/internal/server/ssh"},
	"golang.org/x/sys":                   {"tui/term"},
	"golang.org/x/crypto":                {"cmd/concord/internal/keys", "cmd/concord/internal/server/ssh"},
	"golang.org/x/image":                 {"annotate/criteria", "eval/openai", "tui/term", "tui/widget"},
	"golang.org/x/text":                  {"eval/extract/published"},
	"golang.org/x/time":                  {"eval/openai", "cmd/concord/internal/server/ssh"},
	"github.com/charmbracelet/bubbletea": {"tui/...", "cmd/concord/..."},
	"github.com/charmbracelet/lipgloss":  {"tui/...", "cmd/concord/..."},
	"github.com/charmbracelet/bubbles":   {"tui/...", "cmd/concord/..."},
	"github.com/charmbracelet/x/ansi":    {"tui/..."},
	"github.com/yuin/goldmark":           {"tui/markdown"},
	"github.com/nats-io/nats-server/v2":  {"eval/remote"},
	"github.com/nats-io/nats.go":         {"eval/remote"},
	"github.com/tiktoken-go/tokenizer":   {"eval/metric"},

	"github.com/DataDog/datadog-agent/pkg/template": {"annotate/report", "eval/prompt"},

	"github.com/sergi/go-diff":  {"tui/markdown"},
	"github.com/sahilm/fuzzy":   {"tui/palette"},
	"github.com/muesli/termenv": {"tui/..."},
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
	measured := make(map[string]bool)
	for file, imports := range importsOf(t, false) {
		dir := filepath.ToSlash(filepath.Dir(file))
		allowed, known := allowedFor(dir)
		if !known {
			t.Errorf("%s: folder %s is in none of the directions", file, dir)
		}
		for _, imp := range imports {
			own, inside := strings.CutPrefix(imp, "concord/")
			if !inside {
				continue
			}
			measured[dir+" "+own] = true
			if !slices.ContainsFunc(allowed, func(a string) bool { return covers(a, own) }) {
				t.Errorf("%s imports %s: %s may import only %v", file, imp, dir, allowed)
			}
		}
	}
	recorded := readArrows(t)
	if *update {
		recorded = rewriteArrows(t, recorded, measured)
	}
	for _, a := range slices.Sorted(maps.Keys(measured)) {
		if !recorded[a] {
			t.Errorf("new arrow %q: a line of %s (go test . -update -raise), if it should be there", a, importsFile)
		}
	}
	for _, a := range slices.Sorted(maps.Keys(recorded)) {
		if !measured[a] {
			t.Errorf("%s holds %q, which nothing imports any more (go test . -update)", importsFile, a)
		}
	}
}

func readArrows(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(importsFile)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		out[strings.TrimSpace(line)] = true
	}
	return out
}

// rewriteArrows takes away what is imported no more, and adds what is new with
// -raise.
func rewriteArrows(t *testing.T, recorded, measured map[string]bool) map[string]bool {
	t.Helper()
	out := make(map[string]bool)
	for a := range measured {
		if recorded[a] || *raise {
			out[a] = true
		}
	}
	text := strings.Join(slices.Sorted(maps.Keys(out)), "\n") + "\n"
	if err := os.WriteFile(importsFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return out
}

// allowedFor finds the directions of the most specific pattern: the deepest
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
	for pattern := range directions {
		if covers(pattern, dir) && (!found || rank(pattern) > rank(best)) {
			best, found = pattern, true
		}
	}
	return directions[best], found
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
