package secondlook

import (
	"context"
	"time"

	"concord/annotate"
	"concord/annotate/review"
	"concord/eval"
	"concord/tui/widget"
)

// Row is an entry as it is listed.
type Row struct {
	review.Entry
	Sample eval.SampleID
	Number int // of the item in its queue, from 1; 0: it is no item
}

// List is what a person sees.
type List struct {
	Rows   []Row
	Hidden int // entries that are not shown before the person has answered their items
}

// Source reads and decides. It is called in commands.
type Source interface {
	// Entries gives the entries that a person may see, and records that they do.
	Entries(ctx context.Context, who annotate.Annotator) (List, error)
	// Do stores what a person decided, and gives the acts as they are stored.
	Do(ctx context.Context, who annotate.Annotator, acts []annotate.Act) ([]annotate.Act, error)
}

// Deps is what the page is made of. All of it is needed but Who and Now.
type Deps struct {
	Theme   *widget.Theme
	Source  Source
	Who     annotate.Annotator // "": nobody has said; then nothing is decided
	Decides bool               // the person may resolve what others raised, and exclude items
	Now     func() time.Time   // nil is time.Now
}

// Open is the message that the page is to be opened.
type Open struct{}

// OpenItem is the message that an entry's item is to be opened.
type OpenItem struct{ Entry review.Entry }
