package exchange

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/dataset/tablefile"
	"concord/store"
)

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
