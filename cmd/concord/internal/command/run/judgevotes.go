package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

func newJudgeVotesCmd(a *project.Project) *cobra.Command {
	var f voteFlags
	cmd := &cobra.Command{
		Use:   "votes --dataset NAME --model NAME[,NAME] --anchor NAME --judge NAME",
		Short: "Have a judge model say which of two answers is better",
		Long: `Asks a judge model to compare each model's answers with the anchor's (MLLM-Bench,
Sec. 5.1), in both orders, and keeps every reply. The same command continues where
it stopped and asks for nothing that there is a vote for. What an endpoint refused
for its content stays as it is, unless --retry-failed asks it again; a reply that
holds no vote is asked for again with a hint, and then kept as unparsed.

Pairs without an answer, and samples without the criteria, the caption or the
detected objects that the judge is to see, are left out and counted. So are
samples without their image: --without-images asks about them as well, and
their votes are of a ballot of their own, with input none.`,
		Args: cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.Need(cmd, "dataset", "anchor", "judge"); err != nil {
				return err
			}
			if len(f.Models) == 0 {
				return cli.Usage(fmt.Errorf("--model is missing (see: %s --help)", cmd.CommandPath()))
			}
			if err := f.read(cmd); err != nil {
				return cli.Usage(err)
			}
			if err := f.jobFlags.read(); err != nil {
				return err
			}
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error { return judgeVotes(cmd.Context(), a, st, &f) })
		},
	}
	f.add(cmd)
	return cmd
}

// voteFlags are the flags that make a voting order.
type voteFlags struct {
	jobs.VotingOrder
	dataset, input, order string
	runs                  []uint
	repeat, repeats       int
	jobFlags
}

func (f *voteFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.dataset, "dataset", "", "the dataset that was answered (required)")
	fs.StringSliceVar(&f.Models, "model", nil, "the `name` of a model whose answers are compared; repeatable (required)")
	fs.StringVar(&f.Anchor, "anchor", "", "the model whose answers they are compared with (required)")
	fs.UintSliceVar(&f.runs, "run", nil, "the models' runs, by `number`, where a model has several")
	fs.StringVar(&f.Judge, "judge", "", "`name` of a judge in the configuration (required)")
	fs.BoolVar(&f.Criteria, "criteria", false, "the judge sees each sample's criteria")
	fs.StringVar(&f.input, "input", eval.SeesImage.String(), "what the judge sees of an image: image, caption, detections or both (of these)")
	fs.BoolVar(&f.WithoutImages, "without-images", false, "ask about samples too whose image is lacking, on ballots of their own")
	fs.StringVar(&f.CaptionsBy, "captions-by", "", "the model whose captions the judge sees (default: the only one that made some)")
	fs.StringVar(&f.order, "order", "both", "both (each pair is asked in both orders) or shuffled (in one, drawn with --seed)")
	fs.Uint64Var(&f.Seed, "seed", 1, "seed of --order shuffled")
	fs.IntVar(&f.repeats, "repeats", 1, "how often all is asked, for reproducibility")
	fs.IntVar(&f.repeat, "repeat", 0, "ask this repeat alone, by `number` from 0")
	fs.IntVar(&f.Edge, "edge", 0, "images are scaled down to this longer edge, in `pixels`; 0: never (default: as the judge is configured)")
	fs.BoolVar(&f.Stale, "stale", false, "ask again what was voted on under older criteria")
	fs.BoolVar(&f.Failed, "retry-failed", false, "ask again what failed, too")
	fs.BoolVar(&f.Unparsed, "retry-unparsed", false, "ask again what the judge replied to without a vote, too")
	f.jobFlags.add(fs, "votes", "this comparison")
}

// read checks the flags and completes the order.
func (f *voteFlags) read(cmd *cobra.Command) error {
	f.Dataset = eval.DatasetName(f.dataset)
	for _, r := range f.runs {
		f.Runs = append(f.Runs, eval.RunID(r))
	}
	var err error
	if f.Input, err = eval.ParseInput(f.input); err != nil {
		return err
	}
	switch f.order {
	case "both", "shuffled":
		f.Shuffled = f.order == "shuffled"
	default:
		return fmt.Errorf("unknown order %q: want both or shuffled", f.order)
	}
	given := cmd.Flags().Changed
	switch {
	case given("edge") && f.Edge < 0:
		return fmt.Errorf("--edge %d: want 0 or more", f.Edge)
	case given("repeat") && given("repeats"):
		return errors.New("--repeat asks one repeat and --repeats as many: leave out one of them")
	case f.repeats < 1:
		return fmt.Errorf("--repeats %d: want 1 or more", f.repeats)
	}
	if !given("edge") {
		f.Edge = -1
	}
	f.Repeats = []int{f.repeat}
	for r := 1; r < f.repeats; r++ {
		f.Repeats = append(f.Repeats, r)
	}
	return f.Check()
}

// judgeVotes brings a voting order to its end and says what became of it.
func judgeVotes(ctx context.Context, a *project.Project, st *store.Store, f *voteFlags) error {
	l, err := jobs.NewFactory(a, st)
	if err != nil {
		return err
	}
	v, err := l.Voting(ctx, &f.VotingOrder)
	if err != nil {
		return err
	}
	return l.CarryOut(ctx, v, f.effort, f.estimate)
}
