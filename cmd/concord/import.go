package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/extract"
	"concord/store"
)

func newImportCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Bring datasets, predictions, what people and judges made of them, what stands for pictures, and scores measured elsewhere into the project",
		Args:  usageArgs(cobra.NoArgs),
		RunE:  needSubcommand,
	}
	cmd.AddCommand(newImportDatasetCmd(a), newImportPredictionsCmd(a),
		newImportLabelsCmd(a), newImportJudgmentsCmd(a), newImportVotesCmd(a),
		newImportCriteriaCmd(a), newImportCurationCmd(a), newImportDetectionsCmd(a), newImportCaptionsCmd(a), newImportMeasuresCmd(a))
	return cmd
}

func newImportDatasetCmd(a *app) *cobra.Command {
	var o dataset.Options
	var name string
	cmd := &cobra.Command{
		Use:   "dataset FILE",
		Short: "Import a benchmark's questions and pictures",
		Long: `Imports the TSV files of MMBench, CCBench and MMStar (pictures included), and
the same columns as xlsx, parquet (MMStar's release, pictures as bytes), CSV,
JSON or JSON lines, MLLM-Bench's questions, and
MME's folders: the release (a folder for each subtask, with its pictures) or
results (a text file for each subtask, with or without responses).
A question without options is open, or of yes and no where its answer is; with
"open" in a column named kind it is open whatever its answer, which then is a
reference. The format is found out by itself. Pictures that a file only names are taken
from a folder by their names. Rows that cannot be read are reported and the
rest is kept. Under the name of a dataset that was made from predictions, what
those lacked is filled in from the file: categories, splits, answers, pictures.
Nothing that is there changes, and a file that contradicts it is refused.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := namable("dataset", name); err != nil {
				return err
			}
			o.Name = eval.DatasetName(name)
			if err := knownFormat(o.Format); err != nil {
				return err
			}
			if err := readable(args[0]); err != nil {
				return err
			}
			if o.Pictures != "" {
				if err := readable(o.Pictures); err != nil {
					return err
				}
			}
			return a.write(cmd.Context(), true, func(st *store.Store) error {
				m := a.meter("reading " + args[0])
				o.Progress, o.Skipped = m.bytes, a.problem
				sum, err := dataset.Import(cmd.Context(), st.Datasets(), args[0], o)
				m.done()
				return printImported(a, sum, err)
			})
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "name of the dataset (default: from the file's name)")
	cmd.Flags().StringVar(&o.Pictures, "pictures", "", "`folder` of the pictures that the file names (default: images beside the file)")
	cmd.Flags().StringVar(&o.Format, "format", "", "format of the file (default: found out by itself)")
	cmd.Flags().BoolVar(&o.Strict, "strict", false, "fail at the first row that cannot be read")
	return cmd
}

func newImportPredictionsCmd(a *app) *cobra.Command {
	var o dataset.PredictionOptions
	var name, modality, rules string
	var shots int
	cmd := &cobra.Command{
		Use:   "predictions FILE [--dataset NAME] [--model NAME]",
		Short: "Import predictions made elsewhere",
		Long: `Imports a prediction file: VLMEvalKit's xlsx, TSV or JSON, or JSON lines
{"id", "options": {"A": ..}, "question"?, "answer"?, "category"?, "prediction"}.
MLLM-Bench's answers, which name their model, need no --model. MME's folder of
results (existence.txt, ...: picture, question, truth, response) is imported by
the folder's name. Sample logs of lmms-eval (the task from the file's name, model
and shots from the results beside it) and logs of inspect_ai (.json and .eval, with
their dataset, model and shots) need no --dataset, and are imported whole: what
their scorers read, or VLMEvalKit in its files of results, is kept as a judge's
readings. An imported run keeps --shots, by which reports tell runs apart.
When the project has no dataset of that name and the file holds the questions
too, the dataset is made from the file.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.Modality, err = eval.ParseModality(modality); err != nil {
				return usageError{err}
			}
			if o.Reader, err = rulesFor(rules); err != nil {
				return err
			}
			if cmd.Flags().Changed("shots") {
				if o.Shots = &shots; shots < 0 {
					return usageError{fmt.Errorf("--shots %d: want 0 or more", shots)}
				}
			}
			if err := namable("dataset", name); err != nil {
				return err
			}
			o.Dataset = eval.DatasetName(name)
			return takePredictions(a, cmd, args[0], o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&name, "dataset", "", "the dataset that was answered (default: the one that a log names)")
	f.StringVar(&o.Model, "model", "", "the model that answered (default: the one that the file names)")
	f.StringVar(&modality, "modality", "image", "what the model was given: image, text, grey or base")
	f.IntVar(&shots, "shots", 0, "worked examples before each question (default: as a log says, else 0)")
	f.StringVar(&rules, "rules", extract.Default, "rule `set` that counts what is readable")
	f.StringVar(&o.Format, "format", "", "format of the file (default: found out by itself)")
	f.BoolVar(&o.Strict, "strict", false, "fail at the first row that cannot be read")
	return cmd
}

