package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/chain"
	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/models"
	"concord/annotate/report/pairwise"
	"concord/annotate/report/quality"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/stat"
	"concord/store"
)

// NewReportCmd makes the command report with its reports.
func NewReportCmd(a *project.Project) *cobra.Command {
	cmd := project.NewCmd("report", "Print the papers' tables and plots from what is stored", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error { return printAvailableReports(cmd.Context(), a) })
	for _, k := range catalogue.CommandKinds() {
		cmd.AddCommand(NewKindCmd(a, &k))
	}
	cmd.AddCommand(newReportAllCmd(a))
	fs := cmd.PersistentFlags()
	fs.BoolVar(&a.Style.NoIntervals, "no-intervals", false, "tables without intervals (CSV and JSON keep them)")
	fs.BoolVar(&a.Style.NoCounts, "no-counts", false, "tables without the counts behind each figure (CSV and JSON keep them)")
	fs.StringSliceVar(&a.Paper.Columns, "columns", nil, "only these `columns` of the tables, in this order, by the names that CSV has")
	fs.StringVar(&a.Paper.Caption, "caption", "", "of a LaTeX table: the `text` of a caption; what is the same in every row follows it")
	fs.StringVar(&a.Paper.Label, "label", "", "of a LaTeX table with a caption: its `name` for references")
	return cmd
}

// printAvailableReports prints the reports of the groups of which the project has anything.
func printAvailableReports(ctx context.Context, a *project.Project) error {
	return a.ReadStore(ctx, func(st *store.Store) error {
		held, err := catalogue.GroupsWithData(ctx, curating.Source{Source: facts.NewSource(st)})
		if err != nil {
			return err
		}
		all := slices.DeleteFunc(catalogue.CommandKinds(), func(k catalogue.Kind) bool { return !held[k.Group] })
		slices.SortStableFunc(all, func(a, b catalogue.Kind) int { return cmp.Compare(a.Group, b.Group) })
		if a.JSON {
			return a.WriteJSON(eval.Map(all, func(k catalogue.Kind) map[string]string {
				return map[string]string{"group": k.Group.String(), "name": k.Name, "short": k.Short}
			}))
		}
		last := catalogue.GroupUnset
		for i := range all {
			k := &all[i]
			if k.Group != last {
				last = k.Group
				if _, err := fmt.Fprintln(a.Out, k.Group); err != nil {
					return err
				}
			}
			if _, err := fmt.Fprintf(a.Out, "  %-12s %s\n", k.Name, k.Short); err != nil {
				return err
			}
		}
		if last == catalogue.GroupUnset {
			_, err = fmt.Fprintln(a.Out, "no report yet: the project holds no dataset and no run (see: concord status)")
		}
		return err
	})
}

// reportCommand is a report's command: what the catalogue asks for, and what only a command can do.
type reportCommand struct {
	*catalogue.Request
	a      *project.Project
	format string
	facts  curating.Source
	before func(*store.Store) error                                                   // nil: nothing
	after  func(context.Context, *store.Store, report.Report) (again bool, err error) // nil: nothing
	write  func() bool                                                                // the command changes the project; nil: it does not
}

// extras are what commands have beside the catalogue's flags.
var extras = map[string]func(*reportCommand, *cobra.Command){
	"alignment": addSaveFlags, "annotators": addSaveFlags, "accuracy": addSaveFlags, "scores": addSaveFlags, "rubric": addSaveFlags, "compare": addSaveFlags, "votes": addSaveFlags, "criteria": addQuotaFlag, "inspectors": addThresholdFlags, "curation": addExpertFlags,
}

// NewKindCmd gives the command of a report of the catalogue.
func NewKindCmd(a *project.Project, k *catalogue.Kind) *cobra.Command {
	ask := &reportCommand{Request: k.NewRequest(), a: a}
	cmd := &cobra.Command{
		Use: k.Name, Short: k.Short, Long: k.HelpText(), Example: k.Show,
		RunE: func(cmd *cobra.Command, _ []string) error { return ask.runReport(cmd) },
	}
	cmd.Use += eval.Either(k.Takes != "", " "+k.Takes, "")
	cmd.Flags().StringVar(&ask.format, "format", "table", "table, json, csv, markdown, latex, html, or of its charts svg or pgf")
	if extra := extras[k.Name]; extra != nil {
		extra(ask, cmd)
	}
	for _, f := range ask.Flags {
		flag := cmd.Flags().VarPF(f.Value, f.Name, "", f.Usage)
		if flag.Hidden = f.Hidden; f.Value.Type() == "bool" {
			flag.NoOptDefVal = "true"
		}
		if f.Needed {
			a.MarkRequiredFlags(cmd, f.Name)
		}
	}
	return cmd
}

