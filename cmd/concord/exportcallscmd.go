package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"concord/eval"
	"concord/store"
)

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
