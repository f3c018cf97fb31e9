package concord_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"concord/annotate/report/table"
)

// contents are the packages whose literals are material, not words of the app:
// the questions of the demo, published prompts and patterns of replies.
var contents = []string{"eval/demo", "eval/extract", "eval/extract/lexicon", "eval/extract/reading", "eval/judge", "eval/prompt"}

// labelled are the functions whose second argument is the label of a key.
var labelled = map[string]bool{"Bind": true, "does": true}

// words is something that is searched for retired words, and where it is.
type words struct{ kind, text, at string }

// TestRetiredWords do not come back: how often each is left, by the kind of
// place, is recorded and may only fall. With -v it prints all places.
func TestRetiredWords(t *testing.T) {
	if testing.Short() {
		t.Skip("reading all packages takes seconds with the race detector: run without -short")
	}
	found := make(map[entry][]string)
	left := make(map[entry]int)
	all := allWords(t)
	instead := make(map[entry]string)
	for _, r := range retired {
		match, except := compileRetired(r.word, r.pattern, r.except)
		for _, kind := range r.places {
			e := entry{kind, r.word}
			instead[e] = r.instead
			for _, w := range all {
				if w.kind != kind {
					continue
				}
				if n := len(match(kind).FindAllString(except(w.text), -1)); n > 0 {
					left[e] += n
					found[e] = append(found[e], fmt.Sprintf("%s %q", w.at, w.text))
				}
			}
		}
	}
	for _, places := range found {
		slices.Sort(places)
	}
	if testing.Verbose() {
		for e, places := range found {
			t.Logf("%s, now %q: %d\n\t%s", e, instead[e], left[e], strings.Join(places, "\n\t"))
		}
	}
	checkRecords(t, left, wordKinds, func(e entry) string {
		places := found[e]
		return fmt.Sprintf(" (say %q):\n\t%s", instead[e], strings.Join(places[:min(len(places), 40)], "\n\t"))
	})
}

// compileRetired gives the pattern of a word for a kind of place, and what is
// taken out of a text before it is searched.
func compileRetired(word, pattern, except string) (func(kind string) *regexp.Regexp, func(string) string) {
	if pattern == "" {
		pattern = word + "s?"
	}
	inside := regexp.MustCompile(`(?i)\b(?:` + pattern + `)\b`)
	whole := regexp.MustCompile(`^(?:` + pattern + `)$`)
	match := func(kind string) *regexp.Regexp {
		if kind == inFile || kind == inPackage {
			return whole
		}
		return inside
	}
	if except == "" {
		return match, func(s string) string { return s }
	}
	spared := regexp.MustCompile(`(?i)` + except)
	return match, func(s string) string { return spared.ReplaceAllString(s, "") }
}

// pages are what users read beside the app and in its help, as patterns.
var pages = []string{
	"README.md", "GUIDE.md", "cmd/concord/internal/cli/help/*.txt", "annotate/report/catalogue/kinds.toml",
	"tui/report/empty.toml", "tui/labeloption/guidelines/*.md", "tui/curate/guideline.md",
}

// pageWords are the lines of those, without what is code.
func pageWords(t *testing.T) []words {
	t.Helper()
	var out []words
	code := regexp.MustCompile("`[^`]*`")
	for _, name := range matching(t, pages) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fenced := false
		for n, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				fenced = !fenced
			} else if table := strings.HasSuffix(name, ".toml") && strings.HasPrefix(line, "["); !fenced && !table { // that has a command's name
				out = append(out, words{inText, plainText(code.ReplaceAllString(line, "")), fmt.Sprintf("%s:%d", name, n+1)})
			}
		}
	}
	return out
}

// matching are the files of patterns, each of which has some.
func matching(t *testing.T, patterns []string) []string {
	t.Helper()
	var out []string
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		out = append(out, files...)
	}
	return out
}

// allWords are the names of packages and files, what they export, and what
// people see of them.
func allWords(t *testing.T) []words {
	t.Helper()
	out := pageWords(t)
	packages := make(map[string]bool)
	fset := token.NewFileSet()
	for _, file := range sourceFiles(t) {
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		dir := path.Dir(file)
		if !packages[dir] {
			packages[dir] = true
			out = append(out, words{inPackage, path.Base(dir), dir})
		}
		base, _, _ := strings.Cut(strings.TrimSuffix(path.Base(file), ".go"), "_")
		out = append(out, words{inFile, base, file})
		at := func(p token.Pos) string { return fmt.Sprintf("%s:%d", file, fset.Position(p).Line) }
		for _, id := range declaredNames(f) {
			out = append(out, words{inName, splitCamel(id.Name), at(id.Pos())})
		}
		for _, lit := range columnLists(f) {
			s, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range table.ParseColumns(s) {
				out = append(out, words{inText, c.ReadableName(), at(lit.Pos())})
			}
		}
		for lit, label := range literals(f) {
			s, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			if label || isPhrase(s) && !isContent(dir) {
				out = append(out, words{inText, plainText(s), at(lit.Pos())})
			}
		}
	}
	return out
}
