package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
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
	Judge   string           // its reading completes the rules'; NoJudge: rules alone; "": see judge
	BySplit bool             // a row for each split beside the whole
	Split   string           // rows of this split alone; "": see BySplit

	Strategy eval.Strategy // of Abilities; unset: each run's own
	Level    int           // of Abilities: how deep in the taxonomy, from 1; 0: the second, or the deepest there is
	Chart    bool          // of Abilities: bars in place of its tables
	TextOnly string        // of TextOnly: the number of a text-only run or a model's name, whose right answers are dropped
	ByModel  bool          // of TextOnly: models beside their language base, benchmarks as columns

	Grey  bool   // of Gain: a grey-picture run stands for a text-only one
	Shots *int   // of Gain: only language-base runs with so many worked examples; nil: any
	Seed  uint64 // of Gain: of its bootstrap; 0: 1

	Corrected *Correcting // of Accuracy and Scores: what people's labels make of the score; nil: not asked

	// Shared is what other reports under these options read; nil: nothing.
	Shared *Shared

	// Cards finds what is known of a model; nil: nothing is.
	Cards func(model string) (eval.Card, bool)

	// Reader finds a rule set; nil is extract.Rules.
	Reader func(name string) (eval.Reader, error)
	// Progress is told how many questions of how many are done, now and then
	// and at the end. It must be quick. nil: nobody asks.
	Progress func(done, total int)
}

// Wants reports whether the options are about the run.
func (o *Options) Wants(r eval.Run) bool {
	return (len(o.Runs) == 0 || slices.Contains(o.Runs, r.ID)) &&
		(o.Dataset == "" || o.Dataset == r.Config.Dataset) &&
		(o.Model == "" || o.Model == r.Config.Model)
}

// NoJudge as a judge's name asks for the rules alone.
const NoJudge = "none"

// judge is the judge whose reading completes the rules' in a run, "" for
// none. Unless the options say otherwise it is the run's own: it decided
// which passes were asked, so that without it some questions stay pending.
// Whoever names a rule set asks about that one.
func (o *Options) judge(r eval.Run) string {
	switch {
	case o.Judge == NoJudge:
		return ""
	case o.Judge != "" || o.Rules != "":
		return o.Judge
	}
	return r.Config.Decider()
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

// FindRules finds the rule set of that name, by a finder that may be nil.
func FindRules(find func(string) (eval.Reader, error), name string) (r eval.Reader, err error) {
	if find != nil {
		r, err = find(name)
	} else {
		r, err = extract.Rules(name)
	}
	if err != nil {
		return nil, fmt.Errorf("find rules: %w", err)
	}
	return r, nil
}

// Blind reports a run that sees no picture of the samples.
func Blind(r *eval.Run) bool {
	switch r.Config.Modality {
	case eval.TextOnly, eval.GreyImage, eval.BaseText:
		return true
	case eval.WithImage, eval.WithoutImages, eval.ModalityUnset:
	}
	return false
}

// Described tells runs apart that could stand for each other.
func Described(runs []eval.Run) string {
	var out []string
	for _, r := range runs {
		out = append(out, fmt.Sprintf("%d (%s, %s, %d shots)", r.ID, r.Config.Model, r.Config.Modality, r.Config.Settings.Shots))
	}
	return strings.Join(out, ", ")
}

// Correcting says how people's labels correct a score.
type Correcting struct {
	Queues    []annotate.QueueName // of labels; empty: every one drawn at random
	Policy    annotate.Policy      // unset: Majority
	Undecided annotate.Undecided   // unset: Dropped
	Within    float64              // the interval, to either side, that needs are told for, as a share of the scale; 0: 0.02
	Fewest    int                  // labels that a score takes; 0: correct.Fewest
}

// Modelled reports whether people's word comes of a model of their errors.
func (c *Correcting) Modelled() bool { return c.Policy == annotate.DawidSkene }

// ModelNote says what the model is.
const ModelNote = annotate.SkeneModel

// BasisOf is how people's word on an item is found: where a policy is unset, by
// the majority, and items on which people come to nothing are dropped.
func BasisOf(p annotate.Policy, u annotate.Undecided) annotate.Basis {
	return annotate.Basis{Policy: cmp.Or(p, annotate.Majority), Undecided: cmp.Or(u, annotate.Dropped)}
}
