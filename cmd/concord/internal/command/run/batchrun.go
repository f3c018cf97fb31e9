package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/openai"
	"concord/store"
)

// batchRunner has the calls of a run made by its vendor's batch service. Which batches are there is kept in the
// project before it waits for them, so that it may end at any time: no call is submitted while a batch of the run is
// open. The project is held by it only while it submits and while it takes results.
//
//	calls -> file -> upload, kept -> batch, kept -> wait -> results -> facts
type batchRunner struct {
	*project.Project
	flags     jobs.BatchFlags
	every     time.Duration
	forget    bool
	run       eval.Run
	open      []eval.Batch
	endpoints *jobs.Endpoints
	told      map[string]string // what was said of each batch last
	sum       batchRunSummary
}

type batchRunSummary struct {
	Run       eval.RunID    `json:"run"`
	Submitted int           `json:"submitted"`
	Skipped   int           `json:"skipped"` // questions that cannot be asked, and lines that are no results
	Batches   []batchResult `json:"batches"`
	Read      int           `json:"read"`
	Added     int           `json:"added"`
	Unchanged int           `json:"unchanged"`
}

type batchResult struct {
	Batch     string `json:"batch"`
	Status    string `json:"status"`
	Calls     int    `json:"calls"`
	Completed int    `json:"completed"`
	Failed    int    `json:"failed"`
	Why       string `json:"why"`
}

