package vote

import (
	"context"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// Revealer gives whose answers a pair holds and what judges voted on it. The
// screen asks it through the session only, which refuses before the person's
// own vote.
type Revealer interface {
	RevealPair(ctx context.Context, q annotate.QueueName, k annotate.ItemKey) (blind.RevealedPair, error)
}

// Deps is what the screen is made of; all of it is needed but Now.
type Deps struct {
	Queue     annotate.QueueName
	Annotator annotate.Annotator
	Theme     *widget.Theme
	Items     annotation.Items
	Pictures  annotation.Pictures
	Revealer  Revealer
	Journal   annotation.Journal
	Now       func() time.Time // nil is time.Now
	Grace     time.Duration    // as the sitting has it
	Turns     chan struct{}    // of reading items ahead; nil: nobody takes turns
	Stay      bool             // at first, an answer stays in front
}
