package config

import (
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
	"concord/tui/keymap"
)

// confKey names one value. A section without names ([judging]) has no name, a
// key of the top level no section, and only a model's params have a param.
type confKey struct {
	section, name, field, param string
}

var bare = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// String is the key as TOML would write it, dotted.
func (k confKey) String() string {
	var parts []string
	for _, p := range []string{k.section, k.name, k.field, k.param} {
		switch {
		case p == "":
		case bare.MatchString(p):
			parts = append(parts, p)
		default:
			parts = append(parts, strconv.Quote(p))
		}
	}
	return strings.Join(parts, ".")
}

func (k confKey) findField() (field, bool) {
	f, ok := schema[k.section].fields[k.field]
	return f, ok
}

// envVariable is the environment variable that sets the key. Only keys whose place is fixed have one.
func (k confKey) envVariable() string {
	name := eval.Either(k.section != "", "CONCORD_"+k.section+"_"+k.field, "CONCORD_"+k.field)
	return strings.ToUpper(name)
}

// setting is a value that somebody gave.
type setting struct {
	key    confKey
	value  any // as its field's check made it
	origin Origin
}

// Source is the kind of an Origin.
type Source uint8

// The sources, the weakest first.
const (
	SourceUnset Source = iota
	Default
	FromFile
	Environment
)

// Origin says where a value comes from.
type Origin struct {
	Source Source
	Name   string // the file's path, or the variable's name
	Line   int    // from 1; 0 when not known
}

// String is file:line, the variable's name, or "default".
func (o Origin) String() string {
	switch {
	case o.Source == Default:
		return "default"
	case o.Line > 0:
		return o.Name + ":" + strconv.Itoa(o.Line)
	}
	return o.Name
}

// MarshalText writes what String says.
func (o Origin) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UI is what the screen is to be like.
type UI struct {
	Theme       string `toml:"theme"`        // auto, dark, light or none
	Images      string `toml:"images"`       // auto, or how pictures are drawn
	AutoAdvance bool   `toml:"auto_advance"` // a label leads on to the next item
	Mouse       bool   `toml:"mouse"`
	Accessible  bool   `toml:"accessible"`
}

// UISettings is what the screen is to be like.
func (c *Config) UISettings() (ui UI) {
	c.settings.fillStruct(&ui, func(field string) confKey { return confKey{section: secUI, field: field} })
	return ui
}

// ThemeNames are the names of themes.
func ThemeNames() []string { return slices.Clone(schema[secUI].fields["theme"].values) }

// Keys are the keys of the screen, with those that were chosen.
func (c *Config) Keys() *keymap.Keymap {
	m, _ := keymap.New(c.settings.chosenKeyBindings()) // Load has looked for problems
	return m
}

// OriginOfKeys says where the keys of an action were chosen.
func (c *Config) OriginOfKeys(action string) Origin {
	return c.settings.originOf(confKey{section: secKeys, name: action})
}

// checkKeyNames takes a key or several. Which keys there are the keymap knows.
func checkKeyNames(v any) (any, error) {
	out, err := checkOneOrMore(`a key such as "ctrl+z", or a list of keys`, func(v any) (any, error) {
		if _, ok := v.(string); !ok {
			return nil, newWantError(`a key such as "ctrl+z"`, v)
		}
		return v, nil
	})(v)
	if err == nil && len(out.([]string)) == 0 {
		err = errors.New("names no key")
	}
	return out, err
}

// The variables that make an endpoint without any config.
const (
	OpenAIKey      = "OPENAI_API_KEY"
	OpenAIBaseURL  = "OPENAI_BASE_URL"
	OpenAI         = "openai" // the endpoint's name
	openAIEndpoint = "https://api.openai.com/v1"
)

// readEnvironment reads the settings that variables hold.
func readEnvironment(env func(string) (string, bool)) (found []setting, bad Problems) {
	take := func(k confKey, variable string) {
		s, ok := env(variable)
		if s = strings.TrimSpace(s); !ok || s == "" {
			return
		}
		o := Origin{Source: Environment, Name: variable}
		if looksLikeSecretKey(s) {
			bad = append(bad, Problem{Origin: o, Text: "looks like a key (not shown)"})
			return
		}
		f, _ := k.findField()
		v, err := f.check(parseEnvValue(s, f.preset))
		if err != nil {
			bad = append(bad, Problem{Origin: o, Text: redactSecrets(err.Error())})
			return
		}
		found = append(found, setting{key: k, value: v, origin: o})
	}
	take(confKey{section: secEndpoints, name: OpenAI, field: "base_url"}, OpenAIBaseURL)
	for _, name := range order {
		if s := schema[name]; (!s.named || s.shared) && !s.free {
			for _, f := range s.fieldNames() {
				k := confKey{section: name, field: f}
				take(k, k.envVariable())
			}
		}
	}
	return found, bad
}

// parseEnvValue makes the text of a variable into what a file would hold there.
func parseEnvValue(s string, preset any) any {
	switch preset.(type) {
	case int, float64:
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n
		}
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return f
		}
	case bool:
		if b, err := strconv.ParseBool(s); err == nil {
			return b
		}
	}
	return s
}

// CheckPromptFileTrusted says why the file of a prompt is not read: the project's own file names one outside
// its folder, whose text would go to an endpoint, and nobody has said that this is well.
func (c *Config) CheckPromptFileTrusted(prompt string) error {
	s, ok := findPromptSending(c, prompt)
	if !ok {
		return nil
	}
	return c.trust.newUntrustedError(s, c, confKey{section: secPrompts, name: prompt}, "prompts."+quoteUnlessBare(prompt), ", which is outside the folder")
}

// findPromptSending finds what a prompt of the project's own file has sent, by the path to which links lead.
func findPromptSending(c *Config, name string) (Sending, bool) {
	one, ok := c.settings[confKey{section: secPrompts, name: name}]
	if !ok || c.own == nil || one.origin.Source != FromFile || one.origin.Name != c.project {
		return Sending{}, false
	}
	path := one.value.(string)
	if c.own.PromptFiles()[name] == path {
		return Sending{}, false // the user says so too
	}
	folder, file := resolveSymlinks(filepath.Dir(c.project)), resolveSymlinks(path)
	rel, err := filepath.Rel(folder, file)
	if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return Sending{}, false
	}
	return Sending{Prompt: file}, true
}

// resolveSymlinks gives a path without links, as far as it leads somewhere.
func resolveSymlinks(path string) string {
	if all, err := filepath.Abs(path); err == nil {
		path = all
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(resolveSymlinks(dir), filepath.Base(path))
	}
	return path
}
