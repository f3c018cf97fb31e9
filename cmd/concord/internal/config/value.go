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
	l := listing{c: c}
	for _, name := range order {
		s := schema[name]
		switch {
		case s.free:
			for _, n := range c.settings.names(name) {
				l.value(key{section: name, name: n})
			}
		case s.named:
			for _, n := range c.listed(name) {
				l.fields(s, key{section: name, name: n})
			}
		default:
			l.fields(s, key{section: name})
		}
	}
	return l.values
}

// listed are the names of a section, with those that nobody wrote.
func (c *Config) listed(section string) []string {
	if section == secEndpoints {
		return c.endpointNames()
	}
	if names := c.settings.names(section); !schema[section].shared || slices.Contains(names, "") {
		return names
	}
	return append([]string{""}, c.settings.names(section)...)
}

// listing collects the values of a configuration for people to read.
type listing struct {
	c      *Config
	values []Value
}

// fields adds the fields of a section, in the order of a file.
func (l *listing) fields(s section, k key) {
	for _, f := range s.names() {
		k.field = f
		if !s.fields[f].table {
			l.value(k)
			continue
		}
		for _, p := range l.c.settings.paramNames(k.name) {
			k.param = p
			l.value(k)
		}
		k.param = ""
	}
}

// value adds a value, unless there is none to show.
func (l *listing) value(k key) {
	c := l.c
	v := Value{Key: k.String(), Origin: c.settings.origin(k)}
	if s, ok := c.settings[k]; ok {
		v.Value = show(s.value)
	} else if d := c.preset(k); d != nil {
		v.Value = show(d)
	} else {
		return
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
	l.values = append(l.values, v)
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

// spelled writes 2m0s as 2m.
var spelled = strings.NewReplacer("h0m0s", "h", "m0s", "m")

func brief(d time.Duration) string { return spelled.Replace(d.String()) }
