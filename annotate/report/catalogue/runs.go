package catalogue

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/pairwise"
	"concord/eval/metric"
)

// KindsOfRuns are the reports on runs, in the order in which lists show them.
func KindsOfRuns() []Kind {
	return []Kind{
		NewRunsKind(kindFromTexts("accuracy"), accuracy.ReportAccuracy, func(a *Request) { a.addCorrectionFlags(&a.Options.Corrected, true) }, addThresholdFlags),
		NewRunsKind(kindFromTexts("circular"), accuracy.ReportCircular),
		newAbilitiesKind(),
		newAbilitiesKind().newVariant("abilities-l3", "Models by the finest abilities", func(o *report.Options) { o.Level = 3 }, "--level", "l3"),
		NewRunsKind(kindFromTexts("steps"), accuracy.ReportSteps),
		NewRunsKind(kindFromTexts("positions"), accuracy.ReportPositions),
		newTextOnlyKind(),
		newTextOnlyKind().newVariant("text-only-models", "Models beside their language base, without the image and with it", func(o *report.Options) { o.ByModel = true }, "--by", "model"),
		newCompareKind(),
		newLanguagesKind(),
		newLeaderboardKind(),
		NewRunsKind(kindFromTexts("baselines"), accuracy.ReportBaselines, allowOutside),
		NewRunsKind(kindFromTexts("mme"), accuracy.ReportMME),
		newGainKind(),
		NewRunsKind(kindFromTexts("leaks"), accuracy.ReportLeaks, addBaseFlags),
		newScoresKind(),
		newRubricKind(),
	}
}

// NewRunsKind makes a kind of a report on runs, with the flags of all of them and its own.
func NewRunsKind(k Kind, build func(context.Context, report.Facts, report.Options) (report.Report, error), own ...func(*Request)) Kind {
	k.Of = OnRuns
	if k.Needs.What == "" {
		k.Needs = aRun
	}
	k.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) { return build(ctx, f, o) }
	k.flags = func(a *Request) {
		for _, add := range append([]func(*Request){(*Request).addFilterFlags, (*Request).addReaderFlags, (*Request).addBySplitFlag, addClusterFlag}, own...) {
			add(a)
		}
	}
	return k
}

var aRun = Needs{"a run", []string{"import predictions FILE --dataset NAME --model NAME", "eval --dataset NAME --model NAME"}}

