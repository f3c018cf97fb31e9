package catalogue

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/alignment"
	"concord/annotate/report/pairwise"
	"concord/eval"
)

// Request is a report that somebody asks for by a command: its flags are set, it is checked and built.
type Request struct {
	Flags   []Flag
	Options report.Options     // what flags set that several reports have
	Of      Subject            // what the flags choose; checking may change it
	Cluster *report.Clustering // what samples share; nil: their image
	Outside bool               // scores measured elsewhere may stand for all runs
	Votes   *pairwise.VoteOptions
	Build   func(context.Context, Facts, report.Options) (report.Report, error)
	Unmet   func(*report.Report) []alignment.Gate // what does not reach a floor that was given; nil: there is none

	models bool // policies may be over all items of a queue
	checks []func() error
}

// NewRequest asks for the report by its command.
func (k *Kind) NewRequest() *Request {
	a := &Request{Of: k.Of, Build: k.Build}
	if k.flags != nil {
		k.flags(a)
	}
	return a
}

// CheckFlags says what is wrong with the flags together.
func (a *Request) CheckFlags() error {
	return eval.Each(a.checks, func(check func() error) error { return check() })
}

// AddFlag adds a flag.
func (a *Request) AddFlag(name string, v *Value, usage string) *Flag {
	a.Flags = append(a.Flags, Flag{Name: name, Usage: usage, Value: v})
	return &a.Flags[len(a.Flags)-1]
}

func (a *Request) addCheck(f func() error) { a.checks = append(a.checks, f) }

// isGiven reports whether a flag was set, if only to its default.
func (a *Request) isGiven(name string) bool {
	return slices.ContainsFunc(a.Flags, func(f Flag) bool { return f.Name == name && f.Value.given })
}

// addFilterFlags adds the flags of all that is about runs.
func (a *Request) addFilterFlags() {
	a.AddFlag("dataset", wordValue(&a.Options.Dataset), "only runs on this dataset")
	a.AddFlag("model", wordValue(&a.Options.Model), "only runs of this model")
	a.addRunFlag()
}

// addClusterFlag adds the flag of what samples share.
func addClusterFlag(a *Request) {
	a.Cluster = &report.Clustering{Field: report.ClusterImage}
	a.AddFlag("cluster", wordValue(&a.Cluster.Field),
		"samples that share this `field` are one cluster in every interval: image, question, hint, category, l1 to l3, split, source, or a column of the dataset's file")
}

// addSampleClusterFlag adds the flag for labels and votes, which are clustered by sample without it.
func addSampleClusterFlag(a *Request) {
	a.Cluster = &report.Clustering{Said: true}
	a.AddFlag("cluster", wordValue(&a.Cluster.Field),
		"samples that share this `field` are one cluster in every interval (default: each its own): image, question, hint, category, l1 to l3, split, source, or a column of the dataset's file")
}

func (a *Request) addRunFlag() {
	a.AddFlag("run", runsValue(&a.Options.Runs), "only these runs, by `number`")
}

func (a *Request) addReaderFlags() {
	a.addCheck(func() error { return requireKnownRules(a.Options.Rules) })
	a.AddFlag("rules", wordValue(&a.Options.Rules),
		"rule `set` that reads the predictions (default: those that each run was asked under, for imported runs concord)")
	a.AddFlag("judge", wordValue(&a.Options.Judge),
		"judge whose extracted answers complete the rules' (default: the run's own, none with --rules; none: the rules alone)")
}

// requireKnownRules says of the first name that no rule set has which there are.
func requireKnownRules(names ...string) error {
	for _, name := range names {
		if _, err := report.FindRules(nil, name); err != nil && name != "" {
			return fmt.Errorf("--rules: %w", errors.Unwrap(err))
		}
	}
	return nil
}

func (a *Request) addBySplitFlag() {
	a.AddFlag("by-split", boolValue(&a.Options.BySplit), "a row for each split too")
}

func addStrategyFlag(a *Request) {
	a.AddFlag("strategy", optionValue(&a.Options.Strategy, eval.ParseStrategy), "vanilla or circular (default: each run's own)")
}

func addSplitFlag(a *Request) { a.AddFlag("split", wordValue(&a.Options.Split), "only this split") }

