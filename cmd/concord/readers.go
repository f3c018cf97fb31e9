package main

import (
	"concord/eval"
	"concord/eval/extract"
)

// rulesFor finds the rule set that a flag names.
func rulesFor(name string) (eval.Reader, error) {
	r, err := extract.Rules(name)
	if err != nil {
		return nil, asUsage(err)
	}
	return r, nil
}

// readerOf is the rule set that a run names, or the default one.
func readerOf(run eval.Run) (eval.Reader, error) {
	name := run.Config.Rules
	if name == "" {
		name = extract.Default
	}
	return rulesFor(name)
}

// ruleSetsFor are the rule sets for a kind of sample, the default first.
func ruleSetsFor(k eval.Kind) []eval.Reader {
	var out []eval.Reader
	for _, name := range extract.Names(k) {
		if r, err := extract.Rules(name); err == nil {
			out = append(out, r)
		}
	}
	return out
}
