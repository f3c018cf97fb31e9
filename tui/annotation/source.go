package annotation

import (
	"context"
	"time"

	"concord/annotate"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/widget"
)

// Items is where a queue is read.
type Items interface {
	// Open gives what a session of an annotator in a queue starts from.
	Open(ctx context.Context, q annotate.QueueName, who annotate.Annotator) (session.Opening, error)
	// Since gives the queue as it is now and its items from an index on.
	Since(ctx context.Context, q annotate.QueueName, from int) (annotate.Queue, []annotate.QueueItem, error)
	// Item gives what a person may see of an item.
	Item(ctx context.Context, q annotate.QueueName, index int) (annotate.Item, error)
}

// Pictures gives a picture's bytes; eval.ErrNotFound for one that the
// project does not hold.
type Pictures interface {
	Picture(hash eval.PictureHash) ([]byte, error)
}

// Journal takes acts in order and says when they are durable;
// *annotate.Journal is one.
type Journal interface {
	Submit(a annotate.Act)
	Retry()
	State() session.JournalState
	Saved(q annotate.QueueName, who annotate.Annotator) uint32
	// Sync waits until the annotator's acts in the queue are durable.
	Sync(ctx context.Context, q annotate.QueueName, who annotate.Annotator) error
	Late(q annotate.QueueName, who annotate.Annotator) []annotate.Act
	Changed() <-chan struct{}
}

var _ Journal = (*session.Journal)(nil)

// Deps is what a session is made of; all of it is needed but Now and Stay.
type Deps struct {
	Queue     annotate.QueueName
	Annotator annotate.Annotator
	Theme     *widget.Theme
	Items     Items
	Pictures  Pictures
	Journal   Journal
	Now       func() time.Time // nil is time.Now
	// Grace is how long items ahead wait before they are read, so that the one
	// that has just come to the front is painted first.
	Grace time.Duration
	// Turns, where it is not nil, has items ahead read one after the other over
	// all sessions that share it: what is in front of anybody goes before.
	Turns chan struct{}
	Stay  bool // at first, an answer stays in front
}
