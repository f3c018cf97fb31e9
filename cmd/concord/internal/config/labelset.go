package config

import (
	"cmp"
	"errors"

	"concord/annotate"
)

// failureTags is the set of tags that [tags] need not name, after problems that MME's authors
// name (MME, arXiv 2306.13394).
const failureTags = "failure"

// checkWords takes the words of a set.
func checkWords(v any) (any, error) {
	out, err := checkOneOrMore(v, `a list such as ["good", "blurred"]`, checkText)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// FindSet finds the set under [labels] or [tags] that has a name. Without a name it is none.
func FindSet(c *Config, section, name string) (annotate.LabelSet, error) {
	k := confKey{section: section, name: name}
	if section == secLabels {
		k.field = "options"
	}
	one, ok := c.settings[k]
	switch {
	case name == "":
		return annotate.LabelSet{}, nil
	case !ok && section == secTags && name == failureTags:
		one.value = []string{"perception", "reasoning", "instruction"}
	case !ok:
		return annotate.LabelSet{}, Problem{Key: section, Text: "has no set " + quoteUnlessSecret(name) + cmp.Or(suggestNearest(name, c.settings.namesOf(section)), ": write one into "+ProjectFile)}
	}
	out, err := annotate.NewLabelSet(name, one.value.([]string), valueOf[[]string](c.settings, confKey{section: section, name: name, field: "keys"}))
	if err != nil {
		return out, Problem{Origin: one.origin, Key: k.String(), Text: err.Error()}
	}
	return out, nil
}

// findBadSets finds sets that cannot be one.
func findBadSets(c *Config) (bad Problems) {
	for _, section := range []string{secLabels, secTags} {
		for _, name := range c.settings.namesOf(section) {
			var p Problem
			if _, err := FindSet(c, section, name); errors.As(err, &p) {
				bad = append(bad, p)
			}
		}
	}
	return bad
}
