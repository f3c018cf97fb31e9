package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"concord/eval"
	"concord/eval/openai"
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

// callID names a call in a batch file, so that its result finds its place. It
// holds a mark of the run, so that a file of another project is refused.
type callID struct {
	mark  string
	key   eval.Key
	setup string // beginning of the hash of a judge's setup; "" for a call of the model
}

const setupMark = 12 // hexadecimal digits of a setup's hash in a call's id

// markOf tells a run apart from those of other projects.
func markOf(run eval.Run) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%d\x00%s\x00%s", run.ID, run.Created.UnixMilli(), run.Config.Dataset, run.Config.Model))
	return hex.EncodeToString(sum[:4])
}

// String writes the id: at most 64 characters, as vendors want it.
func (c callID) String() string {
	s := fmt.Sprintf("concord-%s-%d-%d-%d", c.mark, c.key.Run, c.key.Sample, c.key.Pass)
	if c.setup != "" {
		s += "-" + c.setup
	}
	return s
}

// parseCallID reads what String writes.
func parseCallID(s string) (callID, error) {
	bad := fmt.Errorf("custom_id %.40q is none of concord's", s)
	parts := strings.Split(s, "-")
	if len(parts) < 5 || len(parts) > 6 || parts[0] != "concord" {
		return callID{}, bad
	}
	run, errRun := strconv.ParseUint(parts[2], 10, 64)
	sample, errSample := strconv.ParseUint(parts[3], 10, 32)
	pass, errPass := strconv.ParseUint(parts[4], 10, 8)
	if errors.Join(errRun, errSample, errPass) != nil {
		return callID{}, bad
	}
	c := callID{mark: parts[1], key: eval.Key{Run: eval.RunID(run), Sample: eval.Ordinal(sample), Pass: eval.Pass(pass)}}
	if len(parts) == 6 {
		if c.setup = parts[5]; len(c.setup) != setupMark {
			return callID{}, bad
		}
	}
	return c, nil
}

// batchFlags are the flags of batch export.
type batchFlags struct {
	orderFlags
	run     uint
	judging bool
	file    string
	most    int
	bytes   int64
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

// batchWriter writes lines to a file, and to further ones once it is full.
type batchWriter struct {
	app   *app
	flags *batchFlags
	out   *outFile
	buf   *bufio.Writer
	calls int
	size  int64

	files []string
	total int
	held  int // questions whose next pass the judge decides about
}

// add writes one line.
func (w *batchWriter) add(line []byte) error {
	if w.out == nil || w.calls == w.flags.most || w.size+int64(len(line))+1 > w.flags.bytes && w.calls > 0 {
		if err := w.turn(); err != nil {
			return err
		}
	}
	w.calls++
	w.total++
	w.size += int64(len(line)) + 1
	if _, err := w.buf.Write(line); err != nil {
		return err
	}
	return w.buf.WriteByte('\n')
}

// call writes one call as a line.
func (w *batchWriter) call(m *openai.Model, id callID, chat eval.Chat) error {
	line, err := m.BatchLine(id.String(), chat)
	if err != nil {
		return err
	}
	return w.add(line)
}

// turn finishes the file and begins the next.
func (w *batchWriter) turn() error {
	if err := w.finish(nil); err != nil {
		return err
	}
	name := w.flags.file
	if n := len(w.files); n > 0 {
		stem, ext := cutExt(name)
		name = fmt.Sprintf("%s-%d%s", stem, n+1, ext)
	}
	out, err := createOut(name, w.app.path)
	if err != nil {
		return err
	}
	w.out, w.buf, w.calls, w.size = out, bufio.NewWriter(out), 0, 0
	w.files = append(w.files, name)
	return nil
}

func (w *batchWriter) finish(err error) error {
	if w.out == nil {
		return err
	}
	out := w.out
	w.out = nil
	return out.finish(errors.Join(err, w.buf.Flush()))
}

// cutExt cuts a file's name before its extension.
func cutExt(s string) (stem, ext string) {
	i := strings.LastIndex(s, ".")
	if i <= strings.LastIndexAny(s, `/\`)+1 {
		return s, ""
	}
	return s[:i], s[i:]
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
