package catalogue

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"concord/annotate/report"
	"concord/annotate/report/accuracy"
)

// KindsOfRuns are the reports on runs, in the order in which lists show them.
func KindsOfRuns() []Kind {
	return []Kind{
		ForRuns(namedKind("accuracy"), accuracy.ReportAccuracy, func(a *Request) { a.addCorrectionFlags(&a.Options.Corrected, true) }, addThresholdFlags),
		ForRuns(namedKind("circular"), accuracy.ReportCircular),
		newAbilitiesKind(),
		newAbilitiesKind().newVariant("abilities-l3", "Models by the finest abilities", func(o *report.Options) { o.Level = 3 }, "--level", "l3"),
		ForRuns(namedKind("steps"), accuracy.ReportSteps),
		ForRuns(namedKind("positions"), accuracy.ReportPositions),
		newTextOnlyKind(),
		newTextOnlyByModelKind(),
		newCompareKind(),
		newLeaderboardKind(),
		ForRuns(namedKind("baselines"), accuracy.ReportBaselines, allowOutside),
		ForRuns(namedKind("mme"), accuracy.ReportMME),
		newGainKind(),
		ForRuns(namedKind("leaks"), accuracy.ReportLeaks, addBaseFlags),
		newScoresKind(),
		newRubricKind(),
	}
}

// ForRuns makes a kind of a report on runs, with the flags of all of them and its
// own.
func ForRuns(k Kind, build func(context.Context, report.Facts, report.Options) (report.Report, error), own ...func(*Request)) Kind {
	k.Of = OnRuns
	if k.Needs.What == "" {
		k.Needs = aRun
	}
	k.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) { return build(ctx, f, o) }
	k.flags = func(a *Request) {
		for _, add := range append([]func(*Request){(*Request).addFilterFlags, (*Request).addReaderFlags, addSplits, addClusterFlag}, own...) {
			add(a)
		}
	}
	return k
}

var aRun = Needs{"a run", []string{"import predictions FILE --dataset NAME --model NAME", "eval --dataset NAME --model NAME"}}

// newAbilitiesKind is accuracy by level of the taxonomy.
func newAbilitiesKind() Kind {
	return ForRuns(namedKind("abilities"), accuracy.ReportAbilities, addStrategyFlag, addSplitFlag, levelFlag("l1, l2 or l3: how deep in the taxonomy (default: l2, or the deepest there is)"), func(a *Request) {
		a.AddFlag("chart", boolValue(&a.Options.Chart), "bars, ability by ability, in place of the tables")
	})
}

// newVariant is another form of a report, by flags of its command.
func (k Kind) newVariant(name, title string, set func(*report.Options), args ...string) Kind {
	build := k.Build
	k.Args = append([]string{k.Name}, args...)
	k.Name, k.Title = name, title
	k.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		set(&o)
		return build(ctx, f, o)
	}
	return k
}

// newTextOnlyKind is what models answer without the picture.
func newTextOnlyKind() Kind {
	return ForRuns(namedKind("text-only"), accuracy.ReportTextOnly, func(a *Request) {
		a.AddFlag("text-only", wordValue(&a.Options.TextOnly), "text-only `run` by its number, or a model: its right answers are dropped from the other runs")
		a.AddFlag("by", parsedValue("string", "run", &a.Options.ByModel, parseBy), "run, or model: language models, and models beside their language base, benchmarks as columns")
		addStrategyFlag(a)
		a.Flags[len(a.Flags)-1].Usage = "with --by model: vanilla or circular (default: each run's own)"
		a.addCheck(func() error {
			switch {
			case !a.Options.ByModel && a.Options.Strategy != 0:
				return errors.New("--strategy goes with --by model")
			case a.Options.ByModel && a.Options.TextOnly != "":
				return errors.New("--by model drops no questions: leave out --text-only")
			}
			return nil
		})
	})
}

func parseBy(s string) (model bool, err error) {
	if s != "" && s != "run" && s != "model" {
		return false, fmt.Errorf("unknown --by %q: want run or model", s)
	}
	return s == "model", nil
}

func newTextOnlyByModelKind() Kind {
	return newTextOnlyKind().newVariant("text-only-models", "Models beside their language base, without the image and with it",
		func(o *report.Options) { o.ByModel = true }, "--by", "model")
}

// addBaseFlags adds the flags of reports on models beside their language base.
func addBaseFlags(a *Request) {
	addStrategyFlag(a)
	a.AddFlag("grey", boolValue(&a.Options.Grey), "a run on gray images counts as one without")
	a.AddFlag("shots", parsedValue("int", "", &a.Options.Shots, parseShots), "only runs of the language base with this `number` of worked examples")
	addSplitFlag(a)
}

// parseShots reads a number that may be left out: 0 is one.
func parseShots(s string) (*int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return nil, errors.New("want 0 or more")
	}
	return &n, nil
}

// newGainKind is what pictures add, and what a model answers beyond its language base.
func newGainKind() Kind {
	return ForRuns(namedKind("gain"), accuracy.ReportGains, addBaseFlags, allowOutside, func(a *Request) {
		a.Options.Seed = 1
		a.AddFlag("seed", seedValue(&a.Options.Seed), "without effect: the intervals draw nothing").Hidden = true
	})
}

// newScoresKind is exact match beside the scores of judges and people.
func newScoresKind() Kind {
	k := namedKind("scores")
	k.Of = OnRuns
	k.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		return accuracy.ReportScores(ctx, f, o)
	}
	k.flags = func(a *Request) {
		a.addFilterFlags()
		addClusterFlag(a)
		a.addCorrectionFlags(&a.Options.Corrected, false)
		a.AddFlag("judge", wordValue(&a.Options.Judge), "only scores of this judge")
	}
	return k
}
