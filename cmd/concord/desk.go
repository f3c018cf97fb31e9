package main

import (
	"context"
	"fmt"

	"concord/annotate"
	"concord/store"
	"concord/tui/sitting"
)

// desk hands a queue to the screen on which a person works through it.
type desk struct {
	st *store.Store
	// sync waits until what somebody did in a queue is stored; a session that
	// is opened before would not know of it, and number its acts like those.
	sync func(context.Context, annotate.QueueName, annotate.Annotator) error
}

var _ sitting.Items = desk{}

// Open is what a session of an annotator in a queue starts from.
func (d desk) Open(ctx context.Context, name annotate.QueueName, who annotate.Annotator) (annotate.Opening, error) {
	if err := d.sync(ctx, name, who); err != nil {
		return annotate.Opening{}, fmt.Errorf("open queue %s: earlier labels are not saved: %w", name, err)
	}
	q, items, err := d.Since(ctx, name, 0)
	if err != nil {
		return annotate.Opening{}, err
	}
	acts, err := d.st.Acts().Acts(name, who)
	if err != nil {
		return annotate.Opening{}, err
	}
	others, sides, err := d.others(name, acts)
	if err != nil {
		return annotate.Opening{}, err
	}
	return annotate.Opening{Queue: q, Annotator: who, Items: items, Acts: acts, Others: others, Sides: sides}, nil
}

// others counts how many other people have labelled each item, and on which
// sides they voted: everybody, but the one whose acts these are.
func (d desk) others(name annotate.QueueName, own []annotate.Act) (places, sides map[annotate.ItemKey]int, err error) {
	if places, sides, err = d.st.Acts().Taken(name); err != nil {
		return nil, nil, err
	}
	for k, l := range annotate.Fold(own).Labels {
		places[k]--
		if side := l.Reading.Side(); side != 0 {
			sides[k] -= side
		}
	}
	return places, sides, nil
}

// Since gives the queue as it is now and its items from an index on.
func (d desk) Since(ctx context.Context, name annotate.QueueName, from int) (annotate.Queue, []annotate.QueueItem, error) {
	q, err := d.st.Queues().Queue(name)
	if err != nil || from >= q.Items {
		return q, nil, err
	}
	items := make([]annotate.QueueItem, 0, q.Items-from)
	if from > 0 { // a queue that grows does so by a few items at a time
		for i := from; i < q.Items; i++ {
			it, err := d.st.Queues().QueueItem(name, i)
			if err != nil {
				return q, nil, err
			}
			items = append(items, it)
		}
		return q, items, nil
	}
	for it, err := range d.st.Queues().QueueItems(ctx, name) {
		if err != nil {
			return q, nil, err
		}
		items = append(items, it)
	}
	return q, items, nil
}

// Item is what a person may see of an item.
func (d desk) Item(ctx context.Context, name annotate.QueueName, index int) (annotate.Item, error) {
	return d.st.Queues().Item(ctx, name, index)
}
