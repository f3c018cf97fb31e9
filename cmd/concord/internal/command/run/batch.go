package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// NewBatchCmd makes the command batch.
func NewBatchCmd(a *project.Project) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "batch",
		Short: "Write a run's calls to a file, and take its results from one",
		Long:  cli.Help("batch-batch"),
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE:  cli.NeedSubcommand,
	}
	cmd.AddCommand(newBatchExportCmd(a), newBatchImportCmd(a))
	return cmd
}

func newBatchExportCmd(a *project.Project) *cobra.Command {
	var f jobs.BatchFlags
	cmd := &cobra.Command{
		Use:   "export --dataset NAME --model NAME --out FILE",
		Short: "Write the pending calls of a run as JSON lines in the OpenAI Batch format",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.Run == 0 {
				if err := cli.Need(cmd, "dataset", "model"); err != nil {
					return err
				}
			}
			if err := cli.Need(cmd, "out"); err != nil {
				return err
			}
			o, err := f.Read()
			if err != nil {
				return err
			}
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error { return exportBatch(cmd.Context(), a, st, &f, &o) })
		},
	}
	fs := cmd.Flags()
	f.Add(fs)
	fs.UintVar(&f.Run, "run", 0, "calls of this run, by `number`")
	fs.BoolVar(&f.Judging, "judging", false, "write the judge's calls about what the rules cannot read, not the model's")
	fs.StringVarP(&f.File, "out", "o", "", "write to this `file`; further ones are named behind it (required)")
	fs.IntVar(&f.Most, "most-calls", 50000, "calls in a file at most")
	fs.Int64Var(&f.Bytes, "most-bytes", 190<<20, "bytes of a file at most")
	return cmd
}

func newBatchImportCmd(a *project.Project) *cobra.Command {
	var judges []string
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Take the results of exported calls",
		Long:  cli.Help("batch-import"),
		Args:  cli.UsageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, path := range args {
				if err := cli.CheckReadable(path); err != nil {
					return err
				}
			}
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error {
				return importBatches(cmd.Context(), a, st, args, judges)
			})
		},
	}
	cmd.Flags().StringSliceVar(&judges, "judge", nil, "judges that imported predictions were exported for, by `name`")
	return cmd
}

// exportBatch finds or makes the run and writes what it waits for.
func exportBatch(ctx context.Context, a *project.Project, st *store.Store, f *jobs.BatchFlags, o *jobs.Order) error {
	l, err := jobs.NewFactory(a, st)
	if err != nil {
		return err
	}
	var run eval.Run
	if f.Run != 0 {
		run, err = st.Runs().Run(eval.RunID(f.Run))
	} else {
		run, err = l.Ordered(ctx, o)
		var changed *jobs.ChangedError
		if f.Judging && errors.As(err, &changed) && changed.JudgesOnly() {
			run, err = changed.Run, nil // whoever judged it before: the judge is asked of this command
		}
	}
	if err != nil {
		return err
	}
	w := &jobs.BatchWriter{Project: a, Flags: f}
	var waiting int
	if f.Judging {
		waiting, err = l.JudgeCalls(ctx, run, o, w)
	} else {
		waiting, err = l.ModelCalls(ctx, run, w)
	}
	if err = w.Finish(err); err != nil {
		return fmt.Errorf("export batch of run %d: %w", run.ID, err)
	}
	return printBatch(a, run, w, waiting)
}

func printBatch(a *project.Project, run eval.Run, w *jobs.BatchWriter, skipped int) error {
	if a.JSON {
		return a.WriteJSON(map[string]any{"run": run.ID, "calls": w.Total, "files": append([]string{}, w.Files...), "skipped": skipped, "waiting": w.Held})
	}
	if w.Held > 0 {
		_, _ = fmt.Fprintf(a.Err, "concord: %s for the judge to read an answer first: concord batch export --run %d --judging\n",
			cli.Counted(w.Held, "question waits", "questions wait"), run.ID)
	}
	if w.Total == 0 {
		_, err := fmt.Fprintf(a.Out, "run %d waits for no call: nothing was written\n", run.ID)
		return err
	}
	_, err := fmt.Fprintf(a.Out, "%s of run %d in %s. Take the results with: concord batch import FILE\n",
		cli.Count(w.Total, "call"), run.ID, cli.Visible(strings.Join(w.Files, ", ")))
	if skipped > 0 {
		_, _ = fmt.Fprintf(a.Err, "concord: %s cannot be asked (an image or its bytes are missing)\n", cli.Count(skipped, "question"))
	}
	return err
}
