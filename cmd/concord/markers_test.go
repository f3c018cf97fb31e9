package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval/text"
)

// A marker has something that every sink would act on: escapes, letters that
// nobody sees, formulas, tags, shell words, macros. Names on a command line have
// no control characters.
const (
	nasty     = "\x1b[31mX\x1b]0;t\x07\u009b1m\u202e\U000e0041\u200b\u3164<script>alert(1)</script>|`id`$(id)\\input{x}*_[a](b)"
	nastyName = "\u200b\U000e0042<script>|`id`$(id)\\input{x}"
)

// Fields whose text is their own, and those that name models and judges.
var (
	nastyFields  = regexp.MustCompile(`^(taxonomy|split|question|A|B|text|criteria|request|source|prediction|answer1|answer2)$`)
	namingFields = regexp.MustCompile(`^(model|model_1|model_2|judge|benchmark|vote)$`)
	models       = regexp.MustCompile(`--(model|sighted|against) (\S+)`)
)

// plant marks a value of a field, the same value alike.
func plant(field string, v any) any {
	switch v := v.(type) {
	case string:
		switch {
		case namingFields.MatchString(field):
			return v + nastyName
		case nastyFields.MatchString(field) && len(v) > 1:
			return "=" + v + nasty
		}
	case []any:
		for i := range v {
			v[i] = plant(field, v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plant(k, v[k])
		}
	}
	return v
}

// planted is a file of the project with every field marked.
func planted(t *testing.T, name string, data []byte) string {
	t.Helper()
	var out strings.Builder
	switch {
	case name == "mme.jsonl": // its categories say that it is MME
		return string(data)
	case strings.HasSuffix(name, ".jsonl"):
		for line := range strings.Lines(string(data)) {
			var row map[string]any
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatal(name, err)
			}
			text, err := json.Marshal(plant("", row))
			if err != nil {
				t.Fatal(err)
			}
			out.Write(append(text, '\n'))
		}
	case name == "scores.csv":
		rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows[1:] {
			row[0], row[1], row[4] = row[0]+nastyName, row[1]+nastyName, "="+row[4]+nasty
		}
		if err := csv.NewWriter(&out).WriteAll(rows); err != nil {
			t.Fatal(err)
		}
	case name == "concord.toml":
		return regexp.MustCompile(`\[models\.(\w+)\]`).ReplaceAllStringFunc(string(data), func(s string) string {
			return fmt.Sprintf("[models.%s]", quoteTOML(strings.Trim(strings.TrimPrefix(s, "[models."), "]")+nastyName))
		})
	default:
		return string(data)
	}
	return out.String()
}

func quoteTOML(s string) string {
	text, _ := json.Marshal(s) // a string never fails
	return string(text)
}

// markedProject is a project that has something for every report, with every
// field marked.
func markedProject(t *testing.T) *rig {
	t.Helper()
	return newReportsRig(t,
		func(name string, data []byte) string { return planted(t, name, data) },
		func(command string) string {
			return models.ReplaceAllStringFunc(command, func(s string) string {
				flag, names, _ := strings.Cut(s, " ")
				return flag + " " + strings.ReplaceAll(names, ",", nastyName+",") + nastyName
			})
		})
}

