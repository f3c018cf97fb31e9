package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/draw"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/unsaved"
	"concord/eval"
	"concord/eval/bound"
	"concord/eval/dataset"
	"concord/eval/dataset/hub"
	"concord/eval/extract"
	"concord/eval/judge"
	"concord/store"
)

// NewImportCmd makes the command import.
func NewImportCmd(a *project.Project) *cobra.Command {
	return project.NewGroupCmd("import", "Bring datasets, predictions, what people and judges made of them, what replaces images, and scores measured elsewhere into the project",
		newImportDatasetCmd(a), newImportPredictionsCmd(a),
		importer{use: "judgments", short: "Import answers that a judge model extracted elsewhere", dataset: "the dataset that was answered", take: exchange.ImportJudgeReplies}.newCommand(a),
		importer{use: "grades", short: "Import verdicts on single criteria of responses, by people and by judges", dataset: "the dataset whose responses were graded", take: exchange.ImportGrades}.newCommand(a),
		importer{use: "curation", short: "Import what experts say of samples: verdicts, axes, adjudications", dataset: "the dataset that is curated", take: exchange.ImportVerdicts}.newCommand(a),
		newImportLabelsCmd(a), newImportVotesCmd(a), newImportCriteriaCmd(a), newImportRubricsCmd(a), newImportDetectionsCmd(a), newImportCaptionsCmd(a), newImportMeasuresCmd(a), newImportUnsavedCmd(a))
}

func newImportDatasetCmd(a *project.Project) *cobra.Command {
	var o dataset.Options
	var name string
	var columns columnFlags
	cmd := project.NewCmd("dataset FILE|FOLDER|hf://OWNER/NAME@REVISION", "Import a benchmark's questions and images", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		if err := cli.CheckOneLineName("dataset", name); err != nil {
			return err
		}
		o.Name = eval.DatasetName(name)
		var err error
		if o.Columns, err = columns.readColumnWish(); err != nil {
			return err
		}
		if err := exchange.RequireKnownFormat(o.Format); err != nil {
			return err
		}
		path := args[0]
		if strings.HasPrefix(path, hub.Scheme) {
			if path, err = downloadFromHub(cmd.Context(), a, path, &o); err != nil {
				return err
			}
		}
		if err := cli.CheckReadable(path); err != nil {
			return err
		}
		if o.Pictures != "" {
			if err := cli.CheckReadable(o.Pictures); err != nil {
				return err
			}
		}
		return a.WriteStore(cmd.Context(), true, func(st *store.Store) error {
			m := a.NewProgress("loading " + args[0])
			problems := exchange.NewProblemSummary(a)
			o.Progress, o.Skipped = m.ShowBytes, problems.CountProblemByKind
			sum, err := dataset.Import(cmd.Context(), st.Datasets(), path, o)
			m.RemoveBar()
			problems.PrintProblems()
			return exchange.PrintImported(a, sum, err)
		})
	})
	cmd.Flags().StringVar(&name, "name", "", "name of the dataset (default: from the file's name)")
	cmd.Flags().StringVar(&o.Pictures, "image-folder", "", "`folder` of the images that the file names (default: images beside the file)")
	cmd.Flags().StringVar(&o.Format, "format", "", "format of the file (default: found out by itself)")
	cmd.Flags().BoolVar(&o.Strict, "strict", false, "fail at the first row that cannot be read")
	columns.addFlags(cmd)
	return cmd
}

// downloadFromHub brings a dataset from the Hugging Face hub, and returns the folder that its files are in.
func downloadFromHub(ctx context.Context, a *project.Project, text string, o *dataset.Options) (string, error) {
	s, err := hub.ParseSource(text)
	if err != nil {
		return "", cli.NewUsageError(err)
	}
	m := a.NewProgress("bringing " + text)
	defer m.RemoveBar()
	o.Name, o.Origin = cmp.Or(o.Name, eval.DatasetName(s.Name)), text
	h := hub.Hub{Address: os.Getenv("HF_ENDPOINT"), Token: os.Getenv("HF_TOKEN"), Cache: cli.CacheFolder(), Progress: m.ShowBytes}
	return h.FetchDataset(ctx, s)
}

func newImportPredictionsCmd(a *project.Project) *cobra.Command {
	var o dataset.PredictionOptions
	var name, modality, rules string
	var shots int
	var columns columnFlags
	cmd := project.NewCmd("predictions FILE [--dataset NAME] [--model NAME]", "Import predictions made elsewhere", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		var err error
		if o.Modality, err = eval.ParseModality(modality); err != nil {
			return cli.NewUsageError(err)
		}
		if o.Columns, err = columns.readColumnWish(); err != nil {
			return err
		}
		if o.Reader, err = facts.FindRules(rules); err != nil {
			return err
		}
		if cmd.Flags().Changed("shots") {
			if o.Shots = &shots; shots < 0 {
				return cli.NewUsageError(fmt.Errorf("--shots %d: want 0 or more", shots))
			}
		}
		if err := cli.CheckOneLineName("dataset", name); err != nil {
			return err
		}
		o.Dataset = eval.DatasetName(name)
		return exchange.CheckAndImportPredictions(a, cmd, args[0], o)
	})
	f := cmd.Flags()
	f.StringVar(&name, "dataset", "", "the dataset that was answered (default: the one that a log names)")
	f.StringVar(&o.Model, "model", "", "the model that answered (default: the one that the file names)")
	f.StringVar(&modality, "modality", "image", "what the model was given: image, text, grey or base")
	f.IntVar(&shots, "shots", 0, "worked examples before each question (default: as a log says, else 0)")
	f.StringVar(&rules, "rules", extract.Default, "rule `set` that counts what is readable")
	f.StringVar(&o.Format, "format", "", "format of the file (default: found out by itself)")
	f.BoolVar(&o.Strict, "strict", false, "fail at the first row that cannot be read")
	columns.addFlags(cmd)
	return cmd
}

