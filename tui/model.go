package tui

import (
	"context"

	"concord/annotate"
	"concord/tui/criteria"
	"concord/tui/curate"
	"concord/tui/guideline"
	"concord/tui/home"
	"concord/tui/judging"
	"concord/tui/palette"
	"concord/tui/report"
	"concord/tui/widget"
)

// Model is the root model.
type Model struct {
	ctx   context.Context
	deps  Deps
	theme *widget.Theme
	keys  keys
	who   annotate.Annotator
	was   annotate.Annotator // who worked before somebody else was asked for

	width, height int
	tab           Tab
	stacks        [tabCount][]Screen
	runs          *home.Model
	lobby         *lobby
	report        *report.Model
	criteria      *criteria.Model
	curate        *curate.Model
	duels         *judging.Model     // seen when it was asked for
	comparing     Screen             // what was opened last to compare a queue; nil: nothing
	compared      annotate.QueueName // the queue that it compares
	acts          int                // stored when the report was seen last

	toasts  widget.Toasts
	palette *palette.Model // nil: closed
	manual  manual
	quit    quitting
	drafts  guideline.Drafts
	tour    touring
}

// quitting is the way out: save first, then leave.
type quitting struct {
	saving bool
	failed bool // saving failed: the next time leaves without
	warned bool // of drafts that are saved nowhere
	told   bool // to leave, by somebody else: nothing keeps the person in
}

// touring is how far a tour has come.
type touring struct {
	at    int
	saved int // acts that were stored when the step began
	over  bool
}
