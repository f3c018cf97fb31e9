package run

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// jobFlags are those of every job of single calls.
type jobFlags struct {
	budget   jobs.Budget
	effort   jobs.Effort
	estimate bool
}

func (f *jobFlags) add(fs *pflag.FlagSet, facts, of string) {
	fs.IntVar(&f.effort.Concurrency, "concurrency", 0, facts+" asked for concurrently (default: as configured)")
	f.budget.Add(fs, of)
	fs.BoolVar(&f.estimate, "estimate", false, "only say how many calls it takes and what they cost")
}

func (f *jobFlags) read() (err error) {
	if f.effort.Concurrency < 0 {
		return cli.Usage(fmt.Errorf("--concurrency %d: want 0 or more", f.effort.Concurrency))
	}
	f.effort.Budget, err = f.budget.Read()
	return err
}

func newJudgeScoresCmd(a *project.Project) *cobra.Command {
	var o jobs.ScoringOrder
	var f jobFlags
	var name string
	var runs []uint
	cmd := &cobra.Command{
		Use:   "scores --dataset NAME --judge NAME",
		Short: "Have a judge model score open answers from 1 to 5",
		Long:  cli.Help("judgescores"),
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.Need(cmd, "dataset", "judge"); err != nil {
				return err
			}
			if err := f.read(); err != nil {
				return err
			}
			o.Dataset = eval.DatasetName(name)
			for _, r := range runs {
				o.Runs = append(o.Runs, eval.RunID(r))
			}
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error {
				l, err := jobs.NewFactory(a, st)
				if err != nil {
					return err
				}
				s, err := l.Scoring(cmd.Context(), &o)
				if err != nil {
					return err
				}
				return l.CarryOut(cmd.Context(), s, f.effort, f.estimate)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&name, "dataset", "", "the dataset that was answered (required)")
	fs.StringSliceVar(&o.Models, "model", nil, "only answers of this model, by `name`; repeatable")
	fs.UintSliceVar(&runs, "run", nil, "only these runs, by `number`")
	fs.StringVar(&o.Judge, "judge", "", "`name` of a judge in the configuration (required)")
	fs.BoolVar(&o.Failed, "retry-failed", false, "ask again what failed, too")
	f.add(fs, "scores", "this judge's scores")
	return cmd
}
