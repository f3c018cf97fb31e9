package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/annotate/curation"
	"concord/annotate/report/quality"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/view"
	"concord/cmd/concord/internal/workers"
	"concord/eval"
	"concord/store"
	"concord/tui/home"
)

// refuseFlagsBeside refuses flags beside one that settles what they say.
func refuseFlagsBeside(cmd *cobra.Command, flag string, allowed ...string) error {
	var other string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != flag && !slices.Contains(allowed, f.Name) && cmd.InheritedFlags().Lookup(f.Name) == nil {
			other = f.Name
		}
	})
	if other == "" {
		return nil
	}
	return cli.NewUsageError(fmt.Errorf("--%s continues under the run's own settings: leave out --%s, or leave out --%s for a run with other ones", flag, other, flag))
}

// NewEvalCmd makes the command eval.
func NewEvalCmd(a *project.Project) *cobra.Command {
	var f jobs.OrderFlags
	var w workers.Flags
	var id uint
	var failedOnly, estimate bool
	cmd := project.NewCmd("eval --dataset NAME --model NAME", "Ask a model, and have its answers read and judged", nil, func(cmd *cobra.Command, _ []string) error {
		e := jobs.Effort{Concurrency: f.Concurrency, FailedOnly: failedOnly}
		err := w.Check()
		if err != nil {
			return err
		}
		if e.Budget, err = f.Budget.Read(); err != nil {
			return err
		}
		if id != 0 {
			if err := refuseFlagsBeside(cmd, "run", append([]string{"concurrency", "budget", "retry-failed"}, workers.FlagNames...)...); err != nil {
				return err
			}
			return a.WriteExistingStore(cmd.Context(), func(st *store.Store) error {
				return resumeRun(cmd.Context(), a, st, eval.RunID(id), e, &w)
			})
		}
		if err := cli.RequireFlags(cmd, "dataset", "model"); err != nil {
			return err
		}
		o, err := f.Read()
		if err != nil {
			return err
		}
		o.Shared = w.Addr != ""
		return a.WriteExistingStore(cmd.Context(), func(st *store.Store) error {
			return evaluateOrder(cmd.Context(), a, st, &o, e, &w, estimate)
		})
	})
	fs := cmd.Flags()
	f.AddFlags(fs)
	w.AddFlags(fs)
	fs.UintVar(&id, "run", 0, "continue this run, by `number`, under its own settings")
	fs.BoolVar(&failedOnly, "retry-failed", false, "ask again what failed, and nothing else")
	fs.BoolVar(&estimate, "estimate", false, "only say how many calls it takes and what they cost")
	return cmd
}

// resumeRun goes on with a run under the settings that it was made with.
func resumeRun(ctx context.Context, a *project.Project, st *store.Store, id eval.RunID, e jobs.Effort, w *workers.Flags) error {
	l, err := jobs.NewFactory(a, st)
	if err != nil {
		return err
	}
	run, err := st.Runs().Run(id)
	if err != nil {
		return err
	}
	return runToEndWithWorkers(ctx, l, run, false, e, w)
}

// runToEndWithWorkers brings a run to its end, with workers where they are asked for.
func runToEndWithWorkers(ctx context.Context, l *jobs.Factory, run eval.Run, made bool, e jobs.Effort, w *workers.Flags) error {
	toEnd := func() error { return l.RunToEnd(ctx, run, made, e, jobs.NewSummaryPrinter(l.Project)) }
	if w.Addr == "" {
		return toEnd()
	}
	s, err := w.OpenToWorkers(ctx, l.Project)
	if err != nil {
		return err
	}
	if err = s.HoldRun(ctx, &e, l.Conf); err == nil {
		err = toEnd()
	}
	s.Close(err)
	return err
}

func evaluateOrder(ctx context.Context, a *project.Project, st *store.Store, o *jobs.Order, e jobs.Effort, w *workers.Flags, estimateOnly bool) error {
	l, err := jobs.NewFactory(a, st)
	if err != nil {
		return err
	}
	c, err := l.NewRunConfig(ctx, o)
	if err != nil {
		return err
	}
	if err := l.Models.RequirePricesForBudget(e.Budget, append([]string{c.Model}, eval.Map(c.Settings.Judges, func(j eval.JudgeSetup) string { return j.Judge })...)); err != nil {
		return err
	}
	if err := l.WarnOfDataset(ctx, c); err != nil {
		return err
	}
	est, err := l.EstimateRun(ctx, c)
	if err != nil {
		return err
	}
	if estimateOnly {
		return jobs.PrintEstimate(a, est)
	}
	run, made, err := l.FindOrCreateRun(ctx, c, o.New)
	if err != nil {
		return err
	}
	if made && !a.JSON {
		_, _ = fmt.Fprintf(a.Err, "run %d: %s\n", run.ID, jobs.FormatEstimateLine(est))
	}
	return runToEndWithWorkers(ctx, l, run, made, e, w)
}

var _ pflag.Value = curating.ShareFlag{}

type inspectFlags struct {
	runs []uint
	opts quality.InspectOptions
}

