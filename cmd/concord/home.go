package main

import (
	"context"
	"errors"

	"concord/annotate"
	"concord/annotate/report"
	"concord/eval"
	"concord/store"
	reportscreen "concord/tui/report"
	"concord/tui/runs"
)

// home shows the store and the live runs as the home screen reads them.
type home struct {
	st    *store.Store
	live  *live
	veils *annotate.Veils
}

var (
	_ runs.Source  = home{}
	_ runs.Control = (*live)(nil)
)

// Runs are all runs, live ones with their progress.
func (h home) Runs(context.Context) ([]runs.Row, error) {
	all, err := h.st.Runs().List()
	if err != nil {
		return nil, err
	}
	totals := make(map[eval.DatasetName]int)
	out := make([]runs.Row, 0, len(all))
	for _, r := range all {
		if p, ok := h.live.Progress(r.ID); ok {
			out = append(out, runs.Row{Run: r, Progress: p, Live: true})
			continue
		}
		c, err := h.st.Runs().Counts(r.ID)
		if err != nil {
			return nil, err
		}
		total, known := totals[r.Config.Dataset]
		if !known {
			d, err := h.st.Datasets().Dataset(r.Config.Dataset)
			if err != nil {
				return nil, err
			}
			total = d.Samples
			totals[r.Config.Dataset] = total
		}
		judges, err := h.st.Judgments().Counts(r.ID)
		if err != nil {
			return nil, err
		}
		out = append(out, runs.Row{Run: r, Progress: eval.Progress{Run: r.ID, Total: total, Counts: c, Judges: judges}})
	}
	return out, nil
}

// Queues are all queues with where the annotator stands in them.
func (h home) Queues(_ context.Context, who annotate.Annotator) ([]runs.Queue, error) {
	all, err := h.st.Queues().List()
	if err != nil {
		return nil, err
	}
	out := make([]runs.Queue, 0, len(all))
	for _, q := range all {
		tally, err := h.st.Acts().Tally(q.Name)
		if err != nil {
			return nil, err
		}
		row := runs.Queue{Queue: q, Labelled: tally[who].Labelled, Skipped: tally[who].Skipped}
		for _, t := range tally {
			if t.Labelled > 0 {
				row.Annotators++
			}
		}
		out = append(out, row)
	}
	return out, nil
}

// Latest are a run's last predictions, as its rules read them. Of sealed
// samples only those are among them that the person may know of.
func (h home) Latest(_ context.Context, who annotate.Annotator, id eval.RunID, n int) ([]runs.Answer, error) {
	const passes = 4 // most questions have so many, and only one of them may show
	return h.last(who, id, n, passes*n, func(*eval.Prediction) bool { return true })
}

// Failures are those among a run's last predictions that are failures.
func (h home) Failures(_ context.Context, who annotate.Annotator, id eval.RunID, n int) ([]runs.Answer, error) {
	const reach = 256 // as far as the store looks back
	out, err := h.last(who, id, n, reach, func(p *eval.Prediction) bool { return p.Failure != nil })
	for i := range out {
		before, aerr := h.st.Runs().Attempts(out[i].Key)
		if err = errors.Join(err, aerr); out[i].Sight.Legible() {
			out[i].Attempts = len(before) + 1
		}
	}
	return out, err
}

// last are up to n of a run's last predictions, of those that are wanted among
// the newest reach.
func (h home) last(who annotate.Annotator, id eval.RunID, n, reach int, want func(*eval.Prediction) bool) ([]runs.Answer, error) {
	run, err := h.st.Runs().Run(id)
	if err != nil {
		return nil, err
	}
	reader, err := readerOf(run)
	if err != nil {
		return nil, err
	}
	veil, err := h.veils.For(who, run.Config.Dataset)
	if err != nil {
		return nil, err
	}
	last, err := h.st.Runs().Latest(id, reach)
	if err != nil {
		return nil, err
	}
	out := make([]runs.Answer, 0, n)
	for i := 0; i < len(last) && len(out) < n; i++ {
		p := &last[i]
		if !want(p) {
			continue
		}
		view, err := veil.Sample(p.Sample)
		if err != nil {
			return nil, err
		}
		if !view.Shows(p.Key) {
			continue
		}
		s, err := h.st.Datasets().Sample(run.Config.Dataset, p.Sample)
		if err != nil {
			return nil, err
		}
		// That a run has answered so would name the model behind an item.
		if a := latest(view, reader, &s, p); a.Sight.Legible() {
			out = append(out, a)
		}
	}
	return out, nil
}

func latest(view *annotate.View, reader eval.Reader, s *eval.Sample, p *eval.Prediction) runs.Answer {
	a := runs.Answer{Key: p.Key, Sample: s.ID, Sight: view.Sight(p.Key, unread(s, p))}
	switch {
	case !a.Sight.Legible():
	case p.Failure != nil:
		a.Failure, a.Kind = p.Failure.Message, p.Failure.Kind
	default:
		a.Text, a.Reading = p.Text, eval.Read(reader, s, p)
	}
	return a
}

// figures is what the report screen computes from and saves to.
type figures struct {
	facts
	veils *annotate.Veils
}

var (
	_ reportscreen.Source = figures{}
	_ report.Facts        = figures{}
)

// SaveReport stores a report and gives it its number.
func (f figures) SaveReport(ctx context.Context, r annotate.SavedReport) (uint64, error) {
	return f.st.Reports().SaveReport(ctx, r)
}

// Left is how many items of a queue a person has yet to answer.
func (f figures) Left(ctx context.Context, who annotate.Annotator, name annotate.QueueName) (int, error) {
	q, err := f.st.Queues().Queue(name)
	if err != nil {
		return 0, err
	}
	return f.veils.Left(who, q, f.st.Queues().QueueItems(ctx, name))
}
