package concord_test

import (
	"os"
	"path/filepath"
	"regexp"
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
	goName     = regexp.MustCompile(`^([a-z]+\.)?[A-Za-z]+(\.[A-Z][A-Za-z]*)?([({].*)?$`)
)

// TestRecipesNameWhatExists: a file, and a name of Go that has a capital in it,
// is declared where the recipes say.
func TestRecipesNameWhatExists(t *testing.T) {
	data, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	defined, files := make(map[string]bool), make(map[string]bool)
	for _, p := range modulePackages(t) {
		for id := range p.info.Defs {
			defined[id.Name], defined[p.types.Name()+"."+id.Name] = true, true
		}
		for _, f := range p.GoFiles {
			files[f] = true
		}
	}
	_, report, _ := strings.Cut(string(data), "To add a report:")
	report, _, _ = strings.Cut(report, "\n## ")
	_, recipes, _ := strings.Cut(string(data), "## Recipes")
	recipes, _, _ = strings.Cut(recipes, "\n## ")
	checked := 0
	for _, q := range quotedCode.FindAllStringSubmatch(report+recipes, -1) {
		name, found := q[1], false
		switch {
		case strings.HasSuffix(name, ".go") && !strings.Contains(name, "/"):
			found = files[name]
		case goName.MatchString(name) && strings.ToLower(name) != name && !strings.HasPrefix(name, "Test"):
			name = strings.FieldsFunc(name, func(r rune) bool { return r == '(' || r == '{' })[0]
			of, member, dotted := strings.Cut(name, ".")
			found = defined[name] || dotted && of != strings.ToLower(of) && defined[of] && defined[member]
		default:
			continue
		}
		if checked++; !found {
			t.Errorf("the recipes of ARCHITECTURE.md name %s, which is not there", q[1])
		}
	}
	if checked < 20 {
		t.Errorf("%d names found in the recipes", checked)
	}
}
