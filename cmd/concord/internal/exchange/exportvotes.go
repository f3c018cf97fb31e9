package exchange

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/dataset/tablefile"
	"concord/eval/metric"
	"concord/store"
)

// VoterFilter are whose votes are written; neither is everybody's.
type VoterFilter struct{ People, Judges bool }

// voteColumns begin with those that import votes reads.
var voteColumns = []string{
	"sample", "model_1", "model_2", "annotator", "vote", "criteria", "criteria_hash", "confidence", "reason", "note", "flagged", "informed",
	"at", "seconds", "queue", "judge", "input", "repeat", "raw", "failure", "order", "dataset", "run_1", "run_2", "imported",
	"earlier", "prompt", "setup", "finish", "served", "prompt_tokens", "completion_tokens", "reasoning_tokens", "latency_ms", "guideline",
	"images", "images_lacking", "cached_tokens",
}

// WriteVotes writes the votes of judges or people.
func WriteVotes(ctx context.Context, st *store.Store, w io.Writer, f *ExportFlags, only VoterFilter) ([]string, error) {
	out := &voteWriter{st: st}
	warnings, err := WriteTable(w, f.Format, voteColumns, func(t *tablefile.Table) error {
		all, err := st.Runs().List()
		out.table = t
		out.runs = eval.IndexBy(all, func(r eval.Run) (eval.RunID, eval.Run) { return r.ID, r })
		if err == nil && !only.Judges {
			err = out.writePeopleVotes(ctx, f)
		}
		if err == nil && !only.People && f.Queue == "" {
			err = out.writeJudgeVotes(ctx, f)
		}
		return err
	})
	return append(warnings, warnDecoysLeftOut(out.spare, "vote")...), err
}

type voteWriter struct {
	st    *store.Store
	table *tablefile.Table
	runs  map[eval.RunID]eval.Run
	spare int // decoys that are left out
}

// writePeopleVotes writes the votes that stand in every queue of pairs.
func (w *voteWriter) writePeopleVotes(ctx context.Context, f *ExportFlags) error {
	return eachExportedQueue(w.st, f, func(q *annotate.Queue) error {
		if q.Rule.From != annotate.FromPairs {
			return fmt.Errorf("export votes: queue %s holds no pairs of answers (see: concord export labels --help)", q.Name)
		}
		return nil
	}, func(q annotate.Queue) error { return w.writeQueue(ctx, q) })
}

func (w *voteWriter) writeQueue(ctx context.Context, q annotate.Queue) error {
	return eachCountedItem(ctx, w.st, q.Name, &w.spare, func(item annotate.QueueItem, state *annotate.State) error {
		l, ok := state.Labels[item.Key]
		if !ok {
			return nil
		}
		v, ok := l.ToVote()
		if !ok {
			return nil
		}
		return eval.WrapError(w.writePersonVote(q, &l, &v), "export votes of %s in queue %s", v.Annotator, q.Name)
	})
}

func (w *voteWriter) writePersonVote(q annotate.Queue, l *annotate.Label, v *annotate.PersonVote) error {
	s, err := w.st.Datasets().Sample(q.Rule.Dataset, v.Pair.Sample)
	if err != nil {
		return err
	}
	order := eval.Either(l.Reading.Swapped, 2, 1)
	return w.table.Write([]any{
		string(s.ID), w.modelOf(v.Pair.First), w.modelOf(v.Pair.Second), string(v.Annotator), v.Vote.String(), v.Criteria != "", v.Criteria,
		export.CellOrNil(l.Confidence), l.Reason, l.Note, v.Flagged, v.Informed, export.FormatTimestamp(v.At), v.Spent.Seconds(), string(q.Name),
		nil, nil, nil, nil, nil, order, string(q.Rule.Dataset), int(v.Pair.First), int(v.Pair.Second), v.Imported,
		nil, nil, nil, nil, nil, nil, nil, nil, nil, export.CellOrNil(l.Guideline), nil, nil, nil,
	})
}

// writeJudgeVotes writes every vote of the judges, comparison by comparison.
func (w *voteWriter) writeJudgeVotes(ctx context.Context, f *ExportFlags) error {
	contests, err := w.st.Votes().AllComparisons(ctx)
	if err != nil {
		return err
	}
	for _, c := range contests {
		on := w.runs[c.A].Config.Dataset
		if f.Dataset != "" && f.Dataset != string(on) {
			continue
		}
		if err := eval.EachRead(w.st.Votes().OfComparison(ctx, c.Comparison), func(p eval.Preference) error { return w.writeJudgeVote(on, &p) }); err != nil {
			return fmt.Errorf("export votes of %s: %w", c.Judge, err)
		}
	}
	return nil
}

