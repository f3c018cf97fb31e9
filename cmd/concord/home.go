package main

import (
	"context"
	"errors"

	"concord/annotate"
	"concord/annotate/report"
	"concord/eval"
	"concord/store"
	"concord/tui/home"
	reportscreen "concord/tui/report"
)

// homeView shows the store and the live runs as the home screen reads them.
type homeView struct {
	st    *store.Store
	live  *live
	veils *annotate.VisibilityPolicies
	price func(model string) eval.Price // nil: none is known
}

var (
	_ home.Source  = homeView{}
	_ home.Control = (*live)(nil)
)

// Runs are all runs, live ones with their progress.
func (h homeView) Runs(context.Context) ([]home.Row, error) {
	all, err := h.st.Runs().List()
	if err != nil {
		return nil, err
	}
	totals := make(map[eval.DatasetName]int)
	out := make([]home.Row, 0, len(all))
	for _, r := range all {
		p, live := h.live.Progress(r.ID)
		if live && !p.State.Final() {
			out = append(out, home.Row{Run: r, Progress: p, Live: true})
			continue
		}
		if !live {
			if p, err = h.resting(&r); err != nil {
				return nil, err
			}
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
		p.Total = total // the dataset may have grown since
		out = append(out, home.Row{Run: r, Progress: p, Live: live})
	}
	return out, nil
}

// resting is where a run stands that this process does not work on.
func (h homeView) resting(r *eval.Run) (p eval.Progress, err error) {
	p.Run = r.ID
	if p.Counts, err = h.st.Runs().Counts(r.ID); err != nil {
		return p, err
	}
	if p.Judges, err = h.st.Judgments().Counts(r.ID); err != nil {
		return p, err
	}
	p.Cost, p.Priced = h.cost(r, &p)
	return p, nil
}

// cost is what a run has cost by today's prices, as a runner would say it. The
// run's own model and judges need a price before they have used anything; who
// was never asked, nor is to be, costs nothing that could be named.
func (h homeView) cost(r *eval.Run, p *eval.Progress) (sum float64, priced bool) {
	if h.price == nil {
		return 0, false
	}
	named := false
	priced = true
	add := func(model string, u eval.Usage, asked bool) {
		if !asked && u == (eval.Usage{}) {
			return
		}
		price := h.price(model)
		sum += price.Cost(u)
		named, priced = true, priced && price.Known()
	}
	add(r.Config.Model, p.Counts.Usage, r.Config.Origin == eval.Asked)
	for i := range p.Judges {
		add(p.Judges[i].Judge, p.Judges[i].Counts.Usage, false)
	}
	for _, j := range r.Config.Settings.Judges {
		add(j.Judge, eval.Usage{}, true)
	}
	return sum, named && priced
}

// Datasets are all datasets, with the counts that are kept of them.
func (h homeView) Datasets(context.Context) ([]eval.Dataset, error) { return h.st.Datasets().List() }

// Queues are all queues with where the annotator stands in them.
func (h homeView) Queues(_ context.Context, who annotate.Annotator) ([]home.Queue, error) {
	all, err := h.st.Queues().List()
	if err != nil {
		return nil, err
	}
	out := make([]home.Queue, 0, len(all))
	for _, q := range all {
		tally, err := h.st.Acts().Tally(q.Name)
		if err != nil {
			return nil, err
		}
		row := home.Queue{Queue: q, Labelled: tally[who].Labelled, Skipped: tally[who].Skipped}
		for _, t := range tally {
			if t.Labelled > 0 {
				row.Annotators++
			}
		}
		out = append(out, row)
	}
	return out, nil
}

// passes is how many predictions most questions have at most. Of a sealed one
// only the first may show, so that so many times more are read than shown.
const passes = 4

// Latest are a run's last predictions, as its rules read them. Of sealed
// samples only those are among them that the person may know of.
func (h homeView) Latest(_ context.Context, who annotate.Annotator, id eval.RunID, n int) ([]home.Answer, error) {
	last, err := h.st.Runs().Latest(id, passes*n)
	if err != nil {
		return nil, err
	}
	return h.seen(who, id, n, last)
}

// Failures are those of a run's predictions that are failures now, the ones
// furthest down the dataset, however long ago they were asked.
func (h homeView) Failures(ctx context.Context, who annotate.Annotator, id eval.RunID, n int) ([]home.Answer, error) {
	failed, err := h.st.Runs().Failures(ctx, id, passes*n)
	if err != nil {
		return nil, err
	}
	out, err := h.seen(who, id, n, failed)
	for i := range out {
		before, aerr := h.st.Runs().Attempts(out[i].Key)
		err = errors.Join(err, aerr)
		out[i].Attempts = len(before) + 1
	}
	return out, err
}

// seen are up to n of a run's predictions, as a person may see them.
func (h homeView) seen(who annotate.Annotator, id eval.RunID, n int, of []eval.Prediction) ([]home.Answer, error) {
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
	out := make([]home.Answer, 0, n)
	for i := 0; i < len(of) && len(out) < n; i++ {
		p := &of[i]
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
		if a := latest(view, reader, &s, p); a.Sight.ShowsText() {
			out = append(out, a)
		}
	}
	return out, nil
}

func latest(view *annotate.View, reader eval.Reader, s *eval.Sample, p *eval.Prediction) home.Answer {
	a := home.Answer{Key: p.Key, Sample: s.ID, Sight: view.Visibility(p.Key, unread(s, p))}
	switch {
	case !a.Sight.ShowsText():
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
	veils *annotate.VisibilityPolicies
	cards func(model string) (eval.Card, bool) // nil: nothing is known of any
	how   curating
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
