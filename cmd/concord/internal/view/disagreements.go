package view

import (
	"context"
	"slices"

	"concord/annotate"
	"concord/annotate/report/alignment"
	"concord/eval"
	"concord/tui/adjudicate"
	"concord/tui/samples"
)

// Disagreements shows one person what everybody made of a queue's items, as far as
// their policy lets it through.
type Disagreements struct{ Samples }

var _ adjudicate.Source = Disagreements{}

// Legible tells which predictions no other queue keeps from the person.
func (c Disagreements) Legible(_ context.Context, who annotate.Annotator, name annotate.QueueName) (alignment.Legible, error) {
	q, err := c.Store.Queues().Queue(name)
	if err != nil {
		return nil, err
	}
	w := c.watch(who, q.Rule.Dataset)
	return func(k eval.Key) (bool, error) {
		view, err := w.sample(k.Sample)
		if err != nil {
			return false, err
		}
		// Whether a growing queue will ask for it takes reading it: it may.
		return view.Without(name).Visibility(k, func(string) bool { return true }).ShowsText(), nil
	}, nil
}

// Compared records as shown what everybody made of the items that a comparison
// shows.
func (c Disagreements) Compared(ctx context.Context, who annotate.Annotator, of *alignment.Comparison) error {
	var all []annotate.Disclosure
	for i := range of.Items {
		it := &of.Items[i]
		if !it.Shown {
			continue
		}
		all = append(all, it.Key.Disclose(of.Queue.Rule.Dataset, annotate.ModelContent, annotate.MachineContent, annotate.JudgeContent)...)
		if slices.ContainsFunc(it.Labels, func(l annotate.Label) bool { return l.Annotator != who }) || len(it.Rulings) > 0 {
			all = append(all, it.Key.Disclose(of.Queue.Rule.Dataset, annotate.OthersContent)...)
		}
	}
	return c.Policy.Show(ctx, who, "disagreements of queue "+string(of.Queue.Name), all)
}

// Exhibit is what everybody made of an item that the person has answered.
func (c Disagreements) Exhibit(ctx context.Context, who annotate.Annotator, k annotate.ItemKey) (adjudicate.Exhibit, error) {
	all, err := c.Detail(ctx, who, k.Run, k.Sample)
	if err != nil {
		return adjudicate.Exhibit{}, err
	}
	out := adjudicate.Exhibit{Model: all.Model, Withheld: all.Blinded}
	for i := range all.Passes {
		p := &all.Passes[i]
		out.Passes = append(out.Passes, passOf(p))
		if p.Pass != k.Pass {
			continue
		}
		if !p.Visibility.ShowsText() {
			return adjudicate.Exhibit{}, annotate.ErrBlind
		}
		out.Labels, out.Truth = p.Labels, p.Truth
		for _, r := range p.Readings {
			out.Readings = append(out.Readings, adjudicate.Reading{Extractor: r.Extractor, Judge: r.Judge, Extraction: r.Extraction, Raw: r.Raw})
		}
	}
	slices.SortStableFunc(out.Readings, func(a, b adjudicate.Reading) int {
		switch {
		case a.Judge == b.Judge:
			return 0
		case a.Judge:
			return -1
		}
		return 1
	})
	run, err := c.Store.Runs().Run(k.Run)
	if err != nil {
		return out, err
	}
	view, err := c.watch(who, run.Config.Dataset).sample(k.Sample)
	if err != nil {
		return out, err
	}
	if out.Rulings = view.Rulings(k.Key); len(out.Rulings) == 0 {
		return out, nil
	}
	return out, c.Policy.Show(ctx, who, "rulings", k.Disclose(run.Config.Dataset, annotate.OthersContent))
}

func passOf(p *samples.Pass) adjudicate.Pass {
	out := adjudicate.Pass{Pass: p.Pass, Blind: !p.Visibility.ShowsText(), Text: p.Text, Truth: p.Truth}
	if p.Failure != nil {
		out.Failure = p.Failure.Message
	}
	if len(p.Readings) > 0 {
		out.Reading = p.Readings[0].Extraction
	}
	return out
}