func makeLevelFlag(usage string) func(*Request) {
	return func(a *Request) { a.AddFlag("level", optionValue(&a.Options.Level, parseLevel), usage) }
}

func parseLevel(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(strings.ToLower(s), "l"))
	if err != nil || n < 1 || n > 9 {
		return 0, fmt.Errorf("unknown level %q: want l1, l2, l3 or a number", s)
	}
	return n, nil
}

func allowOutside(a *Request) { a.Outside = true }

// addPolicyFlags adds the flags of when people have agreed.
func (a *Request) addPolicyFlags(policy *annotate.Policy, undecided *annotate.Undecided, when, where string) {
	*policy, *undecided = annotate.Majority, annotate.Dropped
	a.AddFlag("policy", parsedValue("string", policy.String(), policy, annotate.ParsePolicy), when)
	a.AddFlag("undecided", parsedValue("string", undecided.String(), undecided, annotate.ParseUndecided), where)
	a.addCheck(func() error {
		if *policy == annotate.DawidSkene && !a.models {
			return errors.New("--policy dawid-skene is one of report alignment and, with --corrected, of report accuracy and report compare: here everybody's word is set beside that of the others, of whom a model would have to be fitted for every two people")
		}
		return nil
	})
}

// addCorrectionFlags adds the flags of a score that people's labels correct. Policies are
// those of labels, which votes and scores have none of.
func (a *Request) addCorrectionFlags(to **report.Correcting, policies bool) {
	asked, c, within := false, report.Correcting{}, 2.0
	a.AddFlag("corrected", boolValue(&asked), "the score corrected by people's labels, beside the judge's and people's own")
	a.AddFlag("queue", wordsValue(&c.Queues), "with --corrected: only labels of these `queues` (default: all that were drawn at random)")
	a.AddFlag("within", floatValue(&within), "with --corrected: tell how many labels an interval of this many `points` to either side needs")
	if policies {
		a.models = true
		a.addPolicyFlags(&c.Policy, &c.Undecided, "with --corrected: when people have agreed: unanimous, majority, plurality, adjudicated (an adjudication wins), or dawid-skene, by a model of their errors",
			"with --corrected: items without consensus: dropped, or counted as none")
	}
	a.addCheck(func() error {
		for _, name := range []string{"queue", "within", "policy", "undecided"} {
			if !asked && a.isGiven(name) {
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

// GateUsage is the help of the flag that ParseGate reads.
const GateUsage = "what has to reach a floor: the lower bound of the figure, or its value"

// ParseGate reads what of a figure has to reach a floor: its lower bound, or its value.
func ParseGate(s string) (byValue bool, err error) {
	switch s {
	case "bound", "":
		return false, nil
	case "value":
		return true, nil
	}
	return false, fmt.Errorf("--gate %q: want bound or value", s)
}

// addThresholdFlags adds the flags of what a pipeline demands of the accuracy of every row.
func addThresholdFlags(a *Request) {
	least, byValue := 0.0, false
	a.AddFlag("min-accuracy", floatValue(&least), "`floor` of the accuracy of every row, from 0 to 1: below it the exit status is 3")
	a.AddFlag("gate", parsedValue("string", "bound", &byValue, ParseGate), GateUsage)
	a.addCheck(func() error {
		if !(least >= 0 && least <= 1) {
			return fmt.Errorf("--min-accuracy %v: a floor is a share: 0.8, not 80", least)
		}
		return nil
	})
	a.Unmet = func(r *report.Report) (out []alignment.Gate) {
		for _, row := range report.SelectRows[*accuracy.Row](r.Rows) {
			if least == 0 {
				break
			}
			g := newGateOf(row)
			g.Min, g.ByValue = least, byValue
			if !g.IsMet() {
				out = append(out, g)
			}
		}
		return out
	}
}

// addCeilingFlags adds the flags of how far alignment may drop since a saved report.
func addCeilingFlags(a *Request) *alignment.Ceiling {
	c, points := new(alignment.Ceiling), 0.0
	a.AddFlag("max-drop", floatValue(&points), "how many `points` alignment may have dropped since a saved report: from there on the exit status is 3")
	a.AddFlag("since", seedValue(&c.Since), "with --max-drop: the `number` of the saved report (default: the last one by this policy)")
	a.AddFlag("gate", parsedValue("string", "bound", &c.ByValue, ParseGate), "with --max-drop: what has to stay below it: the upper bound of the drop, or its value")
	a.addCheck(func() error {
		switch c.Max = points / percent; {
		case !a.isGiven("max-drop") && (a.isGiven("since") || a.isGiven("gate")):
			return errors.New("--since and --gate go with --max-drop")
		case a.isGiven("max-drop") && !(points > 0 && points <= percent):
			return fmt.Errorf("--max-drop %v: want a number of points above 0: 2 and not 0.02", points)
		}
		return nil
	})
	a.Unmet = alignment.FindUnmetDrops
	return c
}

// newGateOf gives what a row has for a floor: with people's labels, the corrected accuracy.
func newGateOf(a *accuracy.Row) alignment.Gate {
	name := fmt.Sprintf("%s accuracy of run %d (%s, split %s)", a.Strategy, a.Run, a.Model, a.Split)
	if a.Correction == nil {
		return alignment.NewGate(name, &a.Accuracy)
	}
	c := &a.Corrected.Estimate
	g := alignment.Gate{Figure: "corrected " + name, Value: c.Value, Undefined: c.WhyUndefined()}
	if !c.Exact {
		g.Low = &c.Low
	}
	return g
}

// Flag is a flag of a report's command: its name, its help, and what it sets.
type Flag struct {
	Name, Usage string
	Value       *Value
	Needed      bool // the command does nothing without it
	Hidden      bool // scripts of earlier versions give it
}

// Value is what a flag sets. It is a value of the flags of a shell's command, and knows none of these.
type Value struct {
	kind, text string
	set        func(string) error
	given      bool
}

// String is the value as it was given, or the default.
func (v *Value) String() string { return v.text }

// Type names what is given: bool for a flag that takes nothing.
func (v *Value) Type() string { return v.kind }

// Set reads what was given.
func (v *Value) Set(s string) error {
	if err := v.set(s); err != nil {
		return err
	}
	v.text, v.given = s, true
	return nil
}

// parsedValue is a value that parse reads. Shown is the default, "" for none.
func parsedValue[T any](kind, shown string, to *T, parse func(string) (T, error)) *Value {
	return &Value{kind: kind, text: shown, set: func(s string) (err error) {
		*to, err = parse(s)
		return err
	}}
}

func wordValue[T ~string](to *T) *Value {
	return parsedValue("string", string(*to), to, func(s string) (T, error) { return T(s), nil })
}

// optionValue is a word for a setting that is unset unless it is given; given as "" it is unset.
func optionValue[T any](to *T, parse func(string) (T, error)) *Value {
	return parsedValue("string", "", to, func(s string) (t T, err error) {
		if s == "" {
			return t, nil
		}
		return parse(s)
	})
}

func boolValue(to *bool) *Value { return parsedValue("bool", "false", to, strconv.ParseBool) }

func intValue(to *int) *Value { return parsedValue("int", strconv.Itoa(*to), to, strconv.Atoi) }

func seedValue(to *uint64) *Value {
	return parsedValue("uint64", strconv.FormatUint(*to, 10), to, func(s string) (uint64, error) { return strconv.ParseUint(s, 0, 64) })
}

func floatValue(to *float64) *Value {
	return parsedValue("float64", strconv.FormatFloat(*to, 'g', -1, 64), to, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
}

// listValue lists several values, given one after the other or with commas between.
func listValue[T any](kind string, to *[]T, parse func(string) (T, error)) *Value {
	return &Value{kind: kind, set: func(s string) error {
		if s == "" {
			return nil
		}
		parts, err := csv.NewReader(strings.NewReader(s)).Read()
		if err != nil {
			return err
		}
		for _, p := range parts {
			t, err := parse(p)
			if err != nil {
				return err
			}
			*to = append(*to, t)
		}
		return nil
	}}
}

func wordsValue[T ~string](to *[]T) *Value {
	return listValue("strings", to, func(s string) (T, error) { return T(s), nil })
}

func runsValue(to *[]eval.RunID) *Value {
	return listValue("uints", to, func(s string) (eval.RunID, error) {
		n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 32)
		if err != nil {
			return 0, fmt.Errorf("want the number of a run")
		}
		return eval.RunID(n), nil
	})
}