// NewInspectCmd makes the command inspect.
func NewInspectCmd(a *project.Project) *cobra.Command {
	f := inspectFlags{opts: quality.InspectOptions{Settings: curation.MMStarSettings()}}
	cmd := project.NewCmd("inspect NAME --dataset NAME", "Find the samples that models answer without their image, by runs that are there", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		o, err := f.readOptions(args[0])
		if err != nil {
			return cli.NewUsageError(err)
		}
		if o.Rules != "" {
			if _, err := facts.FindRules(o.Rules); err != nil {
				return err
			}
		}
		return a.WriteExistingStore(cmd.Context(), func(st *store.Store) error { return runInspection(cmd.Context(), a, st, o) })
	})
	fs := cmd.Flags()
	fs.StringVar((*string)(&f.opts.Dataset), "dataset", "", "the dataset that is inspected (required)")
	fs.StringSliceVar(&f.opts.Models, "model", nil, "the `models` that inspect, each by its one run without the image")
	fs.UintSliceVar(&f.runs, "run", nil, "runs that inspect, by `number`")
	fs.StringSliceVar(&f.opts.Sighted, "sighted", nil, "the `models` or numbers of runs with the image that grade")
	fs.StringVar(&f.opts.Rules, "rules", "", "rule `set` that reads the predictions (default: those that each run was asked under, for imported runs concord)")
	fs.StringVar(&f.opts.Judge, "judge", "", "judge whose extracted answers complete the rules' (default: the run's own, none with --rules; none: the rules alone)")
	fs.StringVar((*string)(&f.opts.By), "as", project.DefaultUserName(), "who makes the inspection")
	curating.AddThresholdFlags(cmd, &f.opts.Settings)
	a.MarkRequiredFlags(cmd, "dataset")
	return cmd
}

func (f *inspectFlags) readOptions(name string) (quality.InspectOptions, error) {
	o := f.opts
	o.Name, o.Runs = name, facts.RunIDs(f.runs)
	if len(o.Models)+len(o.Runs) == 0 {
		return o, errors.New("which runs inspect? Name their models by --model, or them by --run")
	}
	return o, o.Settings.Validate()
}

func runInspection(ctx context.Context, a *project.Project, st *store.Store, o quality.InspectOptions) error {
	if _, err := st.Datasets().Dataset(o.Dataset); err != nil {
		return fmt.Errorf("inspect dataset %s: %w", o.Dataset, err)
	}
	if old, err := st.Inspections().Inspection(o.Name); err == nil {
		return fmt.Errorf("inspect dataset %s: inspection %d has the name %s, and is never changed: choose another", o.Dataset, old.ID, o.Name)
	}
	m := a.NewProgress("loading questions")
	o.Progress = m.ShowItems
	in, err := quality.RunInspection(ctx, facts.NewSource(st), o)
	m.RemoveBar()
	if err != nil {
		return fmt.Errorf("inspect dataset %s: %w", o.Dataset, err)
	}
	if in.ID, err = st.Inspections().Add(ctx, in); err != nil {
		return err
	}
	return jobs.PrintInspection(a, &in)
}

// NewRunCmd makes the command run.
func NewRunCmd(a *project.Project) *cobra.Command {
	return project.NewGroupCmd("run", "List the runs", project.NewShowCmd(a, "list", "List the runs: how far each is, and which workers share it", listRuns))
}

type runLine struct {
	Run         eval.RunID            `json:"run"`
	Dataset     eval.DatasetName      `json:"dataset"`
	Model       string                `json:"model"`
	Strategy    string                `json:"strategy"`
	Modality    string                `json:"modality"`
	State       string                `json:"state"`
	Why         string                `json:"why,omitempty"`
	Questions   int                   `json:"questions"` // that need no further pass
	Total       int                   `json:"total"`
	Predictions int                   `json:"predictions"` // failed calls are none
	Errors      int                   `json:"errors"`
	Rate        float64               `json:"rate"` // answers a second; 0 at rest
	LastError   string                `json:"last_error,omitempty"`
	Workers     []eval.WorkerProgress `json:"workers"`
}

func listRuns(a *project.Project, st *store.Store) error {
	rows, err := view.Overview{Store: st, Live: a.Live}.Runs(context.Background())
	if err != nil {
		return err
	}
	lines := eval.Map(rows, func(r home.Row) runLine {
		p, c := r.Progress, r.Run.Config
		done, total := p.CountDoneQuestions()
		return runLine{
			Run: r.Run.ID, Dataset: c.Dataset, Model: c.Model, Strategy: c.Strategy.String(), Modality: c.Modality.String(), State: home.StateText(r), Why: p.Why,
			Questions: done, Total: total, Predictions: p.Counts.Predictions - p.Counts.Failures, Errors: p.Counts.Failures,
			Rate: eval.Either(p.State == eval.Running, p.Rate, 0), LastError: p.LastFailure, Workers: append([]eval.WorkerProgress{}, p.Workers...),
		}
	})
	if a.JSON {
		return a.WriteJSON(lines)
	}
	table := [][]string{{"run", "model", "dataset", "strategy", "modality", "state", "questions", "errors", "rate"}}
	for _, l := range lines {
		table = append(table, []string{
			strconv.Itoa(int(l.Run)), l.Model, string(l.Dataset), l.Strategy, l.Modality, l.State,
			fmt.Sprintf("%d of %d", l.Questions, l.Total), strconv.Itoa(l.Errors), eval.Either(l.Rate > 0, fmt.Sprintf("%.1f/s", l.Rate), ""),
		})
	}
	var below strings.Builder
	for _, l := range lines {
		if l.Why != "" {
			fmt.Fprintf(&below, "run %d: %s: %s\n", l.Run, l.State, cli.EscapeControls(l.Why))
		}
		for _, w := range l.Workers {
			fmt.Fprintf(&below, "run %d: worker %s at %s: %s, %.1f/s, %d failed%s%s\n", l.Run, cli.EscapeControls(w.Name), cli.EscapeControls(w.Endpoint),
				cli.FormatCount(w.Answered, "answer"), w.Rate, w.Failed, eval.Either(w.State == "", "", ", "+w.State), eval.Either(w.Last == "", "", "; last: "+cli.EscapeControls(w.Last)))
		}
	}
	if err = cli.WriteColumns(a.Out, table); err == nil {
		_, err = io.WriteString(a.Out, below.String())
	}
	return err
}
