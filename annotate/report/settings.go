package report

import (
	"slices"
	"strconv"
	"strings"
)

// settings are what led to a report's figures, as far as its rows tell: who
// read the predictions, policies, prompts, how votes were merged. How the runs
// were asked is in Provenance.
func (r Report) settings() []string {
	var out []string
	add := func(parts ...string) {
		if s := strings.Join(parts, " "); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, row := range slices.Concat(r.Overall, r.Rows) {
		if s, ok := row.(interface{ reading() string }); ok && s.reading() != "" {
			add("read by", s.reading())
		}
		if s, ok := row.(interface{ Settings() []string }); ok {
			for _, one := range s.Settings() {
				add(one)
			}
		}
	}
	if r.Confidence > 0 {
		add("confidence", strconv.FormatFloat(r.Confidence, 'g', -1, 64))
	}
	return out
}

// reading is who read the predictions, with the version of the rules.
func (s *Source) reading() string {
	if s.Rules == "" || s.RulesVersion == "" {
		return s.Extractor
	}
	if rules := "rules:" + s.Rules; s.Extractor != rules {
		return s.Extractor + " after " + rules + "@" + s.RulesVersion
	}
	return s.Extractor + "@" + s.RulesVersion
}

// Brief is the beginning of a hash.
func Brief(hash string) string {
	const n = 12
	if len(hash) <= n {
		return hash
	}
	return hash[:n]
}
