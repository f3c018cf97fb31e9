package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
)

// callExport is an export of what judges said of runs' predictions.
type callExport struct {
	use, short string
	columns    []string
	run        func(context.Context, *callWriter, eval.Run) error
}

func (x *callExport) write(ctx context.Context, st *store.Store, w io.Writer, f *exportFlags) ([]string, error) {
	t, err := dataset.NewTable(w, f.format, x.columns)
	if err != nil {
		return nil, asUsage(err)
	}
	runs, err := st.Runs().List()
	out := callWriter{st: st, table: t, setups: make(map[string]any)}
	for _, run := range runs {
		if err != nil || !f.wants(run) {
			continue
		}
		if err = x.run(ctx, &out, run); err != nil {
			err = fmt.Errorf("export %s of run %d: %w", x.use, run.ID, err)
		}
	}
	warnings, cerr := t.Close()
	return warnings, errors.Join(err, cerr)
}

// callWriter keeps the setups that it has read: a few judges say it all.
type callWriter struct {
	st     *store.Store
	table  *dataset.Table
	setups map[string]any
}

func (w *callWriter) judgment(run eval.Run, j *eval.Judgment) error {
	s, err := w.st.Datasets().Sample(run.Config.Dataset, j.Sample)
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
		j.Usage.Prompt, j.Usage.Completion, j.Usage.Reasoning, int(j.Latency.Milliseconds()), dataset.Moment(j.At), setup,
	})
}

func (w *callWriter) score(run eval.Run, one *eval.Score) error {
	s, err := w.st.Datasets().Sample(run.Config.Dataset, one.Sample)
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
		one.Usage.Prompt, one.Usage.Completion, one.Usage.Reasoning, int(one.Latency.Milliseconds()), dataset.Moment(one.At), setup,
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
func (w *callWriter) setup(hash string) (any, error) {
	if hash == "" {
		return nil, nil
	}
	if v, ok := w.setups[hash]; ok {
		return v, nil
	}
	text, err := w.st.Texts().Text(hash)
	if err != nil {
		return nil, err
	}
	v := json.RawMessage(text)
	w.setups[hash] = v
	return v, nil
}
