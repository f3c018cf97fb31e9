package annotation

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/action"
	"concord/tui/widget"
)

// Part is what the screen does for its session. A Body is an item laid out.
type Part[B any] struct {
	// Lay lays an item out for a screen of this size and gives the room in
	// cells that its first picture has. It runs beside the screen.
	Lay func(pg *Page, width, height int) (body *B, cols, rows int)
	// Fit makes a body ready for the present size.
	Fit func(index int, body *B) tea.Cmd
	// ImageSize gives what the picture in front has, in cells, when it does not fill
	// the screen.
	ImageSize func(body *B) (cols, rows int)
	// Press takes a key whose item is in front, and Records reports whether it
	// would record something.
	Press   func(key string) action.Outcome
	Records func(key string) bool
	// Whole reports whether the frame shows what the person has to see of a body
	// before saying something of it.
	Whole func(body *B) bool
	// Moved follows a change of the item in front.
	Moved func() tea.Cmd
	// Said names a reading, for the notice of an undo.
	Said func(r annotate.Reading) string
	// Stuck says of a screen's own mode why other keys do nothing in it;
	// it names keys in braces.
	Stuck map[action.Mode]string
}

// QueueSession is one person at work in one queue. A screen reads its exported
// fields; it sets Mode, Picture and Refusal. Methods are called by one
// goroutine at a time.
type QueueSession[B any] struct {
	ctx    context.Context
	cancel context.CancelFunc
	part   Part[B]

	sized chan struct{} // one-slot mark that the size has changed

	known  int // items of the queue that the session was told of
	asking bool
	again  bool // the queue changed while it was being read

	pages pages[B]
	first annotate.ItemKey // to be in front when the queue is opened; the zero key: what is open

	*State
	Parts
}

// New makes the session of one annotator at one queue. It reads nothing before
// Init; Close ends what is under way.
func New[B any](ctx context.Context, d Deps, p Part[B]) *QueueSession[B] {
	if d.Now == nil {
		d.Now = time.Now
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &QueueSession[B]{
		ctx: ctx, cancel: cancel, part: p,
		pages: newPages[B](),
		sized: make(chan struct{}, 1),
		State: &State{deps: d, Canvas: Canvas{Theme: d.Theme}},
	}
	s.Work = &Work{State: s.State, stay: d.Stay}
	s.Notes = &Notes{State: s.State, Work: s.Work, note: NewNote(d.Theme)}
	s.Gallery = NewGallery(&s.Canvas, func() *Page { return s.pages.get(s.Front()).page }, s.imageSize, s.NoItem)
	s.Guide = &Guide{State: s.State}
	s.Head = &Head{State: s.State, Work: s.Work, Notes: s.Notes}
	s.moved, s.prepare, s.said = s.Moved, s.Prepare, p.Said
	return s
}

func (s *QueueSession[B]) imageSize() (cols, rows int, ok bool) {
	body := s.Body()
	if body == nil {
		return 0, 0, false
	}
	cols, rows = s.part.ImageSize(body)
	return cols, rows, true
}

// Begin has an item in front when the queue is opened, if it is offered.
func (s *QueueSession[B]) Begin(k annotate.ItemKey) { s.first = k }

// Init opens the queue and listens to the journal.
func (s *QueueSession[B]) Init() tea.Cmd { return tea.Batch(s.Open(), s.listen(), s.resized()) }

// Close ends what is under way. Acts are with the journal already.
func (s *QueueSession[B]) Close() { s.cancel() }

// Context ends with the session.
func (s *QueueSession[B]) Context() context.Context { return s.ctx }

// Resize sets the size in cells. What takes time to fit to it follows by a
// command, which waits for the mark that is set here.
func (s *QueueSession[B]) Resize(width, height int) {
	s.Outer, s.Notes.note.Width = width, max(1, width-12)
	s.resize(height)
}

// guideFrom is the width from which the guideline stands beside the first item of a
// queue, and guideShare which part of the width it has.
const (
	guideFrom  = 132
	guideShare = 3
)

// resize gives the screen its size: what the guideline leaves of it, while that stands
// beside the first item, before anything was said.
func (s *QueueSession[B]) resize(height int) {
	width := s.Outer
	if s.Session != nil && width >= guideFrom && s.Work.fresh() {
		width -= width / guideShare
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
	if s.Session != nil && !s.Session.Walk.Displaced() && s.Session.Walk.Look() {
		return tea.Batch(s.Moved(), s.refresh())
	}
	return s.refresh()
}

func (s *QueueSession[B]) refresh() tea.Cmd {
	if s.Session == nil || !s.Growing {
		return s.Prepare()
	}
	if s.asking {
		s.again = true
		return nil
	}
	return tea.Batch(s.since(), s.Prepare())
}

// Back leaves a mode. A note that was being typed is kept as it stands.
func (s *QueueSession[B]) Back() bool {
	if s.Mode == Reading {
		return false
	}
	s.Notes.keepNote()
	s.Mode = Reading
	return true
}

// Update takes a message. Answers that were meant for another screen are not
// this one's.
func (s *QueueSession[B]) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return s.press(msg)
	case opened[B]:
		if msg.of == s {
			return s.begin(msg)
		}
	case grown[B]:
		if msg.of == s {
			return s.grow(msg)
		}
	case loaded[B]:
		if msg.of == s {
			return s.take(msg)
		}
	case refit[B]:
		if msg.of == s {
			return tea.Batch(s.Prepare(), s.resized())
		}
	case laid:
		msg.take()
	case widget.Drawn:
		return s.Gallery.Took(msg)
	case heard[B]:
		if msg.of == s {
			return tea.Batch(s.hear(msg.state, msg.saved, msg.late), s.listen())
		}
	}
	return nil
}

