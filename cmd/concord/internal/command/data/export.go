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

	"concord/annotate"
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
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write datasets, predictions, judgments, labels, votes, criteria or scores measured elsewhere as JSON lines, CSV, TSV, xlsx or parquet",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE:  cli.NeedSubcommand,
	}
	cmd.AddCommand(newExportPredictionsCmd(a), newExportLabelsCmd(a), newExportJudgmentsCmd(a), newExportScoresCmd(a),
		newExportVotesCmd(a), newExportCriteriaCmd(a), newExportGradesCmd(a), newExportCurationCmd(a), newExportDatasetCmd(a), newExportMeasuresCmd(a))
	return cmd
}

func newExportPredictionsCmd(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	cmd := &cobra.Command{
		Use:   "predictions",
		Short: "Every prediction with its question and what the rules read in it",
		Long:  cli.Help("export"),
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			reader, err := facts.RulesFor(f.Rules)
			if err != nil {
				return err
			}
			if _, known := exchange.Layouts[f.Layout]; !known && f.Layout != "" {
				return cli.Usage(fmt.Errorf("unknown layout %q: want one of %s", f.Layout, strings.Join(slices.Sorted(maps.Keys(exchange.Layouts)), ", ")))
			}
			if f.Split != "" && f.Layout == "" {
				return cli.Usage(errors.New("--split goes with --layout"))
			}
			if f.Layout != "" && !cmd.Flags().Changed("format") {
				f.Format = tablefile.XLSX
			}
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				if f.Layout != "" {
					return exchange.ExportKit(ctx, st, w, &f, reader)
				}
				letters, err := exchange.LettersOf(ctx, st, &f)
				if err != nil {
					return nil, err
				}
				return export.WritePredictions(w, f.Format, letters, exchange.PredictionRows(ctx, st, &f, reader))
			})
		},
	}
	f.Add(cmd)
	cmd.Flags().StringVar(&f.Dataset, "dataset", "", "only this dataset")
	cmd.Flags().StringVar(&f.Model, "model", "", "only this model")
	cmd.Flags().UintSliceVar(&f.Runs, "run", nil, "only these runs, by `number`")
	cmd.Flags().StringVar(&f.Rules, "rules", extract.Default, "rule `set` that reads the predictions")
	cmd.Flags().StringVar(&f.Layout, "layout", "", "write one run as another tool's file: kit, submission, kit-results, kit-acc or kit-score (default format then: xlsx)")
	cmd.Flags().StringVar(&f.Split, "split", "", "only this split, with --layout")
	return cmd
}

func newExportLabelsCmd(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	cmd := &cobra.Command{
		Use:   "labels",
		Short: "Every label that counts, with who, when and how long",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return exchange.WriteLabels(ctx, st, w, &f)
			})
		},
	}
	f.Add(cmd)
	cmd.Flags().StringVar(&f.Queue, "queue", "", "only this queue")
	cmd.Flags().BoolVar(&f.GoldItems, "golds", false, "with the known answers of items that check people, and the items that were added for it (whoever labels should not see this)")
	return cmd
}

func newExportCriteriaCmd(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	var history bool
	cmd := &cobra.Command{
		Use:   "criteria",
		Short: "The current criteria, or with --history every act that led there",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return exchange.WriteCriteria(ctx, st, w, &f, history)
			})
		},
	}
	f.Add(cmd)
	cmd.Flags().StringVar(&f.Only, "dataset", "", "only this dataset")
	cmd.Flags().BoolVar(&history, "history", false, "one row for each act: drafts, revisions, comments, reviews")
	return cmd
}

func newExportVotesCmd(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	var only exchange.Voters
	cmd := &cobra.Command{
		Use:   "votes",
		Short: "Every vote on a pair of answers, of people and of judges",
		Long:  cli.Help("exportvotes"),
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case only.Judges && only.People:
				return cli.Usage(errors.New("--people and --judges leave out each other's votes: leave out one of them"))
			case only.Judges && f.Queue != "":
				return cli.Usage(errors.New("--queue is of people's votes: leave --judges out"))
			}
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return exchange.WriteVotes(ctx, st, w, &f, only)
			})
		},
	}
	f.Add(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.Queue, "queue", "", "only people's votes in this queue")
	fs.BoolVar(&only.People, "people", false, "only people's votes")
	fs.BoolVar(&only.Judges, "judges", false, "only judges' votes")
	fs.StringVar(&f.Dataset, "dataset", "", "only votes on this dataset")
	return cmd
}

func newImportMeasuresCmd(a *project.Project) *cobra.Command {
	return &cobra.Command{
		Use:   "scores FILE",
		Short: "Import models' scores on benchmarks, measured elsewhere",
		Long:  cli.Help("measures"),
		Args:  cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckReadable(args[0]); err != nil {
				return err
			}
			return a.Write(cmd.Context(), true, func(st *store.Store) error {
				return exchange.ImportMeasures(cmd.Context(), a, st, args[0])
			})
		},
	}
}

