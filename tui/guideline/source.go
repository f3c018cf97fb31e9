package guideline

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"concord/annotate"
	"concord/tui/widget"
)

// Source reads and writes guidelines. Its methods are called beside the screen.
type Source interface {
	// History gives all versions of a queue's guideline.
	History(ctx context.Context, q annotate.QueueName) (History, error)
	// Write makes a version the one in force, and returns once it is stored. It
	// gives annotate.ErrConflict when somebody else wrote one meanwhile.
	Write(ctx context.Context, q annotate.QueueName, g annotate.Guideline) error
	// Draft gives what a person had written of the next version when it was kept
	// last; "" for nothing.
	Draft(ctx context.Context, q annotate.QueueName, who annotate.Annotator) (string, error)
	// KeepDraft keeps it; an empty text removes it.
	KeepDraft(ctx context.Context, q annotate.QueueName, who annotate.Annotator, text string) error
}

// History is what there is of a queue's guideline.
type History struct {
	Versions []annotate.Guideline // the one in force last; none where it has none
	Pairs    bool                 // people vote on pairs
	Scores   bool                 // people score open answers
}

// Written is the message that a version is in force, or why it is not.
type Written struct {
	Queue     annotate.QueueName
	Guideline annotate.Guideline
	Err       error
	Elsewhere bool // somebody wrote it in another session
}

// Drafts are texts that somebody has begun to write, by queue. The zero value
// has none.
type Drafts struct{ texts map[annotate.QueueName]string }

// Of is the draft for a queue.
func (d *Drafts) Of(q annotate.QueueName) (string, bool) {
	text, ok := d.texts[q]
	return text, ok
}

// Names are the queues with a draft.
func (d *Drafts) Names() []annotate.QueueName { return slices.Sorted(maps.Keys(d.texts)) }

func (d *Drafts) keep(q annotate.QueueName, text string) {
	if d.texts == nil {
		d.texts = make(map[annotate.QueueName]string)
	}
	d.texts[q] = text
}

// Stored drops a draft that has become a version.
func (d *Drafts) Stored(q annotate.QueueName, text string) {
	if strings.TrimSpace(d.texts[q]) == text {
		delete(d.texts, q)
	}
}

// Deps is what the page is made of. All of it is needed but Who, Barred and Now.
type Deps struct {
	Queue  annotate.QueueName
	Who    annotate.Annotator // "": nobody has said; then nothing is written
	Barred string             // why this person only reads; "": they write, too
	Theme  *widget.Theme
	Source Source
	Drafts *Drafts
	Now    func() time.Time // nil is time.Now
	Pause  time.Duration    // without a key, after which a draft is kept beyond the process; 0 is a second
}
