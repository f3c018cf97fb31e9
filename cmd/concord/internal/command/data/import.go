package data

import (
	"fmt"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/extract"
	"concord/store"
)

// NewImportCmd makes the command import.
func NewImportCmd(a *project.Project) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Bring datasets, predictions, what people and judges made of them, what replaces images, and scores measured elsewhere into the project",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE:  cli.NeedSubcommand,
	}
	cmd.AddCommand(newImportDatasetCmd(a), newImportPredictionsCmd(a),
		newImportLabelsCmd(a), newImportJudgmentsCmd(a), newImportVotesCmd(a),
		newImportCriteriaCmd(a), newImportRubricsCmd(a), newImportGradesCmd(a), newImportCurationCmd(a), newImportDetectionsCmd(a), newImportCaptionsCmd(a), newImportMeasuresCmd(a), newImportUnsavedCmd(a))
	return cmd
}

func newImportDatasetCmd(a *project.Project) *cobra.Command {
	var o dataset.Options
	var name string
	var columns columnFlags
	cmd := &cobra.Command{
		Use:   "dataset FILE",
		Short: "Import a benchmark's questions and images",
		Long: `Imports the TSV files of MMBench, CCBench and MMStar (images included), and
the same columns as xlsx, parquet (MMStar's release, images as bytes), CSV,
JSON or JSON lines, MLLM-Bench's questions, and
MME's folders: the release (a folder for each subtask, with its images) or
results (a text file for each subtask, with or without responses).
A question without options is open, or of yes and no where its answer is; with
"open" in a column named kind it is open whatever its answer, which then is a
reference. The format is found out by itself. Images that a file only names are taken
from a folder by their names. Rows that cannot be read are reported and the
rest is kept. Under the name of a dataset that was made from predictions, what
those lacked is filled in from the file: categories, splits, answers, images.
Nothing that is there changes, and a file that contradicts it is refused.`,
		Args: cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckName("dataset", name); err != nil {
				return err
			}
			o.Name = eval.DatasetName(name)
			var err error
			if o.Columns, err = columns.wish(); err != nil {
				return err
			}
			if err := exchange.KnownFormat(o.Format); err != nil {
				return err
			}
			if err := cli.CheckReadable(args[0]); err != nil {
				return err
			}
			if o.Pictures != "" {
				if err := cli.CheckReadable(o.Pictures); err != nil {
					return err
				}
			}
			return a.Write(cmd.Context(), true, func(st *store.Store) error {
				m := a.Progress("loading " + args[0])
				problems := exchange.NewProblems(a)
				o.Progress, o.Skipped = m.Bytes, problems.Add
				sum, err := dataset.Import(cmd.Context(), st.Datasets(), args[0], o)
				m.Done()
				problems.Tell()
				return exchange.PrintImported(a, sum, err)
			})
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "name of the dataset (default: from the file's name)")
	cmd.Flags().StringVar(&o.Pictures, "image-folder", "", "`folder` of the images that the file names (default: images beside the file)")
	cmd.Flags().StringVar(&o.Format, "format", "", "format of the file (default: found out by itself)")
	cmd.Flags().BoolVar(&o.Strict, "strict", false, "fail at the first row that cannot be read")
	columns.flags(cmd)
	return cmd
}

func newImportPredictionsCmd(a *project.Project) *cobra.Command {
	var o dataset.PredictionOptions
	var name, modality, rules string
	var shots int
	var columns columnFlags
	cmd := &cobra.Command{
		Use:   "predictions FILE [--dataset NAME] [--model NAME]",
		Short: "Import predictions made elsewhere",
		Long: `Imports a prediction file: VLMEvalKit's xlsx, TSV or JSON, or JSON lines
{"id", "options": {"A": ..}, "question"?, "answer"?, "category"?, "prediction"}.
MLLM-Bench's answers, which name their model, need no --model. MME's folder of
results (existence.txt, ...: image, question, ground truth, response) is imported by
the folder's name. Sample logs of lmms-eval (the task from the file's name, model
and shots from the results beside it) and logs of inspect_ai (.json and .eval, with
their dataset, model and shots) need no --dataset, and are imported whole: what
their scorers extracted, or VLMEvalKit in its files of results, is kept as a
judge's answers. An imported run keeps --shots, by which reports tell runs apart.
When the project has no dataset of that name and the file holds the questions
too, the dataset is made from the file.`,
		Args: cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.Modality, err = eval.ParseModality(modality); err != nil {
				return cli.Usage(err)
			}
			if o.Columns, err = columns.wish(); err != nil {
				return err
			}
			if o.Reader, err = facts.RulesFor(rules); err != nil {
				return err
			}
			if cmd.Flags().Changed("shots") {
				if o.Shots = &shots; shots < 0 {
					return cli.Usage(fmt.Errorf("--shots %d: want 0 or more", shots))
				}
			}
			if err := cli.CheckName("dataset", name); err != nil {
				return err
			}
			o.Dataset = eval.DatasetName(name)
			return exchange.TakePredictions(a, cmd, args[0], o)
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
	columns.flags(cmd)
	return cmd
}
