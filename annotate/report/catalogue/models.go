package catalogue

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/models"
	"concord/eval"
)

// newCompareKind is every two runs of the same settings, or two that are named.
func newCompareKind() Kind {
	k := namedKind("compare")
	k.Of = OnRuns
	build := func(c models.Options) func(context.Context, Facts, report.Options) (report.Report, error) {
		return func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
			c.Runs, c.Depth = o, o.Level
			return models.ReportComparison(ctx, f, c)
		}
	}
	k.Build = build(models.Options{})
	k.flags = func(a *Request) {
		var c models.Options
		var rulesOf []string
		a.AddFlag("dataset", wordValue(&a.Options.Dataset), "only runs on this dataset")
		a.AddFlag("model", wordValue(&c.First), "one side: a `model`, or the number of a run")
		a.AddFlag("against", wordValue(&c.Second), "the other side: a `model`, or the number of a run")
		a.addRunFlag()
		a.addReaderFlags()
		a.AddFlag("rules-of", wordsValue(&rulesOf), "rule set that reads one run, as `RUN=SET`")
		addStrategyFlag(a)
		levelFlag("l1, l2 or l3: a row for each category at this level too")(a)
		addSplitFlag(a)
		addClusterFlag(a)
		a.addCorrectionFlags(&a.Options.Corrected, true)
		a.AddFlag("detect", floatValue(&c.Detect), "print how many samples find a difference of this many `points` with a chance of 80 %")
		a.addCheck(func() (err error) {
			switch {
			case c.Second != "" && c.First == "":
				return errors.New("--against takes --model, the other side")
			case !(c.Detect >= 0 && c.Detect < percent):
				return fmt.Errorf("--detect %v: want points between 0 and 100", c.Detect)
			}
			c.Detect /= percent
			c.Rules, err = parseRulesByRun(rulesOf)
			a.Build = build(c)
			return err
		})
	}
	return k
}

// parseRulesByRun reads the rule sets of single runs.
func parseRulesByRun(all []string) (map[eval.RunID]string, error) {
	out := make(map[eval.RunID]string)
	for _, one := range all {
		run, set, ok := strings.Cut(one, "=")
		n, err := strconv.ParseUint(run, 10, 32)
		if !ok || err != nil {
			return nil, fmt.Errorf("--rules-of %q: want a run's number, =, and a rule set", one)
		}
		if err := requireKnownRules(set); err != nil {
			return nil, err
		}
		out[eval.RunID(n)] = set
	}
	return out, nil
}

// newLeaderboardKind is models in the order of their accuracy, or of votes.
func newLeaderboardKind() Kind {
	k := namedKind("leaderboard")
	k.Of = OnRuns
	k.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		return models.ReportLeaderboard(ctx, f, models.Options{Runs: o})
	}
	k.flags = func(a *Request) {
		from, people := "accuracy", false
		a.Options.Seed = 1
		a.addFilterFlags()
		a.AddFlag("from", wordValue(&from), "what models are ranked by: accuracy, or pairwise votes")
		a.AddFlag("people", boolValue(&people), "with --from votes: people's votes alone")
		a.AddFlag("seed", seedValue(&a.Options.Seed), "seed of the intervals")
		a.addReaderFlags()
		a.Flags[len(a.Flags)-1].Usage += "; with --from votes, whose votes rank"
		addStrategyFlag(a)
		addSplitFlag(a)
		addClusterFlag(a)
		a.addCheck(func() error {
			switch {
			case from != "votes" && (from != "accuracy" || people):
				return fmt.Errorf("--from %s: want accuracy or votes, and --people goes with votes", from)
			case people && a.Options.Judge != "":
				return errors.New("--people and --judge: whose votes are they")
			case from == "votes":
				if a.Cluster.Said = true; !a.isGiven("cluster") {
					a.Cluster.Field = "" // each its sample's
				}
				a.Of, a.Build = OnVotes, buildLeaderboardByVotes(people, a.Cluster.Field != "")
			}
			return nil
		})
	}
	return k
}

func buildLeaderboardByVotes(people, clustered bool) func(context.Context, Facts, report.Options) (report.Report, error) {
	return func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		return models.VoteBoard(ctx, f, models.VotesOptions{Dataset: o.Dataset, Judge: o.Judge, People: people, Clustered: clustered, Seed: o.Seed, Progress: o.Progress})
	}
}

// newLeaderboardByVotesKind is models in the order of the strengths that votes give them.
func newLeaderboardByVotesKind() Kind {
	k := newLeaderboardKind().newVariant("leaderboard-votes", "Models in the order of the votes", nil, "--from", "votes")
	k.Build = buildLeaderboardByVotes(false, false)
	return k
}
