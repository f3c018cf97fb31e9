package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/dataset/tablefile"
	"concord/store"
)

// Voters are whose votes are written; neither is everybody's.
type Voters struct{ People, Judges bool }

// voteColumns begin with those that import votes reads.
var voteColumns = []string{
	"sample", "model_1", "model_2", "annotator", "vote", "criteria", "criteria_hash", "confidence", "reason", "note", "flagged", "informed",
	"at", "seconds", "queue", "judge", "input", "repeat", "raw", "failure", "order", "dataset", "run_1", "run_2", "imported",
	"earlier", "prompt", "setup", "finish", "served", "prompt_tokens", "completion_tokens", "reasoning_tokens", "latency_ms", "guideline",
	"images", "images_lacking",
}

// WriteVotes writes the votes of judges or people.
func WriteVotes(ctx context.Context, st *store.Store, w io.Writer, f *ExportFlags, only Voters) ([]string, error) {
	t, err := tablefile.New(w, f.Format, voteColumns)
	if err != nil {
		return nil, cli.Usage(err)
	}
	out := &voteWriter{st: st, table: t, runs: make(map[eval.RunID]eval.Run)}
	all, err := st.Runs().List()
	for _, r := range all {
		out.runs[r.ID] = r
	}
	if err == nil && !only.Judges {
		err = out.people(ctx, f)
	}
	if err == nil && !only.People && f.Queue == "" {
		err = out.judges(ctx, f)
	}
	warnings, cerr := t.Close()
	warnings = append(warnings, decoysLeftOut(out.spare, "vote")...)
	return warnings, errors.Join(err, cerr)
}

type voteWriter struct {
	st    *store.Store
	table *tablefile.Table
	runs  map[eval.RunID]eval.Run
	spare int // decoys that are left out
}