func (w *voteWriter) writeJudgeVote(on eval.DatasetName, p *eval.Preference) error {
	s, err := w.st.Datasets().Sample(on, p.Sample)
	if err != nil {
		return err
	}
	order := eval.Either(p.First > p.Second, 2, 1)
	return w.table.Write(append([]any{
		string(s.ID), w.modelOf(p.First), w.modelOf(p.Second), nil, p.Vote.String(), p.Criteria, p.Text,
		nil, nil, nil, nil, nil, export.FormatTimestamp(p.At), nil, nil,
		p.Judge, p.Input.String(), p.Repeat, p.Raw, failureCell(p.Failure), order, string(on), int(p.First), int(p.Second), nil,
		export.ListOrNil(p.Earlier), p.Prompt, p.Setup, p.Finish, p.Served, p.Usage.Prompt, p.Usage.Completion, p.Usage.Reasoning, int(p.Latency.Milliseconds()), nil,
	}, append(export.FormatSentCells(p.Sent)[:2], p.Usage.Cached)...))
}

func (w *voteWriter) modelOf(id eval.RunID) string { return w.runs[id].Config.Model }

// callColumns are those behind what is particular to a kind of call.
var callColumns = []string{
	"failure", "earlier", "finish", "served", "prompt_tokens", "completion_tokens", "reasoning_tokens", "latency_ms", "at", "setup", "cached_tokens",
}

// WriteJudgments writes what judges read out of runs' predictions. The columns
// begin with those that import judgments reads.
func WriteJudgments(ctx context.Context, st *store.Store, w io.Writer, f *ExportFlags) ([]string, error) {
	columns := []string{"sample", "pass", "model", "judge", "choice", "raw", "prompt", "dataset", "run", "status", "method", "confidence"}
	return writeCalls(ctx, st, w, f, "judgments", columns, st.Judgments().Calls, func(j *eval.Judgment) (judgeCall, []any, []any) {
		choice, status := string(j.Extraction.Choice), j.Extraction.Status.String()
		if j.Extraction.Status != eval.Found && j.Extraction.Status != eval.Missing {
			choice = status // as import judgments reads it
		}
		if j.Failure != nil {
			choice, status = "", ""
		}
		return judgeCall{j.Key, j.Call, j.Judge, j.Raw, j.Earlier}, []any{choice}, []any{status, j.Extraction.Method, export.CellOrNil(j.Confidence)}
	})
}

// WriteScores writes the scores that judges gave open answers.
func WriteScores(ctx context.Context, st *store.Store, w io.Writer, f *ExportFlags) ([]string, error) {
	columns := []string{"sample", "pass", "model", "judge", "score", "raw", "prompt", "dataset", "run"}
	return writeCalls(ctx, st, w, f, "scores", columns, st.Scores().Calls, func(one *eval.Score) (judgeCall, []any, []any) {
		// A reply that holds no score has no number.
		return judgeCall{one.Key, one.Call, one.Judge, one.Raw, one.Earlier}, []any{export.CellOrNil(one.Value)}, nil
	})
}

type judgeCall struct {
	eval.Key
	eval.Call
	judge, raw string
	earlier    []string
}

// writeCalls writes what judges said of runs' predictions. cells gives what is
// particular to a kind: before and behind the judge's words.
func writeCalls[F any](ctx context.Context, st *store.Store, w io.Writer, f *ExportFlags, what string, columns []string,
	calls func(context.Context, eval.RunID) iter.Seq2[F, error], cells func(*F) (of judgeCall, before, behind []any),
) ([]string, error) {
	return WriteTable(w, f.Format, slices.Concat(columns, callColumns), func(t *tablefile.Table) error {
		runs, err := st.Runs().List()
		setups := make(map[string]any) // a few judges say it all
		for _, run := range runs {
			if err != nil || !f.includesRun(run) {
				continue
			}
			for one, cerr := range calls(ctx, run.ID) {
				if err = cerr; err == nil {
					of, before, behind := cells(&one)
					err = writeCallRow(st, t, run, setups, &of, before, behind)
				}
				if err != nil {
					err = fmt.Errorf("export %s of run %d: %w", what, run.ID, err)
					break
				}
			}
		}
		return err
	})
}

func writeCallRow(st *store.Store, t *tablefile.Table, run eval.Run, setups map[string]any, of *judgeCall, before, behind []any) error {
	s, err := st.Datasets().Sample(run.Config.Dataset, of.Sample)
	if err != nil {
		return err
	}
	if _, known := setups[of.Setup]; !known && of.Setup != "" {
		text, err := st.Texts().Text(of.Setup)
		if err != nil {
			return err
		}
		setups[of.Setup] = json.RawMessage(text)
	}
	return t.Write(slices.Concat(
		[]any{string(s.ID), int(of.Pass), run.Config.Model, of.judge}, before, []any{of.raw, of.Prompt, string(run.Config.Dataset), int(run.ID)}, behind,
		[]any{
			failureCell(of.Failure), export.ListOrNil(of.earlier), of.Finish, of.Served,
			of.Usage.Prompt, of.Usage.Completion, of.Usage.Reasoning, int(of.Latency.Milliseconds()), export.FormatTimestamp(of.At), setups[of.Setup], of.Usage.Cached,
		}))
}

