package run

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/bound"
	"concord/eval/dataset"
	"concord/eval/judge"
	"concord/eval/openai"
	"concord/eval/prompt"
	"concord/store"
)

// batchGroup is how many results are committed together.
const batchGroup = 1000

// batchImport turns results into facts.
type batchImport struct {
	*jobs.Factory
	in              exchange.RowCounter
	extra           []string // judges that no run's settings name
	runs            map[eval.RunID]*batchRun
	facts           []eval.Fact
	says            []eval.Judgment
	failed, refused int
}

type batchRun struct {
	run    eval.Run
	asker  *prompt.Asker           // nil for a run that concord does not ask
	judges map[string]*judge.Judge // by the beginning of their setup's hash
}

func importBatchResults(ctx context.Context, a *project.Project, st *store.Store, paths, judges []string) error {
	b, err := readBatchFacts(ctx, a, st, paths, judges, func(line []byte) []byte { return line })
	if err != nil {
		return err
	}
	return exchange.PrintRowsImported(a, b.in.Sum)
}

// readBatchFacts makes facts of files of results, each line of which is cleaned before.
func readBatchFacts(ctx context.Context, a *project.Project, st *store.Store, paths, judges []string, clean func([]byte) []byte) (*batchImport, error) {
	l, err := jobs.NewFactory(a, st)
	if err != nil {
		return nil, err
	}
	b := &batchImport{Factory: l, extra: judges, runs: make(map[eval.RunID]*batchRun)}
	b.in = exchange.RowCounter{Sum: exchange.RowSummary{Problems: []dataset.Problem{}}, Project: a}
	for _, path := range paths {
		if err := b.importFile(ctx, path, clean); err != nil {
			return nil, fmt.Errorf("import batch %s: %w", path, err)
		}
	}
	if err := b.recountRuns(ctx); err != nil {
		return nil, err
	}
	if b.failed > 0 {
		_, _ = fmt.Fprintf(a.Err, "concord: %s failed: concord batch run submits them again, batch export writes them, concord eval asks them\n", cli.FormatCount(b.failed, "call"))
	}
	if b.refused > 0 {
		_, _ = fmt.Fprintf(a.Err, "concord: the endpoint refuses %s: concord eval --retry-failed asks them again\n", cli.FormatCount(b.refused, "call"))
	}
	return b, nil
}

func (b *batchImport) importFile(ctx context.Context, path string, clean func([]byte) []byte) error {
	f, err := bound.OpenRegular(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	b.in.Path = path
	lines := bufio.NewReaderSize(f, 1<<20)
	for n := 1; ; n++ {
		line, err := readBoundedLine(lines, bound.Cell)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && len(bytes.TrimSpace(line)) > 0 {
			err = b.importResultLine(ctx, clean(line))
		}
		if err != nil {
			if err := b.in.CountSkippedRow(n, err); err != nil {
				return err
			}
		}
		if len(b.facts)+len(b.says) >= batchGroup {
			if err := b.storeReadFacts(ctx); err != nil {
				return err
			}
		}
	}
	return b.storeReadFacts(ctx)
}

// readBoundedLine reads a line of at most limit bytes; a longer one is an error, and read over.
func readBoundedLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	over := false
	for {
		part, err := r.ReadSlice('\n')
		if over = over || len(line)+len(part) > limit; !over {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(line) == 0 && !over:
			return nil, err
		case over:
			return nil, fmt.Errorf("the line has over %d MB", limit>>20)
		}
		return line, nil
	}
}

