package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"concord/eval"
	"concord/store"
)

func newBatchCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "batch",
		Short: "Write a run's calls to a file, and take its results from one",
		Long: `Runs calls elsewhere: at half the price through a vendor's batch service, or on
a cluster with vLLM's run-batch, without concord staying up. Export the pending
calls, have them run, import the results. Under circular evaluation with early
stop a question's next pass depends on the one before it, so this is done in
rounds; --all-passes needs one.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: needSubcommand,
	}
	cmd.AddCommand(newBatchExportCmd(a), newBatchImportCmd(a))
	return cmd
}

func newBatchExportCmd(a *app) *cobra.Command {
	var f batchFlags
	cmd := &cobra.Command{
		Use:   "export --dataset NAME --model NAME --out FILE",
		Short: "Write the pending calls of a run as JSON lines in the OpenAI Batch format",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.run == 0 {
				if err := need(cmd, "dataset", "model"); err != nil {
					return err
				}
			}
			if err := need(cmd, "out"); err != nil {
				return err
			}
			o, err := f.read()
			if err != nil {
				return err
			}
			return a.writeExisting(cmd.Context(), func(st *store.Store) error { return exportBatch(cmd.Context(), a, st, &f, &o) })
		},
	}
	fs := cmd.Flags()
	f.add(fs)
	fs.UintVar(&f.run, "run", 0, "calls of this run, by `number`")
	fs.BoolVar(&f.judging, "judging", false, "write the judge's calls about what the rules cannot read, not the model's")
	fs.StringVarP(&f.file, "out", "o", "", "write to this `file`; further ones are named behind it (required)")
	fs.IntVar(&f.most, "most-calls", 50000, "calls in a file at most")
	fs.Int64Var(&f.bytes, "most-bytes", 190<<20, "bytes of a file at most")
	return cmd
}

func newBatchImportCmd(a *app) *cobra.Command {
	var judges []string
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Take the results of exported calls",
		Long: `Reads output and error files in the OpenAI Batch format. A call that failed is
kept as such, and exported again; a result that is there already changes
nothing, so a file may be imported twice.`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, path := range args {
				if err := readable(path); err != nil {
					return err
				}
			}
			return a.writeExisting(cmd.Context(), func(st *store.Store) error {
				return importBatches(cmd.Context(), a, st, args, judges)
			})
		},
	}
	cmd.Flags().StringSliceVar(&judges, "judge", nil, "judges that imported predictions were exported for, by `name`")
	return cmd
}

// exportBatch finds or makes the run and writes what it waits for.
func exportBatch(ctx context.Context, a *app, st *store.Store, f *batchFlags, o *order) error {
	l, err := newLab(a, st)
	if err != nil {
		return err
	}
	var run eval.Run
	if f.run != 0 {
		run, err = st.Runs().Run(eval.RunID(f.run))
	} else {
		run, err = l.ordered(ctx, o)
		var changed *changedError
		if f.judging && errors.As(err, &changed) && changed.judgesOnly() {
			run, err = changed.run, nil // whoever judged it before: the judge is asked of this command
		}
	}
	if err != nil {
		return err
	}
	w := &batchWriter{app: a, flags: f}
	var waiting int
	if f.judging {
		waiting, err = l.judgeCalls(ctx, run, o, w)
	} else {
		waiting, err = l.modelCalls(ctx, run, w)
	}
	if err = w.finish(err); err != nil {
		return fmt.Errorf("export batch of run %d: %w", run.ID, err)
	}
	return printBatch(a, run, w, waiting)
}

func printBatch(a *app, run eval.Run, w *batchWriter, skipped int) error {
	if a.json {
		return a.writeJSON(map[string]any{"run": run.ID, "calls": w.total, "files": append([]string{}, w.files...), "skipped": skipped, "waiting": w.held})
	}
	if w.held > 0 {
		_, _ = fmt.Fprintf(a.err, "concord: %s for the judge to read an answer first: concord batch export --run %d --judging\n",
			counted(w.held, "question waits", "questions wait"), run.ID)
	}
	if w.total == 0 {
		_, err := fmt.Fprintf(a.out, "run %d waits for no call: nothing was written\n", run.ID)
		return err
	}
	_, err := fmt.Fprintf(a.out, "%s of run %d in %s. Take the results with: concord batch import FILE\n",
		count(w.total, "call"), run.ID, visible(strings.Join(w.files, ", ")))
	if skipped > 0 {
		_, _ = fmt.Fprintf(a.err, "concord: %s cannot be asked (a picture or its bytes are missing)\n", count(skipped, "question"))
	}
	return err
}
