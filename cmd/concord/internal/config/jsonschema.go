package config

import (
	"slices"
	"time"

	"concord/tui/keymap"
)

// BuildJSONSchema describes a config file (JSON Schema, draft 2020-12), for editors
// that check and complete TOML by one. It says of each value what its check
// takes; what two values say together only concord knows.
func BuildJSONSchema() map[string]any {
	root := schemaOfObject(schema[secTop])
	properties := root["properties"].(map[string]any)
	for name, s := range schema {
		if name != secTop {
			properties[name] = schemaOfTable(name, s)
		}
	}
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "concord.toml"
	return root
}

// schemaOfTable is a section.
func schemaOfTable(name string, s section) map[string]any {
	switch {
	case name == secKeys:
		return schemaOfActions(s.fields[""])
	case s.free:
		return map[string]any{"type": "object", "additionalProperties": schemaOfValue(s.fields[""])}
	case s.shared:
		out := schemaOfObject(s)
		out["additionalProperties"] = schemaOfObject(s)
		return out
	case s.named:
		return map[string]any{"type": "object", "additionalProperties": schemaOfObject(s)}
	}
	return schemaOfObject(s)
}

// schemaOfObject is a table whose keys are known.
func schemaOfObject(s section) map[string]any {
	properties := make(map[string]any)
	for name, f := range s.fields {
		properties[name] = schemaOfValue(f)
	}
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
}

// schemaOfActions are the names that keys can be given to.
func schemaOfActions(f field) map[string]any {
	properties := make(map[string]any)
	m := new(keymap.Keymap)
	for _, r := range m.ListRows() {
		if r.Action.Fixed == "" && properties[r.Action.Name] == nil {
			v := schemaOfValue(f)
			v["description"] = r.Action.Desc
			properties[r.Action.Name] = v
		}
	}
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
}

// schemaOfValue is what a field takes.
func schemaOfValue(f field) map[string]any {
	out := make(map[string]any)
	if f.table {
		return map[string]any{"type": "object", "additionalProperties": true}
	}
	if types := detectTypes(f.check); len(types) == 1 {
		out["type"] = types[0]
	} else {
		out["type"] = types
	}
	if f.values != nil {
		out["enum"] = f.values
	}
	switch preset := f.preset.(type) {
	case nil:
	case time.Duration:
		out["default"] = formatDuration(preset)
	default:
		out["default"] = preset
	}
	return out
}

// detectTypes finds out which types a check takes, by values of each that any
// check of that type takes one of.
func detectTypes(c valueCheck) []string {
	probes := []struct {
		name string
		of   []any
	}{
		{"string", []any{"a", "Z", "NAME", "90s", "http://localhost/v1", "open", "auto"}},
		{"integer", []any{int64(1)}},
		{"number", []any{1.5}},
		{"boolean", []any{true}},
		{"array", []any{[]any{"a"}}},
		{"object", []any{map[string]any{"a": int64(1)}}},
	}
	var out []string
	for _, p := range probes {
		if slices.ContainsFunc(p.of, func(v any) bool { _, err := c(v); return err == nil }) {
			out = append(out, p.name)
		}
	}
	if slices.Contains(out, "number") { // of which integers are some
		out = slices.DeleteFunc(out, func(s string) bool { return s == "integer" })
	}
	return out
}