func (k *reportCommand) runReport(cmd *cobra.Command) error {
	ctx := cmd.Context()
	if err := cli.ResolveReportFormat(&k.format, k.a.JSON); err != nil {
		return err
	}
	if err := k.CheckFlags(); err != nil {
		return cli.NewUsageError(err)
	}
	if k.a.Paper.Label != "" && k.a.Paper.Caption == "" {
		return cli.NewUsageError(errors.New("--label names a table with a caption: give --caption, too"))
	}
	open := k.a.ReadStore
	if k.write != nil && k.write() {
		open = func(_ context.Context, do func(*store.Store) error) error {
			return k.a.ChangeStoreOrForward(cmd, nil, do)
		}
	}
	return open(ctx, func(st *store.Store) error {
		r, err := k.makeReportWithNotes(ctx, st)
		if ctx.Err() != nil {
			return cli.ErrStopped
		}
		if err != nil {
			return err
		}
		if err := k.a.PrintReport(r, k.format); err != nil || k.Unmet == nil {
			return err
		}
		if unmet := k.Unmet(&r); len(unmet) > 0 {
			return cli.NewGateError(unmet)
		}
		return nil
	})
}

// makeReportWithNotes makes the report, of runs with a note for each that is not done.
func (k *reportCommand) makeReportWithNotes(ctx context.Context, st *store.Store) (report.Report, error) {
	k.facts.Source = curating.NewSettings(k.a, curating.Flags{}).NewFactSource(k.a.Err, st)
	k.facts.Clustering = k.Cluster
	if k.before != nil {
		if err := k.before(st); err != nil {
			return report.Report{}, err
		}
	}
	runs, none := k.matchFilteredRuns(ctx, st)
	if none != nil && (!k.Outside || !errors.Is(none, eval.ErrNotFound)) {
		return report.Report{}, none
	}
	r, err := k.computeReport(ctx)
	switch {
	case errors.Is(err, pairwise.ErrNoAnchor):
		return r, cli.NewUsageError(err)
	case err != nil:
		return r, cmp.Or(none, err)
	}
	if k.after != nil {
		again, err := k.after(ctx, st, r)
		if err == nil && again {
			r, err = k.computeReport(ctx)
		}
		if err != nil {
			return r, err
		}
	}
	for _, run := range runs {
		note, err := facts.WhyUnfinished(st, run)
		if err != nil {
			return r, err
		}
		if note != "" {
			r.Notes = append(r.Notes, note)
		}
	}
	return r, nil
}

func (k *reportCommand) computeReport(ctx context.Context) (report.Report, error) {
	o := k.Options
	if k.Of == catalogue.OnRuns {
		o.Cards = project.NewCardLookup(k.a)
	}
	if o.Cards != nil {
		k.a.Paper.Display = func(model string) string {
			c, _ := o.Cards(model)
			return c.Display
		}
	}
	m := k.a.NewProgress("making the report")
	defer m.RemoveBar()
	o.Progress, k.facts.Bootstrap.Progress = m.ShowItems, m.ShowItems
	r, err := k.Build(ctx, k.facts, o)
	r.Separate = models.NewSeparator(ctx, k.facts, o)
	if err != nil || k.Cluster == nil {
		return r, err
	}
	err = k.Cluster.CheckFound()
	r.Notes = append(r.Notes, k.Cluster.DescribeClusters()...)
	return r, err
}

// addSaveFlags adds the flags with which a report is kept in the project.
func addSaveFlags(k *reportCommand, cmd *cobra.Command) {
	var save bool
	var by string
	cmd.Flags().BoolVar(&save, "save", false, "save this report in the project, with the version of concord and the hashes of what it was computed from")
	cmd.Flags().StringVar(&by, "as", project.DefaultUserName(), "annotator who saves it")
	k.write = func() bool { return save }
	// It is made once more, so that what is printed holds the saved one too.
	k.after = func(ctx context.Context, st *store.Store, r report.Report) (bool, error) {
		if !save {
			return false, r.MustSave
		}
		saved, err := report.NewSavedReport(&r, annotate.Annotator(by), k.a.Now())
		if err != nil {
			return false, err
		}
		id, err := st.Reports().SaveReport(ctx, saved)
		if err == nil {
			_, _ = fmt.Fprintf(k.a.Err, "saved as report %d\n%s", id, formatChainHeads(saved.Heads))
		}
		return true, err
	}
}

// formatChainHeads gives the heads that a saved report names, for people; "" without any.
func formatChainHeads(heads []annotate.Head) string {
	if len(heads) == 0 {
		return ""
	}
	out := eval.Map(heads, func(h annotate.Head) string {
		return fmt.Sprintf("%s %.*s", cli.EscapeControls(string(h.Person)), chain.ShortSize, h.Hash)
	})
	return fmt.Sprintf("heads of the chains of acts: %s (see: concord log --verify)\n", cli.JoinFirstNames(out))
}

