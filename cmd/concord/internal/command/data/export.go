package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/dataset/tablefile"
	"concord/eval/extract"
	"concord/store"
)

// NewExportCmd makes the command export.
func NewExportCmd(a *project.Project) *cobra.Command {
	return project.NewGroupCmd("export", "Write datasets, predictions, judgments, labels, votes, criteria or scores measured elsewhere as JSON lines, CSV, TSV, xlsx or parquet",
		newExportPredictionsCmd(a), newExportLabelsCmd(a),
		newExportCallsCmd(a, "judgments", "Every judgment, with the judge's raw reply and settings", exchange.WriteJudgments),
		newExportScoresCmd(a),
		newExportVotesCmd(a), newExportCriteriaCmd(a),
		exporter{use: "grades", short: "The newest verdict of every judge and person on each criterion, as import grades reads it", add: addDatasetFlag, write: exchange.WriteGrades}.newCommand(a),
		newExportCurationCmd(a), newExportDatasetCmd(a), newExportMeasuresCmd(a))
}

func newExportPredictionsCmd(a *project.Project) *cobra.Command {
	var reader eval.Reader
	return exporter{
		use: "predictions", short: "Every prediction with its question and what the rules read in it",
		add: func(cmd *cobra.Command, f *exchange.ExportFlags) {
			fs := cmd.Flags()
			fs.StringVar(&f.Dataset, "dataset", "", "only this dataset")
			fs.StringVar(&f.Model, "model", "", "only this model")
			fs.UintSliceVar(&f.Runs, "run", nil, "only these runs, by `number`")
			fs.StringVar(&f.Rules, "rules", extract.Default, "rule `set` that reads the predictions")
			fs.StringVar(&f.Layout, "layout", "", "write one run as another tool's file: kit, submission, kit-results, kit-acc or kit-score (default format then: xlsx)")
			fs.StringVar(&f.Split, "split", "", "only this split, with --layout")
		},
		check: func(cmd *cobra.Command, f *exchange.ExportFlags) (err error) {
			if reader, err = facts.FindRules(f.Rules); err != nil {
				return err
			}
			if _, known := exchange.Layouts[f.Layout]; !known && f.Layout != "" {
				return cli.NewUsageError(fmt.Errorf("unknown layout %q: want one of %s", f.Layout, strings.Join(slices.Sorted(maps.Keys(exchange.Layouts)), ", ")))
			}
			if f.Split != "" && f.Layout == "" {
				return cli.NewUsageError(errors.New("--split goes with --layout"))
			}
			if f.Layout != "" && !cmd.Flags().Changed("format") {
				f.Format = tablefile.XLSX
			}
			return nil
		},
		write: func(ctx context.Context, st *store.Store, w io.Writer, f *exchange.ExportFlags) ([]string, error) {
			if f.Layout != "" {
				return exchange.WriteVLMEvalKitRun(ctx, st, w, f, reader)
			}
			letters, err := exchange.CollectOptionLetters(ctx, st, f)
			if err != nil {
				return nil, err
			}
			return export.WritePredictions(w, f.Format, letters, exchange.ReadPredictionRows(ctx, st, f, reader))
		},
	}.newCommand(a)
}

func newExportLabelsCmd(a *project.Project) *cobra.Command {
	return exporter{
		use: "labels", short: "Every label that counts, with who, when and how long", write: exchange.WriteLabels,
		add: func(cmd *cobra.Command, f *exchange.ExportFlags) {
			cmd.Flags().StringVar(&f.Queue, "queue", "", "only this queue")
			cmd.Flags().BoolVar(&f.GoldItems, "golds", false, "with the known answers of items that check people, and the items that were added for it (whoever labels should not see this)")
		},
	}.newCommand(a)
}

func newExportCriteriaCmd(a *project.Project) *cobra.Command {
	var history bool
	return exporter{
		use: "criteria", short: "The current criteria, or with --history every act that led there",
		add: func(cmd *cobra.Command, f *exchange.ExportFlags) {
			addDatasetFlag(cmd, f)
			cmd.Flags().BoolVar(&history, "history", false, "one row for each act: drafts, revisions, comments, reviews")
		},
		write: func(ctx context.Context, st *store.Store, w io.Writer, f *exchange.ExportFlags) ([]string, error) {
			return exchange.WriteCriteria(ctx, st, w, f, history)
		},
	}.newCommand(a)
}

func newExportVotesCmd(a *project.Project) *cobra.Command {
	var only exchange.VoterFilter
	return exporter{
		use: "votes", short: "Every vote on a pair of answers, of people and of judges",
		add: func(cmd *cobra.Command, f *exchange.ExportFlags) {
			fs := cmd.Flags()
			fs.StringVar(&f.Queue, "queue", "", "only people's votes in this queue")
			fs.BoolVar(&only.People, "people", false, "only people's votes")
			fs.BoolVar(&only.Judges, "judges", false, "only judges' votes")
			fs.StringVar(&f.Dataset, "dataset", "", "only votes on this dataset")
		},
		check: func(_ *cobra.Command, f *exchange.ExportFlags) error {
			switch {
			case only.Judges && only.People:
				return cli.NewUsageError(errors.New("--people and --judges leave out each other's votes: leave out one of them"))
			case only.Judges && f.Queue != "":
				return cli.NewUsageError(errors.New("--queue is of people's votes: leave --judges out"))
			}
			return nil
		},
		write: func(ctx context.Context, st *store.Store, w io.Writer, f *exchange.ExportFlags) ([]string, error) {
			return exchange.WriteVotes(ctx, st, w, f, only)
		},
	}.newCommand(a)
}

