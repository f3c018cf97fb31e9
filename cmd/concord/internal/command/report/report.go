package report

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"concord/annotate/report"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/pairwise"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// reportFlags are the flags of every report.
type reportFlags struct {
	format   string
	dataset  string
	model    string
	strategy string // of abilities
	level    string // of abilities
	by       string // of text-only
	runs     []uint
	outside  bool // scores measured elsewhere are enough
	cluster  report.Clustering
	floor    accuracyFloor
	opts     report.Options
}

// NewReportCmd makes the command report with its reports.
func NewReportCmd(a *project.Project) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Print the tables and figures of the papers from what is stored",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE:  cli.NeedSubcommand,
	}
	cmd.AddCommand(
		runReport(a, catalogue.Accuracy(),
			func(f *reportFlags, cmd *cobra.Command) {
				corrects(cmd, &f.opts.Corrected, true)
				f.floor.flags(cmd.Flags())
			}),
		runReport(a, catalogue.Circular()),
		newAbilitiesCmd(a),
		runReport(a, catalogue.Steps()),
		runReport(a, catalogue.Positions()),
		newTextOnlyCmd(a),
		runReport(a, catalogue.Baselines(), takesOutside),
		runReport(a, catalogue.MME()),
		newGainCmd(a),
		newLeaksCmd(a),
		newAlignmentCmd(a),
		newCalibrationsCmd(a),
		newAnnotatorsCmd(a),
		newCriteriaReportCmd(a),
		newInspectorsReportCmd(a),
		newCurationReportCmd(a),
		newDatasetReportCmd(a),
		newScoreReportCmd(a),
		newCompareCmd(a),
		newLeaderboardCmd(a),
		voteReport(a, "repeats", "How much a judge's win rates vary when the same is asked again", pairwise.Repeats),
		newRanksReportCmd(a),
		voteReport(a, "votes", "Models against an anchor, by a judge's votes on their answers", pairwise.Votes,
			func(cmd *cobra.Command, o *pairwise.AgreementOptions) { corrects(cmd, &o.Corrected, false) }),
		voteReport(a, "bias", "What the order and the length of the answers do to a judge's votes, and to people's", pairwise.Bias),
		newAgreementReportCmd(a),
		peopleReport(a, "people", "How far people vote alike, every two of them", pairwise.People),
		newReportAllCmd(a),
	)
	fs := cmd.PersistentFlags()
	fs.BoolVar(&a.Style.NoIntervals, "no-intervals", false, "tables without intervals (CSV and JSON keep them)")
	fs.BoolVar(&a.Style.NoCounts, "no-counts", false, "tables without the counts behind figures (CSV and JSON keep them)")
	return cmd
}

// takesOutside lets a report do without runs where scores were measured
// elsewhere.
func takesOutside(f *reportFlags, _ *cobra.Command) { f.outside = true }

// runReport is the command of a report on runs.
func runReport(a *project.Project, kind catalogue.Kind, more ...func(*reportFlags, *cobra.Command)) *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   kind.Name,
		Short: kind.Short,
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return reportRuns(cmd.Context(), a, &f, func(st *store.Store) (report.Report, error) {
				o, m := f.options(), a.Progress("reading questions")
				o.Cards = project.Cards(a)
				o.Progress = m.Items
				defer m.Done()
				return kind.Build(cmd.Context(), f.source(st), o)
			})
		},
	}
	f.add(cmd)
	f.clusterFlag(cmd)
	cmd.Flags().StringVar(&f.opts.Rules, "rules", "", "rule `set` that reads the predictions (default: those that the run was asked under, for imported runs concord)")
	cmd.Flags().StringVar(&f.opts.Judge, "judge", "", "judge whose readings complete the rules' (default: the run's own, none with --rules; none: the rules alone)")
	cmd.Flags().BoolVar(&f.opts.BySplit, "by-split", false, "a row for each split too")
	for _, add := range more {
		add(&f, cmd)
	}
	return cmd
}

// reportRuns prints a report on the runs that the flags name, with a note for
// each that is not done.
func reportRuns(ctx context.Context, a *project.Project, f *reportFlags, build func(*store.Store) (report.Report, error)) error {
	if err := f.check(a.JSON); err != nil {
		return err
	}
	return a.Read(ctx, func(st *store.Store) error {
		runs, none := facts.MatchRuns(st, f.dataset, f.model, f.runs)
		if none != nil && (!f.outside || !errors.Is(none, eval.ErrNotFound)) {
			return none
		}
		r, err := build(st)
		if err != nil {
			return cmp.Or(none, err)
		}
		r.Notes = append(r.Notes, f.cluster.Notes()...)
		if r.Notes, err = withUnfinished(st, r.Notes, runs); err != nil {
			return err
		}
		if err := a.Render(r, f.format); err != nil {
			return err
		}
		return f.floor.unmet(&r)
	})
}

// withUnfinished adds a note for each of the runs that is not done.
func withUnfinished(st *store.Store, notes []string, runs []eval.Run) ([]string, error) {
	for _, run := range runs {
		note, err := facts.Unfinished(st, run)
		if err != nil {
			return nil, err
		}
		if note != "" {
			notes = append(notes, note)
		}
	}
	return notes, nil
}

func (f *reportFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.format, "format", "table", "table, json, csv, markdown, latex or html")
	fs.StringVar(&f.dataset, "dataset", "", "only runs on this dataset")
	fs.StringVar(&f.model, "model", "", "only runs of this model")
	fs.UintSliceVar(&f.runs, "run", nil, "only these runs, by `number`")
}

// clusterFlag lets whoever asks name what samples share.
func (f *reportFlags) clusterFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.cluster.Field, "cluster", report.ClusterImage, "samples that share this `field` are one cluster in every interval: image, question, hint, category, l1 to l3, split, source, or a column of the dataset's file")
}

// source is the store as the flags have it read.
func (f *reportFlags) source(st *store.Store) facts.Source {
	return facts.Source{Store: st, Clustering: &f.cluster}
}

func (f *reportFlags) check(json bool) error {
	if err := cli.CheckFormat(&f.format, json); err != nil {
		return err
	}
	if err := f.parse(); err != nil {
		return cli.Usage(err)
	}
	if err := f.floor.check(); err != nil {
		return err
	}
	if f.opts.Rules != "" {
		if _, err := facts.RulesFor(f.opts.Rules); err != nil {
			return err
		}
	}
	return nil
}

func (f *reportFlags) options() report.Options {
	o := f.opts
	o.Dataset, o.Model = eval.DatasetName(f.dataset), f.model
	for _, r := range f.runs {
		o.Runs = append(o.Runs, eval.RunID(r))
	}
	return o
}