// takePredictions checks the file before a project is made for it.
func takePredictions(a *app, cmd *cobra.Command, path string, o dataset.PredictionOptions) error {
	if err := knownFormat(o.Format); err != nil {
		return err
	}
	if err := readable(path); err != nil {
		return err
	}
	log := o.Dataset == ""
	if log {
		var err error
		if o.Dataset, err = namedByLog(cmd, path, o.Format); err != nil {
			return err
		}
	}
	return a.write(cmd.Context(), true, func(st *store.Store) error {
		if log {
			if err := sameDataset(a, st, &o); err != nil {
				return err
			}
		}
		return importPredictions(a, cmd, st, path, o)
	})
}

// namedByLog is the dataset that a log names.
func namedByLog(cmd *cobra.Command, path, format string) (eval.DatasetName, error) {
	name, err := dataset.NamedDataset(cmd.Context(), path, format)
	switch {
	case err != nil:
		return "", fmt.Errorf("import %s: %w", path, err)
	case name == "":
		return "", usageError{fmt.Errorf("--dataset is missing, and the file is no log that names one (see: %s --help)", cmd.CommandPath())}
	}
	return name, nil
}

// sameDataset takes the project's own dataset for one that a log names in
// other letters: lmms-eval's task mme is MME.
func sameDataset(a *app, st *store.Store, o *dataset.PredictionOptions) error {
	all, err := st.Datasets().List()
	if err != nil {
		return err
	}
	named := o.Dataset
	for _, d := range all {
		if d.Name == named {
			o.Dataset = named
			break
		}
		if strings.EqualFold(string(d.Name), string(named)) {
			o.Dataset = d.Name
		}
	}
	_, _ = fmt.Fprintf(a.err, "concord: the log names the dataset %s: predictions go to %s (--dataset names another)\n",
		visible(string(named)), visible(string(o.Dataset)))
	return nil
}

// predictionSink is what an import of predictions writes to.
type predictionSink struct {
	*store.Datasets
	*store.Runs
	judgments *store.Judgments
}

var _ dataset.JudgmentSink = predictionSink{}

// PutJudgments keeps what a log's own scorers read.
func (p predictionSink) PutJudgments(ctx context.Context, all []eval.Judgment) (added int, err error) {
	return p.judgments.Put(ctx, all)
}

func importPredictions(a *app, cmd *cobra.Command, st *store.Store, path string, o dataset.PredictionOptions) error {
	m := a.meter("reading " + path)
	o.Progress, o.Skipped, o.Now = m.bytes, a.problem, a.now
	sum, err := dataset.ImportPredictions(cmd.Context(), predictionSink{st.Datasets(), st.Runs(), st.Judgments()}, path, o)
	m.done()
	switch {
	case errors.Is(err, dataset.ErrNoModel):
		err = usageError{err}
	case err == nil:
		err = warnTwins(a, st, sum.Run)
	}
	return printImported(a, sum, err)
}

// warnTwins says when a run has the same model on the same dataset as another:
// a file that was corrected or renamed makes a run of its own.
func warnTwins(a *app, st *store.Store, id eval.RunID) error {
	all, err := st.Runs().List()
	if err != nil || id == 0 {
		return err
	}
	own, err := st.Runs().Run(id)
	if err != nil {
		return err
	}
	for _, r := range all {
		c := r.Config
		if r.ID != id && c.Dataset == own.Config.Dataset && c.Model == own.Config.Model && c.Modality == own.Config.Modality &&
			c.Settings.Shots == own.Config.Settings.Shots {
			_, _ = fmt.Fprintf(a.err, "concord: run %d is of the same model on the same dataset (from %s); reports show both, --run %d shows this one\n",
				r.ID, visible(c.File), id)
		}
	}
	return nil
}

func knownFormat(format string) error {
	if format == "" || slices.Contains(dataset.Formats(), format) {
		return nil
	}
	return usageError{fmt.Errorf("unknown format %q: want one of %s", format, strings.Join(dataset.Formats(), ", "))}
}

// readable checks a file to import before a project is made for it.
func readable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	return f.Close()
}

// require marks flags as required, with a usage error that names them.
func (e *env) require(cmd *cobra.Command, names ...string) {
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		for _, n := range names {
			if f := cmd.Flags().Lookup(n); f == nil || f.Value.String() == "" {
				return usageError{fmt.Errorf("--%s is missing (see: %s --help)", n, cmd.CommandPath())}
			}
		}
		return nil
	}
}

// shownProblems is how many skipped rows are shown on a terminal: a file that
// does not fit its dataset would show nothing else. Into a file or a pipe go
// all of them.
const shownProblems = 20

// problem prints one row that was skipped, as it happens.
func (e *env) problem(p dataset.Problem) {
	e.problems++
	switch {
	case e.problems <= shownProblems || !e.isTerm:
		_, _ = fmt.Fprintf(e.err, "%s\n", visible(p.String()))
	case e.problems == shownProblems+1:
		_, _ = fmt.Fprintln(e.err, "... further rows are counted, not shown (2>FILE keeps every one)")
	}
}
