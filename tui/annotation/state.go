package annotation

import (
	"fmt"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/widget"
)

// SessionState is what the parts of a session share, and what its screen reads.
type SessionState struct {
	Canvas
	deps      Deps
	moved     func() tea.Cmd                // follows a change of the item in front
	prepare   func() tea.Cmd                // fetches what comes next
	said      func(annotate.Reading) string // names a reading
	Standard  func() string                 // the guideline where the queue has none; may be nil
	Session   *session.Session              // nil until the queue is open
	Growing   bool
	Err       error // why the queue cannot be opened
	Acts      int   // acts made here that change what stands
	Turns     int   // how often the frame of an item has shown other options
	submitted int   // acts made here, looks among them
}

// ChecksHelpGroup explains the checks on the help page of a queue that has some.
func (s *SessionState) ChecksHelpGroup() []widget.Group {
	if s.Session == nil || s.Session.Own.Queue().GoldItems == 0 {
		return nil
	}
	return []widget.Group{{Title: "Checks", Keys: []key.Binding{
		widget.NewBinding("checks", "some items have a known answer; it is not shown which", "checks"),
		widget.NewBinding("right", "your first labels of them, counted by fives", "checks right"),
		widget.NewBinding("when", "after every tenth label: no change tells which item it was", "checks when"),
	}}}
}

// SetGuideline takes up a version that came into force meanwhile: labels from here on are made under it.
func (s *SessionState) SetGuideline(name annotate.QueueName, g annotate.Guideline) {
	if s.Session == nil || name != s.deps.Queue {
		return
	}
	q := s.Session.Own.Queue()
	if g.Version > q.Guideline.Version {
		q.Guideline = g
		s.Session.Own.SetQueue(q)
	}
}

// IsQueueAnswered reports whether all of a queue that stands is answered.
func (s *SessionState) IsQueueAnswered() bool {
	return s.Session.Walk.CountOpen() == 0 && !s.Growing && s.Session.Walk.Len() > 0
}

// DrawOwnTally draws what the annotator has said, in the screen's words, and what it took.
func (s *SessionState) DrawOwnTally(said string) []string {
	t, c := s.Theme, s.Session.Tally()
	out := []string{" " + t.DrawField("you said", said, 9)}
	if c.Spent > 0 {
		each := c.Spent / time.Duration(max(c.Done, 1))
		out = append(out, " "+t.DrawField("time", fmt.Sprintf("%s, %.1f s an item", widget.FormatDuration(c.Spent), each.Seconds()), 9))
	}
	if c.Flagged > 0 {
		out = append(out, " "+t.DrawField("flagged", widget.FormatCount(c.Flagged), 9))
	}
	return out
}

// IsTyping reports whether keys are text.
func (s *SessionState) IsTyping() bool { return s.Mode == Noting || s.Mode == Explaining }

// FrontIndex is the index of the item in front; -1 when there is none.
func (s *SessionState) FrontIndex() int {
	if s.Session != nil {
		if i, _, ok := s.Session.Walk.Current(); ok {
			return i
		}
	}
	return -1
}

// OwnLabel is what the annotator has said of the item in front.
func (s *SessionState) OwnLabel() (annotate.Label, bool) {
	if s.Session == nil {
		return annotate.Label{}, false
	}
	_, k, _ := s.Session.Walk.Current()
	l, ok := s.Session.Own.State().Labels[k]
	return l, ok
}

// HasSize reports whether Frame fills this size, measured.
func (s *SessionState) HasSize(width, height int) bool {
	return s.Outer == width && s.Height == height
}

// MainHeight is how many lines stand between header and status.
func (s *SessionState) MainHeight() int { return max(1, s.Height-HeaderLines-StatusLines) }

func (s *SessionState) drawTrouble(text string) []string {
	return append([]string{""}, s.Theme.Bad.WrapStyled(" ", text, s.Width-1)...)
}

// WhyNoFront is why nothing can be done to the item in front.
func (s *SessionState) WhyNoFront() string {
	return action.WhyIf(s.FrontIndex() < 0, "no item is selected")
}