func (b *batchImport) importResultLine(ctx context.Context, line []byte) error {
	name, reply, err := openai.ReadBatchLine(line)
	var failure *eval.Failure
	if err != nil && !errors.As(err, &failure) {
		return err
	}
	id, err := jobs.ParseCallID(name)
	if err != nil {
		return err
	}
	r, err := b.findRun(id)
	if err != nil {
		return err
	}
	s, err := b.Store.Datasets().Sample(r.run.Config.Dataset, id.Key.Sample)
	if err != nil {
		return err
	}
	if int(id.Key.Pass) >= s.PassCount() {
		return fmt.Errorf("sample %s has no pass %d", s.ID, id.Key.Pass)
	}
	switch {
	case failure != nil && failure.Kind == eval.FailureSample:
		b.refused++
	case failure != nil:
		b.failed++
	}
	b.in.Sum.Read++
	if id.Setup != "" {
		return b.importJudgment(ctx, r, id, &s, reply, failure)
	}
	p := eval.Prediction{
		Key: id.Key, Text: reply.Text, Reasoning: reply.Reasoning, Tokens: reply.Tokens, Finish: reply.Finish, Served: reply.Model, Usage: reply.Usage,
		At: b.Now(), Failure: failure,
	}
	if r.asker != nil {
		p.Sent = r.asker.DescribeSent(&eval.Request{Run: r.run, Sample: s, Pass: id.Key.Pass})
	}
	// No reader: totals are counted anew once all results are in.
	b.facts = append(b.facts, eval.Fact{Prediction: p})
	return nil
}

func (b *batchImport) findRun(id jobs.CallID) (*batchRun, error) {
	if r := b.runs[id.Key.Run]; r != nil && jobs.HashRunIdentity(r.run) == id.Mark {
		return r, nil
	}
	run, err := b.Store.Runs().Run(id.Key.Run)
	if err != nil || jobs.HashRunIdentity(run) != id.Mark {
		return nil, errors.New("the call is of another project's run")
	}
	r := &batchRun{run: run, judges: make(map[string]*judge.Judge)}
	if run.Config.Origin == eval.Asked {
		if r.asker, err = b.NewSilentAsker(run); err != nil {
			return nil, err
		}
	}
	b.runs[run.ID] = r
	b.in.Sum.Dataset = run.Config.Dataset
	return b.runs[run.ID], nil
}

func (b *batchImport) importJudgment(ctx context.Context, r *batchRun, id jobs.CallID, s *eval.Sample, reply eval.Reply, failure *eval.Failure) error {
	j, err := b.findJudgeOfExport(ctx, r, id.Setup)
	if err != nil {
		return err
	}
	p, err := b.Store.Runs().Prediction(id.Key)
	if err != nil {
		return err
	}
	say := j.ReadReply(eval.JudgeQuestion{Run: r.run, Sample: *s, Shown: p.ShownQuestion(s), Prediction: p}, reply)
	say.Key, say.At = id.Key, b.Now()
	if failure != nil {
		say.Failure, say.Extraction = failure, eval.Extraction{}
	}
	b.says = append(b.says, say)
	return nil
}

// findJudgeOfExport finds the judge that a call was exported for: one of the run's, or
// one that is named, in whichever language it was told to read.
func (b *batchImport) findJudgeOfExport(ctx context.Context, r *batchRun, mark string) (*judge.Judge, error) {
	if j := r.judges[mark]; j != nil {
		return j, nil
	}
	setups := slices.Clone(r.run.Config.Settings.Judges)
	for _, language := range []string{"", prompt.English, prompt.Chinese} { // as it may have been exported
		more, err := b.StoreJudgeSetups(ctx, r.run.Config.Dataset, b.extra, language)
		if err != nil {
			return nil, err
		}
		setups = append(setups, more...)
	}
	for _, s := range setups {
		if hash, _ := judge.HashSetup(s); strings.HasPrefix(hash, mark) {
			j, err := b.NewJudgeWith(ctx, r.run, s, r.run.Config.Settings.Fallback, nil)
			if err == nil {
				r.judges[mark] = j
			}
			return j, err
		}
	}
	return nil, errors.New("the call is of a judge that the run does not name, or whose settings have changed: name it with --judge")
}

// storeReadFacts stores what has been read so far.
func (b *batchImport) storeReadFacts(ctx context.Context) error {
	added, err := b.Store.Runs().RecordAll(ctx, b.facts)
	if err != nil {
		return err
	}
	said, err := b.Store.Judgments().Put(ctx, b.says)
	if err != nil {
		return err
	}
	b.in.Sum.Added += added + said
	b.in.Sum.Unchanged += len(b.facts) + len(b.says) - added - said
	b.facts, b.says = b.facts[:0], b.says[:0]
	return nil
}

