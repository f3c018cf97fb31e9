package annotation

import (
	"fmt"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/session"
	"concord/tui/action"
	"concord/tui/widget"
)

// State is what the parts of a session share, and what its screen reads.
type State struct {
	Canvas
	deps      Deps
	moved     func() tea.Cmd                // follows a change of the item in front
	prepare   func() tea.Cmd                // fetches what comes next
	said      func(annotate.Reading) string // names a reading
	Outer     int                           // cells across, with the guideline beside the item
	Session   *session.Session              // nil until the queue is open
	Growing   bool
	Err       error // why the queue cannot be opened
	Acts      int   // acts made here that change what stands
	Turns     int   // how often the frame of an item has shown other options
	submitted int   // acts made here, looks among them
}

// Checked explains the checks on the help page of a queue that has some.
func (s *State) Checked() []widget.Group {
	if s.Session == nil || s.Session.Own.Queue().GoldItems == 0 {
		return nil
	}
	return []widget.Group{{Title: "Checks", Keys: []key.Binding{
		widget.Bind("checks", "some items have a known answer; it is not shown which", "checks"),
		widget.Bind("right", "your first labels of them, counted by fives", "checks right"),
		widget.Bind("when", "after every tenth label: no change tells which item it was", "checks when"),
	}}}
}

// Guided takes up a version that came into force while the session is open:
// labels from here on are made under it.
func (s *State) Guided(name annotate.QueueName, g annotate.Guideline) {
	if s.Session == nil || name != s.deps.Queue {
		return
	}
	q := s.Session.Own.Queue()
	if g.Version > q.Guideline.Version {
		q.Guideline = g
		s.Session.Own.SetQueue(q)
	}
}

// Done reports whether all of a queue that stands is answered.
func (s *State) Done() bool {
	return s.Session.Walk.Open() == 0 && !s.Growing && s.Session.Walk.Len() > 0
}

// Tally is what the annotator has said, in the screen's words, and what it
// took.
func (s *State) Tally(said string) []string {
	t, c := s.Theme, s.Session.Tally()
	out := []string{" " + t.Field("you said", said, 9)}
	if c.Spent > 0 {
		each := c.Spent / time.Duration(max(c.Done, 1))
		out = append(out, " "+t.Field("time", fmt.Sprintf("%s, %.1f s an item", widget.Span(c.Spent), each.Seconds()), 9))
	}
	if c.Flagged > 0 {
		out = append(out, " "+t.Field("flagged", widget.Count(c.Flagged), 9))
	}
	return out
}

// Typing reports whether keys are text.
func (s *State) Typing() bool { return s.Mode == Noting || s.Mode == Explaining }

// Front is the index of the item in front; -1 when there is none.
func (s *State) Front() int {
	if s.Session != nil {
		if i, _, ok := s.Session.Walk.Current(); ok {
			return i
		}
	}
	return -1
}

// Own is what the annotator has said of the item in front.
func (s *State) Own() (annotate.Label, bool) {
	if s.Session == nil {
		return annotate.Label{}, false
	}
	_, k, ok := s.Session.Walk.Current()
	if !ok {
		return annotate.Label{}, false
	}
	l, ok := s.Session.Own.State().Labels[k]
	return l, ok
}

// Exact reports whether Frame fills this size, measured.
func (s *State) Exact(width, height int) bool { return s.Outer == width && s.Height == height }

// Main is how many lines stand between header and status.
func (s *State) Main() int { return max(1, s.Height-HeaderLines-StatusLines) }

// trouble is a problem in the place of what it keeps from being shown.
func (s *State) trouble(text string) []string {
	return append([]string{""}, s.Theme.Bad.Wrap(" ", text, s.Width-1)...)
}

// NoSession is why nothing can be done in the queue yet.
func (s *State) NoSession() string {
	if s.Session == nil {
		return "the queue is being opened"
	}
	return ""
}

// NoFront is why nothing can be done to the item in front.
func (s *State) NoFront() string {
	if s.Front() < 0 {
		return "no item is selected"
	}
	return ""
}

// Page is the item in front; nil when there is none, or it is on its way.
func (s *State) Page() *Page { return s.page() }

// NoItem is why the item in front cannot be answered.
func (s *State) NoItem() string {
	if why := s.NoFront(); why != "" {
		return why
	}
	switch pg := s.Page(); {
	case pg == nil:
		return "the item is being read"
	case pg.Err != nil:
		return "the item cannot be read"
	}
	return ""
}

// NoReveal is why what machines made of the item is not shown.
func (s *State) NoReveal(what string) string {
	if why := s.NoItem(); why != "" {
		return why
	}
	if _, done := s.Own(); !done {
		return what + " are shown after your own answer"
	}
	return ""
}

// Copied is the answer in front as the model gave it; of a pair both, in the
// order in which they are shown.
func (s *State) Copied() (what, text string) {
	pg := s.Page()
	if pg == nil || pg.Err != nil {
		return "", ""
	}
	it := &pg.Item
	if it.Against == "" {
		return "the answer", it.Prediction
	}
	first, second := it.Prediction, it.Against
	if _, k, ok := s.Session.Walk.Current(); ok && s.Session.Swapped(k) {
		first, second = second, first
	}
	return "both answers", "Answer 1:\n" + first + "\n\nAnswer 2:\n" + second + "\n"
}

// Ranked is an action's place in the footer now: where an item is answered,
// or none is in front, what leads on goes first, and what leads past an open
// item is left for last.
func (s *State) Ranked(b key.Binding, foot action.Rank) action.Rank {
	_, own := s.Own()
	onward := slices.Contains(b.Keys(), " ")
	switch answered := own || s.Front() < 0; {
	case onward && s.Mode == Reading && !answered:
		return action.Fifth
	case onward && s.Front() < 0:
		return action.First
	case answered && slices.Contains(b.Keys(), "ctrl+n"):
		return action.Fifth
	}
	return foot
}

