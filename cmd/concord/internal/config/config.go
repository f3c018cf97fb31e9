// Package config reads what a person has settled once: endpoints, models,
// prompts and defaults, from concord.toml beside the project and from
// concord/config.toml in the XDG folder, below what the environment says.
//
//	environment > concord.toml > config.toml > default     key by key, each with its origin
//
// It refuses to guess: a key that it does not know, or a value of another
// type, is an error that names file and line. It opens no connection.
//
// Its one invariant: an API key is read from the environment at the moment of
// use, by Key, and never stands in a value, an error or a file that it reads.
package config

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"concord/eval"
	"concord/eval/bound"
	"concord/tui/keymap"
)

// Options say where to look.
type Options struct {
	ProjectDir string // the folder of the project file; "" for no file there
	ConfigHome string // the XDG folder (~/.config); "" for no file there
	// Base is the text of a configuration below all files; it may be nil.
	Base []byte
	// Env looks up an environment variable; nil is os.LookupEnv.
	Env func(name string) (string, bool)
	// Trust is whether keys go where the project's file says; nil: they do.
	Trust Trust
}

// The names of the files in their folders.
const (
	ProjectFile = "concord.toml"
	HomeFile    = "concord/config.toml"
)

// File is a place where a configuration is looked for.
type File struct {
	Path  string `json:"path"`
	Found bool   `json:"found"`
}

// Config is a configuration, merged. It does not change.
type Config struct {
	files    []File
	settings settings
	env      func(string) (string, bool)
	project  string  // the project's file; "" for none
	own      *Config // without it; nil where there is none
	trust    trustCheck
}

// Load reads and merges whatever is there; nothing at all is a configuration
// too. Its error is of type Problems when a value is to blame.
func Load(o Options) (*Config, error) {
	c, err := gatherConfig(o)
	return eval.Either(err == nil, c, nil), err
}

// LoadScreenSettings reads what the screen is to be like. What is wrong with the rest is no reason not to open it.
func LoadScreenSettings(o Options) (*Config, error) {
	c, err := gatherConfig(o)
	var all, bad Problems
	if errors.As(err, &all) {
		for _, p := range all {
			if s, _, _ := strings.Cut(p.Key, "."); s == secUI || s == secKeys || strings.HasPrefix(p.Origin.Name, "CONCORD_UI_") {
				bad = append(bad, p)
			}
		}
		err = nil
	}
	if len(bad) > 0 {
		return nil, bad
	}
	return eval.Either(err == nil, c, nil), err
}

// gatherConfig gathers what could be read, also beside Problems.
func gatherConfig(o Options) (*Config, error) {
	c := &Config{files: FindFiles(o), settings: make(settings), env: o.Env, trust: trustCheck{o.Trust}}
	if c.env == nil {
		c.env = os.LookupEnv
	}
	if o.ProjectDir != "" {
		c.project = c.files[0].Path
		without := o
		without.ProjectDir = ""
		c.own, _ = gatherConfig(without) // what is wrong with it is found again below
	}
	found, bad := parseConfigFile("(built in)", o.Base)
	c.settings.merge(found)
	for i := len(c.files) - 1; i >= 0; i-- { // the weaker first
		data, err := bound.ReadFile(c.files[i].Path, sizeLimit)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read config: %w", err)
		}
		found, problems := parseConfigFile(c.files[i].Path, data)
		c.files[i].Found = true
		bad = append(bad, problems...)
		c.settings.merge(found)
	}
	var problems Problems
	found, problems = readEnvironment(c.env)
	bad = append(bad, problems...)
	c.settings.merge(found)
	bad = append(bad, c.settings.keyBindingProblems()...)
	if bad = slices.Concat(bad, c.findEndpointsWithoutURL(), findBadSets(c), findBadPanels(c)); len(bad) > 0 {
		return c, bad
	}
	return c, nil
}

// FindFiles finds the places where a configuration is looked for, the one that wins
// first. Found is only known of those that Config.Files gives.
func FindFiles(o Options) []File {
	var out []File
	if o.ProjectDir != "" {
		out = append(out, File{Path: filepath.Join(o.ProjectDir, ProjectFile)})
	}
	if o.ConfigHome != "" {
		out = append(out, File{Path: filepath.Join(o.ConfigHome, filepath.FromSlash(HomeFile))})
	}
	return out
}

// Files are the places that were looked at, the one that wins first.
func (c *Config) Files() []File { return append([]File(nil), c.files...) }

// PromptFiles are the files that take the place of prompt templates, by the
// template's name, or by name and language as in "choice/zh".
func (c *Config) PromptFiles() map[string]string {
	out := make(map[string]string)
	for k, s := range c.settings {
		if k.section == secPrompts {
			out[k.name] = s.value.(string)
		}
	}
	return out
}

// PseudoChoice is the letter for "none of the options" in a judge's prompt.
func (c *Config) PseudoChoice() eval.Choice {
	return eval.Choice(valueOrDefault[string](c.settings, confKey{section: secJudging, field: "pseudo_choice"}))
}

// MaxJudgeHints is how often a judge whose reply does not parse is told so and asked again.
func (c *Config) MaxJudgeHints() int {
	return valueOrDefault[int](c.settings, confKey{section: secJudging, field: "hints"})
}

// RunConcurrency is how many questions a run works on at once.
func (c *Config) RunConcurrency() int {
	return valueOrDefault[int](c.settings, confKey{section: secRun, field: "concurrency"})
}

// RunBudget is the cost at which a run pauses, in the currency of the prices; 0 is none.
func (c *Config) RunBudget() float64 {
	return valueOrDefault[float64](c.settings, confKey{section: secRun, field: "budget"})
}

// template is a configuration in which every example is commented out. Lines that
// begin with # and no space are examples, the others words.
//
//go:embed template.toml
var template []byte

// OfJudge stands between a template's name and that of the only judge that is asked by
// the file, as in "extract-choice/en@gpt-4o-mini".
const OfJudge = "@"

// NewConfigText gives the text of a new configuration. As it is, it changes nothing.
func NewConfigText() []byte { return append([]byte(nil), template...) }

// BuildJSONSchema describes a config file (JSON Schema, draft 2020-12), for editors that check and complete
// TOML by one. It says of each value what its check takes; what two values say together only concord knows.
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

func schemaOfValue(f field) map[string]any {
	out := make(map[string]any)
	if f.table {
		return map[string]any{"type": "object", "additionalProperties": true}
	}
	if types := detectAcceptedTypes(f.check); len(types) == 1 {
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

// detectAcceptedTypes finds out which types a check takes, by values of each, of which any such check takes one.
func detectAcceptedTypes(c valueCheck) []string {
	probes := []struct {
		name string
		of   []any
	}{
		{"string", []any{"a", "Z", "NAME", "90s", "http://localhost/v1", "tls://localhost:4222", "open", "auto", "majority", "chat"}},
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
