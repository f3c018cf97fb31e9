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
		NewAccuracyKind(), NewCircularKind(), NewAbilitiesKind(), newDeepAbilitiesKind(), NewStepsKind(), NewPositionsKind(), NewTextOnlyKind(), newTextOnlyByModelKind(),
		NewCompareKind(), NewLeaderboardKind(), NewBaselinesKind(), NewMMEKind(), NewGainKind(), NewLeaksKind(), NewScoresKind(), NewRubricKind(),
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

// NewAccuracyKind is the accuracy of runs.
func NewAccuracyKind() Kind {
	return ForRuns(namedKind("accuracy"), accuracy.ReportAccuracy, func(a *Request) { a.addCorrectionFlags(&a.Options.Corrected, true) }, addThresholdFlags)
}

// NewCircularKind is vanilla beside circular accuracy.
func NewCircularKind() Kind {
	return ForRuns(namedKind("circular"), accuracy.ReportCircular)
}

// NewAbilitiesKind is accuracy by level of the taxonomy.
func NewAbilitiesKind() Kind {
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

func newDeepAbilitiesKind() Kind {
	return NewAbilitiesKind().newVariant("abilities-l3", "Models by the finest abilities", func(o *report.Options) { o.Level = 3 }, "--level", "l3")
}

// NewStepsKind is what rules, judges and the fallback read.
func NewStepsKind() Kind {
	return ForRuns(namedKind("steps"), accuracy.ReportSteps)
}

// NewPositionsKind is which labels models pick.
func NewPositionsKind() Kind {
	return ForRuns(namedKind("positions"), accuracy.ReportPositions)
}

// NewTextOnlyKind is what models answer without the picture.
func NewTextOnlyKind() Kind {
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
	return NewTextOnlyKind().newVariant("text-only-models", "Models beside their language base, without the image and with it",
		func(o *report.Options) { o.ByModel = true }, "--by", "model")
}

// NewBaselinesKind is models beside answers at random.
func NewBaselinesKind() Kind {
	return ForRuns(namedKind("baselines"), accuracy.ReportBaselines, allowOutside)
}

// NewMMEKind is MME's scores.
func NewMMEKind() Kind {
	return ForRuns(namedKind("mme"), accuracy.ReportMME)
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

// NewGainKind is what pictures add, and what a model answers beyond its language base.
func NewGainKind() Kind {
	return ForRuns(namedKind("gain"), accuracy.ReportGains, addBaseFlags, allowOutside, func(a *Request) {
		a.Options.Seed = 1
		a.AddFlag("seed", seedValue(&a.Options.Seed), "without effect: the intervals draw nothing").Hidden = true
	})
}

// NewLeaksKind is which samples training turns right without the picture.
func NewLeaksKind() Kind {
	return ForRuns(namedKind("leaks"), accuracy.ReportLeaks, addBaseFlags)
}

// NewScoresKind is exact match beside the scores of judges and people.
func NewScoresKind() Kind {
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
