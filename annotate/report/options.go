package report

import (
	"fmt"
	"slices"

	"concord/eval"
	"concord/eval/extract"
)

// Options say what a report over runs is about. The zero value reports every
// run by its own rules.
type Options struct {
	Runs    []eval.RunID     // empty: all
	Dataset eval.DatasetName // "": all
	Model   string           // "": all
	Rules   string           // a rule set's name; "": each run's own
	Judge   string           // its reading completes the rules'; "": rules only
	BySplit bool             // a row for each split beside the whole

	// Reader finds a rule set; nil is extract.Rules.
	Reader func(name string, kind eval.Kind) (eval.Reader, error)
	// Progress is told how many questions of how many are done, now and then
	// and at the end. It must be quick. nil: nobody asks.
	Progress func(done, total int)
}

func (o *Options) wants(r eval.Run) bool {
	return (len(o.Runs) == 0 || slices.Contains(o.Runs, r.ID)) &&
		(o.Dataset == "" || o.Dataset == r.Config.Dataset) &&
		(o.Model == "" || o.Model == r.Config.Model)
}

// reader finds the rule set of that name.
func (o *Options) reader(name string, kind eval.Kind) (eval.Reader, error) {
	if o.Reader != nil {
		return o.Reader(name, kind)
	}
	return extract.Rules(name, kind)
}

// rules is the name of the rule set that reads a run.
func (o *Options) rules(r eval.Run) string {
	switch {
	case o.Rules != "":
		return o.Rules
	case r.Config.Rules != "":
		return r.Config.Rules
	}
	return extract.Default
}

// readers is a rule set for every kind that it reads. A name that reads
// neither kind is an error.
func (o *Options) readers(name string) (ruleSet, error) {
	set := ruleSet{name: name}
	var first error
	for _, kind := range []eval.Kind{eval.KindChoice, eval.KindYesNo} {
		r, err := o.reader(name, kind)
		switch {
		case err == nil:
			set.byKind[kind] = r
		case first == nil:
			first = err
		}
	}
	if set.byKind == (ruleSet{}).byKind {
		return set, fmt.Errorf("find rules: %w", first)
	}
	return set, nil
}

// ruleSet is a named rule set for the kinds of samples that it reads.
type ruleSet struct {
	name   string
	byKind [eval.KindOpen + 1]eval.Reader
}

func (s *ruleSet) reader(k eval.Kind) eval.Reader {
	if int(k) >= len(s.byKind) {
		return nil
	}
	return s.byKind[k]
}

// id is name@version as facts carry it: of the choice rules where there are
// some, else of the yes/no rules.
func (s *ruleSet) id() string { return eval.ReaderID(s.any()) }

// version is the version that id carries.
func (s *ruleSet) version() string { return s.any().Version() }

func (s *ruleSet) any() eval.Reader {
	for _, k := range []eval.Kind{eval.KindChoice, eval.KindYesNo} {
		if r := s.byKind[k]; r != nil {
			return r
		}
	}
	return nil
}
