package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

func newJudgeVotesCmd(a *project.Project) *cobra.Command {
	var f voteFlags
	cmd := project.NewCmd("votes --dataset NAME --model NAME[,NAME] --anchor NAME --judge NAME", "Have a judge model say which of two answers is better", nil,
		f.newJobRunFunc(a, []string{"dataset", "anchor", "judge"}, func(cmd *cobra.Command) error {
			if len(f.Models) == 0 {
				return fmt.Errorf("--model is missing (see: %s --help)", cmd.CommandPath())
			}
			return f.completeVotingOrder(cmd)
		}, jobs.NewForegroundRunner(&f.VotingOrder, (*jobs.Factory).NewVotingJob)))
	f.addFlags(cmd)
	return cmd
}

// voteFlags are the flags that make a voting order.
type voteFlags struct {
	jobs.VotingOrder
	input, order    string
	runs            []uint
	repeat, repeats int
	jobFlags
}

func (f *voteFlags) addFlags(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar((*string)(&f.Dataset), "dataset", "", "the dataset that was answered (required)")
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
	f.jobFlags.addFlags(fs, "votes", "this comparison")
}

// completeVotingOrder checks the flags and completes the order.
func (f *voteFlags) completeVotingOrder(cmd *cobra.Command) error {
	f.Runs = facts.RunIDs(f.runs)
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
	return f.CheckTogether()
}

// NewJudgeCmd makes the command judge.
func NewJudgeCmd(a *project.Project) *cobra.Command {
	var f judgeFlags
	cmd := project.NewCmd("judge --dataset NAME --judge NAME", "Have a judge model read what the rules could not", nil, func(cmd *cobra.Command, _ []string) error {
		if err := cli.RequireFlags(cmd, "dataset"); err != nil {
			return err
		}
		if len(f.judges) == 0 {
			return cli.NewUsageError(fmt.Errorf("--judge is missing (see: %s --help)", cmd.CommandPath()))
		}
		return a.WriteExistingStore(cmd.Context(), func(st *store.Store) error { return judgeRuns(cmd.Context(), a, st, &f) })
	})
	fs := cmd.Flags()
	fs.StringVar(&f.dataset, "dataset", "", "the dataset that was answered (required)")
	fs.StringVar(&f.model, "model", "", "only predictions of this model")
	fs.UintSliceVar(&f.runs, "run", nil, "only these runs, by `number`")
	fs.StringSliceVar(&f.judges, "judge", nil, "`name` of a judge in the configuration; repeatable (required)")
	fs.StringVar(&f.language, "language", "", "language of the prompt, en or zh (default: the question's own)")
	fs.BoolVar(&f.effort.Fallback, "fallback", false, "draw at random what the judge cannot read (the third step of MMBench's protocol)")
	fs.BoolVar(&f.effort.FailedOnly, "retry-failed", false, "ask again what failed, and nothing else")
	fs.IntVar(&f.effort.Concurrency, "concurrency", 0, "questions asked concurrently (default: as configured)")
	f.budget.AddFlag(fs, "a run")
	cmd.AddCommand(newJudgeVotesCmd(a), newJudgeScoresCmd(a), newJudgeCriteriaCmd(a), newJudgeTuneCmd(a))
	return cmd
}

type judgeFlags struct {
	dataset, model, language string
	runs                     []uint
	judges                   []string
	budget                   jobs.Budget
	effort                   jobs.Effort
}

// judgeRuns has the judges read the runs that pass the filters, one run after the other.
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
	if e.JudgeOnly, err = l.StoreJudgeSetups(ctx, eval.DatasetName(f.dataset), f.judges, f.language); err != nil {
		return err
	}
	said := []jobs.RunSummary{} // one object for scripts, whatever the number of runs
	say := eval.Either(a.JSON, func(s jobs.RunSummary) error { said = append(said, s); return nil }, jobs.NewSummaryPrinter(l.Project))
	var all, paused error
	for _, run := range runs {
		err := l.RunToEnd(ctx, run, false, e, say)
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
	return cmp.Or(all, paused)
}

