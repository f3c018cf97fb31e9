package data

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

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
