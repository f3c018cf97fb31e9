package config

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// The examples of the template fit the schema, key by key, and nothing without
// a type is in it.
func TestJSONSchemaKnowsWhatTheFileMayHold(t *testing.T) {
	root := BuildJSONSchema()
	var doc map[string]any
	examples := regexp.MustCompile(`(?m)^#([^# \n])`).ReplaceAllString(string(NewConfigText()), "$1")
	if err := toml.Unmarshal([]byte(examples), &doc); err != nil {
		t.Fatal(err)
	}
	fit(t, "", root, doc)
	properties := func(section string) map[string]any {
		return root["properties"].(map[string]any)[section].(map[string]any)["properties"].(map[string]any)
	}
	check := func(section, name, want string) {
		t.Helper()
		if got := fmt.Sprint(properties(section)[name]); got != want {
			t.Errorf("%s.%s: %s, want %s", section, name, got, want)
		}
	}
	check("ui", "theme", "map[default:auto enum:[auto dark light none] type:string]")
	check("ui", "auto_advance", "map[default:true type:boolean]")
	check("run", "budget", "map[default:0 type:number]")
	check("keys", "undo", "map[description:undo type:[string array]]")
	check("keys", "quit", "<nil>")
	check("curation", "targets", "map[type:[string array]]")
}

// fit checks that a value is of the types that the schema has for it.
func fit(t *testing.T, path string, s map[string]any, v any) {
	t.Helper()
	var types []string
	switch named := s["type"].(type) {
	case string:
		types = []string{named}
	case []string:
		types = named
	}
	if len(types) == 0 {
		t.Errorf("%s has no type", path)
	}
	table, ok := v.(map[string]any)
	is := map[bool]string{true: "object", false: fmt.Sprintf("%T", v)}[ok]
	for kind, name := range map[string]string{"string": "string", "int64": "integer", "float64": "number", "bool": "boolean", "[]interface {}": "array"} {
		if is == kind {
			is = name
		}
	}
	if !slices.Contains(types, is) && (is != "integer" || !slices.Contains(types, "number")) {
		t.Errorf("%s is of %v, not %s", path, types, is)
	}
	properties, _ := s["properties"].(map[string]any)
	rest, _ := s["additionalProperties"].(map[string]any)
	for name, one := range table {
		switch p, known := properties[name].(map[string]any); {
		case known:
			fit(t, path+"."+name, p, one)
		case rest != nil:
			fit(t, path+"."+name, rest, one)
		case s["additionalProperties"] != true:
			t.Errorf("%s.%s is not known", path, name)
		}
	}
}
