package exchange

import (
	"fmt"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset/rowfile"
	"concord/store"
)

// ImportJudgments takes a file of a judge's replies.
func ImportJudgments(a *project.Project, cmd *cobra.Command, st *store.Store, name eval.DatasetName, path string) error {
	runs, err := facts.IndexRuns(st, name, nil)
	if err != nil {
		return err
	}
	in := NewRows(a, name, path)
	fact := func(row rowfile.JudgmentRow) (eval.Judgment, int, error) {
		j, err := judgmentOf(st, name, runs, row)
		j.At = a.Now()
		return j, row.Line, err
	}
	if err := ImportFacts(cmd.Context(), in, rowfile.ReadJudgments(path), fact, st.Judgments().Put); err != nil {
		return fmt.Errorf("import judgments: %w", err)
	}
	return PrintRowsImported(a, in.Sum)
}

func judgmentOf(st *store.Store, name eval.DatasetName, runs facts.RunIndex, row rowfile.JudgmentRow) (eval.Judgment, error) {
	var none eval.Judgment
	s, err := st.Datasets().SampleByID(name, row.Sample)
	if err != nil {
		return none, err
	}
	run, err := runs.Of(row.Model)
	if err != nil {
		return none, err
	}
	k := eval.Key{Run: run, Sample: s.Ordinal, Pass: row.Pass}
	p, err := st.Runs().Prediction(k)
	if err != nil {
		return none, fmt.Errorf("sample %s pass %d has no prediction in run %d", row.Sample, row.Pass, run)
	}
	if err := CheckOffered(p.Asked(&s), s.Kind, row.Choice); err != nil {
		return none, err
	}
	return eval.Judgment{
		Key: k, Judge: row.Judge, Raw: row.Raw, Prompt: row.Prompt,
		Extraction: eval.Extraction{Choice: row.Choice, Status: row.Status, Method: "judge"},
	}, nil
}
