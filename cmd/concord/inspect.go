package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/annotate/report/quality"
	"concord/eval"
	"concord/store"
)

// noShare takes a threshold away.
const noShare = "none"

// shareFlag is a threshold: 2/8.
type shareFlag struct{ share *curation.Share }

var _ pflag.Value = shareFlag{}

func (f shareFlag) String() string {
	if f.share == nil || f.share.IsZero() {
		return ""
	}
	return f.share.String()
}

func (f shareFlag) Type() string { return "share" }

func (f shareFlag) Set(text string) error {
	var err error
	*f.share = curation.Share{}
	if text != noShare {
		*f.share, err = curation.ParseShare(text)
	}
	return err
}

// thresholdFlag is a threshold by its flag.
type thresholdFlag struct {
	name, usage string
	of          func(*curation.Settings) *curation.Share
}

func thresholdFlags() []thresholdFlag {
	return []thresholdFlag{
		{"keep", "a sample is kept when at most this `share` of the inspectors answers it", func(s *curation.Settings) *curation.Share { return &s.Keep }},
		{"abnormal", "from this `share` of the inspectors on a hit is abnormal", func(s *curation.Settings) *curation.Share { return &s.Abnormal }},
		{"easy", "from this `share` of the runs with the picture on a sample is easy", func(s *curation.Settings) *curation.Share { return &s.Easy }},
		{"moderate", "from this `share` on it is moderate", func(s *curation.Settings) *curation.Share { return &s.Moderate }},
		{"hard", "from this `share` on it is hard, below it tough", func(s *curation.Settings) *curation.Share { return &s.Hard }},
		{"doubtful", "drop what at most this `share` of the runs with the picture answers (none: nothing is dropped so)", func(s *curation.Settings) *curation.Share { return &s.Doubtful }},
	}
}

// addThresholds adds the flags of all thresholds.
func addThresholds(cmd *cobra.Command, s *curation.Settings) {
	for _, t := range thresholdFlags() {
		cmd.Flags().Var(shareFlag{t.of(s)}, t.name, t.usage)
	}
}

// inspectFlags are the flags of inspect, as typed.
type inspectFlags struct {
	dataset, by     string
	models, sighted []string
	runs            []uint
	opts            quality.InspectOptions
}

func newInspectCmd(a *app) *cobra.Command {
	f := inspectFlags{opts: quality.InspectOptions{Settings: curation.Paper()}}
	cmd := &cobra.Command{
		Use:   "inspect NAME --dataset NAME",
		Short: "Find the samples that models answer without their picture, by runs that are there",
		Long: `Counts for each sample of a dataset how many runs answer it right without the
picture, and by the share that does keeps or drops it (MMStar, Sec. 4.1). Runs
with the picture, named by --sighted, grade what is kept: easy, moderate, hard
or tough. No model is called: what runs lack is named, and nothing is kept then.

The outcome is stored under NAME with its thresholds, and never changed. Shares
are written for some number of runs and hold for any other by their proportion;
--keep 4/8 drops what a majority answers. concord report inspectors prints it,
also with other thresholds; concord curate goes on with what is kept.`,
		Example: `  concord inspect pool --dataset pool --model lm1,lm2,lm3 --sighted vlm1,vlm2
  concord inspect majority --dataset pool --run 3,4,5 --keep 4/8 --doubtful 0/16 --sighted 7,8`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.options(args[0])
			if err != nil {
				return usageError{err}
			}
			if o.Rules != "" {
				if _, err := rulesFor(o.Rules); err != nil {
					return err
				}
			}
			return a.writeExisting(cmd.Context(), func(st *store.Store) error { return runInspect(cmd.Context(), a, st, o) })
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.dataset, "dataset", "", "the dataset that is inspected (required)")
	fs.StringSliceVar(&f.models, "model", nil, "the `models` that inspect, each by its one run without the picture")
	fs.UintSliceVar(&f.runs, "run", nil, "runs that inspect, by `number`")
	fs.StringSliceVar(&f.sighted, "sighted", nil, "the `models` or numbers of runs with the picture that grade")
	fs.StringVar(&f.opts.Rules, "rules", "", "rule `set` that reads the predictions (default: those that each run was asked under, for imported runs concord)")
	fs.StringVar(&f.opts.Judge, "judge", "", "judge whose readings complete the rules' (default: the run's own, none with --rules; none: the rules alone)")
	fs.StringVar(&f.by, "as", userName(), "who makes the inspection")
	addThresholds(cmd, &f.opts.Settings)
	a.require(cmd, "dataset")
	return cmd
}

func (f *inspectFlags) options(name string) (quality.InspectOptions, error) {
	o := f.opts
	o.Name, o.By, o.Dataset, o.Models, o.Sighted = name, annotate.Annotator(f.by), eval.DatasetName(f.dataset), f.models, f.sighted
	for _, r := range f.runs {
		o.Runs = append(o.Runs, eval.RunID(r))
	}
	if len(o.Models)+len(o.Runs) == 0 {
		return o, errors.New("which runs inspect? Name their models by --model, or them by --run")
	}
	return o, o.Settings.Check()
}

// runInspect makes an inspection and keeps it.
func runInspect(ctx context.Context, a *app, st *store.Store, o quality.InspectOptions) error {
	if _, err := st.Datasets().Dataset(o.Dataset); err != nil {
		return fmt.Errorf("inspect dataset %s: %w", o.Dataset, err)
	}
	if old, err := st.Inspections().Inspection(o.Name); err == nil {
		return fmt.Errorf("inspect dataset %s: inspection %d has the name %s, and is never changed: choose another", o.Dataset, old.ID, o.Name)
	}
	m := a.meter("reading questions")
	o.Progress = m.items
	in, err := quality.Inspect(ctx, facts{st}, o)
	m.done()
	if err != nil {
		return fmt.Errorf("inspect dataset %s: %w", o.Dataset, err)
	}
	if in.ID, err = st.Inspections().Add(ctx, in); err != nil {
		return err
	}
	return printInspected(a, &in)
}