// FrontPage is the item in front; nil when there is none, or it is on its way.
func (s *SessionState) FrontPage() *Page { return s.page() }

// WhyNoItem is why the item in front cannot be answered.
func (s *SessionState) WhyNoItem() string {
	if why := s.WhyNoFront(); why != "" {
		return why
	}
	switch pg := s.FrontPage(); {
	case pg == nil:
		return "the item is being read"
	case pg.Err != nil:
		return "the item cannot be read"
	}
	return ""
}

// WhyNoReveal is why what machines made of the item is not shown.
func (s *SessionState) WhyNoReveal(what string) string {
	if why := s.WhyNoItem(); why != "" {
		return why
	}
	if _, done := s.OwnLabel(); !done {
		return what + " are shown after your own answer"
	}
	return ""
}

// CopyText gives the answer in front as the model gave it; of a pair both, in the order in which they are shown.
func (s *SessionState) CopyText() (what, text string) {
	pg := s.FrontPage()
	if pg == nil || pg.Err != nil {
		return "", ""
	}
	it := &pg.Item
	if it.Against == "" {
		return "the answer", it.Prediction
	}
	first, second := it.Prediction, it.Against
	if _, k, ok := s.Session.Walk.Current(); ok && s.Session.IsSwapped(k) {
		first, second = second, first
	}
	return "both answers", "Answer 1:\n" + first + "\n\nAnswer 2:\n" + second + "\n"
}

