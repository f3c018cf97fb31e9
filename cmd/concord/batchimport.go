package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/judge"
	"concord/eval/openai"
	"concord/eval/prompt"
	"concord/store"
)

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

// batchLine bounds a line of results.
const batchLine = 64 << 20

// batchGroup is how many results are committed together.
const batchGroup = 1000

// batchImport turns results into facts.
type batchImport struct {
	*lab
	in     rows
	extra  []string // judges that no run's settings name
	runs   map[eval.RunID]*batchRun
	facts  []eval.Fact
	says   []eval.Judgment
	failed int
}

// batchRun is a run that results belong to.
type batchRun struct {
	run    eval.Run
	judges map[string]*judge.Judge // by the beginning of their setup's hash
}

func importBatches(ctx context.Context, a *app, st *store.Store, paths, judges []string) error {
	l, err := newLab(a, st)
	if err != nil {
		return err
	}
	b := &batchImport{lab: l, extra: judges, runs: make(map[eval.RunID]*batchRun)}
	b.in = rows{sum: rowSummary{Problems: []dataset.Problem{}}, app: a}
	for _, path := range paths {
		if err := b.file(ctx, path); err != nil {
			return fmt.Errorf("import batch %s: %w", path, err)
		}
	}
	if err := b.settle(ctx); err != nil {
		return err
	}
	if b.failed > 0 {
		_, _ = fmt.Fprintf(a.err, "concord: %s failed: concord batch export writes them again, concord eval asks them again\n", count(b.failed, "call"))
	}
	return printRowsImported(a, b.in.sum)
}

func (b *batchImport) file(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	b.in.path = path
	lines := bufio.NewReaderSize(f, 1<<20)
	for n := 1; ; n++ {
		line, err := readLine(lines, batchLine)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && len(bytes.TrimSpace(line)) > 0 {
			err = b.line(ctx, line)
		}
		if err != nil {
			if err := b.in.skip(n, err); err != nil {
				return err
			}
		}
		if len(b.facts)+len(b.says) >= batchGroup {
			if err := b.commit(ctx); err != nil {
				return err
			}
		}
	}
	return b.commit(ctx)
}

// readLine reads a line of at most limit bytes; a longer one is an error, and
// read over.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
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

// line takes one result.
func (b *batchImport) line(ctx context.Context, line []byte) error {
	name, reply, err := openai.ReadBatchLine(line)
	var failure *eval.Failure
	if err != nil && !errors.As(err, &failure) {
		return err
	}
	id, err := parseCallID(name)
	if err != nil {
		return err
	}
	r, err := b.run(id)
	if err != nil {
		return err
	}
	s, err := b.st.Datasets().Sample(r.run.Config.Dataset, id.key.Sample)
	if err != nil {
		return err
	}
	if int(id.key.Pass) >= s.Passes() {
		return fmt.Errorf("sample %s has no pass %d", s.ID, id.key.Pass)
	}
	if failure != nil {
		b.failed++
	}
	b.in.sum.Read++
	if id.setup != "" {
		return b.judgment(ctx, r, id, &s, reply, failure)
	}
	p := eval.Prediction{
		Key: id.key, Text: reply.Text, Reasoning: reply.Reasoning, Finish: reply.Finish, Served: reply.Model, Usage: reply.Usage,
		At: b.now(), Failure: failure,
	}
	// No reader: totals are counted anew once all results are in.
	b.facts = append(b.facts, eval.Fact{Prediction: p})
	return nil
}

func (b *batchImport) run(id callID) (*batchRun, error) {
	if r := b.runs[id.key.Run]; r != nil && markOf(r.run) == id.mark {
		return r, nil
	}
	run, err := b.st.Runs().Run(id.key.Run)
	if err != nil || markOf(run) != id.mark {
		return nil, errors.New("the call is of another project's run")
	}
	b.runs[run.ID] = &batchRun{run: run, judges: make(map[string]*judge.Judge)}
	b.in.sum.Dataset = run.Config.Dataset
	return b.runs[run.ID], nil
}

func (b *batchImport) judgment(ctx context.Context, r *batchRun, id callID, s *eval.Sample, reply eval.Reply, failure *eval.Failure) error {
	j, err := b.judgeOf(ctx, r, id.setup)
	if err != nil {
		return err
	}
	p, err := b.st.Runs().Prediction(id.key)
	if err != nil {
		return err
	}
	say := j.Read(eval.Judging{Run: r.run, Sample: *s, Shown: p.Asked(s), Prediction: p}, reply)
	say.Key, say.At = id.key, b.now()
	if failure != nil {
		say.Failure, say.Extraction = failure, eval.Extraction{}
	}
	b.says = append(b.says, say)
	return nil
}

// judgeOf finds the judge that a call was exported for: one of the run's, or
// one that is named, in whichever language it was told to read.
func (b *batchImport) judgeOf(ctx context.Context, r *batchRun, mark string) (*judge.Judge, error) {
	if j := r.judges[mark]; j != nil {
		return j, nil
	}
	setups := slices.Clone(r.run.Config.Settings.Judges)
	for _, language := range []string{"", prompt.English, prompt.Chinese} { // as it may have been exported
		more, err := b.judgeSetups(ctx, r.run.Config.Dataset, b.extra, language)
		if err != nil {
			return nil, err
		}
		setups = append(setups, more...)
	}
	for _, s := range setups {
		if hash, _ := judge.Hash(s); strings.HasPrefix(hash, mark) {
			j, err := b.judgeWith(ctx, r.run, s, r.run.Config.Settings.Fallback, nil)
			if err == nil {
				r.judges[mark] = j
			}
			return j, err
		}
	}
	return nil, errors.New("the call is of a judge that the run does not name, or whose settings have changed: name it with --judge")
}

// commit stores what has been read so far.
func (b *batchImport) commit(ctx context.Context) error {
	added, err := b.st.Runs().RecordAll(ctx, b.facts)
	if err != nil {
		return err
	}
	said, err := b.st.Judgments().Put(ctx, b.says)
	if err != nil {
		return err
	}
	b.in.sum.Added += added + said
	b.in.sum.Unchanged += len(b.facts) + len(b.says) - added - said
	b.facts, b.says = b.facts[:0], b.says[:0]
	return nil
}

// settle counts the runs anew, and has queues that grow with them catch up.
func (b *batchImport) settle(ctx context.Context) error {
	for _, r := range b.runs {
		reader, err := readerOf(r.run)
		if err != nil {
			return err
		}
		if _, err := countsOf(ctx, b.st, r.run, reader); err != nil {
			return err
		}
	}
	g, err := newGrowth(ctx, b.st, b.heard)
	if err != nil {
		return err
	}
	return g.close()
}