func newBatchRunCmd(a *project.Project) *cobra.Command {
	b := &batchRunner{Project: a, told: make(map[string]string), sum: batchRunSummary{Batches: []batchResult{}}}
	cmd := &cobra.Command{
		Use:   "run --dataset NAME --model NAME",
		Short: "Submit the pending calls of a run to the endpoint's batch service, and take the results",
		Long: `Uploads the calls that a run waits for, has the batch service of the run's endpoint
make them, waits, and takes the results. It may be ended at any time: the same
command waits on for the batches that are open, and submits nothing beside them.
Where results ask for further passes, or calls failed, it is given again.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := readBatchFlags(cmd, &b.flags)
			if err == nil && b.every < time.Millisecond {
				err = cli.NewUsageError(fmt.Errorf("--every %v: want a duration such as 1m", b.every))
			}
			if err != nil {
				return err
			}
			return b.submitAndAwaitBatches(cmd.Context(), &o)
		},
	}
	addBatchFlags(cmd, &b.flags)
	cmd.Flags().DurationVar(&b.every, "every", time.Minute, "how long to wait before asking for a batch again, at first; ten times as long at last")
	cmd.Flags().BoolVar(&b.forget, "forget", false, "give up the open batches of the run, such as those that the vendor has lost: their calls are pending again")
	return cmd
}

func (b *batchRunner) submitAndAwaitBatches(ctx context.Context, o *jobs.Order) (err error) {
	defer func() {
		if err != nil && len(b.open) > 0 {
			b.printLine("run %d: %s open: the same command waits on, and takes the results", b.run.ID, cli.FormatCountOf(len(b.open), "batch is", "batches are"))
		}
	}()
	if err := b.WriteExistingStore(ctx, func(st *store.Store) error { return b.findOrSubmit(ctx, st, o) }); err != nil {
		return err
	}
	for wait := b.every; len(b.open) > 0; wait = min(wait*3/2, 10*b.every) {
		news, err := b.pollBatches(ctx)
		if err == nil && len(b.open) > 0 {
			wait = eval.Either(news, b.every, wait)
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				err = ctx.Err()
			}
		}
		if err != nil {
			return err
		}
	}
	s := &b.sum
	if s.Submitted == 0 && len(s.Batches) == 0 && !b.forget {
		b.printLine("run %d waits for no call: nothing was submitted", s.Run)
	}
	if err := b.PrintResult(s, "run %d: %s submitted; read %d, skipped %d, added %d, unchanged %d\n", s.Run, cli.FormatCount(s.Submitted, "call"), s.Read, s.Skipped, s.Added, s.Unchanged); err != nil {
		return err
	}
	if bad := eval.Select(s.Batches, func(r batchResult) bool { return r.Status != "completed" }); len(bad) > 0 {
		return fmt.Errorf("%d of %s did not complete: the same command submits again what they left", len(bad), cli.FormatCountOf(len(s.Batches), "batch", "batches"))
	}
	return nil
}

// printLine tells people how it goes.
func (b *batchRunner) printLine(format string, args ...any) {
	_, _ = fmt.Fprintf(b.Err, format+"\n", args...)
}

// findOrSubmit finds the open batches of the run, or submits what it waits for.
func (b *batchRunner) findOrSubmit(ctx context.Context, st *store.Store, o *jobs.Order) error {
	l, err := jobs.NewFactory(b.Project, st)
	if err != nil {
		return err
	}
	b.endpoints = l.Models.Endpoints
	if b.run, err = findBatchRun(ctx, l, &b.flags, o); err != nil {
		return err
	}
	b.sum.Run = b.run.ID
	if b.open, err = store.OpenBatches(st, b.run.ID); err != nil {
		return err
	}
	switch {
	case b.forget:
		for _, one := range b.open {
			one.Taken = b.Now()
			if err := store.PutBatch(ctx, st, one); err != nil {
				return err
			}
		}
		b.printLine("run %d: %s given up: its calls are pending again", b.run.ID, cli.FormatCountOf(len(b.open), "batch", "batches"))
		b.open = nil
		return nil
	case len(b.open) == 0:
		return b.submitCalls(ctx, l, o)
	}
	b.printLine("run %d: %s open, and nothing is submitted beside", b.run.ID, cli.FormatCountOf(len(b.open), "batch is", "batches are"))
	for i := range b.open {
		if b.open[i].ID != "" {
			continue
		}
		e, err := b.endpoints.FindEndpoint(b.open[i].Endpoint)
		if err == nil {
			err = b.startRecordedBatch(ctx, st, &b.open[i], e.FindOrStartBatch)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// submitCalls writes the calls that the run waits for, uploads them, and starts their batches.
func (b *batchRunner) submitCalls(ctx context.Context, l *jobs.Factory, o *jobs.Order) (err error) {
	dir, err := os.MkdirTemp("", "concord-batch-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b.flags.File = filepath.Join(dir, "calls.jsonl")
	w, skipped, err := writePendingCalls(ctx, l, b.run, &b.flags, o)
	if err != nil {
		return err
	}
	printLeftOut(b.Project, b.run, w, skipped)
	b.sum.Submitted, b.sum.Skipped = w.Total, skipped
	for _, path := range w.Files {
		file, err := w.Endpoint.UploadCalls(ctx, path)
		if err != nil {
			return fmt.Errorf("upload calls of run %d: %w", b.run.ID, err)
		}
		b.open = append(b.open, eval.Batch{Run: b.run.ID, File: file, Endpoint: w.Endpoint.Name(), Judge: w.Judge, Made: b.Now()})
		if err := b.startRecordedBatch(ctx, l.Store, &b.open[len(b.open)-1], w.Endpoint.StartBatch); err != nil {
			return err
		}
	}
	return nil
}

// startRecordedBatch starts a batch that is kept before and, with its name, behind.
func (b *batchRunner) startRecordedBatch(ctx context.Context, st *store.Store, one *eval.Batch, begin func(context.Context, string) (openai.Batch, error)) error {
	keep := func() error { return store.PutBatch(context.WithoutCancel(ctx), st, *one) }
	if err := keep(); err != nil {
		return err
	}
	is, err := begin(ctx, one.File)
	if err != nil {
		return fmt.Errorf("start a batch of run %d: %w", one.Run, err)
	}
	one.ID = is.ID
	return keep()
}

// pollBatches asks for the open batches, and takes the results of those that have ended. It
// reports whether there is news of one.
func (b *batchRunner) pollBatches(ctx context.Context) (news bool, err error) {
	for _, one := range slices.Clone(b.open) {
		e, err := b.endpoints.FindEndpoint(one.Endpoint)
		if err != nil {
			return false, err
		}
		is, err := e.FindBatch(ctx, one.ID)
		line := fmt.Sprintf("batch %s: %s, %d of %s made, %d failed", is.ID, is.Status, is.Completed+is.Failed, cli.FormatCount(is.Total, "call"), is.Failed)
		if err == nil && is.HasEnded() {
			err = b.importEndedBatch(ctx, e, one, &is)
		}
		switch failure := (*eval.Failure)(nil); {
		case errors.Is(err, store.ErrLocked), errors.As(err, &failure) && failure.Kind == eval.FailureTransient:
			line = fmt.Sprintf("batch %s: %s; it is tried again", one.ID, cli.EscapeControls(err.Error()))
		case errors.As(err, &failure):
			return false, fmt.Errorf("batch %s of run %d: %w (--forget gives up the open batches of the run)", one.ID, one.Run, err)
		case err != nil:
			return false, err
		}
		if b.told[one.ID] != line {
			b.told[one.ID], news = line, true
			b.printLine("%s", line)
		}
	}
	return news, nil
}

func (b *batchRunner) importEndedBatch(ctx context.Context, e *openai.Endpoint, one eval.Batch, is *openai.Batch) (err error) {
	dir, err := os.MkdirTemp("", "concord-batch-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var paths []string
	for i, file := range is.Files {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("results-%d.jsonl", i+1)))
		if err != nil {
			return err
		}
		paths = append(paths, f.Name())
		if err := errors.Join(e.FetchResults(ctx, file, f), f.Close()); err != nil {
			return err
		}
	}
	err = b.WriteExistingStore(ctx, func(st *store.Store) error {
		took, err := readBatchFacts(ctx, b.Project, st, paths, eval.Either(one.Judge == "", nil, []string{one.Judge}), e.RedactLine)
		if err != nil {
			return err
		}
		in := took.in.Sum
		if in.Read == 0 && in.Skipped > 0 {
			return fmt.Errorf("batch %s of run %d: none of its %s is a result of the run's calls (--forget gives up the open batches of the run)", is.ID, one.Run, cli.FormatCount(in.Skipped, "line"))
		}
		if left := is.Total - in.Read; left > 0 || is.Why != "" {
			b.printLine("batch %s: %s without a result%s", is.ID, cli.FormatCount(max(left, 0), "call"), eval.Either(is.Why == "", "", ": "+is.Why))
		}
		b.sum.Read, b.sum.Skipped, b.sum.Added, b.sum.Unchanged = b.sum.Read+in.Read, b.sum.Skipped+in.Skipped, b.sum.Added+in.Added, b.sum.Unchanged+in.Unchanged
		one.Taken = b.Now()
		return store.PutBatch(context.WithoutCancel(ctx), st, one)
	})
	if err == nil {
		b.open = slices.DeleteFunc(b.open, func(o eval.Batch) bool { return o.File == one.File })
		b.sum.Batches = append(b.sum.Batches, batchResult{is.ID, is.Status, is.Total, is.Completed, is.Failed, is.Why})
	}
	return err
}

// addBatchFlags adds the flags that say which calls go into files.
func addBatchFlags(cmd *cobra.Command, f *jobs.BatchFlags) {
	fs := cmd.Flags()
	f.AddFlags(fs)
	fs.UintVar(&f.Run, "run", 0, "calls of this run, by `number`")
	fs.BoolVar(&f.Judging, "judging", false, "the judge's calls about what the rules cannot read, not the model's")
	fs.IntVar(&f.Most, "most-calls", jobs.MostBatchCalls, "calls in a file at most")
	fs.Int64Var(&f.Bytes, "most-bytes", jobs.MostBatchBytes, "bytes of a file at most")
}

// readBatchFlags reads which run's calls are meant.
func readBatchFlags(cmd *cobra.Command, f *jobs.BatchFlags) (jobs.Order, error) {
	if f.Run == 0 {
		if err := cli.RequireFlags(cmd, "dataset", "model"); err != nil {
			return jobs.Order{}, err
		}
	}
	return f.Read()
}

// findBatchRun finds or makes the run whose calls are meant.
func findBatchRun(ctx context.Context, l *jobs.Factory, f *jobs.BatchFlags, o *jobs.Order) (eval.Run, error) {
	if f.Run != 0 {
		return l.Store.Runs().Run(eval.RunID(f.Run))
	}
	run, err := l.FindRunOfOrder(ctx, o)
	if changed, ok := errors.AsType[*jobs.ChangedError](err); ok && f.Judging && changed.JudgesOnly() {
		run, err = changed.Run, nil // whoever judged it before: the judge is asked of this command
	}
	return run, err
}

// writePendingCalls writes the calls that a run waits for. It returns how many questions cannot be asked.
func writePendingCalls(ctx context.Context, l *jobs.Factory, run eval.Run, f *jobs.BatchFlags, o *jobs.Order) (w *jobs.BatchWriter, unasked int, err error) {
	w = &jobs.BatchWriter{Project: l.Project, Flags: f}
	if f.Judging {
		unasked, err = l.WriteJudgeCalls(ctx, run, o, w)
	} else {
		unasked, err = l.WriteModelCalls(ctx, run, w)
	}
	if err = w.CloseLastFile(err); err != nil {
		err = fmt.Errorf("export batch of run %d: %w", run.ID, err)
	}
	return w, unasked, err
}