// people writes the votes that stand in every queue of pairs.
func (w *voteWriter) people(ctx context.Context, f *ExportFlags) error {
	queues, err := w.st.Queues().List()
	if err != nil {
		return err
	}
	for _, q := range queues {
		if f.Queue != "" && f.Queue != string(q.Name) || f.Dataset != "" && f.Dataset != string(q.Rule.Dataset) {
			continue
		}
		switch {
		case q.Rule.From == annotate.FromPairs:
			err = w.queue(ctx, q)
		case f.Queue != "":
			err = fmt.Errorf("export votes: queue %s holds no pairs of answers (see: concord export labels --help)", q.Name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *voteWriter) queue(ctx context.Context, q annotate.Queue) error {
	people, err := w.st.Acts().Annotators(q.Name)
	if err != nil {
		return err
	}
	for _, who := range people {
		acts, err := w.st.Acts().Acts(q.Name, who)
		if err != nil {
			return err
		}
		state := annotate.FoldCounted(acts)
		w.spare += len(annotate.Fold(acts).Labels) - len(state.Labels)
		for item, err := range w.st.Queues().QueueItems(ctx, q.Name) {
			if err != nil {
				return err
			}
			l, ok := state.Labels[item.Key]
			if !ok {
				continue
			}
			if v, ok := l.Vote(); ok {
				if err := w.person(q, &l, &v); err != nil {
					return fmt.Errorf("export votes of %s in queue %s: %w", who, q.Name, err)
				}
			}
		}
	}
	return nil
}

func (w *voteWriter) person(q annotate.Queue, l *annotate.Label, v *annotate.PersonVote) error {
	s, err := w.st.Datasets().Sample(q.Rule.Dataset, v.Pair.Sample)
	if err != nil {
		return err
	}
	var confidence any
	if l.Confidence > 0 {
		confidence = l.Confidence
	}
	order := 1
	if l.Reading.Swapped {
		order = 2
	}
	return w.table.Write([]any{
		string(s.ID), w.model(v.Pair.First), w.model(v.Pair.Second), string(v.Annotator), v.Vote.String(), v.Criteria != "", v.Criteria,
		confidence, l.Reason, l.Note, v.Flagged, v.Informed, export.Timestamp(v.At), v.Spent.Seconds(), string(q.Name),
		nil, nil, nil, nil, nil, order, string(q.Rule.Dataset), int(v.Pair.First), int(v.Pair.Second), v.Imported,
		nil, nil, nil, nil, nil, nil, nil, nil, nil, versionCell(l.Guideline), nil, nil,
	})
}

// judges writes every vote of the judges, comparison by comparison.
func (w *voteWriter) judges(ctx context.Context, f *ExportFlags) error {
	contests, err := w.st.Votes().Comparisons(ctx)
	if err != nil {
		return err
	}
	for _, c := range contests {
		on := w.runs[c.A].Config.Dataset
		if f.Dataset != "" && f.Dataset != string(on) {
			continue
		}
		for p, err := range w.st.Votes().Of(ctx, c.Comparison) {
			if err == nil {
				err = w.judge(on, &p)
			}
			if err != nil {
				return fmt.Errorf("export votes of %s: %w", c.Judge, err)
			}
		}
	}
	return nil
}

func (w *voteWriter) judge(on eval.DatasetName, p *eval.Preference) error {
	s, err := w.st.Datasets().Sample(on, p.Sample)
	if err != nil {
		return err
	}
	order := 1
	if p.First > p.Second {
		order = 2
	}
	return w.table.Write(append([]any{
		string(s.ID), w.model(p.First), w.model(p.Second), nil, p.Vote.String(), p.Criteria, p.Text,
		nil, nil, nil, nil, nil, export.Timestamp(p.At), nil, nil,
		p.Judge, p.Input.String(), p.Repeat, p.Raw, failed(p.Failure), order, string(on), int(p.First), int(p.Second), nil,
		earlier(p.Earlier), p.Prompt, p.Setup, p.Finish, p.Served, p.Usage.Prompt, p.Usage.Completion, p.Usage.Reasoning, int(p.Latency.Milliseconds()), nil,
	}, export.SentCells(p.Sent)[:2]...))
}

func (w *voteWriter) model(id eval.RunID) string { return w.runs[id].Config.Model }

// CallExport is an export of what judges said of runs' predictions.
type CallExport struct {
	Use, Short string
	Columns    []string
	Run        func(context.Context, *CallWriter, eval.Run) error
}

func (x *CallExport) Write(ctx context.Context, st *store.Store, w io.Writer, f *ExportFlags) ([]string, error) {
	return WriteTable(w, f.Format, x.Columns, func(t *tablefile.Table) error {
		runs, err := st.Runs().List()
		out := CallWriter{Store: st, table: t, setups: make(map[string]any)}
		for _, run := range runs {
			if err != nil || !f.wants(run) {
				continue
			}
			if err = x.Run(ctx, &out, run); err != nil {
				err = fmt.Errorf("export %s of run %d: %w", x.Use, run.ID, err)
			}
		}
		return err
	})
}

// CallWriter keeps the setups that it has read: a few judges say it all.
type CallWriter struct {
	Store  *store.Store
	table  *tablefile.Table
	setups map[string]any
}

// Judgment writes one judgment.
func (w *CallWriter) Judgment(run eval.Run, j *eval.Judgment) error {
	s, err := w.Store.Datasets().Sample(run.Config.Dataset, j.Sample)
	if err != nil {
		return err
	}
	setup, err := w.setup(j.Setup)
	if err != nil {
		return err
	}
	choice, status := string(j.Extraction.Choice), j.Extraction.Status.String()
	if j.Extraction.Status != eval.Found && j.Extraction.Status != eval.Missing {
		choice = status // as import judgments reads it
	}
	if j.Failure != nil {
		choice, status = "", ""
	}
	return w.table.Write([]any{
		string(s.ID), int(j.Pass), run.Config.Model, j.Judge, choice, j.Raw, j.Prompt, string(run.Config.Dataset), int(run.ID),
		status, j.Extraction.Method, failed(j.Failure), earlier(j.Earlier), j.Finish, j.Served,
		j.Usage.Prompt, j.Usage.Completion, j.Usage.Reasoning, int(j.Latency.Milliseconds()), export.Timestamp(j.At), setup,
	})
}

// Score writes one score.
func (w *CallWriter) Score(run eval.Run, one *eval.Score) error {
	s, err := w.Store.Datasets().Sample(run.Config.Dataset, one.Sample)
	if err != nil {
		return err
	}
	setup, err := w.setup(one.Setup)
	if err != nil {
		return err
	}
	var score any // nil for a reply that holds none
	if one.Value > 0 {
		score = one.Value
	}
	return w.table.Write([]any{
		string(s.ID), int(one.Pass), run.Config.Model, one.Judge, score, one.Raw, one.Prompt, string(run.Config.Dataset), int(run.ID),
		failed(one.Failure), earlier(one.Earlier), one.Finish, one.Served,
		one.Usage.Prompt, one.Usage.Completion, one.Usage.Reasoning, int(one.Latency.Milliseconds()), export.Timestamp(one.At), setup,
	})
}

// failed is why a call failed; nil for one that did not.
func failed(f *eval.Failure) any {
	if f == nil {
		return nil
	}
	return f.Error()
}

// earlier is the replies that did not parse; nil without any.
func earlier(replies []string) any {
	if len(replies) == 0 {
		return nil
	}
	return replies
}

// setup is the stored text behind its hash, as JSON; nil without one.
func (w *CallWriter) setup(hash string) (any, error) {
	if hash == "" {
		return nil, nil
	}
	if v, ok := w.setups[hash]; ok {
		return v, nil
	}
	text, err := w.Store.Texts().Text(hash)
	if err != nil {
		return nil, err
	}
	v := json.RawMessage(text)
	w.setups[hash] = v
	return v, nil
}
