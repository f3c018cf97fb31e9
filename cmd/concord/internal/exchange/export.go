package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/dataset/tablefile"
	"concord/store"
)

// ExportFlags are the flags of every export.
type ExportFlags struct {
	Format, file, Rules, Dataset, Model, Queue, Layout, Split string
	Only                                                      string // dataset of what needs no run
	Runs                                                      []uint
	GoldItems                                                 bool // labels: those of known answers too, with these
}

// includesRun reports whether a run passes the filters.
func (f *ExportFlags) includesRun(r eval.Run) bool {
	return (f.Dataset == "" || string(r.Config.Dataset) == f.Dataset) && (f.Model == "" || r.Config.Model == f.Model) &&
		(len(f.Runs) == 0 || slices.Contains(f.Runs, uint(r.ID)))
}

// AddFlags adds the flags that every export has.
func (f *ExportFlags) AddFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.Format, "format", tablefile.JSONL, strings.Join(tablefile.Formats(), ", "))
	cmd.Flags().StringVarP(&f.file, "out", "o", "", "write to this `file` (default: standard output)")
}

// RunExport opens the project and the file to write to. When another process
// holds the project, that one makes the rows and this one writes the file.
func RunExport(ctx context.Context, a *project.Project, f *ExportFlags, do func(context.Context, *store.Store, io.Writer) ([]string, error)) error {
	if !slices.Contains(tablefile.Formats(), f.Format) {
		return cli.NewUsageError(fmt.Errorf("unknown format %q: want one of %s", f.Format, strings.Join(tablefile.Formats(), ", ")))
	}
	if a.Leave && f.file != "" && !strings.Contains(filepath.Base(f.file), "damaged") {
		return cli.NewUsageError(errors.New("what is left of a damaged project goes to a file whose name says so, such as NAME.damaged.csv"))
	}
	if a.Held != nil || f.file == "" {
		return exportFromStore(ctx, a, f, a.Out, do)
	}
	out, err := cli.CreateOutFile(f.file, a.Path)
	if err != nil {
		return err
	}
	a.Out = out
	return out.CommitOrRemove(exportFromStore(ctx, a, f, out, do))
}

func exportFromStore(ctx context.Context, a *project.Project, f *ExportFlags, w io.Writer, do func(context.Context, *store.Store, io.Writer) ([]string, error)) error {
	return a.ReadStore(ctx, func(st *store.Store) error {
		if err := f.checkFilters(st); err != nil {
			return err
		}
		warnings, err := do(ctx, st, w)
		for _, w := range warnings {
			_, _ = fmt.Fprintf(a.Err, "concord: %s\n", cli.EscapeControls(w))
		}
		return err
	})
}

// checkFilters refuses filters that nothing can pass, so that a misspelt name does not look like an empty project.
func (f *ExportFlags) checkFilters(st *store.Store) error {
	if f.Queue != "" {
		if _, err := st.Queues().Queue(annotate.QueueName(f.Queue)); err != nil {
			return fmt.Errorf("%w (see: concord queue list)", err)
		}
	}
	if f.Only != "" {
		if _, err := st.Datasets().Dataset(eval.DatasetName(f.Only)); err != nil {
			return err
		}
	}
	if f.Dataset == "" && f.Model == "" && len(f.Runs) == 0 {
		return nil
	}
	_, err := facts.MatchRuns(st, f.Dataset, f.Model, f.Runs)
	return err
}