// jobFlags are those of every job of single calls.
type jobFlags struct {
	budget   jobs.Budget
	effort   jobs.Effort
	estimate bool
}

func (f *jobFlags) addFlags(fs *pflag.FlagSet, facts, of string) {
	fs.IntVar(&f.effort.Concurrency, "concurrency", 0, facts+" asked for concurrently (default: as configured)")
	f.budget.AddFlag(fs, of)
	fs.BoolVar(&f.estimate, "estimate", false, "only say how many calls it takes and what they cost")
	fs.StringVar(&f.effort.Export, "batch-export", "", "write the calls to this `file` in the OpenAI Batch format, and make none")
	fs.StringVar(&f.effort.Results, "batch-import", "", "take the results of exported calls from this `file`, and make none")
}

func (f *jobFlags) checkJobFlags() (err error) {
	if f.effort.Concurrency < 0 {
		return cli.NewUsageError(fmt.Errorf("--concurrency %d: want 0 or more", f.effort.Concurrency))
	}
	if f.effort.Export != "" && f.effort.Results != "" {
		return cli.NewUsageError(fmt.Errorf("--batch-export and --batch-import do not go together"))
	}
	f.effort.Budget, err = f.budget.Read()
	return err
}

// newJobRunFunc has a command start the job that its flags order; ready checks those of its own, and completes the order.
func (f *jobFlags) newJobRunFunc(a *project.Project, needed []string, ready func(*cobra.Command) error, start func(context.Context, *jobs.Factory, jobs.Effort, bool) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		if err := cli.RequireFlags(cmd, needed...); err != nil {
			return err
		}
		if err := ready(cmd); err != nil {
			return cli.NewUsageError(err)
		}
		if err := f.checkJobFlags(); err != nil {
			return err
		}
		return a.WriteExistingStore(cmd.Context(), func(st *store.Store) error {
			l, err := jobs.NewFactory(a, st)
			if err != nil {
				return err
			}
			return start(cmd.Context(), l, f.effort, f.estimate)
		})
	}
}

func newJudgeScoresCmd(a *project.Project) *cobra.Command {
	var o jobs.ScoringOrder
	var f jobFlags
	var runs []uint
	cmd := project.NewCmd("scores --dataset NAME --judge NAME", "Have a judge model score open answers from 1 to 5", nil,
		f.newJobRunFunc(a, []string{"dataset", "judge"}, func(*cobra.Command) error {
			o.Runs = facts.RunIDs(runs)
			return nil
		}, jobs.NewForegroundRunner(&o, (*jobs.Factory).NewScoringJob)))
	fs := cmd.Flags()
	fs.StringVar((*string)(&o.Dataset), "dataset", "", "the dataset that was answered (required)")
	fs.StringSliceVar(&o.Models, "model", nil, "only answers of this model, by `name`; repeatable")
	fs.UintSliceVar(&runs, "run", nil, "only these runs, by `number`")
	fs.StringVar(&o.Judge, "judge", "", "`name` of a judge in the configuration (required)")
	fs.BoolVar(&o.Failed, "retry-failed", false, "ask again what failed, too")
	f.addFlags(fs, "scores", "this judge's scores")
	return cmd
}

