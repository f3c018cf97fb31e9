package report

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"concord/annotate/report"
	"concord/annotate/report/models"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// compareFlags are those of report compare.
type compareFlags struct {
	reportFlags
	against string
	rulesOf []string
	detect  float64
	compare models.Options
}

func newCompareCmd(a *project.Project) *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Two models on the same samples: difference, test, separable or not; or every two runs",
		Long: `Prints the difference between two models over the samples that both have
decided, with its interval and an exact test. --model and --against each name a
model, or a run by its number. With --model alone it is set against every other
run of the same settings; with neither, every two runs of the same settings are
compared, and p-values are adjusted for that (Holm). Runs that --run names are
compared whatever their settings.

Two models are separable where the adjusted p-value is below 0.05, whatever
their intervals look like. In the app the samples that one has right and the
other wrong open from the counts.`,
		Example: `  concord report compare --dataset mmstar
  concord report compare --dataset mmstar --model gpt-4o --against qwen2-vl-7b
  concord report compare --model 1 --against 3 --rules-of 3=mmstar --detect 2`,
		Args: cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.settle(); err != nil {
				return err
			}
			return reportRuns(cmd.Context(), a, &f.reportFlags, func(st *store.Store) (report.Report, error) {
				m := a.Progress("scoring questions")
				defer m.Done()
				o := f.compare
				o.Runs = f.options()
				o.Runs.Model = "" // it names a side, and leaves the others in
				o.Runs.Progress = m.Items
				return models.Compare(cmd.Context(), f.source(st), o)
			})
		},
	}
	f.flags(cmd)
	corrects(cmd, &f.opts.Corrected, true)
	return cmd
}

func (f *compareFlags) flags(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.format, "format", "table", "table, json, csv, markdown, latex or html")
	fs.StringVar(&f.dataset, "dataset", "", "only runs on this dataset")
	fs.StringVar(&f.compare.First, "model", "", "one side: a `model`, or the number of a run")
	fs.StringVar(&f.against, "against", "", "the other side: a `model`, or the number of a run")
	fs.UintSliceVar(&f.runs, "run", nil, "only these runs, by `number`")
	fs.StringVar(&f.opts.Rules, "rules", "", "rule `set` that reads the predictions (default: those that each run was asked under, for imported runs concord)")
	fs.StringSliceVar(&f.rulesOf, "rules-of", nil, "rule set that reads one run, as `RUN=SET`")
	fs.StringVar(&f.opts.Judge, "judge", "", "judge whose extracted answers complete the rules' (default: the run's own, none with --rules; none: the rules alone)")
	fs.StringVar(&f.strategy, "strategy", "", "vanilla or circular (default: each run's own)")
	fs.StringVar(&f.level, "level", "", "l1, l2 or l3: a row for each category at this level too")
	fs.StringVar(&f.opts.Split, "split", "", "only this split")
	f.clusterFlag(cmd)
	fs.Float64Var(&f.detect, "detect", 0, "print how many samples find a difference of this many `points` with a chance of 80 %")
}

// settle checks what the flags say.
func (f *compareFlags) settle() error {
	if f.against != "" && f.compare.First == "" {
		return cli.Usage(fmt.Errorf("--against takes --model, the other side"))
	}
	if f.detect < 0 || f.detect >= 100 {
		return cli.Usage(fmt.Errorf("--detect %v: want points between 0 and 100", f.detect))
	}
	f.compare.Second, f.compare.Detect = f.against, f.detect/100
	f.compare.Rules = make(map[eval.RunID]string)
	for _, word := range f.rulesOf {
		run, set, ok := strings.Cut(word, "=")
		n, err := strconv.ParseUint(run, 10, 32)
		if !ok || err != nil {
			return cli.Usage(fmt.Errorf("--rules-of %q: want a run's number, =, and a rule set", word))
		}
		if _, err := facts.RulesFor(set); err != nil {
			return err
		}
		f.compare.Rules[eval.RunID(n)] = set
	}
	if err := f.parse(); err != nil {
		return cli.Usage(err)
	}
	f.compare.Depth = f.opts.Level
	return nil
}

func newLeaderboardCmd(a *project.Project) *cobra.Command {
	var f leaderboardFlags
	cmd := &cobra.Command{
		Use:   "leaderboard",
		Short: "Models in their order, with ranks that hold at once and those not separable from the best",
		Long: `Prints the runs of each dataset under the same settings in the order of their
accuracy, over the samples that all of them have decided. With --from votes it is
the order of the strengths that pairwise votes give them: Bradley-Terry with ties
(Davidson) and a position effect, judges and people side by side; queues of all
models against all count as those against one anchor do.

A rank comes with an interval; the intervals of a table hold all at once. Models
marked as best are not separable from the best one.`,
		Args: cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.from == "votes" {
				return f.votes(cmd.Context(), a)
			}
			if f.from != "accuracy" || f.people {
				return cli.Usage(fmt.Errorf("--from %s: want accuracy or votes, and --people goes with votes", f.from))
			}
			return reportRuns(cmd.Context(), a, &f.reportFlags, func(st *store.Store) (report.Report, error) {
				o, m := f.options(), a.Progress("scoring questions")
				o.Progress = m.Items
				defer m.Done()
				return models.Leaderboard(cmd.Context(), f.source(st), models.Options{Runs: o})
			})
		},
	}
	f.add(cmd)
	f.clusterFlag(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.from, "from", "accuracy", "what models are ranked by: accuracy, or pairwise votes")
	fs.BoolVar(&f.people, "people", false, "with --from votes: people's votes alone")
	fs.Uint64Var(&f.opts.Seed, "seed", 1, "seed of the intervals")
	fs.StringVar(&f.opts.Rules, "rules", "", "rule `set` that reads the predictions (default: those that each run was asked under, for imported runs concord)")
	fs.StringVar(&f.opts.Judge, "judge", "", "judge whose extracted answers complete the rules' (default: the run's own, none with --rules; none: the rules alone); with --from votes, whose votes rank")
	fs.StringVar(&f.strategy, "strategy", "", "vanilla or circular (default: each run's own)")
	fs.StringVar(&f.opts.Split, "split", "", "only this split")
	return cmd
}

// leaderboardFlags are those of report leaderboard.
type leaderboardFlags struct {
	reportFlags
	from   string
	people bool
}

// votes ranks by pairwise votes.
func (f *leaderboardFlags) votes(ctx context.Context, a *project.Project) error {
	if f.cluster.Field != report.ClusterImage {
		return cli.Usage(fmt.Errorf("--cluster goes with --from accuracy: votes on one sample are one cluster"))
	}
	if f.people && f.opts.Judge != "" {
		return cli.Usage(fmt.Errorf("--people and --judge: whose votes are they"))
	}
	if err := f.check(a.JSON); err != nil {
		return err
	}
	return a.Read(ctx, func(st *store.Store) error {
		m := a.Progress("counting votes")
		r, err := models.VoteBoard(ctx, facts.Source{Store: st}, models.VotesOptions{
			Dataset: eval.DatasetName(f.dataset), Judge: f.opts.Judge, People: f.people, Seed: f.opts.Seed, Progress: m.Items,
		})
		m.Done()
		if err != nil {
			return err
		}
		return a.Render(r, f.format)
	})
}