// The lines of a screen that are always there.
const (
	HeaderLines = 2 // the queue, and the item in front
	StatusLines = 1
)

// Frame draws the screen in exactly the size that Resize gave. main draws what
// stands between header and status, so many lines in exactly the width: pictures
// take long to measure, and it knows theirs. place is the second line of the header.
func (s *QueueSession[B]) Frame(place func() string, main func(height int) []string, status func() string) []string {
	lines := s.frame(place, main, status)
	if beside := s.Outer - s.Width; beside > 0 && lines != nil {
		return s.Theme.Beside(lines, s.Guide.column(beside-3, s.Height), s.Width, s.Outer, s.Height)
	}
	return lines
}

func (s *QueueSession[B]) frame(place func() string, main func(height int) []string, status func() string) []string {
	if s.Width <= 0 || s.Height <= 0 {
		return nil
	}
	var lines []string
	switch pg := s.Page(); {
	case s.Err != nil:
		lines = s.trouble("The queue cannot be opened: " + s.Err.Error())
	case s.Session != nil && s.Session.Walk.Displaced():
		lines = s.trouble("You have opened this queue in another session, and continue there. " +
			"What you did here is kept. Opened here once more, it comes back to this one.")
	case s.Session == nil:
		lines = []string{"", " " + s.Theme.Faint.Render("opening "+widget.Line(string(s.deps.Queue))+"…")}
	case s.Mode == Zooming && pg != nil:
		lines = s.Gallery.Zoomed(pg, status())
	default:
		head := widget.Block([]string{s.Head.header(), place()}, s.Width, HeaderLines)
		lines = slices.Concat(head, s.main(main), widget.Block([]string{status()}, s.Width, StatusLines))
		if len(lines) == s.Height {
			return lines
		}
	}
	return widget.Block(lines, s.Width, s.Height)
}

func (s *QueueSession[B]) main(draw func(height int) []string) []string {
	height := s.Main()
	pg := s.Page()
	switch {
	case s.Mode == Guiding || s.Front() < 0:
		return draw(height)
	case pg == nil:
		return widget.Block([]string{"", " " + s.Theme.Faint.Render("loading the item…")}, s.Width, height)
	case pg.Err != nil:
		return widget.Block(s.trouble("This item cannot be read: "+pg.Err.Error()), s.Width, height)
	}
	return draw(height)
}

// begin starts to work in the queue that was opened.
func (s *QueueSession[B]) begin(msg opened[B]) tea.Cmd {
	s.Err = msg.err
	if msg.err != nil {
		return nil
	}
	s.Session, s.known, s.Growing = msg.session, msg.known, msg.session.Own.Queue().Growing
	s.Work.saving = s.deps.Journal.State()
	var told tea.Cmd
	if s.first != (annotate.ItemKey{}) && !s.Session.Walk.Show(s.first) {
		told = widget.Tell(widget.Info, "that item is with somebody else now: here is the next open one")
	}
	return tea.Batch(s.Moved(), s.Guide.amended(), told)
}

// grow takes new items up. The item in front stays there.
func (s *QueueSession[B]) grow(msg grown[B]) tea.Cmd {
	s.asking = false
	if msg.err != nil {
		return widget.Tell(widget.Problem, "read queue: "+msg.err.Error())
	}
	before := s.Front()
	s.Growing = msg.queue.Growing
	was := s.Session.Own.Queue().Guideline.Version
	s.Session.Own.SetQueue(msg.queue)
	s.known += len(msg.items)
	s.Session.Grow(msg.items)
	var cmds []tea.Cmd
	if msg.queue.Guideline.Version != was {
		cmds = append(cmds, s.Guide.amended())
	}
	if s.again && s.Growing {
		s.again = false
		cmds = append(cmds, s.since())
	}
	if s.Front() != before {
		return tea.Batch(append(cmds, s.Moved())...)
	}
	return tea.Batch(append(cmds, s.Prepare())...)
}

// Hear takes up where the journal stands: how far this annotator's acts are
// saved, and which came too late. The journal's own news come by themselves.
func (s *QueueSession[B]) Hear(state session.JournalState, saved uint32, late []annotate.Act) tea.Cmd {
	return s.hear(state, saved, late)
}

func (s *QueueSession[B]) hear(state session.JournalState, saved uint32, late []annotate.Act) tea.Cmd {
	s.Work.saving = state
	if s.Session == nil {
		return nil
	}
	before := s.Front()
	if _, k, ok := s.Session.Walk.Current(); ok && slices.ContainsFunc(late, func(a annotate.Act) bool { return a.Item == k }) {
		s.Notes.leaveNote()
	}
	gone := s.Session.Taken(late)
	s.Session.Saved(saved)
	parked, failed := state.Of(s.deps.Queue, s.deps.Annotator)
	if failed && s.Session.Own.Failure() == nil {
		s.Notes.leaveNote()
		s.Session.Failed(parked.First, parked.Err)
	}
	var cmds []tea.Cmd
	if len(gone) > 0 {
		cmds = append(cmds, widget.Tell(widget.Info, tooLate(len(gone))))
	}
	if s.Front() != before {
		cmds = append(cmds, s.Moved())
	}
	return tea.Batch(cmds...)
}

// tooLate says kindly that somebody was quicker.
func tooLate(n int) string {
	return "somebody was quicker: " + widget.Plural(n, "item") + " had all labels already and left your list; nothing else is lost"
}
