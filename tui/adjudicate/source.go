package adjudicate

import (
	"context"
	"time"

	"concord/annotate"
	"concord/annotate/assign"
	"concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// Source is where a queue and what was made of it is read. It is called in
// commands.
type Source interface {
	report.Facts
	// Legible tells which predictions a person may see what was made of, as
	// far as queues other than this one go.
	Legible(ctx context.Context, who annotate.Annotator, q annotate.QueueName) (alignment.Legible, error)
	// Compared records that a person is about to be shown what everybody made
	// of the items of a comparison that it shows.
	Compared(ctx context.Context, who annotate.Annotator, c *alignment.Comparison) error
	// Exhibit is what everybody made of an item that the person has answered.
	Exhibit(ctx context.Context, who annotate.Annotator, k annotate.ItemKey) (Exhibit, error)
}

// Exhibit is what everybody made of an item.
type Exhibit struct {
	Model    string      // "" while it is withheld
	Truth    eval.Choice // as shown in the item's pass; "" without one
	Withheld bool        // the truth is: another item on the sample is open to the person
	Labels   []annotate.Label
	Rulings  []annotate.Ruling
	Readings []Reading
	Passes   []Pass // of the question, in their order: those that may be shown
}

// Reading is what one extractor read out of the prediction.
type Reading struct {
	Extractor  string
	Judge      bool
	Extraction eval.Extraction
	Raw        string // a judge's reply, word for word
}

// Pass is the answer to the question with its options turned.
type Pass struct {
	Pass    eval.Pass
	Blind   bool // the person is still to answer an item about it
	Text    string
	Failure string
	Truth   eval.Choice // as shown in this pass
	Reading eval.Extraction
}

// Deps is what the screen is made of; all of it is needed but Now and Curated.
type Deps struct {
	Queue     annotate.QueueName // "": only what experts differ on is compared
	Annotator annotate.Annotator
	Theme     *widget.Theme
	Source    Source
	Items     annotation.Items
	Pictures  annotation.Pictures
	Journal   annotation.Journal
	Now       func() time.Time // nil is time.Now
	Stay      bool             // at first, an item stays in front once it is adjudicated, and it is asked who was right

	// Claim takes a claim among those who adjudicate a queue now, so that no two get
	// the same item; nil: nobody else does.
	Claim func(ctx context.Context, q annotate.QueueName, who annotate.Annotator) (*assign.Claim, error)

	// Curated counts what experts differ on among candidates, dataset by
	// dataset, for one who may settle it; nil: nothing is curated.
	Curated func(ctx context.Context, who annotate.Annotator) ([]Curated, error)
}

// picked is a queue of which some items are worked on, in their order.
type picked struct {
	annotation.Items
	places []int // indices in the queue
	claim  func(context.Context, annotate.QueueName, annotate.Annotator) (*assign.Claim, error)
}

// Open opens a session of rulings over the picked items.
func (p picked) Open(ctx context.Context, q annotate.QueueName, who annotate.Annotator) (session.Opening, error) {
	o, err := p.Items.Open(ctx, q, who)
	if err != nil {
		return o, err
	}
	at := make(map[int]annotate.QueueItem, len(o.Items))
	for _, it := range o.Items {
		at[it.Index] = it
	}
	o.Items = nil
	for _, i := range p.places {
		if it, ok := at[i]; ok {
			o.Items = append(o.Items, it)
		}
	}
	o.Adjudicating, o.Queue.Growing = true, false
	if p.claim != nil {
		o.Rulings, err = p.claim(ctx, q, who)
	}
	return o, err
}
