package concord_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var updateNotice = flag.Bool("update-notice", false, "write NOTICE from the licences of modules")

// NOTICE holds the licence of every module that is in the program, on whatever
// target, and names those that tests alone use. go test . -run Notice
// -update-notice writes it.
func TestNoticeHasTheLicenceOfEveryModule(t *testing.T) {
	linked := linkedModules(t)
	licences := make(map[string][]string) // modules by text
	for path, dir := range linked {
		text := licenceOf(t, dir)
		licences[text] = append(licences[text], path)
	}
	var parts []string
	for text, paths := range licences {
		slices.Sort(paths)
		parts = append(parts, strings.Join(paths, "\n")+"\n\n"+text)
	}
	slices.Sort(parts)
	goText, err := os.ReadFile(filepath.Join(goroot(t), "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	rule := "\n\n" + strings.Repeat("-", 80) + "\n\n"
	want := "concord is under the MIT licence (LICENSE). The program holds parts of what follows,\neach under the licence below its name.\n\nThe Go programming language\n\n" +
		strings.TrimSpace(string(goText)) + rule + strings.Join(parts, rule)
	var tests []string
	for _, path := range requiredModules(t) {
		if linked[path] == "" {
			tests = append(tests, path)
		}
	}
	want += rule + "Named in go.mod and not in the program:\n\n" + strings.Join(tests, "\n") + "\n"
	if *updateNotice {
		if err := os.WriteFile("NOTICE", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("NOTICE"); err != nil || string(got) != want {
		t.Errorf("NOTICE is not that of go.mod (%v): go test . -run Notice -update", err)
	}
}

// requiredModules are those of go.mod.
func requiredModules(t *testing.T) []string {
	t.Helper()
	var file struct{ Require []struct{ Path string } }
	if err := json.Unmarshal(goCommand(t, "", "mod", "edit", "-json"), &file); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range file.Require {
		out = append(out, r.Path)
	}
	return out
}

// linkedModules are the folders of the modules that the program is built of,
// for all systems of a release.
func linkedModules(t *testing.T) map[string]string {
	t.Helper()
	out := make(map[string]string)
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := goCommand(t, system, "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}", "./cmd/concord")
		for line := range strings.Lines(string(list)) {
			if path, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				out[path] = dir
			}
		}
	}
	return out
}

func goCommand(t *testing.T, system string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if system != "" {
		cmd.Env = append(cmd.Env, "GOOS="+system)
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	return out
}

func goroot(t *testing.T) string {
	t.Helper()
	return strings.TrimSpace(string(goCommand(t, "", "env", "GOROOT")))
}

// licenceOf is the text of the licences in a module's folder, or what its README
// says where there is none.
func licenceOf(t *testing.T, dir string) string {
	t.Helper()
	var texts []string
	for _, name := range []string{"LICEN[SC]E*", "LICEN[SC]E*/*", "COPYING*", "NOTICE*"} {
		paths, err := filepath.Glob(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if text, err := os.ReadFile(path); err == nil {
				texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
			}
		}
	}
	if len(texts) == 0 {
		_, said, ok := strings.Cut(textOf(t, filepath.Join(dir, "README.md")), "# License\n")
		if !ok {
			t.Errorf("%s has no licence", dir)
		}
		texts = append(texts, strings.TrimSpace(said))
	}
	return strings.Join(texts, "\n\n")
}

var (
	threatRow = regexp.MustCompile(`(?m)^\|.*\|$`)
	namedTest = regexp.MustCompile("`(Test\\w+|Fuzz\\w+|[a-z_]+\\.txtar)`")
)

// Every threat in SECURITY.md names tests that hold what it says, and they are
// there.
func TestThreatsNameTheirTests(t *testing.T) {
	var tests strings.Builder
	for _, pattern := range []string{"*_test.go", "*/*_test.go", "*/*/*_test.go", "*/*/*/*_test.go", "*/*/*/*/*_test.go", "*/*/*/*/*/*_test.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			tests.Write(text)
		}
	}
	page, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := threatRow.FindAllString(string(page), -1)
	if len(rows) < 12 {
		t.Fatalf("SECURITY.md has %d rows", len(rows))
	}
	for _, row := range rows[2:] {
		names := namedTest.FindAllStringSubmatch(row, -1)
		if len(names) == 0 {
			t.Errorf("no test holds %.60s", row)
		}
		for _, name := range names {
			script := filepath.Join("cmd/concord/testdata/script", name[1])
			if _, err := os.Stat(script); err != nil && !strings.Contains(tests.String(), "func "+name[1]+"(") {
				t.Errorf("%s is not there, which is to hold %.60s", name[1], row)
			}
		}
	}
}

// The targets of a release are the same for goreleaser, for the script that needs
// none, and for the job that builds each of them.
func TestTargetsOfAReleaseAreTheSame(t *testing.T) {
	var want []string
	list := regexp.MustCompile(`(?m)^    goos: \[(.*)\]\n    goarch: \[(.*)\]$`).FindStringSubmatch(textOf(t, ".goreleaser.yaml"))
	if list == nil {
		t.Fatal(".goreleaser.yaml has no targets")
	}
	for system := range strings.SplitSeq(list[1], ", ") {
		for processor := range strings.SplitSeq(list[2], ", ") {
			want = append(want, system+"/"+processor)
		}
	}
	for file, line := range map[string]string{
		".ci/release":              fmt.Sprintf("TARGETS='%s'\n", strings.Join(want, " ")),
		".github/workflows/ci.yml": fmt.Sprintf("target: [%s]\n", strings.Join(want, ", ")),
	} {
		if !strings.Contains(textOf(t, file), line) {
			t.Errorf("%s does not build %v", file, want)
		}
	}
}

// Files that are for one system alone fit those of the others: nothing is
// missing there, and nothing is declared twice.
func TestSystemsOfAReleaseTypeCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checking all packages takes seconds: run without -short")
	}
	for _, system := range []string{"darwin", "windows"} {
		if _, err := checkModule(system); err != nil {
			t.Errorf("%s: %v", system, err)
		}
	}
}

func textOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What calls methods by names known at run time alone has the linker keep every
// exported method of every type, which is a fifth of the program.
func TestNothingCallsMethodsByName(t *testing.T) {
	for file, imports := range importsOf(t, false) {
		for _, imp := range imports {
			if imp == "text/template" || imp == "html/template" {
				t.Errorf("%s imports %s: github.com/DataDog/datadog-agent/pkg/template calls no methods", file, imp)
			}
		}
	}
}