// failureCell is why a call failed; nil for one that did not.
func failureCell(f *eval.Failure) any {
	if f == nil {
		return nil
	}
	return f.Error()
}

// Layouts are the files of other tools that export predictions can write, as --layout names them.
var Layouts = map[string]export.KitLayout{
	"kit":         export.KitPredictions,
	"submission":  export.KitSubmission,
	"kit-results": export.KitResults,
	layoutAcc:     export.KitResults,
	layoutScore:   export.KitResults,
}

// The kit's accuracies, and its scores of MME: CSV files whatever the format.
const (
	layoutAcc   = "kit-acc"
	layoutScore = "kit-score"
)

// WriteVLMEvalKitRun writes one run in a layout of VLMEvalKit.
func WriteVLMEvalKitRun(ctx context.Context, st *store.Store, w io.Writer, f *ExportFlags, reader eval.Reader) ([]string, error) {
	runs, err := facts.MatchRuns(st, f.Dataset, f.Model, f.Runs)
	if err != nil {
		return nil, err
	}
	if len(runs) != 1 {
		return nil, cli.NewUsageError(fmt.Errorf("a file of that layout holds one run, and %d pass the filters: name one with --run", len(runs)))
	}
	of, err := st.Datasets().Dataset(runs[0].Config.Dataset)
	if err != nil {
		return nil, err
	}
	columns := export.KitColumns{Circular: runs[0].Config.Strategy == eval.Circular, Coarse: of.Coarse}
	for s, err := range st.Datasets().Samples(ctx, runs[0].Config.Dataset) {
		if err != nil {
			return nil, err
		}
		if f.Split == "" || s.Split == f.Split {
			columns.NoteFilledColumns(&s)
		}
	}
	layout := Layouts[f.Layout]
	open := 0
	rows := readKitRows(ctx, st, f, runs[0], reader, &open)
	var warnings []string
	switch f.Layout {
	case layoutAcc:
		err = export.WriteKitAccuracy(w, rows)
	case layoutScore:
		warnings, err = export.WriteKitScores(w, rows)
	default:
		warnings, err = export.WriteKit(w, f.Format, layout, &columns, rows)
	}
	if open > 0 {
		warnings = append(warnings, cli.FormatCount(open, "question")+" without an answer in some pass: the file has no rows for those")
	}
	return warnings, err
}

// readKitRows reads the predictions of a run: of every pass, or, of results, of each question with its verdict. It
// counts questions that are open: passes are missing, and none of those that are there is wrong.
func readKitRows(ctx context.Context, st *store.Store, f *ExportFlags, run eval.Run, reader eval.Reader, open *int) iter.Seq2[export.KitRow, error] {
	scheme := metric.Scheme{Run: run, Rules: reader}
	results := Layouts[f.Layout] == export.KitResults
	return func(yield func(export.KitRow, error) bool) {
		of, err := st.Datasets().Dataset(run.Config.Dataset)
		if err != nil {
			yield(export.KitRow{}, err)
			return
		}
		for q, err := range st.Runs().Questions(ctx, run) {
			if err != nil {
				yield(export.KitRow{}, err)
				return
			}
			if f.Split != "" && q.Sample.Split != f.Split {
				continue
			}
			if len(q.Predictions) < eval.Either(run.Config.Strategy == eval.Circular, q.Sample.PassCount(), 1) && scheme.Decide(&q).Circular != metric.NotRight {
				*open++
			}
			for i := range q.Predictions {
				p := &q.Predictions[i]
				row := export.KitRow{
					Sample: q.Sample, Pass: p.Pass, Shown: p.ShownQuestion(&q.Sample), Prediction: p.Text, Failed: p.Failure != nil, Coarse: of.Coarse,
				}
				if results {
					if row.Pass != 0 { // the kit takes the question from its base row
						continue
					}
					setKitVerdict(&row, &scheme, &q)
				}
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

// setKitVerdict is hit or miss by the run's strategy, and what was read in each pass.
func setKitVerdict(row *export.KitRow, scheme *metric.Scheme, q *eval.Question) {
	o := scheme.Decide(q)
	row.Scored, row.Hit = o.Circular.IsDecided(), o.Circular == metric.Right
	row.Log = fmt.Sprintf("%s by %s:", o.Circular, eval.ReaderID(scheme.Rules))
	for _, r := range o.Readings {
		read := r.Combined.Status.String()
		switch {
		case r.Failed:
			read = "failed"
		case r.Combined.IsFound():
			read = string(r.Combined.Choice)
			if r.Pass == 0 {
				row.Said = r.Combined.Choice
			}
		}
		row.Log += fmt.Sprintf(" pass %d answer %s read %s;", r.Pass, r.Answer, read)
	}
}
