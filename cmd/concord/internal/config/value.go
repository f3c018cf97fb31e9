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
	l := valueListing{c: c}
	for _, name := range order {
		s := schema[name]
		switch {
		case s.free:
			for _, n := range c.settings.namesOf(name) {
				l.addValue(confKey{section: name, name: n})
			}
		case s.named:
			for _, n := range c.listNames(name) {
				l.addFields(s, confKey{section: name, name: n})
			}
		default:
			l.addFields(s, confKey{section: name})
		}
	}
	return l.values
}

// listNames lists the names of a section, with those that nobody wrote.
func (c *Config) listNames(section string) []string {
	if section == secEndpoints {
		return c.endpointNames()
	}
	if names := c.settings.namesOf(section); !schema[section].shared || slices.Contains(names, "") {
		return names
	}
	return append([]string{""}, c.settings.namesOf(section)...)
}

// valueListing collects the values of a configuration for people to read.
type valueListing struct {
	c      *Config
	values []Value
}

// addFields adds the fields of a section, in the order of a file.
func (l *valueListing) addFields(s section, k confKey) {
	for _, f := range s.fieldNames() {
		k.field = f
		if !s.fields[f].table {
			l.addValue(k)
			continue
		}
		for _, p := range l.c.settings.paramNames(k.name) {
			k.param = p
			l.addValue(k)
		}
		k.param = ""
	}
}

// addValue adds a value, unless there is none to show.
func (l *valueListing) addValue(k confKey) {
	c := l.c
	v := Value{Key: k.String(), Origin: c.settings.originOf(k)}
	if s, ok := c.settings[k]; ok {
		v.Value = formatValue(s.value)
	} else if d := c.defaultOf(k); d != nil {
		v.Value = formatValue(d)
	} else {
		return
	}
	if k.section == secEndpoints && k.field == "api_key_env" {
		v.Note = "not set"
		if c.isSet(v.Value) {
			v.Note = "set"
			if e, ok := c.Endpoint(k.name); ok && IsUntrusted(c, e) {
				v.Note = "set, and not sent: see concord config trust"
			}
		}
	}
	l.values = append(l.values, v)
}

// defaultOf is a key's default, also where it depends on the others.
func (c *Config) defaultOf(k confKey) any {
	switch {
	case k.param != "":
		return presetParams[k.param]
	case k.section == secEndpoints && k.name == OpenAI && k.field == "base_url":
		return c.readEndpoint(OpenAI).BaseURL
	case k.section == secEndpoints && k.name == OpenAI && k.field == "api_key_env":
		return c.readEndpoint(OpenAI).KeyEnv
	case k.name != "" && schema[k.section].shared:
		return nil // what is shared stands for it
	case k.section == secModels && k.field == "model":
		return k.name
	case k.section == secModels && k.field == "endpoint", k == confKey{field: "default_endpoint"}:
		if e, err := c.DefaultEndpoint(); err == nil {
			return e.Name
		}
		return nil
	}
	f, _ := k.findField()
	return f.preset
}

// formatValue writes a value as a file would, but for the quotes around text.
func formatValue(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case time.Duration:
		return formatDuration(v)
	case []any, []string, map[string]any:
		if raw, err := json.Marshal(v); err == nil {
			return string(raw)
		}
	}
	return fmt.Sprint(v)
}

// spelled writes 2m0s as 2m.
var spelled = strings.NewReplacer("h0m0s", "h", "m0s", "m")

func formatDuration(d time.Duration) string { return spelled.Replace(d.String()) }
