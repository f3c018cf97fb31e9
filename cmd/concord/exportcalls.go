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

// callExport is an export of what judges said of runs' predictions.
type callExport struct {
	use, short string
	columns    []string
	run        func(context.Context, *callWriter, eval.Run) error
}

func newExportCallsCmd(a *app, x callExport) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   x.use,
		Short: x.short,
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return x.write(ctx, st, w, &f)
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.dataset, "dataset", "", "only "+x.use+" on this dataset")
	cmd.Flags().StringVar(&f.model, "model", "", "only "+x.use+" of this model's predictions")
	cmd.Flags().UintSliceVar(&f.runs, "run", nil, "only "+x.use+" of these runs, by `number`")
	return cmd
}

func (x *callExport) write(ctx context.Context, st *store.Store, w io.Writer, f *exportFlags) ([]string, error) {
	t, err := dataset.NewTable(w, f.format, x.columns)
	if err != nil {
		return nil, usageError{err}
	}
	runs, err := st.Runs().List()
	out := callWriter{st: st, table: t, setups: make(map[string]any)}
	for _, run := range runs {
		if err != nil || !f.wants(run) {
			continue
		}
		if err = x.run(ctx, &out, run); err != nil {
			err = fmt.Errorf("export %s of run %d: %w", x.use, run.ID, err)
		}
	}
	warnings, cerr := t.Close()
	return warnings, errors.Join(err, cerr)
}

// callWriter keeps the setups that it has read: a few judges say it all.
type callWriter struct {
	st     *store.Store
	table  *dataset.Table
	setups map[string]any
}

func newExportJudgmentsCmd(a *app) *cobra.Command {
	return newExportCallsCmd(a, callExport{
		"judgments", "Every judgment, with the judge's raw reply and settings",
		[]string{ // they begin with those that import judgments reads
			"sample", "pass", "model", "judge", "choice", "raw", "prompt", "dataset", "run", "status", "method", "failure",
			"earlier", "finish", "served", "prompt_tokens", "completion_tokens", "reasoning_tokens", "latency_ms", "at", "setup",
		},
		func(ctx context.Context, w *callWriter, run eval.Run) error {
			for j, err := range w.st.Judgments().Calls(ctx, run.ID) {
				if err == nil {
					err = w.judgment(run, &j)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	})
}

func (w *callWriter) judgment(run eval.Run, j *eval.Judgment) error {
	s, err := w.st.Datasets().Sample(run.Config.Dataset, j.Sample)
	if err != nil {
		return err
	}
	setup, err := w.setup(j.Setup)
	if err != nil {
		return err
	}
	choice, status := string(j.Extraction.Choice), j.Extraction.Status.String()
	if j.Extraction.Status != eval.Found && j.Extraction.Status != eval.Missing {
		choice = status // as import judgments reads it
	}
	if j.Failure != nil {
		choice, status = "", ""
	}
	return w.table.Write([]any{
		string(s.ID), int(j.Pass), run.Config.Model, j.Judge, choice, j.Raw, j.Prompt, string(run.Config.Dataset), int(run.ID),
		status, j.Extraction.Method, failed(j.Failure), earlier(j.Earlier), j.Finish, j.Served,
		j.Usage.Prompt, j.Usage.Completion, j.Usage.Reasoning, int(j.Latency.Milliseconds()), dataset.Moment(j.At), setup,
	})
}

func newExportScoresCmd(a *app) *cobra.Command {
	return newExportCallsCmd(a, callExport{
		"scores", "Every score that a judge gave an open answer, with its raw reply and settings",
		[]string{
			"sample", "pass", "model", "judge", "score", "raw", "prompt", "dataset", "run", "failure",
			"earlier", "finish", "served", "prompt_tokens", "completion_tokens", "reasoning_tokens", "latency_ms", "at", "setup",
		},
		func(ctx context.Context, w *callWriter, run eval.Run) error {
			for s, err := range w.st.Scores().Calls(ctx, run.ID) {
				if err == nil {
					err = w.score(run, &s)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	})
}

func (w *callWriter) score(run eval.Run, one *eval.Score) error {
	s, err := w.st.Datasets().Sample(run.Config.Dataset, one.Sample)
	if err != nil {
		return err
	}
	setup, err := w.setup(one.Setup)
	if err != nil {
		return err
	}
	var score any // nil for a reply that holds none
	if one.Value > 0 {
		score = one.Value
	}
	return w.table.Write([]any{
		string(s.ID), int(one.Pass), run.Config.Model, one.Judge, score, one.Raw, one.Prompt, string(run.Config.Dataset), int(run.ID),
		failed(one.Failure), earlier(one.Earlier), one.Finish, one.Served,
		one.Usage.Prompt, one.Usage.Completion, one.Usage.Reasoning, int(one.Latency.Milliseconds()), dataset.Moment(one.At), setup,
	})
}

// failed is why a call failed; nil for one that did not.
func failed(f *eval.Failure) any {
	if f == nil {
		return nil
	}
	return f.Error()
}

// earlier is the replies that did not parse; nil without any.
func earlier(replies []string) any {
	if len(replies) == 0 {
		return nil
	}
	return replies
}

// setup is the stored text behind its hash, as JSON; nil without one.
func (w *callWriter) setup(hash string) (any, error) {
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
