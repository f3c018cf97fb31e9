package annotation

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/action"
	"concord/tui/widget"
)

// ScreenHooks is what the screen does for its session. A Body is an item laid out.
type ScreenHooks[B any] struct {
	// Lay lays an item out for a screen of this size and gives the room in
	// cells that its first picture has. It runs beside the screen.
	Lay func(pg *Page, width, height int) (body *B, cols, rows int)
	// Fit makes a body ready for the present size.
	Fit func(index int, body *B) tea.Cmd
	// ImageSize gives what the picture in front has, in cells, when it does not fill the screen.
	ImageSize func(body *B) (cols, rows int)
	// Press takes a key whose item is in front, and Records reports whether it would record something.
	Press   func(key string) action.Outcome
	Records func(key string) bool
	// Whole reports whether the frame shows what the person has to see of a body before saying something of it.
	Whole func(body *B) bool
	// Moved follows a change of the item in front.
	Moved func() tea.Cmd
	// Said names a reading, for the notice of an undo.
	Said func(r annotate.Reading) string
	// Stuck says of a screen's own mode why other keys do nothing in it; it names keys in braces.
	Stuck map[action.Mode]string
}

// QueueSession is one person at work in one queue. A screen reads its exported fields; it sets Mode,
// Picture and Refusal. Methods are called by one goroutine at a time.
type QueueSession[B any] struct {
	ctx    context.Context
	cancel context.CancelFunc
	part   ScreenHooks[B]

	sized chan struct{} // one-slot mark that the size has changed

	known  int // items of the queue that the session was told of
	asking bool
	again  bool // the queue changed while it was being read

	pages pageCache[B]
	first annotate.ItemKey // to be in front when the queue is opened; the zero key: what is open

	*SessionState
	SessionParts
}

// New makes the session of one annotator at one queue. It reads nothing before Init; Close ends what is under way.
func New[B any](ctx context.Context, d Deps, p ScreenHooks[B]) *QueueSession[B] {
	if d.Now == nil {
		d.Now = time.Now
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &QueueSession[B]{
		ctx: ctx, cancel: cancel, part: p,
		pages:        newPageCache[B](),
		sized:        make(chan struct{}, 1),
		SessionState: &SessionState{deps: d, Canvas: Canvas{Theme: d.Theme}},
	}
	s.Work = &ItemWork{SessionState: s.SessionState, stay: d.Stay}
	s.Notes = &NoteEditor{SessionState: s.SessionState, Work: s.Work, note: NewNoteField(d.Theme)}
	s.Gallery = NewGallery(&s.Canvas, func() *Page { return s.pages.getPage(s.FrontIndex()).page }, s.imageSize, s.WhyNoItem)
	s.Guide = &GuidelinePane{SessionState: s.SessionState}
	s.Head = &SessionHead{SessionState: s.SessionState, Work: s.Work, Notes: s.Notes}
	s.moved, s.prepare, s.said = s.StartFrontItem, s.PrefetchItems, p.Said
	return s
}

func (s *QueueSession[B]) imageSize() (cols, rows int, ok bool) {
	body := s.FrontBody()
	if body == nil {
		return 0, 0, false
	}
	cols, rows = s.part.ImageSize(body)
	return cols, rows, true
}

// SetFirstItem has an item in front when the queue is opened, if it is offered.
func (s *QueueSession[B]) SetFirstItem(k annotate.ItemKey) { s.first = k }

// Init opens the queue and listens to the journal.
func (s *QueueSession[B]) Init() tea.Cmd {
	return tea.Batch(s.OpenQueue(), s.awaitJournalNews(), s.awaitResize())
}

// Close ends what is under way. Acts are with the journal already.
func (s *QueueSession[B]) Close() { s.cancel() }

// Context ends with the session.
func (s *QueueSession[B]) Context() context.Context { return s.ctx }

// Resize sets the size in cells. What takes time to fit to it follows by a
// command, which waits for the mark that is set here.
func (s *QueueSession[B]) Resize(width, height int) {
	s.Outer, s.Notes.note.Width = width, max(1, width-12)
	s.setBodySize(height)
}

// guideFrom is the width from which the guideline stands beside the first item of a queue with a third
// of it, and guideAlways the one from which it stands beside each with a fourth.
const (
	guideFrom   = 132
	guideAlways = 200
)

// setBodySize gives the screen its size: what the guideline leaves of it where that stands beside the item in front.
func (s *QueueSession[B]) setBodySize(height int) {
	width := s.Outer
	switch {
	case s.Session == nil:
	case width >= guideAlways && s.Work.hasGuideline():
		width -= width / 4
	case width >= guideFrom && s.Work.isFirstItem():
		width -= width / 3
	}
	if s.Width == width && s.Height == height {
		return
	}
	s.Width, s.Height = width, height
	select {
	case s.sized <- struct{}{}:
	default:
	}
}

// Refresh reads what was enrolled since, while the queue grows.
func (s *QueueSession[B]) Refresh() tea.Cmd {
	if s.Session != nil && !s.Session.Walk.IsDisplaced() && s.Session.Walk.PullChanges() {
		return tea.Batch(s.StartFrontItem(), s.readGrownItems())
	}
	return s.readGrownItems()
}

func (s *QueueSession[B]) readGrownItems() tea.Cmd {
	if s.Session == nil || !s.Growing {
		return s.PrefetchItems()
	}
	if s.asking {
		s.again = true
		return nil
	}
	return tea.Batch(s.readNewItems(), s.PrefetchItems())
}

// GoBack leaves a mode. A note that was being typed is kept as it stands.
func (s *QueueSession[B]) GoBack() bool {
	if s.Mode == Reading {
		return false
	}
	s.Notes.submitTypedText()
	s.Mode = Reading
	return true
}

// Update takes a message. Answers that were meant for another screen are not this one's.
func (s *QueueSession[B]) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return s.handleKey(msg)
	case opened[B]:
		if msg.of == s {
			return s.beginSession(msg)
		}
	case grown[B]:
		if msg.of == s {
			return s.addGrownItems(msg)
		}
	case loaded[B]:
		if msg.of == s {
			return s.handleLoaded(msg)
		}
	case refit[B]:
		if msg.of == s {
			return tea.Batch(s.PrefetchItems(), s.awaitResize())
		}
	case laidOutText:
		msg.applyLayout()
	case widget.Drawn:
		return s.Gallery.HandleDrawn(msg)
	case widget.Left:
		return s.Gallery.DrawFrontPicture()
	case heard[B]:
		if msg.of == s {
			return tea.Batch(s.handleJournal(msg.state, msg.saved, msg.late), s.awaitJournalNews())
		}
	}
	return nil
}

