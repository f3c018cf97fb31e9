package config

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"concord/annotate"
	"concord/eval"
	"concord/eval/panel"
)

// Value is one value of the merged configuration, as people read it.
type Value struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin Origin `json:"origin"`
	Note   string `json:"note,omitempty"` // of the name of a variable: "set" or "not set"
}

// Values are all values and defaults, in the order of a file.
func (c *Config) Values() []Value {
	l := valueListing{c: c}
	for _, name := range order {
		s := schema[name]
		switch {
		case s.free:
			for _, n := range c.settings.namesInSection(name) {
				l.addValue(confKey{section: name, name: n})
			}
		case s.named:
			for _, n := range c.listSectionNames(name) {
				l.addFields(s, confKey{section: name, name: n})
			}
		default:
			l.addFields(s, confKey{section: name})
		}
	}
	return l.values
}

// listSectionNames lists the names of a section, with those that nobody wrote.
func (c *Config) listSectionNames(section string) []string {
	if section == secEndpoints {
		return c.endpointNames()
	}
	if names := c.settings.namesInSection(section); !schema[section].shared || slices.Contains(names, "") {
		return names
	}
	return append([]string{""}, c.settings.namesInSection(section)...)
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
		params := l.c.settings.paramNames(k.name)
		if k.section == secEndpoints {
			params = eval.Map(eval.Select(l.c.settings.extraKeysOf(k.name), func(of confKey) bool { return of.field == f }), func(of confKey) string { return of.param })
		}
		for _, p := range params {
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
	} else if d := c.defaultValue(k); d != nil {
		v.Value = formatValue(d)
	} else {
		return
	}
	if k.section == secEndpoints && (k.field == "api_key_env" || extraKinds[k.field] != "") {
		v.Note = "not set"
		if c.isVariableSet(v.Value) {
			v.Note = "set"
			if e, ok := c.Endpoint(k.name); ok && errors.Is(checkMaySend(c, e), ErrUntrusted) {
				v.Note = "set, and not sent: see concord config trust"
			}
		}
	}
	l.values = append(l.values, v)
}

// defaultValue is a key's default, also where it depends on the others.
func (c *Config) defaultValue(k confKey) any {
	switch {
	case k.param != "" && k.section == secModels:
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

// promptsHead is the line that opens the table of prompts.
var promptsHead = regexp.MustCompile(`(?m)^[ \t]*\[prompts\][ \t]*(#.*)?$`)

// SetPromptLine gives a config's text in which a template has the prompt of a file. A line that gives it another one is
// replaced, and nothing else is changed. Text that does not read, before or afterwards, is a Problem.
func SetPromptLine(old []byte, template, file string) ([]byte, error) {
	if _, bad := parseConfigFile(ProjectFile, old); len(bad) > 0 {
		return nil, bad
	}
	line, text := quoteTOML(template)+" = "+quoteTOML(file), string(old)
	at := promptsHead.FindStringIndex(text)
	if at == nil {
		if text = strings.TrimRight(text, "\n"); text != "" {
			text += "\n\n"
		}
		text += "[prompts]\n" + line + "\n"
	} else {
		text = text[:at[1]] + "\n" + line + removePromptLine(text[at[1]:], template)
	}
	if _, bad := parseConfigFile(ProjectFile, []byte(text)); len(bad) > 0 {
		return nil, Problem{Text: fmt.Sprintf("prompts: write %s by hand: %s", line, bad[0].Text)}
	}
	return []byte(text), nil
}

// removePromptLine leaves the line of a template out of the table that rest begins in.
func removePromptLine(rest, template string) string {
	table, others := rest, ""
	if i := strings.Index(rest, "\n["); i >= 0 {
		table, others = rest[:i], rest[i:]
	}
	key := regexp.MustCompile(`(?m)^[ \t]*["']?` + regexp.QuoteMeta(template) + `["']?[ \t]*=.*\n?`)
	return key.ReplaceAllString(table, "") + others
}

// failureTags is the set of tags that [tags] need not name, after problems that MME's authors
// name (MME, arXiv 2306.13394).
const failureTags = "failure"

// checkWords takes the words of a set.
var checkWords = checkOneOrMore(`a list such as ["good", "blurred"]`, checkText)

// FindLabelSet finds the set under [labels] or [tags] that has a name. Without a name it is none.
func FindLabelSet(c *Config, section, name string) (annotate.LabelSet, error) {
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
		return annotate.LabelSet{}, Problem{Key: section, Text: "has no set " + quoteUnlessSecret(name) + cmp.Or(hintNearestWord(name, c.settings.namesInSection(section)), ": write one into "+ProjectFile)}
	}
	out, err := annotate.NewLabelSet(name, one.value.([]string), valueOrDefault[[]string](c.settings, confKey{section: section, name: name, field: "keys"}))
	if err != nil {
		return out, Problem{Origin: one.origin, Key: k.String(), Text: err.Error()}
	}
	return out, nil
}

func findBadSets(c *Config) (bad Problems) {
	for _, section := range []string{secLabels, secTags} {
		for _, name := range c.settings.namesInSection(section) {
			var p Problem
			if _, err := FindLabelSet(c, section, name); errors.As(err, &p) {
				bad = append(bad, p)
			}
		}
	}
	return bad
}

// Panel is judges that are one extractor together, as [panels] says.
type Panel struct {
	panel.Panel
	Queue annotate.QueueName // where the weights of its judges are from
}

// ListConfiguredPanels lists the panels of the config, by name.
func ListConfiguredPanels(c *Config) (out []Panel) {
	for _, name := range c.settings.namesInSection(secPanels) {
		at := func(field string) confKey { return confKey{section: secPanels, name: name, field: field} }
		rule, _ := panel.ParseRule(valueOrDefault[string](c.settings, at("rule"))) // checked
		out = append(out, Panel{
			Panel: panel.Panel{Name: name, Judges: valueOrDefault[[]string](c.settings, at("judges")), Rule: rule},
			Queue: annotate.QueueName(valueOrDefault[string](c.settings, at("queue"))),
		})
	}
	return out
}

func findBadPanels(c *Config) (bad Problems) {
	models := c.settings.namesInSection(secModels)
	for _, p := range ListConfiguredPanels(c) {
		sorted := slices.Sorted(slices.Values(p.Judges))
		field, text := "judges", ""
		switch {
		case len(p.Judges) < 2:
			text = `takes the names of two or more judges, such as ["gpt-4o-mini", "qwen"]`
		case len(slices.Compact(sorted)) < len(p.Judges):
			text = "names a judge twice"
		case slices.ContainsFunc(p.Judges, func(name string) bool { return eval.JudgeOfCandidate(name) != "" }):
			text = "names a prompt that is tried: once it is promoted, name its judge"
		case p.Rule == panel.Weighted && p.Queue == "":
			field, text = "queue", "is missing: the queue whose labels say how far its judges agree with people"
		case slices.Contains(models, p.Name):
			field, text = "", "has the name of a model: call the panel otherwise"
		}
		if k := (confKey{section: secPanels, name: p.Name, field: field}); text != "" {
			bad = append(bad, Problem{Origin: c.settings.originOf(confKey{section: secPanels, name: p.Name, field: "judges"}), Key: k.String(), Text: text})
		}
	}
	return bad
}