func newExportMeasuresCmd(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	var revisions bool
	cmd := &cobra.Command{
		Use:   "measures",
		Short: "Every score measured elsewhere, as import scores reads it",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return exchange.WriteMeasures(ctx, st, w, f.Format, revisions)
			})
		},
	}
	f.Add(cmd)
	cmd.Flags().BoolVar(&revisions, "revisions", false, "earlier revisions too, before the current one")
	return cmd
}

func newExportDatasetCmd(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	var public, curated bool
	var c curating.Flags
	cmd := &cobra.Command{
		Use:   "dataset NAME",
		Short: "A dataset with its images, as a benchmark's file",
		Long:  cli.Help("exportdataset"),
		Args:  cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.Only, c.Dataset = args[0], args[0]
			if err := c.Check(cmd); err != nil {
				return err
			}
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				parts := exchange.DatasetParts{Public: public, Curated: curated}
				if curated {
					var err error
					if parts.Panel, err = curating.NewSettings(a, c).Panel(eval.DatasetName(f.Only)); err != nil {
						return nil, err
					}
				}
				return exchange.WriteDataset(ctx, st, w, &f, parts)
			})
		},
	}
	f.Add(cmd)
	cmd.Flags().BoolVar(&curated, "curated", false, "only the samples that experts have accepted, where they place them")
	c.AddExperts(cmd, ", with --curated")
	cmd.Flags().BoolVar(&public, "public", false, "leave out answers, reference answers, criteria and discarded samples")
	if flag := cmd.Flags().Lookup("format"); flag != nil {
		flag.DefValue, f.Format = tablefile.TSV, tablefile.TSV
	}
	return cmd
}

func newImportCurationCmd(a *project.Project) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "curation FILE --dataset NAME",
		Short: "Import what experts say of samples: verdicts, axes, adjudications",
		Long:  cli.Help("curation"),
		Args:  cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckReadable(args[0]); err != nil {
				return err
			}
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error {
				in := exchange.VerdictImport{Rows: exchange.NewRows(a, eval.DatasetName(name), args[0]), Store: st, Experts: make(map[annotate.Annotator]*exchange.ExpertSoFar)}
				if _, err := st.Datasets().Dataset(in.Sum.Dataset); err != nil {
					return err
				}
				if err := in.Run(cmd.Context()); err != nil {
					return fmt.Errorf("import curation: %w", err)
				}
				return exchange.PrintRowsImported(a, in.Sum)
			})
		},
	}
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset that is curated (required)")
	a.Require(cmd, "dataset")
	return cmd
}

func newExportCurationCmd(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	var c curating.Flags
	cmd := &cobra.Command{
		Use:   "curation",
		Short: "What every expert says of each sample, with what it comes to",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.Check(cmd); err != nil {
				return err
			}
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				name, err := c.Name(st)
				if err != nil {
					return nil, err
				}
				p, err := curating.NewSettings(a, c).Panel(name)
				if err != nil {
					return nil, err
				}
				return exchange.WriteVerdicts(ctx, st, w, f.Format, name, p)
			})
		},
	}
	f.Add(cmd)
	c.Add(cmd)
	return cmd
}

func newExportCallsCmd(a *project.Project, x exchange.CallExport) *cobra.Command {
	var f exchange.ExportFlags
	cmd := &cobra.Command{
		Use:   x.Use,
		Short: x.Short,
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return x.Write(ctx, st, w, &f)
			})
		},
	}
	f.Add(cmd)
	cmd.Flags().StringVar(&f.Dataset, "dataset", "", "only "+x.Use+" on this dataset")
	cmd.Flags().StringVar(&f.Model, "model", "", "only "+x.Use+" of this model's predictions")
	cmd.Flags().UintSliceVar(&f.Runs, "run", nil, "only "+x.Use+" of these runs, by `number`")
	return cmd
}

func newExportJudgmentsCmd(a *project.Project) *cobra.Command {
	return newExportCallsCmd(a, exchange.CallExport{
		Use: "judgments", Short: "Every judgment, with the judge's raw reply and settings",
		Columns: []string{ // they begin with those that import judgments reads
			"sample", "pass", "model", "judge", "choice", "raw", "prompt", "dataset", "run", "status", "method", "failure",
			"earlier", "finish", "served", "prompt_tokens", "completion_tokens", "reasoning_tokens", "latency_ms", "at", "setup",
		},
		Run: func(ctx context.Context, w *exchange.CallWriter, run eval.Run) error {
			for j, err := range w.Store.Judgments().Calls(ctx, run.ID) {
				if err == nil {
					err = w.Judgment(run, &j)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	})
}

func newExportScoresCmd(a *project.Project) *cobra.Command {
	return newExportCallsCmd(a, exchange.CallExport{
		Use: "scores", Short: "Every score that a judge gave an open answer, with its raw reply and settings",
		Columns: []string{
			"sample", "pass", "model", "judge", "score", "raw", "prompt", "dataset", "run", "failure",
			"earlier", "finish", "served", "prompt_tokens", "completion_tokens", "reasoning_tokens", "latency_ms", "at", "setup",
		},
		Run: func(ctx context.Context, w *exchange.CallWriter, run eval.Run) error {
			for s, err := range w.Store.Scores().Calls(ctx, run.ID) {
				if err == nil {
					err = w.Score(run, &s)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	})
}
