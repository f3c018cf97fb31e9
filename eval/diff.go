package eval

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Difference is a part of a configuration that is not what it was.
type Difference struct {
	Field   string // as flags and the configuration file call it
	Was, Is string
}

// String says it in one line.
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s, was %s", d.Field, cmp.Or(d.Is, "nothing"), cmp.Or(d.Was, "nothing"))
}

// DiffFromEarlier says in what c differs from the earlier configuration o, always in the same order. Texts
// of prompts appear by name, version and the beginning of their hash.
func (c *Config) DiffFromEarlier(o *Config) []Difference {
	return append(diffFields("", o.listFields(), c.listFields()), diffJudges(o.Settings.Judges, c.Settings.Judges)...)
}

// diffFields compares the fields of one thing, in whose names of stands before each.
func diffFields(of string, was, is []configField) (out []Difference) {
	for i, f := range is {
		if was[i].value != f.value {
			out = append(out, Difference{Field: of + f.name, Was: was[i].value, Is: f.value})
		}
	}
	return out
}

// configField is a part of a configuration as people read it.
type configField struct{ name, value string }

func (c *Config) listFields() []configField {
	s := &c.Settings
	return []configField{
		{"dataset", string(c.Dataset)},
		{"model", c.Model},
		{"strategy", c.Strategy.String()},
		{"modality", c.Modality.String()},
		{"origin", c.Origin.String()},
		{"all-passes", strconv.FormatBool(c.AllPasses)},
		{"rules", c.Rules},
		{"synthetic", strconv.FormatBool(c.Synthetic)},
		{"file", c.File},
		{"endpoint", s.Endpoint},
		{"name", s.Name},
		{"params", s.Params},
		{"prompts", describePrompts(s.Prompts)},
		{"language", s.Language},
		{"edge", strconv.Itoa(s.Edge)},
		{"shots", strconv.Itoa(s.Shots)},
		{"exemplars", describeExemplars(s.Exemplars)},
		{"fallback", strconv.FormatBool(s.Fallback)},
		{"seed", strconv.FormatUint(s.Seed, 10)},
	}
}

func (j *JudgeSetup) listFields() []configField {
	return []configField{
		{"endpoint", j.Endpoint},
		{"name", j.Name},
		{"params", j.Params},
		{"prompts", describePrompts(j.Prompts)},
		{"language", j.Language},
		{"pseudo", string(j.Pseudo)},
		{"edge", strconv.Itoa(j.Edge)},
	}
}

// diffJudges compares which judges there are, in their order, and then the settings of those that stayed.
func diffJudges(was, is []JudgeSetup) []Difference {
	var out []Difference
	old := make(map[string]*JudgeSetup, len(was))
	for i := range was {
		old[was[i].Judge] = &was[i]
	}
	if a, b := joinJudgeNames(was), joinJudgeNames(is); a != b {
		out = append(out, Difference{Field: "judges", Was: a, Is: b})
	}
	for i := range is {
		if before := old[is[i].Judge]; before != nil {
			out = append(out, diffFields("judge "+is[i].Judge+" ", before.listFields(), is[i].listFields())...)
		}
	}
	return out
}

func joinJudgeNames(all []JudgeSetup) string {
	return JoinList(all, func(j JudgeSetup) string { return j.Judge })
}

// short is how much of a hash people compare.
const short = 8

func describePrompts(refs []PromptRef) string {
	return JoinList(refs, func(p PromptRef) string {
		return fmt.Sprintf("%s/%s %s (%s)", p.Name, p.Language, p.Version, p.Hash[:min(short, len(p.Hash))])
	})
}

// describeExemplars names worked examples by how many they are and a hash of them.
func describeExemplars(all []Exemplar) string {
	if len(all) == 0 {
		return ""
	}
	h := sha256.New()
	for i := range all {
		_, _ = fmt.Fprintf(h, "%q\n", []any{all[i].Sample, all[i].Question, all[i].Options, all[i].Answer})
	}
	return fmt.Sprintf("%d (%s)", len(all), hex.EncodeToString(h.Sum(nil))[:short])
}

// asking are the settings that tell runs of one model apart, whatever the
// dataset; those of own depend on it, and on the number of shots.
var (
	asking = []string{"shots", "endpoint", "name", "params", "language", "edge"}
	own    = []string{"strategy", "prompts", "exemplars", "fallback", "seed", "all-passes"}
)

// AskingKey describes how the model was asked, as far as that does not depend on the
// dataset: runs of which it is the same can stand in one row.
func (c *Config) AskingKey() string { return c.fieldsKey(asking) }

// fieldsKey gives some fields in one text.
func (c *Config) fieldsKey(names []string) string {
	var b strings.Builder
	for _, n := range names {
		b.WriteString(c.findField(n).value)
		b.WriteByte(0)
	}
	return b.String()
}

func (c *Config) findField(name string) configField {
	all := c.listFields()
	return all[slices.IndexFunc(all, func(f configField) bool { return f.name == name })]
}

// DistinguishRuns says of each run in what settings it differs from another run of its model under the
// same modality. Those that depend on the dataset are compared where the others are the same.
func DistinguishRuns(runs []Run) {
	alike := make(map[string][]*Config) // by model, modality and origin
	for i := range runs {
		c := &runs[i].Config
		key := c.fieldsKey([]string{"model", "modality", "origin"})
		alike[key] = append(alike[key], c)
	}
	for i := range runs {
		c := &runs[i].Config
		others := alike[c.fieldsKey([]string{"model", "modality", "origin"})]
		if len(others) == 1 {
			continue
		}
		var parts []string
		for k, name := range slices.Concat(asking, own) {
			f := c.findField(name)
			if slices.ContainsFunc(others, func(o *Config) bool {
				return o.findField(name).value != f.value && (k < len(asking) || o.Dataset == c.Dataset && o.AskingKey() == c.AskingKey())
			}) {
				parts = append(parts, f.describeSetting())
			}
		}
		runs[i].Setting = strings.Join(parts, ", ")
	}
}

// describeSetting say a setting in a row of a report.
func (f configField) describeSetting() string {
	switch {
	case f.name == "shots":
		return f.value + "-shot"
	case f.value == "":
		return "no " + f.name
	case f.value == strconv.FormatBool(true):
		return f.name
	case f.value == strconv.FormatBool(false):
		return "not " + f.name
	}
	return f.name + " " + f.value
}

// FindDifferingFields names the fields in which some settings, JSON objects, are not all
// alike, in order, and gives the fields of each; nil of what is none.
func FindDifferingFields(texts ...[]byte) (names []string, all []map[string]json.RawMessage) {
	differ := make(map[string]bool)
	all = Map(texts, func(text []byte) (fields map[string]json.RawMessage) {
		_ = json.Unmarshal(text, &fields)
		return fields
	})
	for _, fields := range all {
		for _, of := range []map[string]json.RawMessage{fields, all[0]} {
			for name := range of {
				if string(fields[name]) != string(all[0][name]) {
					differ[name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(differ)), all
}

// DistinguishSettings says of each of some settings, JSON objects, in which fields it differs from
// another one of them, long values by their hash; nil is one that is not known.
func DistinguishSettings(texts [][]byte) []string {
	names, all := FindDifferingFields(texts...)
	return Map(all, func(fields map[string]json.RawMessage) string {
		return strings.Join(Map(names, func(name string) string {
			value := string(fields[name])
			if len(value) > 60 {
				sum := sha256.Sum256(fields[name])
				value = hex.EncodeToString(sum[:4])
			}
			return name + " " + cmp.Or(value, "not known")
		}), ", ")
	})
}
