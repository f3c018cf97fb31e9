package label

import (
	"context"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// Revealer gives what the machine made of a prediction, without the truth when
// that is to be withheld. The screen asks it through the session only, which
// refuses before the person's own answer.
type Revealer interface {
	Reveal(ctx context.Context, q annotate.QueueName, k annotate.ItemKey, truth bool) (blind.Revealed, error)
	// Totals gives the same to be counted over a queue: none of it is shown.
	Totals(ctx context.Context, q annotate.QueueName, k annotate.ItemKey) (blind.Revealed, error)
}

// OpenCompare asks for what people and machines read differently in a queue.
type OpenCompare struct{ Queue annotate.QueueName }

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
	Apart     bool             // what differs, and the report, are for others: they are not offered
}
