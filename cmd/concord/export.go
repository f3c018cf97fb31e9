package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/extract"
	"concord/store"
)

// exportFlags are the flags of every export.
type exportFlags struct {
	format, file, rules, dataset, model, queue string
	layout, split                              string
	only                                       string // dataset of what needs no run
	runs                                       []uint
	golds                                      bool // labels: those of known answers too, with these
}

// wants reports whether a run passes the filters.
func (f *exportFlags) wants(r eval.Run) bool {
	return (f.dataset == "" || string(r.Config.Dataset) == f.dataset) && (f.model == "" || r.Config.Model == f.model) &&
		(len(f.runs) == 0 || slices.Contains(f.runs, uint(r.ID)))
}

func newExportCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write datasets, predictions, judgments, labels, votes, criteria or scores measured elsewhere as JSON lines, CSV, TSV, xlsx or parquet",
		Args:  usageArgs(cobra.NoArgs),
		RunE:  needSubcommand,
	}
	cmd.AddCommand(newExportPredictionsCmd(a), newExportLabelsCmd(a), newExportJudgmentsCmd(a), newExportScoresCmd(a),
		newExportVotesCmd(a), newExportCriteriaCmd(a), newExportCurationCmd(a), newExportDatasetCmd(a), newExportMeasuresCmd(a))
	return cmd
}

