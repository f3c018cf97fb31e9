package facts

import (
	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/extract"
)

// RulesFor finds the rule set that a flag names.
func RulesFor(name string) (eval.Reader, error) {
	r, err := extract.Rules(name)
	if err != nil {
		return nil, cli.Usage(err)
	}
	return r, nil
}

// ReaderOf is the rule set that a run names, or the default one.
func ReaderOf(run eval.Run) (eval.Reader, error) {
	name := run.Config.Rules
	if name == "" {
		name = extract.Default
	}
	return RulesFor(name)
}

// RuleSetsFor are the rule sets for a kind of sample, the default first.
func RuleSetsFor(k eval.Kind) []eval.Reader {
	var out []eval.Reader
	for _, name := range extract.Names(k) {
		if r, err := extract.Rules(name); err == nil {
			out = append(out, r)
		}
	}
	return out
}