// matchFilteredRuns refuses filters that nothing can pass, and says what there is: a misspelt name
// is no report without rows. Of a report on runs it gives those that it is about.
func (k *reportCommand) matchFilteredRuns(ctx context.Context, st *store.Store) ([]eval.Run, error) {
	o := &k.Options
	numbers := eval.Map(o.Runs, func(r eval.RunID) uint { return uint(r) })
	switch {
	case k.Of == catalogue.OnRuns:
		return facts.MatchRuns(st, string(o.Dataset), o.Model, numbers)
	case k.Votes == nil:
		return nil, nil
	}
	if o.Dataset != "" || o.Model != "" || len(numbers) > 0 {
		if _, err := facts.MatchRuns(st, string(o.Dataset), o.Model, numbers); err != nil {
			return nil, err
		}
	}
	if anchor := k.Votes.Anchor; anchor != "" {
		if _, err := facts.MatchRuns(st, string(o.Dataset), anchor, nil); err != nil {
			return nil, fmt.Errorf("find anchor %s: %w", anchor, err)
		}
	}
	return nil, checkJudgeKnown(ctx, st, k.Votes.Judge)
}

func checkJudgeKnown(ctx context.Context, st *store.Store, judge string) error {
	if judge == "" {
		return nil
	}
	contests, err := st.Votes().Comparisons(ctx)
	if err != nil {
		return fmt.Errorf("list comparisons: %w", err)
	}
	judges := eval.Map(contests, func(c eval.ComparisonProgress) string { return c.Judge })
	slices.Sort(judges)
	if judges = slices.Compact(judges); len(judges) > 0 && !slices.Contains(judges, judge) {
		return fmt.Errorf("find votes of judge %s (judges with votes: %s): %w", judge, cli.JoinFirstNames(judges), eval.ErrNotFound)
	}
	return nil
}

// addQuotaFlag adds the flag of how many samples groups are to have, which may name files.
func addQuotaFlag(k *reportCommand, cmd *cobra.Command) {
	var o quality.CriteriaOptions
	var given []string
	cmd.Flags().StringArrayVar(&given, "quota", nil, "how many samples a group is to have: LEVEL=N, or a `file`")
	cmd.PreRunE = func(*cobra.Command, []string) (err error) {
		if o.Quotas, err = curating.ParseQuotas(given); err != nil {
			return cli.NewUsageError(err)
		}
		k.a.MakeFilesAbsolute("quota", given)
		return nil
	}
	k.SetCriteriaOptions(&o)
}

func addThresholdFlags(k *reportCommand, cmd *cobra.Command) {
	var o quality.InspectorOptions
	var c curating.Flags
	var set curation.Settings
	c.AddExpertFlags(cmd, ", of those accepted")
	curating.AddThresholdFlags(cmd, &set)
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := c.CheckFlags(cmd); err != nil {
			return err
		}
		o.Change, k.facts.How = newThresholdSetter(cmd, &set), curating.NewSettings(k.a, c)
		return nil
	}
	k.SetInspectorOptions(&o)
}

// newThresholdSetter sets the thresholds that flags were given for; nil when none was.
func newThresholdSetter(cmd *cobra.Command, set *curation.Settings) func(*curation.Settings) {
	given := eval.Select(curating.ThresholdFlags(), func(t curating.ThresholdFlag) bool { return cmd.Flags().Changed(t.Name) })
	if given == nil {
		return nil
	}
	return func(s *curation.Settings) {
		for _, t := range given {
			*t.Of(s) = *t.Of(set)
		}
	}
}

// addExpertFlags adds the flags of whose verdicts count, on which candidates.
func addExpertFlags(k *reportCommand, cmd *cobra.Command) {
	var f curating.Flags
	k.facts.Bootstrap = agree.Bootstrap{Confidence: stat.Confidence}
	f.AddFlags(cmd)
	fs := cmd.Flags()
	fs.IntVar(&k.facts.Bootstrap.Times, "resamples", curating.Resamples, "resamples of the intervals of agreement")
	fs.Uint64Var(&k.facts.Bootstrap.Seed, "seed", 1, "seed of the resamples")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := f.CheckFlags(cmd); err != nil {
			return err
		}
		k.a.MakeFilesAbsolute("target", f.Targets)
		k.facts.How = curating.NewSettings(k.a, f)
		return nil
	}
	k.before = func(st *store.Store) (err error) {
		k.Options.Dataset, err = f.NamedOrOnlyDataset(st)
		return err
	}
}
