package view

import (
	"context"
	"slices"
	"sync"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/session"
	"concord/cmd/concord/internal/facts"
)

// Contested hands the responses of a queue on which people differ about a criterion to
// its adjudicator, each with these criteria alone: those of when it was opened.
type Contested struct {
	Queue
	differ sync.Map // name of a queue -> contestedCriteria
}

// contestedCriteria are the names of the criteria on which people differ, by response.
type contestedCriteria map[annotate.ItemKey]map[string]bool

// Open gives what a session of an adjudicator starts from.
func (d *Contested) Open(ctx context.Context, name annotate.QueueName, who annotate.Annotator) (session.Opening, error) {
	o, err := d.readOpening(ctx, name, who)
	if err != nil {
		return o, err
	}
	all, err := report.ReadStanding(ctx, facts.Source{Store: d.Store}, name)
	if err != nil {
		return o, err
	}
	differ := make(contestedCriteria)
	o.Items = slices.DeleteFunc(o.Items, func(it annotate.QueueItem) bool {
		differ[it.Key] = annotate.FindContested(all.ByItem[it.Key])
		return all.Excluded[it.Key] || len(differ[it.Key]) == 0
	})
	d.differ.Store(name, differ)
	o.Adjudicating = true
	o.Rulings, err = d.Adjudicate(ctx, name, who)
	return o, err
}

// ItemsSince gives the queue as it is now: what people say meanwhile is there when it is
// opened again.
func (d *Contested) ItemsSince(_ context.Context, name annotate.QueueName, _ int) (annotate.Queue, []annotate.QueueItem, error) {
	q, err := d.Store.Queues().Queue(name)
	return q, nil, err
}

// Item is a response with the criteria on which people differ.
func (d *Contested) Item(ctx context.Context, name annotate.QueueName, index int) (annotate.Item, error) {
	it, err := d.Queue.Item(ctx, name, index)
	if err != nil {
		return it, err
	}
	if opened, ok := d.differ.Load(name); ok {
		differ := opened.(contestedCriteria)[it.Key]
		it.Rubric = slices.DeleteFunc(it.Rubric, func(c annotate.Criterion) bool { return !differ[c.Name] })
	}
	return it, nil
}
