package annotate

import (
	"slices"
	"strings"
)

// Reasons for which a saved report is stale.
const (
	StaleLabels  = "labels changed"
	StaleRulings = "adjudications changed"
	StaleRules   = "rules changed"
	StaleJudge   = "judge changed"
)

// Change is one thing that is not as it was when a report was saved.
type Change struct {
	Why  string // StaleLabels and so on
	Name string // the rule set or the judge; "" of what every extractor is compared with
	How  string // what of it changed
}

// String is the change as reports tell it: "rules changed: concord from 3 to 4".
func (c Change) String() string {
	if c.Name == "" {
		return c.Why
	}
	return c.Why + ": " + c.Name + " " + c.How
}

// Changes are what a report that was computed from the one would find changed
// when it is computed from the other.
func (then Inputs) Changes(now Inputs) []Change {
	var out []Change
	if then.LabelsHash != now.LabelsHash {
		out = append(out, Change{Why: StaleLabels})
	}
	if then.RulingsHash != "" && then.RulingsHash != now.RulingsHash {
		out = append(out, Change{Why: StaleRulings})
	}
	for _, id := range then.Rules {
		if !slices.Contains(now.Rules, id) {
			name, version, _ := strings.Cut(id, "@")
			out = append(out, Change{StaleRules, name, newVersion(name, version, now.Rules)})
		}
	}
	for _, id := range then.Judges {
		if !slices.Contains(now.Judges, id) {
			j := parseJudge(id)
			out = append(out, Change{StaleJudge, j.Name, j.differs(now.Judges)})
		}
	}
	return out
}

// gone is what became of an extractor that reads nothing any more.
const gone = "is gone"

func newVersion(name, old string, now []string) string {
	for _, id := range now {
		if n, version, _ := strings.Cut(id, "@"); n == name {
			return "from " + old + " to " + version
		}
	}
	return gone
}

// JudgeID is what a saved report keeps of a judge, so that it is known to have
// changed, and in what.
type JudgeID struct {
	Name     string
	Prompts  []string // hashes, of all its readings in the queue's runs
	Settings []string // the same of its settings
	Readings string   // a hash of what it reads in the queue's items
}

const promptPart, settingsPart, readingsPart = "@prompt=", "@settings=", "@readings="

// String is the form that is kept.
func (j JudgeID) String() string {
	return j.Name + promptPart + strings.Join(j.Prompts, ",") +
		settingsPart + strings.Join(j.Settings, ",") + readingsPart + j.Readings
}

// parseJudge reads what String writes, from its end: a name may hold anything.
func parseJudge(s string) JudgeID {
	var j JudgeID
	take := func(part string) string {
		i := strings.LastIndex(s, part)
		if i < 0 {
			return ""
		}
		value := s[i+len(part):]
		s = s[:i]
		return value
	}
	j.Readings = take(readingsPart)
	j.Settings = strings.Split(take(settingsPart), ",")
	j.Prompts = strings.Split(take(promptPart), ",")
	j.Name = s
	return j
}

// differs says in what the judge is not the one of the same name now.
func (j *JudgeID) differs(now []string) string {
	for _, id := range now {
		n := parseJudge(id)
		if n.Name != j.Name {
			continue
		}
		var what []string
		if !slices.Equal(j.Prompts, n.Prompts) {
			what = append(what, "prompt")
		}
		if !slices.Equal(j.Settings, n.Settings) {
			what = append(what, "settings")
		}
		if j.Readings != n.Readings {
			what = append(what, "readings")
		}
		return "(" + strings.Join(what, ", ") + ")"
	}
	return gone
}
