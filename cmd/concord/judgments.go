package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
)

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