func newImportMeasuresCmd(a *project.Project) *cobra.Command {
	return project.NewCmd("scores FILE", "Import models' scores on benchmarks, measured elsewhere", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		if err := cli.CheckReadable(args[0]); err != nil {
			return err
		}
		return a.WriteStore(cmd.Context(), true, func(st *store.Store) error {
			return exchange.ImportExternalScores(cmd.Context(), a, st, args[0])
		})
	})
}

// columnFlags are what a command says of a file's columns.
type columnFlags struct {
	roles   string
	ignore  []string
	profile string
}

func (c *columnFlags) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.roles, "map", "", "what columns are: `ROLE=COLUMN,...`, such as options=choices,answer=index0:answer,image=image_*")
	f.StringArrayVar(&c.ignore, "ignore", nil, "a `column` that may be left out, also one with images, lists or answers (repeatable)")
	f.StringVar(&c.profile, "profile", "", "`file` of layouts of your own (TOML)")
}

func (c *columnFlags) readColumnWish() (out dataset.Wish, err error) {
	out.Ignore = c.ignore
	if c.roles != "" {
		if out.Map, err = dataset.ParseRoleMap(c.roles); err != nil {
			return out, cli.NewUsageError(fmt.Errorf("--map: %w", err))
		}
	}
	if c.profile != "" {
		if out.Table, err = dataset.ReadOwnLayouts(c.profile); err != nil {
			return out, fmt.Errorf("--profile: %w", err)
		}
	}
	return out, nil
}

func newImportCriteriaCmd(a *project.Project) *cobra.Command {
	var as string
	return importer{
		use: "criteria", short: "Import what good answers must do, sample by sample", dataset: "the dataset that the criteria are of",
		add: func(cmd *cobra.Command) {
			cmd.Flags().StringVar(&as, "as", "", "your `name`: who wrote what the file names no author of, and reviewed what it names no reviewer of")
		},
		take: func(ctx context.Context, st *store.Store, in *exchange.RowCounter) error {
			return exchange.NewCriteriaImport(st, in, annotate.Annotator(as)).Run(ctx)
		},
	}.newCommand(a)
}

func newImportRubricsCmd(a *project.Project) *cobra.Command {
	var name string
	cmd := project.NewCmd("rubrics FOLDER", "Import rubrics whole: questions, criteria, answers, and what raters said of them", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		if err := cli.CheckReadable(args[0]); err != nil {
			return err
		}
		if name == "" {
			base := filepath.Base(args[0])
			name = base[:len(base)-len(filepath.Ext(base))]
		}
		if err := cli.CheckOneLineName("dataset", name); err != nil {
			return err
		}
		return a.WriteStore(cmd.Context(), true, func(st *store.Store) error {
			sum, err := exchange.ImportRubrics(cmd.Context(), a, st, args[0], eval.DatasetName(name))
			if err != nil {
				return fmt.Errorf("import rubrics: %w", err)
			}
			return exchange.PrintRubricImport(a, &sum)
		})
	})
	cmd.Flags().StringVar(&name, "name", "", "name of the dataset (default: that of the folder)")
	return cmd
}

