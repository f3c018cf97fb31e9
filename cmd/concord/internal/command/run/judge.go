package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// NewJudgeCmd makes the command judge.
func NewJudgeCmd(a *project.Project) *cobra.Command {
	var f judgeFlags
	cmd := &cobra.Command{
		Use:   "judge --dataset NAME --judge NAME",
		Short: "Have a judge model read what the rules could not",
		Long:  cli.Help("judge"),
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.Need(cmd, "dataset"); err != nil {
				return err
			}
			if len(f.judges) == 0 {
				return cli.Usage(fmt.Errorf("--judge is missing (see: %s --help)", cmd.CommandPath()))
			}
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error { return judgeRuns(cmd.Context(), a, st, &f) })
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.dataset, "dataset", "", "the dataset that was answered (required)")
	fs.StringVar(&f.model, "model", "", "only predictions of this model")
	fs.UintSliceVar(&f.runs, "run", nil, "only these runs, by `number`")
	fs.StringSliceVar(&f.judges, "judge", nil, "`name` of a judge in the configuration; repeatable (required)")
	fs.StringVar(&f.language, "language", "", "language of the prompt, en or zh (default: the question's own)")
	fs.BoolVar(&f.effort.Fallback, "fallback", false, "draw at random what the judge cannot read (the third step of MMBench's protocol)")
	fs.BoolVar(&f.effort.FailedOnly, "retry-failed", false, "ask again what failed, and nothing else")
	fs.IntVar(&f.effort.Concurrency, "concurrency", 0, "questions asked concurrently (default: as configured)")
	f.budget.Add(fs, "a run")
	cmd.AddCommand(newJudgeVotesCmd(a), newJudgeScoresCmd(a))
	return cmd
}

type judgeFlags struct {
	dataset, model, language string
	runs                     []uint
	judges                   []string
	budget                   jobs.Budget
	effort                   jobs.Effort
}

// judgeRuns has the judges read the runs that pass the filters, one run after
// the other.
func judgeRuns(ctx context.Context, a *project.Project, st *store.Store, f *judgeFlags) error {
	l, err := jobs.NewFactory(a, st)
	if err != nil {
		return err
	}
	runs, err := facts.MatchRuns(st, f.dataset, f.model, f.runs)
	if err != nil {
		return err
	}
	e := f.effort
	if e.Budget, err = f.budget.Read(); err != nil {
		return err
	}
	if e.JudgeOnly, err = l.JudgeSetups(ctx, eval.DatasetName(f.dataset), f.judges, f.language); err != nil {
		return err
	}
	said := []jobs.RunSummary{} // one object for scripts, whatever the number of runs
	say := func(s jobs.RunSummary) error { return jobs.PrintSummary(l.Project, s) }
	if a.JSON {
		say = func(s jobs.RunSummary) error { said = append(said, s); return nil }
	}
	var all, paused error
	for _, run := range runs {
		err := l.Work(ctx, run, false, e, say)
		if status := (cli.StatusError{}); errors.As(err, &status) {
			paused = err
		} else {
			all = errors.Join(all, err)
		}
		var f *eval.Failure
		if ctx.Err() != nil || errors.As(err, &f) && f.Kind == eval.FailureConfiguration && f.Sign == eval.SignUnresolved {
			break // the next run would wait as long for the same host
		}
	}
	if a.JSON && len(said) > 0 {
		all = errors.Join(all, a.WriteJSON(map[string]any{"runs": said}))
	}
	if all == nil {
		return paused
	}
	return all
}