// NewCaptionCmd makes the command caption.
func NewCaptionCmd(a *project.Project) *cobra.Command {
	var o jobs.CaptioningOrder
	var f jobFlags
	cmd := project.NewCmd("caption --dataset NAME --model NAME", "Have a model describe the images, for judges that see none", nil,
		f.newJobRunFunc(a, []string{"dataset", "model"}, func(cmd *cobra.Command) error {
			switch given := cmd.Flags().Changed("edge"); {
			case given && o.Edge < 0:
				return fmt.Errorf("--edge %d: want 0 or more", o.Edge)
			case !given:
				o.Edge = -1
			}
			return nil
		}, jobs.NewForegroundRunner(&o, (*jobs.Factory).NewCaptionJob)))
	fs := cmd.Flags()
	fs.StringVar((*string)(&o.Dataset), "dataset", "", "the dataset whose images are described (required)")
	fs.StringVar(&o.Model, "model", "", "`name` of a model in the configuration (required)")
	fs.IntVar(&o.Edge, "edge", 0, "images are scaled down to this longer edge, in `pixels`; 0: never (default: as the model is configured)")
	fs.BoolVar(&o.Failed, "retry-failed", false, "ask again what failed, too")
	f.addFlags(fs, "captions", "these captions")
	return cmd
}

// NewTranslateCmd makes the command translate.
func NewTranslateCmd(a *project.Project) *cobra.Command {
	o := jobs.CaptioningOrder{Edge: -1}
	var f jobFlags
	var as string
	cmd := project.NewCmd("translate --dataset NAME --to LANGUAGE --model NAME", "Have a model translate multiple-choice samples, for people to review", nil,
		f.newJobRunFunc(a, []string{"dataset", "to", "model"}, func(*cobra.Command) error {
			if o.Who = a.GivenOrRememberedName(as); o.Who == "" {
				return errors.New("say who has them made: --as NAME")
			}
			return nil
		}, jobs.NewForegroundRunner(&o, (*jobs.Factory).NewCaptionJob)))
	fs := cmd.Flags()
	fs.StringVar((*string)(&o.Dataset), "dataset", "", "the dataset that is translated (required)")
	fs.StringVar(&o.To, "to", "", "the `language`: zh, en, or its name in English (required)")
	fs.StringVar(&o.Model, "model", "", "`name` of a model in the configuration (required)")
	fs.StringVar((*string)(&o.As), "as-dataset", "", "`name` of the dataset of translations (default: that of the dataset with the language behind it)")
	fs.StringVar(&as, "as", "", "your `name` (default: the current user of the project)")
	f.addFlags(fs, "translations", "these translations")
	return cmd
}

func newJudgeCriteriaCmd(a *project.Project) *cobra.Command {
	var o jobs.GradingOrder
	var f jobFlags
	var per string
	var runs []uint
	cmd := project.NewCmd("criteria --dataset NAME --judge NAME", "Have a judge model say which criteria each response meets", nil,
		f.newJobRunFunc(a, []string{"dataset", "judge"}, func(*cobra.Command) error {
			if per != "criterion" && per != "sample" {
				return fmt.Errorf("--per %q: want criterion or sample", per)
			}
			o.Sample, o.Runs = per == "sample", facts.RunIDs(runs)
			return nil
		}, jobs.NewForegroundRunner(&o, (*jobs.Factory).NewGradingJob)))
	fs := cmd.Flags()
	fs.StringVar((*string)(&o.Dataset), "dataset", "", "the dataset that was answered (required)")
	fs.StringSliceVar(&o.Models, "model", nil, "only responses of this model, by `name`; repeatable")
	fs.UintSliceVar(&runs, "run", nil, "only these runs, by `number`")
	fs.StringVar(&o.Judge, "judge", "", "`name` of a judge in the configuration (required)")
	fs.StringVar(&per, "per", "criterion", "what one call asks about: one criterion, or all of a sample")
	fs.IntVar(&o.Repeats, "repeats", 1, "how often each is asked; what more than half of the repeats say counts")
	fs.IntVar(&o.Edge, "edge", -1, "images are scaled down to this longer edge, in `pixels`; 0: never; below 0: as the judge is configured")
	fs.BoolVar(&o.WithoutImages, "without-images", false, "grade samples too whose image is lacking")
	fs.BoolVar(&o.Failed, "retry-failed", false, "ask again what failed, too")
	fs.BoolVar(&o.Unparsed, "retry-unparsed", false, "ask again what the judge replied to without a verdict, too")
	f.addFlags(fs, "calls", "this judge's grades")
	return cmd
}
