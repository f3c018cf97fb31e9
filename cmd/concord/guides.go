package main

import (
	"context"

	"concord/annotate"
	"concord/store"
	"concord/tui/guideline"
	"concord/tui/labeloption"
)

// guides are the guidelines of queues as the app shows and writes them, by
// what queue guideline does.
type guides struct {
	st *store.Store
	desk
	tell func(guideline.Written) // the other sessions
}

var _ guideline.Source = guides{}

// History gives all versions, and what the queue asks of people.
func (g guides) History(ctx context.Context, name annotate.QueueName) (out guideline.History, err error) {
	q, err := g.st.Queues().Queue(name)
	if err != nil {
		return out, err
	}
	if out.Versions, err = g.st.Queues().Guidelines(name); err != nil {
		return out, err
	}
	out.Pairs = q.Rule.From == annotate.FromPairs
	if len(out.Versions) == 0 && !out.Pairs && q.Items > 0 {
		item, err := g.Item(ctx, name, 0)
		if err != nil {
			return out, err
		}
		out.Scores = labeloption.Scored(&item)
	}
	return out, nil
}

// Write puts a version in force, for who is at work now, too.
func (g guides) Write(ctx context.Context, name annotate.QueueName, next annotate.Guideline) error {
	if err := g.st.Queues().Guide(ctx, name, next); err != nil {
		return err
	}
	g.tell(guideline.Written{Queue: name, Guideline: next, Elsewhere: true})
	return nil
}
