package eval

import (
	"slices"
	"strconv"
	"strings"
)

// asking are the settings that tell runs of one model apart, whatever the
// dataset; those of own depend on it, and on the number of shots.
var (
	asking = []string{"shots", "endpoint", "name", "params", "language", "edge"}
	own    = []string{"prompts", "exemplars", "fallback", "seed", "all-passes"}
)

// Asking is how the model was asked, as far as that does not depend on the
// dataset: runs of which it is the same can stand in one row.
func (c *Config) Asking() string { return c.said(asking) }

// said are some fields in one text.
func (c *Config) said(names []string) string {
	var b strings.Builder
	for _, n := range names {
		b.WriteString(c.field(n).value)
		b.WriteByte(0)
	}
	return b.String()
}

func (c *Config) field(name string) field {
	all := c.fields()
	return all[slices.IndexFunc(all, func(f field) bool { return f.name == name })]
}

// Distinguish says of each run in what settings it differs from another run of
// its model under the same modality. Those that depend on the dataset are
// compared where the others are the same.
func Distinguish(runs []Run) {
	alike := make(map[string][]*Config) // by model, modality and origin
	for i := range runs {
		c := &runs[i].Config
		key := c.said([]string{"model", "modality", "origin"})
		alike[key] = append(alike[key], c)
	}
	for i := range runs {
		c := &runs[i].Config
		others := alike[c.said([]string{"model", "modality", "origin"})]
		if len(others) == 1 {
			continue
		}
		var parts []string
		for k, name := range slices.Concat(asking, own) {
			f := c.field(name)
			if slices.ContainsFunc(others, func(o *Config) bool {
				return o.field(name).value != f.value && (k < len(asking) || o.Dataset == c.Dataset && o.Asking() == c.Asking())
			}) {
				parts = append(parts, f.words())
			}
		}
		runs[i].Setting = strings.Join(parts, ", ")
	}
}

// words say a setting in a row of a report.
func (f field) words() string {
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
