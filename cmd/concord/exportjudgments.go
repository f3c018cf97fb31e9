package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
)

func (a *app) exportJudgmentsCommand() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "judgments",
		Short: "Every judgment, with the judge's raw reply and settings",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.export(cmd.Context(), &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return writeJudgments(ctx, st, w, &f)
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.dataset, "dataset", "", "only judgments on this dataset")
	cmd.Flags().StringVar(&f.model, "model", "", "only judgments of this model's predictions")
	cmd.Flags().UintSliceVar(&f.runs, "run", nil, "only judgments of these runs, by `number`")
	return cmd
}

// judgmentColumns begin with those that import judgments reads.
var judgmentColumns = []string{
	"sample", "pass", "model", "judge", "choice", "raw", "prompt", "dataset", "run", "status", "method", "failure",
	"earlier", "finish", "served", "prompt_tokens", "completion_tokens", "reasoning_tokens", "latency_ms", "at", "setup",
}

func writeJudgments(ctx context.Context, st *store.Store, w io.Writer, f *exportFlags) ([]string, error) {
	t, err := dataset.NewTable(w, f.format, judgmentColumns)
	if err != nil {
		return nil, usageError{err}
	}
	runs, err := st.Runs().List()
	out := judgmentWriter{st: st, table: t, setups: make(map[string]any)}
	for _, run := range runs {
		if err == nil && f.wants(run) {
			err = out.run(ctx, run)
		}
	}
	warnings, cerr := t.Close()
	return warnings, errors.Join(err, cerr)
}

// judgmentWriter keeps the setups that it has read: a few judges say it all.
type judgmentWriter struct {
	st     *store.Store
	table  *dataset.Table
	setups map[string]any
}

func (w *judgmentWriter) run(ctx context.Context, run eval.Run) error {
	for j, err := range w.st.Judgments().Calls(ctx, run.ID) {
		if err == nil {
			err = w.row(run, &j)
		}
		if err != nil {
			return fmt.Errorf("export judgments of run %d: %w", run.ID, err)
		}
	}
	return nil
}

func (w *judgmentWriter) row(run eval.Run, j *eval.Judgment) error {
	s, err := w.st.Datasets().Sample(run.Config.Dataset, j.Sample)
	if err != nil {
		return err
	}
	setup, err := w.setup(j.Setup)
	if err != nil {
		return err
	}
	choice, status, failure := string(j.Extraction.Choice), j.Extraction.Status.String(), any(nil)
	if j.Extraction.Status != eval.Found && j.Extraction.Status != eval.Missing {
		choice = status // as import judgments reads it
	}
	if j.Failure != nil {
		choice, status, failure = "", "", j.Failure.Error()
	}
	return w.table.Write([]any{
		string(s.ID), int(j.Pass), run.Config.Model, j.Judge, choice, j.Raw, j.Prompt, string(run.Config.Dataset), int(run.ID),
		status, j.Extraction.Method, failure, earlier(j), j.Finish, j.Served, j.Usage.Prompt, j.Usage.Completion, j.Usage.Reasoning,
		int(j.Latency.Milliseconds()), dataset.Moment(j.At), setup,
	})
}

// earlier is the replies that did not parse; nil without any.
func earlier(j *eval.Judgment) any {
	if len(j.Earlier) == 0 {
		return nil
	}
	return j.Earlier
}

// setup is the stored text behind its hash, as JSON; nil without one.
func (w *judgmentWriter) setup(hash string) (any, error) {
	if hash == "" {
		return nil, nil
	}
	if v, ok := w.setups[hash]; ok {
		return v, nil
	}
	text, err := w.st.Texts().Text(hash)
	if err != nil {
		return nil, err
	}
	v := json.RawMessage(text)
	w.setups[hash] = v
	return v, nil
}