// onTerminal runs a command whose streams are a terminal.
func (r *rig) onTerminal(t *testing.T, args ...string) string {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // it is read below
	w := &text.Terminal{File: f}
	a := newUnopenedProject(cli.Streams{In: strings.NewReader(""), Out: w, Err: w}, append(args, "-p", r.path("p.db")))
	a.Waits = project.RetryWaits{Base: time.Millisecond, Most: 2 * time.Millisecond}
	a.Execute(t.Context())
	out, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Text from outside does nothing in any sink: a terminal, tables, CSV, Markdown,
// LaTeX, HTML, whatever command prints it.
func TestNoTextActsOnItsSink(t *testing.T) {
	if testing.Short() {
		t.Skip("the same commands one after the other, without -short")
	}
	r := markedProject(t)
	list, err := os.ReadFile("../../REPORTS.md")
	if err != nil {
		t.Fatal(err)
	}
	names := strings.NewReplacer("(--queue NAME | --from criteria, votes or scores)", "--queue q", "QUEUE", "q", " [--queue NAME]", "", "--queue NAME", "--queue q", "MODEL", "lm"+nastyName, "DATASET", "d")
	seen := 0
	for _, c := range regexp.MustCompile("`concord (report [^`]*)`").FindAllStringSubmatch(string(list), -1) {
		if strings.HasPrefix(c[1], "report all") {
			continue
		}
		args := strings.Fields(names.Replace(c[1]))
		if len(args) == 2 && args[1] == "curation" {
			args = append(args, "--dataset", "d")
		}
		for _, format := range []string{"table", "csv", "markdown", "latex", "html"} {
			out := r.done(append(args, "--format", format)...)
			seen += strings.Count(out, "script")
			checkSink(t, strings.Join(args, " "), format, out)
		}
		checkShown(t, strings.Join(args, " "), r.onTerminal(t, append(args, "--format", "csv")...))
	}
	if seen == 0 {
		t.Error("no report shows a marker: the test tests nothing")
	}
	for _, command := range []string{
		"status", "queue list", "queue show q", "log", "runs", "run list", "people list", "team", "doctor --offline",
		"export predictions --run 1", "export labels --queue q", "export votes --dataset mb", "export criteria --dataset mb",
		"export judgments --run 1", "export measures", "export dataset d", "export curation --dataset d", "report accuracy --model nobody" + nasty,
		"report compare --model " + nasty, "import predictions " + r.path("open.jsonl") + " --dataset d --model x" + nastyName,
	} {
		checkShown(t, command, r.onTerminal(t, strings.Fields(command)...))
	}
	for _, kind := range []string{"predictions --run 1", "labels --queue q", "votes --dataset mb", "criteria --dataset mb", "measures"} {
		for _, format := range []string{"csv", "tsv"} {
			checkCells(t, kind, format, r.done(append(strings.Fields("export "+kind), "--format", format)...))
		}
	}
}

// checkShown demands that a terminal has nothing to act on, and a reader sees
// every letter.
func checkShown(t *testing.T, command, out string) {
	t.Helper()
	for _, r := range out {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x3164) {
			t.Errorf("concord %s lets %U onto the terminal", command, r)
			return
		}
	}
}

// checkSink demands that a format has nothing that its readers would act on.
func checkSink(t *testing.T, command, format, out string) {
	t.Helper()
	if format != "html" { // whose own text and script are trusted
		checkShown(t, command+" --format "+format, strings.ReplaceAll(out, "\r\n", "\n"))
	}
	switch format {
	case "csv":
		checkCells(t, command, format, out)
	case "markdown", "html":
		if strings.Contains(out, "<script>alert") || strings.Contains(out, "<script>|") {
			t.Errorf("concord %s: a tag from outside is one in %s", command, format)
		}
	case "latex":
		if strings.Contains(out, `\input{`) {
			t.Errorf("concord %s: LaTeX would read a file", command)
		}
	}
}

// checkCells demands that a spreadsheet computes nothing.
func checkCells(t *testing.T, command, format, out string) {
	t.Helper()
	in := csv.NewReader(strings.NewReader(out))
	if format == "tsv" {
		in.Comma = '\t'
	}
	in.LazyQuotes = true
	rows, err := in.ReadAll()
	if err != nil {
		t.Errorf("concord %s: %v", command, err)
	}
	number := regexp.MustCompile(`^[-+]?[0-9.]+(e[-+]?[0-9]+)?$`)
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) && !number.MatchString(cell) {
				t.Errorf("concord %s --format %s: a spreadsheet computes %q", command, format, cell)
				return
			}
		}
	}
}
