package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
)

func newImportJudgmentsCmd(a *app) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "judgments FILE --dataset NAME",
		Short: "Import a judge model's readings made elsewhere",
		Long: `Imports JSON lines {"sample", "pass"?, "model"?, "judge", "choice", "raw"?,
"prompt"?}: what a judge model read out of predictions that are in the project.
choice is an option's letter as shown in that pass, or none, refused,
ambiguous, or empty for a reply that gave nothing.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.writeExisting(cmd.Context(), func(st *store.Store) error {
				return importJudgments(a, cmd, st, eval.DatasetName(name), args[0])
			})
		},
	}
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset that was answered (required)")
	a.require(cmd, "dataset")
	return cmd
}

func importJudgments(a *app, cmd *cobra.Command, st *store.Store, name eval.DatasetName, path string) error {
	runs, err := indexRuns(st, name, nil)
	if err != nil {
		return err
	}
	in := newRows(a, name, path)
	fact := func(row dataset.JudgmentRow) (eval.Judgment, int, error) {
		j, err := judgmentOf(st, name, runs, row)
		j.At = a.now()
		return j, row.Line, err
	}
	if err := importFacts(cmd.Context(), in, dataset.ReadJudgments(path), fact, st.Judgments().Put); err != nil {
		return fmt.Errorf("import judgments: %w", err)
	}
	return printRowsImported(a, in.sum)
}

func judgmentOf(st *store.Store, name eval.DatasetName, runs runIndex, row dataset.JudgmentRow) (eval.Judgment, error) {
	var none eval.Judgment
	s, err := st.Datasets().SampleByID(name, row.Sample)
	if err != nil {
		return none, err
	}
	run, err := runs.of(row.Model)
	if err != nil {
		return none, err
	}
	k := eval.Key{Run: run, Sample: s.Ordinal, Pass: row.Pass}
	p, err := st.Runs().Prediction(k)
	if err != nil {
		return none, fmt.Errorf("sample %s pass %d has no prediction in run %d", row.Sample, row.Pass, run)
	}
	if err := offered(p.Asked(&s), s.Kind, row.Choice); err != nil {
		return none, err
	}
	return eval.Judgment{
		Key: k, Judge: row.Judge, Raw: row.Raw, Prompt: row.Prompt,
		Extraction: eval.Extraction{Choice: row.Choice, Status: row.Status, Method: "judge"},
	}, nil
}

// runIndex finds the run that a row of a file is about by its model.
type runIndex struct {
	dataset eval.DatasetName
	runs    []eval.Run
}

// indexRuns lists the runs on a dataset, or those of them that are named.
func indexRuns(st *store.Store, name eval.DatasetName, only []eval.RunID) (runIndex, error) {
	if _, err := st.Datasets().Dataset(name); err != nil {
		return runIndex{}, err
	}
	all, err := st.Runs().List()
	if err != nil {
		return runIndex{}, err
	}
	x := runIndex{dataset: name}
	for _, r := range all {
		if r.Config.Dataset == name && (len(only) == 0 || slices.Contains(only, r.ID)) {
			x.runs = append(x.runs, r)
		}
	}
	return x, nil
}

func (x runIndex) of(model string) (eval.RunID, error) {
	var found []eval.RunID
	for _, r := range x.runs {
		if model == "" || r.Config.Model == model {
			found = append(found, r.ID)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0 && model != "":
		return 0, fmt.Errorf("dataset %s has no run of model %s", x.dataset, model)
	case len(found) == 0:
		return 0, fmt.Errorf("dataset %s has no run", x.dataset)
	case model == "":
		return 0, fmt.Errorf("the row names no model, and dataset %s has %d runs", x.dataset, len(found))
	}
	return 0, fmt.Errorf("model %s has %d runs on dataset %s", model, len(found), x.dataset)
}
