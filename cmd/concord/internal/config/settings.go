package config

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"concord/tui/keymap"
)

// settings holds the merged values of all sources, by key.
type settings map[key]setting

// merge takes over found values in place of those of weaker sources.
func (s settings) merge(found []setting) {
	for _, one := range found {
		s[one.key] = one
	}
}

// origin says where a key's value comes from.
func (s settings) origin(k key) Origin {
	if one, ok := s[k]; ok {
		return one.origin
	}
	return Origin{Source: Default}
}

// names lists the names under which a section has values, sorted.
func (s settings) names(section string) []string { return s.namesIn(section, SourceUnset) }

// namesIn lists the names to which a source gave a value; SourceUnset is any.
func (s settings) namesIn(section string, from Source) []string {
	seen := make(map[string]bool)
	for k, one := range s {
		if k.section == section && (from == SourceUnset || one.origin.Source == from) {
			seen[k.name] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// paramNames lists the request parameters of a model, presets included, sorted.
func (s settings) paramNames(model string) []string {
	var out []string
	for p := range presetParams {
		out = append(out, p)
	}
	for k := range s {
		if k.section == secModels && k.name == model && k.param != "" {
			out = append(out, k.param)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// curationKey gives the dataset's own key where it is set, else the shared one.
func (s settings) curationKey(dataset, field string) key {
	own := key{section: secCuration, name: dataset, field: field}
	if _, ok := s[own]; ok {
		return own
	}
	return key{section: secCuration, field: field}
}

// chosen lists the keys that the user chose, by the actions' names.
func (s settings) chosen() []keymap.Choice {
	var out []keymap.Choice
	for k, one := range s {
		if k.section == secKeys {
			out = append(out, keymap.Choice{Action: k.name, Keys: one.value.([]string), Origin: one.origin.String()})
		}
	}
	slices.SortFunc(out, func(a, b keymap.Choice) int { return strings.Compare(a.Action, b.Action) })
	return out
}

// keyProblems lists chosen keys that their actions cannot have.
func (s settings) keyProblems() Problems {
	_, bad := keymap.New(s.chosen())
	var out Problems
	for _, p := range bad {
		k := key{section: secKeys, name: p.Action}
		out = append(out, Problem{Origin: s.origin(k), Key: k.String(), Text: p.Text})
	}
	return out
}

// params gives a model's parameters as JSON with sorted keys. A null stands for
// a preset that the request omits.
func (s settings) params(m Model) (json.RawMessage, error) {
	body := make(map[string]any)
	for k, v := range presetParams {
		body[k] = v
	}
	for k, one := range s {
		if k.section == secModels && k.name == m.Name && k.param != "" {
			body[k.param] = one.value
		}
	}
	for k, v := range body {
		switch {
		case v != omit:
		case presetParams[k] != nil:
			body[k] = nil // says that it is left out on purpose
		default:
			delete(body, k)
		}
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, Problem{Key: m.key("params").String(), Text: "cannot be JSON"}
	}
	return raw, nil
}

// of gives the value of a key, or its default.
func of[T any](s settings, k key) T {
	if one, ok := s[k]; ok {
		return one.value.(T)
	}
	if f, ok := k.known(); ok && f.preset != nil {
		return f.preset.(T)
	}
	var zero T
	return zero
}
