package accessible

import (
	"context"
	"io"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/session"
)

// Items is where a queue is read.
type Items interface {
	Open(ctx context.Context, q annotate.QueueName, who annotate.Annotator) (session.Opening, error)
	Since(ctx context.Context, q annotate.QueueName, from int) (annotate.Queue, []annotate.QueueItem, error)
	Item(ctx context.Context, q annotate.QueueName, index int) (annotate.Item, error)
}

// Journal takes acts in order and says when they are durable.
type Journal interface {
	Submit(a annotate.Act)
	Retry()
	Sync(ctx context.Context, q annotate.QueueName, who annotate.Annotator) error
	Saved(q annotate.QueueName, who annotate.Annotator) uint32
	Late(q annotate.QueueName, who annotate.Annotator) []annotate.Act
}

// Machine is what machines made of an item, asked for after a person's own
// answer alone.
type Machine interface {
	Reveal(ctx context.Context, q annotate.QueueName, k annotate.ItemKey, truth bool) (blind.Revealed, error)
	RevealPair(ctx context.Context, q annotate.QueueName, k annotate.ItemKey) (blind.RevealedPair, error)
}

// Deps is what a queueSession is made of; all of it is needed.
type Deps struct {
	Queue     annotate.QueueName
	Annotator annotate.Annotator
	Items     Items
	Journal   Journal
	Machine   Machine
	Now       func() time.Time
	In        *Lines
	Out       io.Writer
}
