package concord_test

import (
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxReadmeLines keeps the README a page that one reads.
const maxReadmeLines = 150

var (
	goFile     = regexp.MustCompile("`([a-z]+/[a-z/]+\\.go)`")
	docLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	docHeading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	notAnchor  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestDocuments: links between documents lead to a file and a heading that
// are there, as do the names of files in the architecture, and the README stays
// short.
func TestDocuments(t *testing.T) {
	paths, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	texts, anchors := make(map[string]string), make(map[string]map[string]bool)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[path], anchors[path] = string(data), headings(string(data))
	}
	for path, text := range texts {
		for _, link := range docLink.FindAllStringSubmatch(text, -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(link[1], "#")
			if file == "" {
				file = path
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: link to %s: %v", path, link[1], err)
			} else if anchor != "" && !anchors[file][anchor] {
				t.Errorf("%s: link to %s: %s has no such heading", path, link[1], file)
			}
		}
	}
	for _, file := range goFile.FindAllStringSubmatch(texts["ARCHITECTURE.md"], -1) {
		if found, _ := filepath.Glob(file[1]); len(found) == 0 && strings.Contains(file[1], "/") {
			t.Errorf("ARCHITECTURE.md names %s, which is not there", file[1])
		}
	}
	if n := strings.Count(texts["README.md"], "\n"); n > maxReadmeLines {
		t.Errorf("README.md has %d lines: at most %d", n, maxReadmeLines)
	}
}

// headings are the anchors of a document as its host makes them.
func headings(text string) map[string]bool {
	found := make(map[string]bool)
	for _, heading := range docHeading.FindAllStringSubmatch(text, -1) {
		plain := notAnchor.ReplaceAllString(strings.ToLower(heading[1]), "")
		found[strings.ReplaceAll(plain, " ", "-")] = true
	}
	return found
}

var (
	quotedCode = regexp.MustCompile("`([^`\n]+)`")
	goModule   = regexp.MustCompile(`(?m)^\t(\S+?)(?:/v\d+)? v\S+$`) // none that is indirect
	goName     = regexp.MustCompile(`^([a-z]+\.)?[A-Za-z]+(\.[A-Z][A-Za-z]*)?([({].*)?$`)
)

// TestArchitectureNamesWhatExists: each file, and each name of Go that has a capital
// in it, is declared.
func TestArchitectureNamesWhatExists(t *testing.T) {
	data, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	defined, files := make(map[string]bool), make(map[string]bool)
	named := make(map[string][]types.Object) // types, with their package and without
	for _, p := range modulePackages(t) {
		for id, what := range p.info.Defs {
			defined[id.Name], defined[p.types.Name()+"."+id.Name] = true, true
			if of, ok := what.(*types.TypeName); ok {
				named[id.Name], named[p.types.Name()+"."+id.Name] = append(named[id.Name], of), append(named[p.types.Name()+"."+id.Name], of)
			}
		}
		for _, f := range p.GoFiles {
			files[f] = true
		}
	}
	checked := 0
	for _, q := range quotedCode.FindAllStringSubmatch(string(data), -1) {
		name := q[1]
		var found bool
		switch {
		case strings.HasSuffix(name, ".go") && !strings.Contains(name, "/"):
			_, err := os.Stat(name)
			found = files[name] || err == nil
		case goName.MatchString(name) && strings.ToLower(name) != name && !strings.HasPrefix(name, "Test"):
			name = strings.FieldsFunc(name, func(r rune) bool { return r == '(' || r == '{' })[0]
			at := max(0, strings.LastIndex(name, "."))
			found = defined[name] || name == "NewXCmd" || slices.ContainsFunc(named[name[:at]], func(of types.Object) bool {
				member, _, _ := types.LookupFieldOrMethod(of.Type(), true, of.Pkg(), name[at+1:])
				return member != nil
			})
		default:
			continue
		}
		if checked++; !found {
			t.Errorf("ARCHITECTURE.md names %s, which is not there", q[1])
		}
	}
	if checked < 150 {
		t.Errorf("%d names found in ARCHITECTURE.md", checked)
	}
}

// TestLedgerOfDependencies: each module that the code asks for stands in the ledger.
func TestLedgerOfDependencies(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, ledger, _ := strings.Cut(string(text), "\n## Dependencies\n")
	ledger, _, _ = strings.Cut(ledger, "\n## ")
	asked := 0
	for _, m := range goModule.FindAllStringSubmatch(string(mod), -1) {
		asked++
		_, name, _ := strings.Cut(m[1], "/")
		if !strings.Contains(ledger, name) && !strings.Contains(ledger, filepath.Base(m[1])) {
			t.Errorf("the ledger of ARCHITECTURE.md has no %s", m[1])
		}
	}
	if asked < 30 {
		t.Errorf("%d modules found in go.mod", asked)
	}
}

// TestFoldersAreNamed: each package stands in the tables of folders.
func TestFoldersAreNamed(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tables, _ := strings.Cut(string(text), "\n## The folders\n")
	tables, _, _ = strings.Cut(tables, "\n## ")
	folders := make(map[string]bool)
	for _, file := range sourceFiles(t) {
		folders[filepath.ToSlash(filepath.Dir(file))] = true
	}
	for folder := range folders {
		above, name := filepath.Split(folder)
		whole := strings.Contains(tables, "| `"+folder+"`") || strings.Contains(tables, "`"+strings.TrimSuffix(above, "/"))
		if folder != "." && (!whole || !strings.Contains(tables, name+"`")) {
			t.Errorf("the folders of ARCHITECTURE.md have no %s", folder)
		}
	}
}
