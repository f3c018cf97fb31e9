package view

import (
	"context"
	"time"

	"concord/annotate"
	"concord/store"
	"concord/tui/guideline"
	"concord/tui/labeloption"
)

// Guidelines are the guidelines of queues as the app shows and writes them, by
// what queue guideline does.
type Guidelines struct {
	Store *store.Store
	Queue
	Tell func(guideline.Written) // the other sessions
}

var _ guideline.Source = Guidelines{}

// History gives all versions, and what the queue asks of people.
func (g Guidelines) History(ctx context.Context, name annotate.QueueName) (out guideline.History, err error) {
	q, err := g.Store.Queues().Queue(name)
	if err != nil {
		return out, err
	}
	if out.Versions, err = g.Store.Queues().Guidelines(name); err != nil {
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

// Draft gives what a person has written of the next version.
func (g Guidelines) Draft(_ context.Context, name annotate.QueueName, who annotate.Annotator) (string, error) {
	return g.Store.Drafts().Of(name, who)
}

// KeepDraft keeps what a person has written of the next version.
func (g Guidelines) KeepDraft(ctx context.Context, name annotate.QueueName, who annotate.Annotator, text string) error {
	return g.Store.Drafts().Keep(ctx, name, who, text, time.Now())
}

// Write puts a version in force, for who is at work now, too.
func (g Guidelines) Write(ctx context.Context, name annotate.QueueName, next annotate.Guideline) error {
	if err := g.Store.Queues().Guide(ctx, name, next); err != nil {
		return err
	}
	g.Tell(guideline.Written{Queue: name, Guideline: next, Elsewhere: true})
	return nil
}