func newExportPredictionsCmd(a *app) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "predictions",
		Short: "Every prediction with its question and what the rules read in it",
		Long: `Writes every prediction with its question and what the rules read in it, or,
with --layout, one run as another tool's file:

  kit          VLMEvalKit's {model}_{dataset}.xlsx, from which it and
               concord import predictions go on
  submission   what MMBench's evaluation server takes; --split test leaves out
               the rest
  kit-results  the kit's _result file: a row for each question with hit and log,
               or, of yes and no, its _auxmatch file with extracted and score
  kit-acc      the kit's _acc.csv
  kit-score    the kit's _score.csv of MME

The kit's scores are by its own rules: add --rules vlmevalkit-2026, or vlmevalkit
for yes and no.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			reader, err := rulesFor(f.rules)
			if err != nil {
				return err
			}
			if _, known := layouts[f.layout]; !known && f.layout != "" {
				return usageError{fmt.Errorf("unknown layout %q: want one of %s", f.layout, strings.Join(slices.Sorted(maps.Keys(layouts)), ", "))}
			}
			if f.split != "" && f.layout == "" {
				return usageError{errors.New("--split goes with --layout")}
			}
			if f.layout != "" && !cmd.Flags().Changed("format") {
				f.format = dataset.FormatXLSX
			}
			return runExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				if f.layout != "" {
					return exportKit(ctx, st, w, &f, reader)
				}
				letters, err := lettersOf(ctx, st, &f)
				if err != nil {
					return nil, err
				}
				return dataset.WritePredictions(w, f.format, letters, predictionRows(ctx, st, &f, reader))
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.dataset, "dataset", "", "only this dataset")
	cmd.Flags().StringVar(&f.model, "model", "", "only this model")
	cmd.Flags().UintSliceVar(&f.runs, "run", nil, "only these runs, by `number`")
	cmd.Flags().StringVar(&f.rules, "rules", extract.Default, "rule `set` that reads the predictions")
	cmd.Flags().StringVar(&f.layout, "layout", "", "write one run as another tool's file: kit, submission, kit-results, kit-acc or kit-score (default format then: xlsx)")
	cmd.Flags().StringVar(&f.split, "split", "", "only this split, with --layout")
	return cmd
}

func newExportLabelsCmd(a *app) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "labels",
		Short: "Every label that stands, with who, when and how long",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				return writeLabels(ctx, st, w, &f)
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.queue, "queue", "", "only this queue")
	cmd.Flags().BoolVar(&f.golds, "golds", false, "with the known answers of items that check people, and the items that were added for it (whoever labels should not see this)")
	return cmd
}

func (f *exportFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.format, "format", dataset.FormatJSONL, strings.Join(dataset.TableFormats(), ", "))
	cmd.Flags().StringVarP(&f.file, "out", "o", "", "write to this `file` (default: standard output)")
}

// runExport opens the project and the file to write to. When another process
// holds the project, that one makes the rows and this one writes the file.
func runExport(ctx context.Context, a *app, f *exportFlags, do func(context.Context, *store.Store, io.Writer) ([]string, error)) error {
	if !slices.Contains(dataset.TableFormats(), f.format) {
		return usageError{fmt.Errorf("unknown format %q: want one of %s", f.format, strings.Join(dataset.TableFormats(), ", "))}
	}
	if a.held != nil || f.file == "" {
		return exportTo(ctx, a, f, forTerminal(a.out), do)
	}
	out, err := createOut(f.file, a.path)
	if err != nil {
		return err
	}
	a.out = out
	return out.finish(exportTo(ctx, a, f, out, do))
}

func exportTo(ctx context.Context, a *app, f *exportFlags, w io.Writer, do func(context.Context, *store.Store, io.Writer) ([]string, error)) error {
	return a.read(ctx, func(st *store.Store) error {
		if err := f.check(st); err != nil {
			return err
		}
		warnings, err := do(ctx, st, w)
		for _, w := range warnings {
			_, _ = fmt.Fprintf(a.err, "concord: %s\n", visible(w))
		}
		return err
	})
}

// check refuses filters that nothing can pass, so that a misspelt name does
// not look like an empty project.
func (f *exportFlags) check(st *store.Store) error {
	if f.queue != "" {
		if _, err := st.Queues().Queue(annotate.QueueName(f.queue)); err != nil {
			return fmt.Errorf("%w (see: concord queue list)", err)
		}
	}
	if f.only != "" {
		if _, err := st.Datasets().Dataset(eval.DatasetName(f.only)); err != nil {
			return err
		}
	}
	if f.dataset == "" && f.model == "" && len(f.runs) == 0 {
		return nil
	}
	_, err := matchRuns(st, f.dataset, f.model, f.runs)
	return err
}

// lettersOf are the letters of all options in the datasets to export, in the
// order of the alphabet: the columns of a table.
func lettersOf(ctx context.Context, st *store.Store, f *exportFlags) ([]eval.Choice, error) {
	runs, err := st.Runs().List()
	if err != nil || f.format == dataset.FormatJSONL {
		return nil, err
	}
	seen := make(map[eval.Choice]bool)
	done := make(map[eval.DatasetName]bool)
	for _, run := range runs {
		if !f.wants(run) || done[run.Config.Dataset] {
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
	return slices.AppendSeq(make([]eval.Choice, 0, len(seen)), slices.Values(slices.Sorted(maps.Keys(seen)))), nil
}

func predictionRows(ctx context.Context, st *store.Store, f *exportFlags, reader eval.Reader) iter.Seq2[dataset.PredictionRow, error] {
	return func(yield func(dataset.PredictionRow, error) bool) {
		runs, err := st.Runs().List()
		if err != nil {
			yield(dataset.PredictionRow{}, err)
			return
		}
		for _, run := range runs {
			if !f.wants(run) {
				continue
			}
			settings := settingsOf(run)
			for q, err := range st.Runs().Questions(ctx, run) {
				if err != nil {
					yield(dataset.PredictionRow{}, err)
					return
				}
				for i := range q.Predictions {
					row := predictionRow(run, &q.Sample, &q.Predictions[i], reader)
					row.Settings = settings
					if !yield(row, nil) {
						return
					}
				}
			}
		}
	}
}

func predictionRow(run eval.Run, s *eval.Sample, p *eval.Prediction, reader eval.Reader) dataset.PredictionRow {
	shown := p.Asked(s)
	row := dataset.PredictionRow{
		Dataset: run.Config.Dataset, Run: run.ID, Model: run.Config.Model, Modality: run.Config.Modality,
		Strategy: run.Config.Strategy, Sample: s.ID, Pass: p.Pass, Split: s.Split, Taxonomy: s.Taxonomy,
		Question: s.Question, Options: shown.Options, Answer: shown.Answer, Prediction: p.Text, Reasoning: p.Reasoning, Failure: p.Failure,
		Finish: p.Finish, Served: p.Served, Usage: p.Usage, Latency: p.Latency, At: p.At,
	}
	row.Reading = eval.Read(reader, s, p)
	return row
}

// labelColumns begin with those that import labels reads.
var labelColumns = []string{
	"sample", "pass", "model", "annotator", "choice", "confidence", "reason", "note", "at",
	"score", "queue", "dataset", "run", "stratum", "inclusion", "flagged", "informed", "seconds", "imported",
	"act", "cause", "guideline",
}

func writeLabels(ctx context.Context, st *store.Store, w io.Writer, f *exportFlags) ([]string, error) {
	columns := labelColumns
	if f.golds {
		columns = append(slices.Clone(columns), "gold", "gold_from")
	}
	t, err := dataset.NewTable(w, f.format, columns)
	if err != nil {
		return nil, usageError{err}
	}
	kept := 0
	queues, err := st.Queues().List()
	for _, q := range queues {
		if err != nil || f.queue != "" && f.queue != string(q.Name) {
			continue
		}
		switch none := q.ForLabels(); {
		case none == nil:
			err = queueLabels(ctx, st, q, &labelTable{Table: t, golds: f.golds, kept: &kept})
		case f.queue != "":
			err = fmt.Errorf("export labels: %w (see: concord export votes --help)", none)
		}
	}
	warnings, cerr := t.Close()
	if kept > 0 {
		warnings = append(warnings, fmt.Sprintf("%s left out, of items that were added since their answer is known: --golds gives them", count(kept, "label")))
	}
	return warnings, errors.Join(err, cerr)
}

// labelTable is where labels go. Those of items that were not drawn, but added
// since their answer is known, are kept back unless they are asked for: an
// inclusion of 0 would tell which these are.
type labelTable struct {
	*dataset.Table
	golds bool
	known map[annotate.ItemKey]annotate.Gold
	kept  *int
}

func queueLabels(ctx context.Context, st *store.Store, q annotate.Queue, t *labelTable) error {
	golds, err := st.Queues().Golds(q.Name)
	if err != nil {
		return err
	}
	t.known = make(map[annotate.ItemKey]annotate.Gold, len(golds))
	for _, g := range golds {
		t.known[g.Key] = g
	}
	people, err := st.Acts().Annotators(q.Name)
	if err != nil {
		return err
	}
	for _, who := range people {
		acts, err := st.Acts().Acts(q.Name, who)
		if err != nil {
			return err
		}
		state := annotate.Fold(acts)
		for item, err := range st.Queues().QueueItems(ctx, q.Name) {
			if err != nil {
				return err
			}
			if l, ok := state.Labels[item.Key]; ok {
				if err := labelRow(st, q, item, exported{Label: l, act: annotate.Labelled}, t); err != nil {
					return err
				}
			}
			if r, ok := state.Rulings[item.Key]; ok {
				if err := labelRow(st, q, item, exportedRuling(&r), t); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// exported is a label, or a ruling in the form of one, as a row of the export.
type exported struct {
	annotate.Label
	act   annotate.ActKind
	cause annotate.Cause
}

func exportedRuling(r *annotate.Ruling) exported {
	return exported{act: annotate.Ruled, cause: r.Cause, Label: annotate.Label{
		Annotator: r.Annotator, Reading: r.Reading, Note: r.Note, Informed: r.Informed, Imported: r.Imported, At: r.At, Spent: r.Spent,
	}}
}

func labelRow(st *store.Store, q annotate.Queue, item annotate.QueueItem, l exported, t *labelTable) error {
	gold, known := t.known[item.Key]
	if known && item.Inclusion == 0 && !t.golds {
		*t.kept++
		return nil
	}
	run, err := st.Runs().Run(item.Key.Run)
	if err != nil {
		return err
	}
	s, err := st.Datasets().Sample(q.Rule.Dataset, item.Key.Sample)
	if err != nil {
		return err
	}
	choice := l.Reading.Word()
	var confidence, score any
	if l.Reading.Verdict == annotate.Scored {
		choice, score = "", l.Reading.Score
	}
	if l.Confidence > 0 {
		confidence = l.Confidence
	}
	cells := []any{
		string(s.ID), int(item.Key.Pass), run.Config.Model, string(l.Annotator), choice, confidence, l.Reason, l.Note,
		dataset.Moment(l.At), score, string(q.Name), string(q.Rule.Dataset), int(item.Key.Run),
		q.Stratum.String(), item.Inclusion, l.Flagged, l.Informed, l.Spent.Seconds(), l.Imported,
		l.act.String(), l.cause.String(), versionCell(l.Guideline),
	}
	if t.golds {
		answer := ""
		if known {
			answer = gold.Reading.Word()
		}
		cells = append(cells, answer, gold.From)
	}
	return t.Write(cells)
}