// newAbilitiesKind is accuracy by level of the taxonomy.
func newAbilitiesKind() Kind {
	return NewRunsKind(kindFromTexts("abilities"), accuracy.ReportAbilities, addStrategyFlag, addSplitFlag, makeLevelFlag("l1, l2 or l3: how deep in the taxonomy (default: l2, or the deepest there is)"), func(a *Request) {
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
	return NewRunsKind(kindFromTexts("text-only"), accuracy.ReportTextOnly, func(a *Request) {
		a.AddFlag("text-only", wordValue(&a.Options.TextOnly), "text-only `run` by its number, or a model: its right answers are dropped from the other runs")
		a.AddFlag("by", parsedValue("string", "run", &a.Options.ByModel, parseByRunOrModel), "run, or model: language models, and models beside their language base, benchmarks as columns")
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

func parseByRunOrModel(s string) (model bool, err error) {
	if s != "" && s != "run" && s != "model" {
		return false, fmt.Errorf("unknown --by %q: want run or model", s)
	}
	return s == "model", nil
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
	return NewRunsKind(kindFromTexts("gain"), accuracy.ReportGains, addBaseFlags, allowOutside, func(a *Request) {
		a.Options.Seed = 1
		a.AddFlag("seed", seedValue(&a.Options.Seed), "without effect: the intervals draw nothing").Hidden = true
	})
}

// newScoresKind is exact match beside the scores of judges and people.
func newScoresKind() Kind {
	return newKind("scores", OnRuns, func(a *Request) {
		a.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
			return accuracy.ReportScores(ctx, f, o)
		}
		a.addFilterFlags()
		addClusterFlag(a)
		a.addCorrectionFlags(&a.Options.Corrected, false)
		a.AddFlag("judge", wordValue(&a.Options.Judge), "only scores of this judge")
	})
}

// KindsOfVotes are the reports on votes, in the order in which lists show them. Of
// the options they take which runs they are about, and Ranks how runs are read.
func KindsOfVotes() []Kind {
	return []Kind{
		newVotesKind("votes", pairwise.ReportVotes, func(a *Request, p *pairwise.AgreementOptions) { a.addCorrectionFlags(&p.Corrected, false) }, addVoteClusterFlag),
		newVotesKind("bias", pairwise.ReportBias, addVoteClusterFlag),
		newLeaderboardByVotesKind(),
		newAgreementKind(),
		newPeopleVotesKind("people", pairwise.ReportPeople, addVoteClusterFlag),
		newVotesKind("repeats", pairwise.ReportRepeats, addVoteClusterFlag),
		newRankingsKind(),
	}
}

type (
	voteBuild func(context.Context, report.VoteFacts, pairwise.VoteOptions) (report.Report, error)
	pollBuild func(context.Context, report.VoteFacts, pairwise.AgreementOptions) (report.Report, error)
)

func newVotesKind(name string, build voteBuild, own ...func(*Request, *pairwise.AgreementOptions)) Kind {
	return newPollsKind(name, func(ctx context.Context, f report.VoteFacts, o pairwise.AgreementOptions) (report.Report, error) {
		return build(ctx, f, o.VoteOptions)
	}, append(own, func(a *Request, p *pairwise.AgreementOptions) {
		p.Merge = metric.MergeMLLMBench
		a.AddFlag("merge", parsedValue("string", p.Merge.String(), &p.Merge, metric.ParseMerging),
			"how votes become one: mllm-bench (of both orders) or asked (a question asked in one order counts by that vote)")
	})...)
}

// newPeopleVotesKind makes a kind of a report on people's votes in queues of pairs.
func newPeopleVotesKind(name string, build pollBuild, own ...func(*Request, *pairwise.AgreementOptions)) Kind {
	return newPollsKind(name, build, append(own, func(a *Request, p *pairwise.AgreementOptions) {
		a.AddFlag("queue", wordValue(&p.Queue), "only this queue of pairs")
	})...)
}

func newPollsKind(name string, build pollBuild, own ...func(*Request, *pairwise.AgreementOptions)) Kind {
	return newKind(name, OnVotes, func(a *Request) {
		var p pairwise.AgreementOptions
		a.Votes = &p.VoteOptions
		a.addFilterFlags()
		a.AddFlag("anchor", wordValue(&p.Anchor), "the `model` that the others are set against (default: the queue's, or the one that all votes share, the older of two)")
		a.AddFlag("judge", wordValue(&p.Judge), "only votes of this judge")
		a.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
			by := p
			by.Runs, by.Dataset, by.Model = o.Runs, o.Dataset, o.Model
			return build(ctx, f, by)
		}
		for _, add := range own {
			add(a, &p)
		}
	})
}

func addVoteClusterFlag(a *Request, _ *pairwise.AgreementOptions) { addSampleClusterFlag(a) }

// newAgreementKind is judges beside people.
func newAgreementKind() Kind {
	return newPeopleVotesKind("agreement", pairwise.ReportAgreement, func(a *Request, p *pairwise.AgreementOptions) {
		a.AddFlag("policy", parsedValue("string", mllmBench, &p.Policy, parsePairPolicy),
			"when people have agreed: mllm-bench (more prefer one answer, and no more were unable), unanimous, majority or plurality")
		p.Undecided = annotate.Dropped
		a.AddFlag("undecided", parsedValue("string", p.Undecided.String(), &p.Undecided, parseUndecidedOrTie),
			"pairs on which people or the judge prefer neither: dropped, a tie, or people's as a class of its own (own)")
	}, addVoteClusterFlag)
}

const mllmBench = "mllm-bench"

// parsePairPolicy reads when people have agreed on a pair; unset is as MLLM-Bench has it.
func parsePairPolicy(s string) (annotate.Policy, error) {
	if s == mllmBench {
		return annotate.PolicyUnset, nil
	}
	p, err := annotate.ParsePolicy(s)
	switch {
	case err != nil:
		return p, fmt.Errorf("%w, or mllm-bench", err)
	case p == annotate.Adjudicated:
		return p, errors.New("votes on pairs have no adjudications; want unanimous, majority, plurality or mllm-bench")
	case p == annotate.DawidSkene:
		return p, errors.New("dawid-skene is of labels (report alignment; accuracy and compare with --corrected): each person is a row here, beside the judge, whose errors the model would have to find from the others alone; want unanimous, majority, plurality or mllm-bench")
	}
	return p, nil
}

func parseUndecidedOrTie(s string) (annotate.Undecided, error) {
	if s == "tie" {
		return annotate.CountedAsNone, nil
	}
	u, err := annotate.ParseUndecided(s)
	if err != nil {
		err = fmt.Errorf("%w, or tie", err)
	}
	return u, err
}

func newRankingsKind() Kind {
	k := newVotesKind("ranks", nil, addVoteClusterFlag, func(a *Request, p *pairwise.AgreementOptions) {
		by := uint64(1)
		a.AddFlag("seed", seedValue(&by), "of the orders that the permutation test draws of ten models or more")
		a.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
			p.Runs, p.Dataset, p.Model = o.Runs, o.Dataset, o.Model
			return ReportRankCorrelation(ctx, f, pairwise.RankOptions{Votes: p.VoteOptions, Seed: by}, report.Options{})
		}
	})
	k.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		return ReportRankCorrelation(ctx, f, pairwise.RankOptions{Votes: pairwise.VoteOptions{Dataset: o.Dataset}, Seed: 1}, o)
	}
	return k
}

// ReportRankCorrelation correlates the rankings by votes and by people with those by benchmarks. Scores
// say how runs on benchmarks are read: which ones, the options on votes say.
func ReportRankCorrelation(ctx context.Context, facts report.VoteFacts, o pairwise.RankOptions, scores report.Options) (report.Report, error) {
	scores.Runs, scores.Dataset, scores.Model = o.Votes.Runs, o.Votes.Dataset, o.Votes.Model
	o.Benchmarks = func(ctx context.Context) ([]*report.Ranking, []string, error) {
		return accuracy.CollectRankings(ctx, facts, scores)
	}
	return pairwise.ReportRankCorrelation(ctx, facts, o)
}