// RankInFooter ranks an action's place in the footer now: where an item is answered, or none is in
// front, what leads on goes first, and what leads past an open item is left for last.
func (s *SessionState) RankInFooter(b key.Binding, foot action.Rank) action.Rank {
	_, own := s.OwnLabel()
	onward := slices.Contains(b.Keys(), " ")
	switch answered := own || s.FrontIndex() < 0; {
	case onward && s.Mode == Reading && !answered:
		return action.Fifth
	case onward && s.FrontIndex() < 0:
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

// DrawFrame draws the screen in exactly the size that Resize gave. main draws what
// stands between header and status, so many lines in exactly the width: pictures
// take long to measure, and it knows theirs. place is the second line of the header.
func (s *QueueSession[B]) DrawFrame(place func() string, main func(height int) []string, status func() string) []string {
	lines := s.drawFrame(place, main, status)
	if beside := s.Outer - s.Width; beside > 0 && lines != nil && s.Mode != Zooming {
		return s.Theme.DrawBeside(lines, s.Guide.drawColumn(beside-3, s.Height, s.Work.listRecentAnswers()), s.Width, s.Outer, s.Height)
	}
	return lines
}

func (s *QueueSession[B]) drawFrame(place func() string, main func(height int) []string, status func() string) []string {
	if s.Width <= 0 || s.Height <= 0 {
		return nil
	}
	var lines []string
	switch pg := s.FrontPage(); {
	case s.Err != nil:
		lines = s.drawTrouble("The queue cannot be opened: " + s.Err.Error())
	case s.Session != nil && s.Session.Walk.IsDisplaced():
		lines = append([]string{s.Head.drawHeader(), s.Theme.DrawSection("Open in another session", "", true, s.Width)},
			s.drawTrouble("You have opened this queue in another session, and continue there. "+
				"What you did here is kept. Opened here once more, it comes back to this one.")...)
		lines = s.Theme.AddLegendBelow(lines, s.Width, s.Height)
	case s.Session == nil:
		lines = []string{"", " " + s.Theme.Faint.Render("opening "+widget.CleanLine(string(s.deps.Queue))+"…")}
	case s.Mode == Zooming && pg != nil:
		lines = s.Gallery.DrawZoomed(pg, status())
	default:
		head := widget.FitBox([]string{s.Head.drawHeader(), place()}, s.Width, HeaderLines)
		lines = slices.Concat(head, s.drawItemOrTrouble(main), widget.FitBox([]string{status()}, s.Width, StatusLines))
		if len(lines) == s.Height {
			return lines
		}
	}
	return widget.FitBox(lines, eval.Either(s.Mode == Zooming, s.Outer, s.Width), s.Height)
}

func (s *QueueSession[B]) drawItemOrTrouble(draw func(height int) []string) []string {
	height := s.MainHeight()
	pg := s.FrontPage()
	switch {
	case s.Mode == Guiding:
		return draw(height)
	case s.FrontIndex() < 0:
		return widget.FitBox(s.Theme.AddLegendBelow(draw(height), s.Width, height), s.Width, height)
	case pg == nil:
		return widget.FitBox([]string{"", " " + s.Theme.Faint.Render("loading the item…")}, s.Width, height)
	case pg.Err != nil:
		return widget.FitBox(s.drawTrouble("This item cannot be read: "+pg.Err.Error()), s.Width, height)
	}
	return draw(height)
}

// beginSession starts to work in the queue that was opened.
func (s *QueueSession[B]) beginSession(msg opened[B]) tea.Cmd {
	s.Err = msg.err
	if msg.err != nil {
		return nil
	}
	s.Session, s.known, s.Growing = msg.session, msg.known, msg.session.Own.Queue().Growing
	s.Work.saving = s.deps.Journal.State()
	var told tea.Cmd
	if s.first != (annotate.ItemKey{}) && !s.Session.Walk.ShowItem(s.first) {
		told = widget.NotifyCmd(widget.Info, "that item is with somebody else now: here is the next open one")
	}
	return tea.Batch(s.StartFrontItem(), s.Guide.notifyAmended(), told)
}

// addGrownItems takes new items up. The item in front stays there.
func (s *QueueSession[B]) addGrownItems(msg grown[B]) tea.Cmd {
	s.asking = false
	if msg.err != nil {
		return widget.NotifyCmd(widget.Problem, "read queue: "+msg.err.Error())
	}
	before := s.FrontIndex()
	s.Growing = msg.queue.Growing
	was := s.Session.Own.Queue().Guideline.Version
	s.Session.Own.SetQueue(msg.queue)
	s.known += len(msg.items)
	s.Session.AddItems(msg.items)
	var cmds []tea.Cmd
	if msg.queue.Guideline.Version != was {
		cmds = append(cmds, s.Guide.notifyAmended())
	}
	if s.again && s.Growing {
		s.again = false
		cmds = append(cmds, s.readNewItems())
	}
	if s.FrontIndex() != before {
		return tea.Batch(append(cmds, s.StartFrontItem())...)
	}
	return tea.Batch(append(cmds, s.PrefetchItems())...)
}

// HandleJournal takes up where the journal stands: how far this annotator's acts are
// saved, and which came too late. The journal's own news come by themselves.
func (s *QueueSession[B]) HandleJournal(state session.JournalState, saved uint32, late []annotate.Act) tea.Cmd {
	return s.handleJournal(state, saved, late)
}

func (s *QueueSession[B]) handleJournal(state session.JournalState, saved uint32, late []annotate.Act) tea.Cmd {
	s.Work.saving = state
	if s.Session == nil {
		return nil
	}
	before := s.FrontIndex()
	if _, k, ok := s.Session.Walk.Current(); ok && slices.ContainsFunc(late, func(a annotate.Act) bool { return a.Item == k }) {
		s.Notes.keepAndLeaveNote()
	}
	gone := s.Session.MarkTooLate(late)
	s.Session.MarkSaved(saved)
	parked, failed := state.ParkedOf(s.deps.Queue, s.deps.Annotator)
	if failed && s.Session.Own.Failure() == nil {
		s.Notes.keepAndLeaveNote()
		s.Session.MarkFailed(parked.First, parked.Err)
	}
	var cmds []tea.Cmd
	if len(gone) > 0 {
		cmds = append(cmds, widget.NotifyCmd(widget.Info, "somebody was quicker: "+widget.FormatPlural(len(gone), "item")+" had all labels already and left your list; nothing else is lost"))
	}
	if s.FrontIndex() != before {
		cmds = append(cmds, s.StartFrontItem())
	}
	return tea.Batch(cmds...)
}
