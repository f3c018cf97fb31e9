package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
)

var updateSchemas = flag.Bool("update-schemas", false, "widen the schemas of what commands print by what the tests see")

// schemaPath holds the schemas that concord schema prints.
const schemaPath = "internal/command/setup/schemas.json"

// schemas are held against what commands print in every test that runs one.
var schemas struct {
	sync.Mutex
	root   *cobra.Command
	fields map[string]bool
	all    map[string]*schema
	shapes *shapes
}

// schema is the part of JSON schema that describes what commands print.
type schema struct {
	Type       []string           `json:"type,omitempty"`
	Required   []string           `json:"required,omitempty"`
	Properties map[string]*schema `json:"properties,omitempty"`
	Values     *schema            `json:"additionalProperties,omitempty"` // of an object whose names are data
	Items      *schema            `json:"items,omitempty"`
}

// unseen is the type of what was null whenever a test saw it: it is written without one,
// and may be anything.
var unseen = []string{"null"}

// schemaOf is the schema of a value, as wide as the structs of its shape. Names of an
// object that no field of the sources has are data, but for the letters of the
// options beside a question.
func schemaOf(v any) *schema {
	switch v := v.(type) {
	case nil:
		return &schema{Type: []string{"null"}}
	case bool:
		return &schema{Type: []string{"boolean"}}
	case string:
		return &schema{Type: []string{"string"}}
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return &schema{Type: []string{"number"}}
		}
		return &schema{Type: []string{"integer"}}
	case []any:
		s := &schema{Type: []string{"array"}}
		for _, item := range v {
			s.Items = widen(s.Items, schemaOf(item))
		}
		return s
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		s := &schema{Type: []string{"object"}}
		_, question := v["question"]
		isData := func(name string) bool { return !schemas.fields[name] && (!question || len(name) > 1) }
		if slices.ContainsFunc(names, isData) {
			for _, name := range names {
				s.Values = widen(s.Values, schemaOf(v[name]))
			}
			return s
		}
		s.Properties, s.Required = make(map[string]*schema), names
		for _, name := range names {
			s.Properties[name] = schemaOf(v[name])
		}
		schemas.shapes.widen(s)
		return s
	}
	panic(fmt.Sprintf("no JSON value: %T", v))
}

// widen is the narrowest schema of what either describes.
func widen(a, b *schema) *schema {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	s := &schema{Items: widen(a.Items, b.Items), Values: widen(a.Values, b.Values), Properties: maps.Clone(a.Properties)}
	s.Type = slices.Compact(slices.Sorted(slices.Values(slices.Concat(a.Type, b.Type))))
	if slices.Equal(s.Type, unseen) {
		return s
	}
	if slices.Contains(s.Type, "number") {
		s.Type = slices.DeleteFunc(s.Type, func(t string) bool { return t == "integer" })
	}
	for name, p := range b.Properties {
		if s.Properties == nil {
			s.Properties = make(map[string]*schema)
		}
		s.Properties[name] = widen(s.Properties[name], p)
	}
	if s.Values != nil { // seen with names that are data: all of them are
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			s.Values = widen(s.Values, s.Properties[name])
		}
		s.Properties = nil
		return s
	}
	switch isObject := func(o *schema) bool { return slices.Contains(o.Type, "object") }; {
	case !isObject(a):
		s.Required = b.Required
	case !isObject(b):
		s.Required = a.Required
	default:
		s.Required = slices.DeleteFunc(slices.Clone(a.Required), func(n string) bool { return !slices.Contains(b.Required, n) })
	}
	return s
}