// FrontBody is the item in front, laid out; nil as Page is, and when it could not be read.
func (s *QueueSession[B]) FrontBody() *B { return s.pages.getPage(s.FrontIndex()).body }

// StartFrontItem follows a change of the item in front: the clock starts anew, and what comes next is fetched.
func (s *QueueSession[B]) StartFrontItem() tea.Cmd {
	s.Mode, s.Picture, s.Work.pending = Reading, 0, annotate.Rationale{}
	cmd := s.part.Moved()
	s.Work.timer.StartItem(s.deps.Now())
	s.pages.dropFailedPage(s.FrontIndex())
	return tea.Batch(s.PrefetchItems(), cmd)
}

// frontState is what the frame of a session has in front. It changes with everything that a key may be meant for.
type frontState struct {
	of                         *SessionState
	item                       annotate.ItemKey // not its place, which changes while others work
	mode                       action.Mode
	acts, turns, width, height int
}

// ItemInFront is what the frame has in front, to be compared: the item, what keys mean, and how many
// acts there were. nil: the frame does not show what a person has to see before saying something of it.
func (s *QueueSession[B]) ItemInFront() any {
	if s.Session == nil || s.Err != nil {
		return nil
	}
	f := frontState{of: s.SessionState, mode: s.Mode, acts: s.submitted, turns: s.Turns, width: s.Width, height: s.Height}
	var there bool
	if _, f.item, there = s.Session.Walk.Current(); !there {
		return f
	}
	switch pg, body := s.FrontPage(), s.FrontBody(); {
	case pg == nil:
		return nil
	case pg.Err != nil: // which the frame says: it can be put off
	case body == nil || !s.part.Whole(body):
		return nil
	}
	return f
}

// RecordsOnKey reports whether a key records something now.
func (s *QueueSession[B]) RecordsOnKey(key string) bool { return s.part.Records(key) }

// handleKey takes a key. Keys come one by one: the root takes apart what was read
// at once. A key is never kept for an item that is still to come.
func (s *QueueSession[B]) handleKey(msg tea.KeyMsg) tea.Cmd {
	if s.Session == nil || msg.Paste && !s.IsTyping() {
		return nil // what is pasted into a screen of one-key commands is a mistake
	}
	s.Session.RenewClaim()
	s.Work.timer.AddTimeSinceKey(s.deps.Now())
	s.Refusal = ""
	name := msg.String()
	if s.RecordsOnKey(name) && s.ItemInFront() == nil {
		s.Refusal = s.SpellKey(name) + ": the item is not shown yet"
		return nil
	}
	o := s.part.Press(name)
	switch {
	case o.Refusal != "":
		s.Refusal = s.SpellKey(name) + ": " + o.Refusal
		return nil
	case o.Found:
		return o.Cmd
	case s.IsTyping():
		var cmd tea.Cmd
		s.Notes.note, cmd = s.Notes.note.Update(msg)
		return cmd
	}
	s.Refusal = widget.CleanLine(name) + ": " + s.whyNoMeaning(o.Known, s.part.Stuck[s.Mode])
	return nil
}

// whyNoMeaning is why a key does nothing in the present mode; known is one that
// does something in another, and stuck what the screen says of a mode of its own.
func (s *SessionState) whyNoMeaning(known bool, stuck string) string {
	switch {
	case !known:
		return s.SpellText("no key of this screen, {help} shows them all")
	case stuck != "":
		return s.SpellText(stuck)
	case s.Mode == Zooming:
		return "not over the image; " + s.SpellKey("zoom") + " or esc goes back"
	case s.Mode == Weighing:
		return "1 to 5: confidence; esc goes back"
	case s.Mode == Tagging:
		return "digits, and letters from the tenth on, put tags on the item; " + s.SpellKey("tags") + " or esc goes back"
	case s.Mode == Guiding:
		return "not over the guideline; " + s.SpellKey("guideline") + " or esc goes back"
	}
	return "not now"
}
