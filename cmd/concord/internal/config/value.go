package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Value is one value of the merged configuration, as people read it.
type Value struct {
	Key    string
	Value  string
	Origin Origin
	Note   string // of the name of a variable: "set" or "not set"
}

// Values are all values and defaults, in the order of a file.
func (c *Config) Values() []Value {
	var out []Value
	for _, name := range order {
		s := schema[name]
		switch {
		case s.free:
			for _, n := range c.names(name) {
				out = c.appendValue(out, key{section: name, name: n})
			}
		case s.named:
			for _, n := range c.listed(name) {
				out = c.appendFields(out, s, key{section: name, name: n})
			}
		default:
			out = c.appendFields(out, s, key{section: name})
		}
	}
	return out
}

// listed are the names of a section, with those that nobody wrote.
func (c *Config) listed(section string) []string {
	if section == secEndpoints {
		return c.endpointNames()
	}
	if names := c.names(section); !schema[section].shared || slices.Contains(names, "") {
		return names
	}
	return append([]string{""}, c.names(section)...)
}

func (c *Config) appendFields(out []Value, s section, k key) []Value {
	for _, f := range s.names() {
		k.field = f
		if !s.fields[f].table {
			out = c.appendValue(out, k)
			continue
		}
		for _, p := range c.paramNames(k.name) {
			k.param = p
			out = c.appendValue(out, k)
		}
		k.param = ""
	}
	return out
}

func (c *Config) paramNames(model string) []string {
	var out []string
	for p := range presetParams {
		out = append(out, p)
	}
	for k := range c.settings {
		if k.section == secModels && k.name == model && k.param != "" {
			out = append(out, k.param)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// appendValue appends a value, unless there is none to show.
func (c *Config) appendValue(out []Value, k key) []Value {
	v := Value{Key: k.String(), Origin: c.origin(k)}
	if s, ok := c.settings[k]; ok {
		v.Value = show(s.value)
	} else if d := c.preset(k); d != nil {
		v.Value = show(d)
	} else {
		return out
	}
	if k.section == secEndpoints && k.field == "api_key_env" {
		v.Note = "not set"
		if c.set(v.Value) {
			v.Note = "set"
			if e, ok := c.Endpoint(k.name); ok && Untrusted(c, e) {
				v.Note = "set, and not sent: see concord config trust"
			}
		}
	}
	return append(out, v)
}

// preset is a key's default, also where it depends on the others.
func (c *Config) preset(k key) any {
	switch {
	case k.param != "":
		return presetParams[k.param]
	case k.section == secEndpoints && k.name == OpenAI && k.field == "base_url":
		return c.endpoint(OpenAI).BaseURL
	case k.section == secEndpoints && k.name == OpenAI && k.field == "api_key_env":
		return c.endpoint(OpenAI).KeyEnv
	case k.name != "" && schema[k.section].shared:
		return nil // what is shared stands for it
	case k.section == secModels && k.field == "model":
		return k.name
	case k.section == secModels && k.field == "endpoint", k == key{field: "default_endpoint"}:
		if e, err := c.DefaultEndpoint(); err == nil {
			return e.Name
		}
		return nil
	}
	f, _ := k.known()
	return f.preset
}

// origin says where a key's value comes from.
func (c *Config) origin(k key) Origin {
	if s, ok := c.settings[k]; ok {
		return s.origin
	}
	return Origin{Source: Default}
}

// show writes a value as a file would, but for the quotes around text.
func show(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case time.Duration:
		return brief(v)
	case []any, []string, map[string]any:
		if raw, err := json.Marshal(v); err == nil {
			return string(raw)
		}
	}
	return fmt.Sprint(v)
}

// brief writes 2m0s as 2m.
func brief(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