// CollectOptionLetters collects the letters of all options in the datasets to export, in the
// order of the alphabet: the columns of a table.
func CollectOptionLetters(ctx context.Context, st *store.Store, f *ExportFlags) ([]eval.Choice, error) {
	runs, err := st.Runs().List()
	if err != nil || f.Format == tablefile.JSONL {
		return nil, err
	}
	seen := make(map[eval.Choice]bool)
	done := make(map[eval.DatasetName]bool)
	for _, run := range runs {
		if !f.includesRun(run) || done[run.Config.Dataset] {
			continue
		}
		done[run.Config.Dataset] = true
		for s, err := range st.Datasets().Samples(ctx, run.Config.Dataset) {
			if err != nil {
				return nil, err
			}
			for _, o := range s.Options {
				seen[o.Letter] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen)), nil
}

// ReadPredictionRows reads the predictions of the runs that the flags name.
func ReadPredictionRows(ctx context.Context, st *store.Store, f *ExportFlags, reader eval.Reader) iter.Seq2[export.PredictionRow, error] {
	return func(yield func(export.PredictionRow, error) bool) {
		runs, err := st.Runs().List()
		if err != nil {
			yield(export.PredictionRow{}, err)
			return
		}
		for _, run := range runs {
			if !f.includesRun(run) {
				continue
			}
			settings := settingsForExport(run)
			for q, err := range st.Runs().Questions(ctx, run) {
				if err != nil {
					yield(export.PredictionRow{}, err)
					return
				}
				for i := range q.Predictions {
					row := newPredictionRow(run, &q.Sample, &q.Predictions[i], reader)
					row.Settings = settings
					if !yield(row, nil) {
						return
					}
				}
			}
		}
	}
}

func newPredictionRow(run eval.Run, s *eval.Sample, p *eval.Prediction, reader eval.Reader) export.PredictionRow {
	shown := p.ShownQuestion(s)
	row := export.PredictionRow{
		Dataset: run.Config.Dataset, Run: run.ID, Model: run.Config.Model, Modality: run.Config.Modality,
		Strategy: run.Config.Strategy, Sample: s.ID, Ordinal: s.Ordinal, Pass: p.Pass, Split: s.Split, Taxonomy: s.Taxonomy,
		Question: s.Question, Options: shown.Options, Answer: shown.Answer, Prediction: p.Text, Reasoning: p.Reasoning, Failure: p.Failure,
		Finish: p.Finish, Served: p.Served, Usage: p.Usage, Tokens: p.Tokens, Latency: p.Latency, At: p.At, Sent: p.KnownSent(&run.Config, s),
	}
	if row.Reading = eval.ReadPrediction(reader, s, p); row.Reading.Status != eval.StatusUnset {
		row.Rules = reader.Name() + "@" + reader.Version()
	}
	return row
}

// labelColumns begin with those that import labels reads.
var labelColumns = []string{
	"sample", "pass", "model", "annotator", "choice", "confidence", "reason", "note", "at",
	"score", "queue", "dataset", "run", "stratum", "inclusion", "flagged", "informed", "seconds", "imported",
	"act", "cause", "guideline", "label", "tags", "sets",
}

// WriteLabels writes the labels of a queue.
func WriteLabels(ctx context.Context, st *store.Store, w io.Writer, f *ExportFlags) ([]string, error) {
	columns := eval.Either(f.GoldItems, append(slices.Clone(labelColumns), "gold", "gold_from"), labelColumns)
	out := &labelWriter{st: st, golds: f.GoldItems}
	warnings, err := WriteTable(w, f.Format, columns, func(t *tablefile.Table) error {
		out.table = t
		return eachExportedQueue(st, f, func(q *annotate.Queue) error {
			if none := q.CheckTakesLabels(); none != nil {
				return fmt.Errorf("export labels: %w (see: concord export %s --help)", none, describeOtherContent(q))
			}
			return nil
		}, func(q annotate.Queue) error { return out.writeQueue(ctx, q) })
	})
	if out.kept > 0 {
		warnings = append(warnings, fmt.Sprintf("%s left out, of items that were added since their answer is known: --golds gives them", cli.FormatCount(out.kept, "label")))
	}
	return append(warnings, warnDecoysLeftOut(out.spare, "label")...), err
}

// describeOtherContent describes what a queue without labels holds, as commands name it.
func describeOtherContent(q *annotate.Queue) string {
	return eval.Either(q.Rule.From == annotate.FromCriteria, "grades", "votes")
}

// eachExportedQueue does something with the queues that the flags leave. none is why one
// has nothing to export: only who names it hears of it.
func eachExportedQueue(st *store.Store, f *ExportFlags, none func(*annotate.Queue) error, do func(annotate.Queue) error) error {
	queues, err := st.Queues().List()
	for _, q := range queues {
		if err != nil || f.Queue != "" && f.Queue != string(q.Name) || f.Dataset != "" && f.Dataset != string(q.Rule.Dataset) {
			continue
		}
		switch why := none(&q); {
		case why == nil:
			err = do(q)
		case f.Queue != "":
			err = why
		}
	}
	return err
}

// labelWriter writes labels. Those of items that were not drawn, but added since their answer is known,
// are kept back unless they are asked for: an inclusion of 0 would tell which these are.
type labelWriter struct {
	st          *store.Store
	table       *tablefile.Table
	golds       bool
	known       map[annotate.ItemKey]annotate.Gold
	kept, spare int // of these, and decoys, that are left out
}

// warnDecoysLeftOut says how many decoys an export leaves out.
func warnDecoysLeftOut(n int, what string) []string {
	if n == 0 {
		return nil
	}
	return []string{cli.FormatCount(n, what) + " left out, of items on which others agree, which were offered to the further people of --extra too: they count in no figure"}
}

func (w *labelWriter) writeQueue(ctx context.Context, q annotate.Queue) error {
	golds, err := w.st.Queues().GoldItems(q.Name)
	if err != nil {
		return err
	}
	w.known = eval.IndexBy(golds, func(g annotate.Gold) (annotate.ItemKey, annotate.Gold) { return g.Key, g })
	return eachCountedItem(ctx, w.st, q.Name, &w.spare, func(item annotate.QueueItem, state *annotate.State) (err error) {
		if l, ok := state.Labels[item.Key]; ok {
			err = w.writeRow(q, item, &l, annotate.Labelled, annotate.CauseUnset)
		}
		if r, ok := state.Rulings[item.Key]; ok && err == nil {
			err = w.writeRow(q, item, &annotate.Label{
				Annotator: r.Annotator, Reading: r.Reading, Note: r.Note, Informed: r.Informed, Imported: r.Imported, At: r.At, Spent: r.Spent,
			}, annotate.Ruled, r.Cause)
		}
		return err
	})
}

// eachCountedItem walks, person by person, the items of a queue with what counts of
// what they did. It adds to spare the decoys among their labels.
func eachCountedItem(ctx context.Context, st *store.Store, name annotate.QueueName, spare *int, do func(annotate.QueueItem, *annotate.State) error) error {
	people, err := st.Acts().Annotators(name)
	if err != nil {
		return err
	}
	for _, who := range people {
		acts, err := st.Acts().Acts(name, who)
		if err != nil {
			return err
		}
		state := annotate.FoldCountedActs(acts)
		*spare += len(annotate.FoldActs(acts).Labels) - len(state.Labels)
		if err := eval.EachRead(st.Queues().QueueItems(ctx, name), func(it annotate.QueueItem) error { return do(it, &state) }); err != nil {
			return err
		}
	}
	return nil
}

// writeRow writes a label, or a ruling in the form of one.
func (w *labelWriter) writeRow(q annotate.Queue, item annotate.QueueItem, l *annotate.Label, act annotate.ActKind, cause annotate.Cause) error {
	gold, known := w.known[item.Key]
	if known && item.Inclusion == 0 && !w.golds {
		w.kept++
		return nil
	}
	run, err := w.st.Runs().Run(item.Key.Run)
	if err != nil {
		return err
	}
	s, err := w.st.Datasets().Sample(q.Rule.Dataset, item.Key.Sample)
	if err != nil {
		return err
	}
	choice := l.Reading.Word()
	var score any
	if l.Reading.Kind == annotate.Scored {
		choice, score = "", l.Reading.Score
	}
	cells := []any{
		string(s.ID), int(item.Key.Pass), run.Config.Model, string(l.Annotator), choice, export.CellOrNil(l.Confidence), l.Reason, l.Note,
		export.FormatTimestamp(l.At), score, string(q.Name), string(q.Rule.Dataset), int(item.Key.Run),
		q.Stratum.String(), item.Inclusion, l.Flagged, l.Informed, l.Spent.Seconds(), l.Imported,
		act.String(), cause.String(), export.CellOrNil(l.Guideline),
		q.Labels.WordOfKey(l.Reading.Choice), strings.Join(l.Tags, ", "), strings.TrimSpace(strings.ReplaceAll(q.Labels.ID(), " ", "_") + " " + strings.ReplaceAll(q.Tags.ID(), " ", "_")),
	}
	if w.golds {
		answer := eval.Either(known, gold.Reading.Word(), "")
		cells = append(cells, answer, gold.From)
	}
	return w.table.Write(cells)
}
