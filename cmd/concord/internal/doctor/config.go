package doctor

import (
	"errors"
	"maps"
	"slices"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval/prompt"
)

// CheckConfig looks at the configuration; nil when it cannot be used.
func CheckConfig(a *project.Project, all *Findings) *config.Config {
	const check = "config"
	c, err := a.Config()
	var bad config.Problems
	switch {
	case errors.As(err, &bad):
		for _, p := range bad {
			advice := "correct the line; concord config init FILE writes an example of every key"
			if p.Origin.Source == config.Environment {
				advice = "correct " + p.Origin.Name + " in the environment"
			}
			all.broken(check, advice, "%v", p)
		}
		return nil
	case err != nil:
		all.broken(check, "", "%v", err)
		return nil
	}
	found := 0
	for _, f := range c.Files() {
		if f.Found {
			found++
			all.ok(check, "read %s", f.Path)
		}
	}
	if found == 0 {
		all.ok(check, "no config file: defaults and the environment decide")
	}
	for _, m := range c.Models() {
		if _, err := c.Model(m.Name); err != nil {
			all.broken("model", "define the endpoint, or correct the model's endpoint", "%v", err)
		}
	}
	checkBases(c, all)
	if _, err := c.DefaultEndpoint(); err != nil && len(c.Endpoints()) > 0 {
		all.look(check, "models without an entry of their own cannot be asked until it is set", "%v", err)
	}
	checkPrompts(c, all)
	return c
}

// checkBases looks for language bases that no run could be of.
func checkBases(c *config.Config, all *Findings) {
	models := c.Models()
	for _, m := range models {
		base := m.Card.LanguageBase
		if base == "" || slices.ContainsFunc(models, func(o config.Model) bool { return o.Name == base }) {
			continue
		}
		all.look("model "+m.Name, "name a model of the config in language_base, or add one of that name; it is asked with --model "+base+" --modality base",
			"its language base %s is no model of the config", base)
	}
}

func checkPrompts(c *config.Config, all *Findings) {
	const check = "prompts"
	files := c.Prompts()
	names := slices.Sorted(maps.Keys(files))
	sound := 0
	for _, name := range names {
		if err := c.MayRead(name); err != nil {
			all.broken(check, "look at it, then say so: concord config trust", "%s: %v", name, err)
			continue
		}
		text, err := jobs.ReadPrompt(files[name])
		if err != nil {
			all.broken(check, "correct the path: it is relative to the config file", "%s: %v", name, err)
			continue
		}
		if _, err := prompt.Load(map[string]string{name: text}); err != nil {
			all.broken(check, "correct the template", "%s (%s): %v", name, files[name], err)
			continue
		}
		sound++
	}
	if sound > 0 {
		all.ok(check, "%s of your own", cli.Counted(sound, "template", "templates"))
	}
}