func newExportMeasuresCmd(a *project.Project) *cobra.Command {
	var revisions bool
	return exporter{
		use: "measures", short: "Every score measured elsewhere, as import scores reads it",
		add: func(cmd *cobra.Command, _ *exchange.ExportFlags) {
			cmd.Flags().BoolVar(&revisions, "revisions", false, "earlier revisions too, before the current one")
		},
		write: func(ctx context.Context, st *store.Store, w io.Writer, f *exchange.ExportFlags) ([]string, error) {
			return exchange.WriteExternalScores(ctx, st, w, f.Format, revisions)
		},
	}.newCommand(a)
}

func newExportDatasetCmd(a *project.Project) *cobra.Command {
	var parts exchange.DatasetParts
	var c curating.Flags
	cmd := exporter{
		use: "dataset NAME", short: "A dataset with its images, as a benchmark's file",
		add: func(cmd *cobra.Command, f *exchange.ExportFlags) {
			cmd.Flags().BoolVar(&parts.Curated, "curated", false, "only the samples that experts have accepted, where they place them")
			c.AddExpertFlags(cmd, ", with --curated")
			cmd.Flags().BoolVar(&parts.Public, "public", false, "leave out answers, reference answers, criteria and discarded samples")
			cmd.Flags().StringVar(&parts.Split.Ratio, "split", "", "split into dev and test by this `ratio`, as 4:6, within each taxonomy group; samples of one image stay together")
			cmd.Flags().StringVar(&parts.Split.Part, "part", "", "with --split: only dev, or only test (default: both, named in the column split)")
			cmd.Flags().Uint64Var(&parts.Split.Seed, "seed", 1, "with --split: seed of the draw")
			if flag := cmd.Flags().Lookup("format"); flag != nil {
				flag.DefValue, f.Format = tablefile.TSV, tablefile.TSV
			}
		},
		check: func(cmd *cobra.Command, f *exchange.ExportFlags) error {
			c.Dataset = f.Only
			if err := parts.Split.Check(); err != nil {
				return err
			}
			return c.CheckFlags(cmd)
		},
		write: func(ctx context.Context, st *store.Store, w io.Writer, f *exchange.ExportFlags) (_ []string, err error) {
			if parts.Curated {
				if parts.Panel, err = curating.NewSettings(a, c).ExpertPanel(eval.DatasetName(f.Only)); err != nil {
					return nil, err
				}
			}
			return exchange.WriteDataset(ctx, st, w, f, parts)
		},
	}.newCommand(a)
	cmd.Args = cobra.ExactArgs(1)
	return cmd
}

func newExportCurationCmd(a *project.Project) *cobra.Command {
	var c curating.Flags
	return exporter{
		use: "curation", short: "What every expert says of each sample, with what it comes to",
		add:   func(cmd *cobra.Command, _ *exchange.ExportFlags) { c.AddFlags(cmd) },
		check: func(cmd *cobra.Command, _ *exchange.ExportFlags) error { return c.CheckFlags(cmd) },
		write: func(ctx context.Context, st *store.Store, w io.Writer, f *exchange.ExportFlags) ([]string, error) {
			name, err := c.NamedOrOnlyDataset(st)
			if err != nil {
				return nil, err
			}
			p, err := curating.NewSettings(a, c).ExpertPanel(name)
			if err != nil {
				return nil, err
			}
			return exchange.WriteVerdicts(ctx, st, w, f.Format, name, p)
		},
	}.newCommand(a)
}

// newExportScoresCmd gives the export of judges' scores, also back to the log of another tool.
func newExportScoresCmd(a *project.Project) *cobra.Command {
	var tool, queue, rules string
	tools := slices.Sorted(maps.Keys(exchange.LogColumns))
	cmd := newExportCallsCmd(a, "scores", "Every score that a judge gave an open answer, with its raw reply and settings; with --for, what goes back to another tool's log",
		func(ctx context.Context, st *store.Store, w io.Writer, f *exchange.ExportFlags) ([]string, error) {
			if tool == "" {
				return exchange.WriteScores(ctx, st, w, f)
			}
			f.Queue, f.Rules = queue, rules
			return exchange.WriteLogScores(ctx, st, w, f, tool)
		})
	fs := cmd.Flags()
	fs.StringVar(&tool, "for", "", "in place of judges' scores, what rules and people say of each sample of one run, as the logs of this `tool` name it: "+strings.Join(tools, " or "))
	fs.StringVar(&queue, "queue", "", "with --for: only people's labels in this queue (default: in all that were drawn at random)")
	fs.StringVar(&rules, "rules", extract.Default, "with --for: rule `set` that reads the responses")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		switch {
		case tool == "" && (queue != "" || fs.Changed("rules")):
			return cli.NewUsageError(errors.New("--queue and --rules go with --for"))
		case tool != "" && !slices.Contains(tools, tool):
			return cli.NewUsageError(fmt.Errorf("unknown tool %q: want one of %s", tool, strings.Join(tools, ", ")))
		}
		_, err := facts.FindRules(rules)
		return err
	}
	return cmd
}

// newExportCallsCmd gives the export of what judges said of runs' predictions.
func newExportCallsCmd(a *project.Project, use, short string, write func(context.Context, *store.Store, io.Writer, *exchange.ExportFlags) ([]string, error)) *cobra.Command {
	return exporter{use: use, short: short, write: write, add: func(cmd *cobra.Command, f *exchange.ExportFlags) {
		cmd.Flags().StringVar(&f.Dataset, "dataset", "", "only "+use+" on this dataset")
		cmd.Flags().StringVar(&f.Model, "model", "", "only "+use+" of this model's predictions")
		cmd.Flags().UintSliceVar(&f.Runs, "run", nil, "only "+use+" of these runs, by `number`")
	}}.newCommand(a)
}