// Body is the item in front, laid out; nil as Page is, and when it could not
// be read.
func (s *QueueSession[B]) Body() *B { return s.pages.get(s.Front()).body }

// Moved follows a change of the item in front: the clock starts anew, and what
// comes next is fetched.
func (s *QueueSession[B]) Moved() tea.Cmd {
	s.Mode, s.Picture, s.Work.pending = Reading, 0, annotate.Rationale{}
	cmd := s.part.Moved()
	s.Work.timer.Start(s.deps.Now())
	s.pages.retry(s.Front())
	return tea.Batch(s.Prepare(), cmd)
}

// front is what the frame of a session has in front. It changes with everything
// that a key may be meant for.
type front struct {
	of            *State
	item          annotate.ItemKey // not its place, which changes while others work
	mode          action.Mode
	acts, turns   int
	width, height int
}

// InFront is what the frame has in front, to be compared: the item, what keys
// mean, and how many acts there were. nil: the frame does not show what a person
// has to see before saying something of it.
func (s *QueueSession[B]) InFront() any {
	if s.Session == nil || s.Err != nil {
		return nil
	}
	f := front{of: s.State, mode: s.Mode, acts: s.submitted, turns: s.Turns, width: s.Width, height: s.Height}
	var there bool
	if _, f.item, there = s.Session.Walk.Current(); !there {
		return f
	}
	switch pg, body := s.Page(), s.Body(); {
	case pg == nil:
		return nil
	case pg.Err != nil: // which the frame says: it can be put off
	case body == nil || !s.part.Whole(body):
		return nil
	}
	return f
}

// Records reports whether a key records something now.
func (s *QueueSession[B]) Records(key string) bool { return s.part.Records(key) }

// press takes a key. Keys come one by one: the root takes apart what was read
// at once. A key is never kept for an item that is still to come.
func (s *QueueSession[B]) press(msg tea.KeyMsg) tea.Cmd {
	if s.Session == nil || msg.Paste && !s.Typing() {
		return nil // what is pasted into a screen of one-key commands is a mistake
	}
	s.Session.Touch()
	s.Work.timer.Touch(s.deps.Now())
	s.Refusal = ""
	name := msg.String()
	if s.Records(name) && s.InFront() == nil {
		s.Refusal = s.Spelled(name) + ": the item is not shown yet"
		return nil
	}
	o := s.part.Press(name)
	switch {
	case o.Refusal != "":
		s.Refusal = s.Spelled(name) + ": " + o.Refusal
		return nil
	case o.Found:
		return o.Cmd
	case s.Typing():
		var cmd tea.Cmd
		s.Notes.note, cmd = s.Notes.note.Update(msg)
		return cmd
	}
	s.Refusal = widget.Line(name) + ": " + s.noMeaning(o.Known, s.part.Stuck[s.Mode])
	return nil
}

// noMeaning is why a key does nothing in the present mode; known is one that
// does something in another, and stuck what the screen says of a mode of its own.
func (s *State) noMeaning(known bool, stuck string) string {
	switch {
	case !known:
		return s.Keyed("no key of this screen, {help} shows them all")
	case stuck != "":
		return s.Keyed(stuck)
	case s.Mode == Zooming:
		return "not over the image; " + s.Spelled("zoom") + " or esc goes back"
	case s.Mode == Weighing:
		return "1 to 5: confidence; esc goes back"
	case s.Mode == Guiding:
		return "not over the guideline; " + s.Spelled("guideline") + " or esc goes back"
	}
	return "not now"
}