// recountRuns counts the runs anew, and has queues that grow with them catch up.
func (b *batchImport) recountRuns(ctx context.Context) error {
	for _, r := range b.runs {
		reader, err := facts.FindRulesOfRun(r.run)
		if err != nil {
			return err
		}
		if _, err := facts.CountRunByRules(ctx, b.Store, r.run, reader); err != nil {
			return err
		}
	}
	g, err := jobs.NewGrowingQueues(ctx, b.Store, b.LogGrowing)
	if err != nil {
		return err
	}
	return g.Close()
}

// NewBatchCmd makes the command batch.
func NewBatchCmd(a *project.Project) *cobra.Command {
	return project.NewGroupCmd("batch", "Have a vendor's batch service make a run's calls, by itself or by files", newBatchExportCmd(a), newBatchImportCmd(a), newBatchRunCmd(a))
}

func newBatchExportCmd(a *project.Project) *cobra.Command {
	var f jobs.BatchFlags
	cmd := project.NewCmd("export --dataset NAME --model NAME --out FILE", "Write the pending calls of a run as JSON lines in the OpenAI Batch format", nil, func(cmd *cobra.Command, _ []string) error {
		o, err := readBatchFlags(cmd, &f)
		if err != nil {
			return err
		}
		if err := cli.RequireFlags(cmd, "out"); err != nil {
			return err
		}
		return a.WriteExistingStore(cmd.Context(), func(st *store.Store) error { return exportBatchOfRun(cmd.Context(), a, st, &f, &o) })
	})
	addBatchFlags(cmd, &f)
	cmd.Flags().StringVarP(&f.File, "out", "o", "", "write to this `file`; further ones are named behind it (required)")
	return cmd
}

func newBatchImportCmd(a *project.Project) *cobra.Command {
	var judges []string
	cmd := project.NewCmd("import FILE...", "Take the results of exported calls", cobra.MinimumNArgs(1), func(cmd *cobra.Command, args []string) error {
		if err := eval.Each(args, cli.CheckReadable); err != nil {
			return err
		}
		return a.WriteExistingStore(cmd.Context(), func(st *store.Store) error {
			return importBatchResults(cmd.Context(), a, st, args, judges)
		})
	})
	cmd.Flags().StringSliceVar(&judges, "judge", nil, "judges that imported predictions were exported for, by `name`")
	return cmd
}

// exportBatchOfRun finds or makes the run and writes what it waits for.
func exportBatchOfRun(ctx context.Context, a *project.Project, st *store.Store, f *jobs.BatchFlags, o *jobs.Order) error {
	l, err := jobs.NewFactory(a, st)
	if err != nil {
		return err
	}
	run, err := findBatchRun(ctx, l, f, o)
	if err != nil {
		return err
	}
	w, waiting, err := writePendingCalls(ctx, l, run, f, o)
	if err != nil {
		return err
	}
	return printBatchExport(a, run, w, waiting)
}

func printBatchExport(a *project.Project, run eval.Run, w *jobs.BatchWriter, skipped int) error {
	if a.JSON {
		return a.WriteJSON(map[string]any{"run": run.ID, "calls": w.Total, "files": append([]string{}, w.Files...), "skipped": skipped, "waiting": w.Held})
	}
	printLeftOut(a, run, w, skipped)
	if w.Total == 0 {
		_, err := fmt.Fprintf(a.Out, "run %d waits for no call: nothing was written\n", run.ID)
		return err
	}
	_, err := fmt.Fprintf(a.Out, "%s of run %d in %s. Take the results with: concord batch import FILE\n",
		cli.FormatCount(w.Total, "call"), run.ID, cli.EscapeControls(strings.Join(w.Files, ", ")))
	return err
}

// printLeftOut says which calls were not written.
func printLeftOut(a *project.Project, run eval.Run, w *jobs.BatchWriter, skipped int) {
	if w.Held > 0 {
		_, _ = fmt.Fprintf(a.Err, "concord: %s for the judge to read an answer first: concord batch run (or export) --run %d --judging\n",
			cli.FormatCountOf(w.Held, "question waits", "questions wait"), run.ID)
	}
	if skipped > 0 {
		_, _ = fmt.Fprintf(a.Err, "concord: %s cannot be asked (an image or its bytes are missing, or the call is larger than max_request_bytes)\n", cli.FormatCount(skipped, "question"))
	}
}
