package catalogue

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/annotate/report/pairwise"
	"concord/eval"
)

// Asking is a report that somebody asks for by a command: its flags are set, it is
// checked, and then built.
type Asking struct {
	Flags   []Flag
	Options report.Options     // what flags set that several reports have
	Of      Subject            // what the flags choose; checking may change it
	Doing   string             // what is said of its progress; "": nothing
	Cluster *report.Clustering // what samples share; nil: their image
	Outside bool               // scores measured elsewhere may stand for all runs
	Votes   *pairwise.VoteOptions
	Build   func(context.Context, Facts, report.Options) (report.Report, error)
	Unmet   func(*report.Report) []alignment.Gate // what does not reach a floor that was given; nil: there is none

	models bool // policies may be over all items of a queue
	checks []func() error
}

// Ask asks for the report by its command.
func (k *Kind) Ask() *Asking {
	a := &Asking{Of: k.Of, Build: k.Build}
	if k.flags != nil {
		k.flags(a)
	}
	return a
}

// Check says what is wrong with the flags together.
func (a *Asking) Check() error {
	for _, check := range a.checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// Flag adds a flag.
func (a *Asking) Flag(name string, v *Value, usage string) *Flag {
	a.Flags = append(a.Flags, Flag{Name: name, Usage: usage, Value: v})
	return &a.Flags[len(a.Flags)-1]
}

func (a *Asking) check(f func() error) { a.checks = append(a.checks, f) }

// given reports whether a flag was set, if only to its default.
func (a *Asking) given(name string) bool {
	for i := range a.Flags {
		if f := &a.Flags[i]; f.Name == name {
			return f.Value.given
		}
	}
	return false
}

// filters are the flags of all that is about runs.
func (a *Asking) filters() {
	a.Flag("dataset", word(&a.Options.Dataset), "only runs on this dataset")
	a.Flag("model", word(&a.Options.Model), "only runs of this model")
	a.runs()
}

// clusters is the flag of what samples share.
func clusters(a *Asking) {
	a.Cluster = &report.Clustering{Field: report.ClusterImage}
	a.Flag("cluster", word(&a.Cluster.Field),
		"samples that share this `field` are one cluster in every interval: image, question, hint, category, l1 to l3, split, source, or a column of the dataset's file")
}

// clustersOfSamples is the flag for labels and votes, which are clustered by their
// sample unless it is given.
func clustersOfSamples(a *Asking) {
	a.Cluster = &report.Clustering{Said: true}
	a.Flag("cluster", word(&a.Cluster.Field),
		"samples that share this `field` are one cluster in every interval (default: each its own): image, question, hint, category, l1 to l3, split, source, or a column of the dataset's file")
}

func (a *Asking) runs() {
	a.Flag("run", runs(&a.Options.Runs), "only these runs, by `number`")
}

// read are the flags of who reads the predictions.
func (a *Asking) read() {
	a.Flag("rules", parsed("string", "", &a.Options.Rules, rules),
		"rule `set` that reads the predictions (default: those that each run was asked under, for imported runs concord)")
	a.Flag("judge", word(&a.Options.Judge),
		"judge whose extracted answers complete the rules' (default: the run's own, none with --rules; none: the rules alone)")
}

func rules(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	_, err := report.FindRules(nil, name)
	return name, errors.Unwrap(err)
}

func splits(a *Asking) { a.Flag("by-split", on(&a.Options.BySplit), "a row for each split too") }

func strategy(a *Asking) {
	a.Flag("strategy", option(&a.Options.Strategy, eval.ParseStrategy), "vanilla or circular (default: each run's own)")
}

func split(a *Asking) { a.Flag("split", word(&a.Options.Split), "only this split") }

func level(usage string) func(*Asking) {
	return func(a *Asking) { a.Flag("level", option(&a.Options.Level, parseLevel), usage) }
}

func parseLevel(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(strings.ToLower(s), "l"))
	if err != nil || n < 1 || n > 9 {
		return 0, fmt.Errorf("unknown level %q: want l1, l2, l3 or a number", s)
	}
	return n, nil
}

func outside(a *Asking) { a.Outside = true }

// policies are the flags of when people have agreed.
func (a *Asking) policies(policy *annotate.Policy, undecided *annotate.Undecided, when, where string) {
	*policy, *undecided = annotate.Majority, annotate.Dropped
	a.Flag("policy", parsed("string", policy.String(), policy, annotate.ParsePolicy), when)
	a.Flag("undecided", parsed("string", undecided.String(), undecided, annotate.ParseUndecided), where)
	a.check(func() error {
		if *policy == annotate.DawidSkene && !a.models {
			return errors.New("--policy dawid-skene is one of report alignment, report agreement, and of report accuracy and compare with --corrected: here everybody's word is set beside that of the others, of whom a model would have to be fitted for every two people")
		}
		return nil
	})
}

// corrects are the flags of a score that people's labels correct. Policies are
// those of labels, which votes and scores have none of.
func (a *Asking) corrects(to **report.Correcting, policies bool) {
	asked, c, within := false, report.Correcting{}, 2.0
	a.Flag("corrected", on(&asked), "the score corrected by people's labels, beside the judge's and people's own")
	a.Flag("queue", words(&c.Queues), "with --corrected: only labels of these `queues` (default: all that were drawn at random)")
	a.Flag("within", decimal(&within), "with --corrected: tell how many labels an interval of this many `points` to either side needs")
	if policies {
		a.models = true
		a.policies(&c.Policy, &c.Undecided, "with --corrected: when people have agreed: unanimous, majority, plurality, adjudicated (an adjudication wins), or dawid-skene, by a model of their errors",
			"with --corrected: items without consensus: dropped, or counted as none")
	}
	a.check(func() error {
		for _, name := range []string{"queue", "within", "policy", "undecided"} {
			if !asked && a.given(name) {
				return fmt.Errorf("--%s goes with --corrected", name)
			}
		}
		if !(within > 0 && within < percent/2) {
			return errors.New("--within is a number of points between 0 and 50")
		}
		if c.Within = within / percent; asked {
			*to = &c
		}
		return nil
	})
}

const percent = 100
