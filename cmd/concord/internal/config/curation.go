package config

import "regexp"

// Curation is what is settled of the review of a dataset's samples.
type Curation struct {
	Experts    int      // that each sample asks for
	Targets    []string // of accepted samples: GROUP=N, or the path of a file
	Inspection string   // whose candidates are reviewed; "": the newest
	HideAnswer bool     // at first
	HideHits   bool     // and difficulty, at first

	TargetsFrom Origin // who is to blame when they cannot be read
}

// Curation is what [curation] says of a dataset, each value by what
// [curation.DATASET] says where it says something.
func (c *Config) Curation(dataset string) Curation {
	targets := c.settings.curationKey(dataset, "targets")
	return Curation{
		Experts:    of[int](c.settings, c.settings.curationKey(dataset, "experts")),
		Targets:    of[[]string](c.settings, targets),
		Inspection: of[string](c.settings, c.settings.curationKey(dataset, "inspection")),
		HideAnswer: of[bool](c.settings, c.settings.curationKey(dataset, "hide_answer")),
		HideHits:   of[bool](c.settings, c.settings.curationKey(dataset, "hide_hits")),

		TargetsFrom: c.settings.origin(targets),
	}
}

// goal is a target that is no file: of a level of the taxonomy, or of a group.
var goal = regexp.MustCompile(`=\s*\d+\s*$`)

// goals takes targets, one or several.
func goals(v any) (any, error) {
	list, ok := v.([]any)
	if s, one := v.(string); one {
		list, ok = []any{s}, true
	}
	if !ok {
		return nil, want(`a list such as ["axis=84"]`, v)
	}
	out := make([]string, len(list))
	for i, one := range list {
		s, err := text(one)
		if err != nil {
			return nil, err
		}
		out[i] = s.(string)
	}
	return out, nil
}

// goalsAt are targets as the config file that names them means them.
func goalsAt(config string, v any) any {
	list := v.([]string)
	for i, s := range list {
		if !goal.MatchString(s) {
			list[i] = relative(config, s)
		}
	}
	return list
}