// schemaName gives the words of a command that printed JSON, and "" for one that
// printed something else.
func schemaName(args []string) string {
	c, _, err := schemas.root.Find(args)
	if err != nil || c.Name() == "schema" {
		return ""
	}
	name := strings.TrimPrefix(c.CommandPath(), "concord ")
	text := strings.Join(args, " ")
	for of, flag := range map[string]string{"export scores": "--for", "report alignment": "--from", "report leaderboard": "--from"} { // other lines
		if i := slices.Index(args, flag); i >= 0 && name == of {
			name += " " + flag[2:] + " " + args[i+1]
		}
	}
	if name == "log" && slices.Contains(args, "--verify") {
		name = "log verify"
	}
	switch {
	case name == "extract":
		return name
	case strings.Contains(text, "--help"), strings.Contains(text, " -h"):
		return ""
	case strings.HasPrefix(name, "export ") && !regexp.MustCompile(`-o |--out|--layout`).MatchString(text) &&
		(strings.Contains(text, "--format jsonl") || name != "export dataset" && !strings.Contains(text, "--format")),
		slices.Contains(args, "--json"), strings.Contains(text, "--format json") && !strings.Contains(text, "--out"):
		return name
	}
	return ""
}

// Every report, list and export prints JSON as its schema says; the other tests
// hold what they print with --json against it as well.
func TestSchemas(t *testing.T) {
	t.Parallel()
	r := newReportsRig(t, nil, func(command string) string { return command + " --json" })
	list, err := os.ReadFile("../../REPORTS.md")
	if err != nil {
		t.Fatal(err)
	}
	printAll(t, r, string(list), "json")
	for _, c := range []string{
		"queue list", "queue review", "queue guideline q", "people list", "packet list", "status", "version", "rules list", "config", "config keys", "log",
		"config prompt", "report annotators --queue q", "report calibrations --queue q",
	} {
		r.done(append(strings.Fields(c), "--json")...)
	}
	for _, what := range []string{
		"criteria", "curation --dataset mb", "dataset d --format jsonl", "dataset mb --format jsonl", "grades", "judgments", "labels", "measures", "predictions", "scores", "votes",
		"scores --for inspect --run 1", "scores --for lmms-eval --run 1",
	} {
		r.done(append([]string{"export"}, strings.Fields(what)...)...)
	}
	r.write("votes.csv", "item,rater,vote\n1,ann,yes\n1,bob,yes\n2,ann,no\n2,bob,yes\n3,ann,no\n3,bob,no\n")
	r.write("house.toml", "[[pattern]]\nname = \"stated\"\nmatch = 'answer is (?P<choice>[A-D])'\n")
	r.write("labelled.jsonl", `{"id":1,"options":{"A":"cat","B":"dog"},"prediction":"The answer is A","label":"A"}`+"\n")
	for _, c := range [][]string{
		{"agree", r.path("votes.csv"), "--item", "item", "--rater", "rater", "--value", "vote"},
		{"rules", "test", r.path("house.toml"), "--against", r.path("labelled.jsonl"), "--label", "label"},
		{"report", "all", "--out", r.path("all")},
		{"queue", "exclude", "q", "1", "--reason", "the image is cut off"},
		{"queue", "include", "q", "1"},
		{"queue", "comment", "q", "2", "--text", "look again"},
		{"packet", "make", "--queue", "q", "--for", "cy", "-o", r.path("packet.db")},
		{"backup", r.path("copy.db")},
		{"compact"},
		{"report"},
		{"log", "--verify"},
	} {
		r.done(append(c, "--json")...)
	}
	r.done("extract", r.path("labelled.jsonl"))
	var names []string
	if err := json.Unmarshal([]byte(r.done("schema", "--json")), &names); err != nil || !slices.Contains(names, "concord.toml") {
		t.Fatalf("%v: %v", names, err)
	}
	for _, name := range names {
		var s map[string]any
		if err := json.Unmarshal([]byte(r.done(append([]string{"schema"}, strings.Fields(name)...)...)), &s); err != nil || s["type"] == nil && s["$schema"] == nil {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	if got := r.ends(cli.ExitFailed, "schema", "report", "nothing"); !strings.Contains(got.err, "concord schema lists them") {
		t.Error(got.err)
	}
}

// checkSchema holds what a command printed against its schema. A benchmark checks nothing: reading
// the schemas would be a fifth of its allocations.
func checkSchema(tb testing.TB, args []string, out string) {
	tb.Helper()
	if _, ok := tb.(*testing.B); ok {
		return
	}
	schemas.Lock()
	defer schemas.Unlock()
	if schemas.all == nil {
		readSchemas(tb)
	}
	name := schemaName(args)
	if name == "" {
		return
	}
	d := json.NewDecoder(strings.NewReader(out))
	d.UseNumber()
	for d.More() {
		var v any
		if err := d.Decode(&v); err != nil {
			tb.Errorf("%s printed what is not JSON: %v\n%.200s", strings.Join(args, " "), err, out)
			return
		}
		before := schemas.all[name]
		seen := schemaOf(v)
		if strings.HasPrefix(name, "export ") && !strings.Contains(name, " for ") {
			widenLine(seen)
		}
		if name == "log" && seen.Properties["rows"].Items != nil { // as export writes them
			widenLine(seen.Properties["rows"].Items)
		}
		after := widen(before, seen)
		if same(before, after) {
			continue
		}
		if schemas.all[name] = after; *updateSchemas {
			writeSchemas(tb)
		} else {
			tb.Errorf("%s: its JSON is not as its schema says: go test ./cmd/concord -update-schemas, and look at the difference\n%.300s", strings.Join(args, " "), out)
			schemas.all[name] = before
			return
		}
	}
}

// eachNamed calls do with the schema, and with each that it holds.
func (s *schema) eachNamed(do func(*schema)) {
	if s == nil {
		return
	}
	for _, p := range s.Properties {
		p.eachNamed(do)
	}
	s.Items.eachNamed(do)
	s.Values.eachNamed(do)
	do(s)
}

func same(a, b *schema) bool {
	one, _ := json.Marshal(a)
	other, _ := json.Marshal(b)
	return bytes.Equal(one, other)
}

func readSchemas(tb testing.TB) {
	tb.Helper()
	schemas.root = newRootCmd(newUnopenedProject(cli.Streams{}, nil))
	schemas.shapes = readShapes(tb, "../..")
	schemas.all = make(map[string]*schema)
	raw, err := os.ReadFile(schemaPath)
	if err == nil {
		err = json.Unmarshal(raw, &schemas.all)
	}
	for _, one := range schemas.all {
		one.eachNamed(func(s *schema) {
			if len(s.Type) == 0 {
				s.Type = unseen
			}
		})
	}
	if err != nil {
		tb.Fatal(err)
	}
	schemas.fields = make(map[string]bool)
	field := regexp.MustCompile("json:\"([^\",]+)|\"([a-z0-9_]{3,})\"")
	err = filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range field.FindAllSubmatch(source, -1) {
			schemas.fields[string(m[1])+string(m[2])] = true
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
}

// writeSchemas writes a line a schema.
func writeSchemas(tb testing.TB) {
	tb.Helper()
	var b bytes.Buffer
	b.WriteString("{\n")
	for i, name := range slices.Sorted(maps.Keys(schemas.all)) {
		one := widen(schemas.all[name], &schema{})
		one.eachNamed(func(s *schema) {
			if slices.Equal(s.Type, unseen) {
				s.Type = nil
			}
		})
		line, err := json.Marshal(one)
		if err != nil {
			tb.Fatal(err)
		}
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, "%q: %s", name, line)
	}
	b.WriteString("\n}\n")
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(b.Bytes())
	}
	if err = errors.Join(err, z.Close(), os.WriteFile(schemaPath, b.Bytes(), 0o600), os.WriteFile(schemaPath+".gz", packed.Bytes(), 0o600)); err != nil {
		tb.Fatal(err)
	}
}

// What the program holds is what schemas.json says. After a merge, this test alone with
// -update-schemas packs it again.
func TestSchemasArePacked(t *testing.T) {
	schemas.Lock()
	defer schemas.Unlock()
	if schemas.root == nil {
		readSchemas(t)
	}
	if *updateSchemas {
		writeSchemas(t)
	}
	f, err := os.Open(schemaPath + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := io.ReadAll(z)
	want, werr := os.ReadFile(schemaPath)
	if err != nil || werr != nil || !bytes.Equal(packed, want) {
		t.Errorf("schemas.json.gz is not schemas.json (%v, %v): go test ./cmd/concord -run SchemasArePacked -update-schemas", err, werr)
	}
}