func newImportVotesCmd(a *project.Project) *cobra.Command {
	var o dataset.VoteOptions
	var people exchange.PeopleOptions
	var name string
	var runs []uint
	var drawn draw.DrawnElsewhere
	cmd := project.NewCmd("votes FILE --dataset NAME [--judge NAME] [--queue NAME]", "Import votes on pairs of answers, a judge model's or people's", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		o.Dataset, o.Read, o.Now, o.Skipped = eval.DatasetName(name), judge.ReadVote, a.Now, a.PrintSkippedRow
		o.Runs = facts.RunIDs(runs)
		var err error
		if o.Reader, err = facts.FindRules(extract.Default); err != nil {
			return err
		}
		if err := cli.CheckReadable(args[0]); err != nil {
			return err
		}
		if err := drawn.CheckFlags(cmd.Flags().Changed); err != nil {
			return err
		}
		if drawn.Of != "" {
			if drawn.Of != annotate.FromPairs.String() || o.Judge != "" {
				return cli.NewUsageError(fmt.Errorf("--sample-of %q: people's votes are of a sample of %s", drawn.Of, annotate.FromPairs))
			}
			people.Design = drawn.DeclaredDesign(args[0])
		}
		people.Dataset, people.Runs, people.Strict, people.By = o.Dataset, runs, o.Strict, annotate.Annotator(project.DefaultUserName())
		return a.WriteExistingStore(cmd.Context(), func(st *store.Store) error {
			return exchange.ImportVotes(cmd.Context(), a, st, args[0], o, people)
		})
	})
	f := cmd.Flags()
	f.StringVar(&name, "dataset", "", "the dataset whose answers were voted on (required)")
	f.StringVar(&o.Judge, "judge", "", "the judge's name in reports (default: as the file names it)")
	f.UintSliceVar(&runs, "run", nil, "the models' runs, by `number`, where a model has several")
	f.StringVar(&people.Queue, "queue", "", "of people's votes: the queue of pairs that takes them (default: as a row names it, else the file's name)")
	f.IntVar(&people.Overlap, "overlap", 0, "of people's votes: how many people may vote on a pair of a queue that is made (default: as many as the file names)")
	f.StringVar(&drawn.Of, "sample-of", "", "of people's votes: they are of a sample drawn elsewhere from this `population`: pairs, all those of the file's models with their anchor, or of its two models")
	addDrawnFlags(f, &drawn)
	f.BoolVar(&o.Strict, "strict", false, "fail at the first row that cannot be taken")
	a.MarkRequiredFlags(cmd, "dataset")
	return cmd
}

// addDrawnFlags adds those of how a sample's items were drawn.
func addDrawnFlags(f *pflag.FlagSet, drawn *draw.DrawnElsewhere) {
	f.StringVar(&drawn.Probability, "probability", "", "with --sample-of: the `column` with the probability with which each item was drawn (default: all were as likely)")
	f.StringVar(&drawn.Weight, "weight", "", "with --sample-of: the `column` with 1 over it")
	f.Uint64Var(&drawn.Seed, "seed", 0, "with --sample-of: the seed of the draw, as a record")
}

func newImportUnsavedCmd(a *project.Project) *cobra.Command {
	return project.NewCmd("unsaved FILE", "Take in what could not be saved, from the file in which it was kept", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		f, err := bound.OpenRegular(args[0])
		if err != nil {
			return cli.NewUsageError(err)
		}
		left, problems, err := unsaved.ReadActsFile(bound.FailAboveLimit(f, "the file", bound.Results))
		if err = errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("read %s: %w", args[0], err)
		}
		return a.WriteExistingStore(cmd.Context(), func(st *store.Store) error {
			taken, more, err := left.StoreInto(cmd.Context(), st)
			if err != nil {
				return err
			}
			return printUnsaved(a, &left, taken, append(problems, more...))
		})
	})
}

func printUnsaved(a *project.Project, left *unsaved.Acts, taken int, problems []unsaved.Problem) error {
	for _, p := range problems {
		_, _ = fmt.Fprintf(a.Err, "concord: %s\n", cli.EscapeControls(p.Error()))
	}
	err := a.PrintResult(map[string]int{"acts": left.Len(), "taken": taken, "problems": len(problems)},
		"%s in the file, %d of them taken in\n", cli.FormatCountOf(left.Len(), "act", "acts"), taken)
	if err == nil && len(problems) > 0 {
		err = cli.StatusError{Code: cli.ExitFailed, Quiet: true}
	}
	return err
}

func newImportLabelsCmd(a *project.Project) *cobra.Command {
	var queue string
	var drawn draw.DrawnElsewhere
	cmd := project.NewCmd("labels FILE --queue NAME", "Import what people labelled elsewhere", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		if err := drawn.CheckFlags(cmd.Flags().Changed, "dataset", "model", "run", "rules"); err != nil {
			return err
		}
		return a.WriteExistingStore(cmd.Context(), func(st *store.Store) error {
			if drawn.Of != "" {
				drawn.By = annotate.Annotator(project.DefaultUserName())
				return draw.ImportSample(cmd.Context(), a, st, annotate.QueueName(queue), args[0], &drawn)
			}
			return importLabelsIntoQueue(cmd.Context(), a, st, annotate.QueueName(queue), args[0])
		})
	})
	f := cmd.Flags()
	f.StringVar(&queue, "queue", "", "the queue that was labelled (required); with --sample-of, the one that is made")
	f.StringVar(&drawn.Of, "sample-of", "", "the labels are of a sample drawn elsewhere from this `population` of predictions (of all passes), as queue create --from names it: all, or those that --rules does not read")
	f.StringVar(&drawn.Dataset, "dataset", "", "with --sample-of: the dataset whose predictions it was drawn from")
	f.StringSliceVar(&drawn.Models, "model", nil, "with --sample-of: only predictions of these `models`")
	f.UintSliceVar(&drawn.Runs, "run", nil, "with --sample-of: only these runs, by `number`")
	f.StringVar(&drawn.Rules, "rules", "concord", "with --sample-of: rule `set` that does not read them")
	addDrawnFlags(f, &drawn)
	a.MarkRequiredFlags(cmd, "queue")
	return cmd
}
