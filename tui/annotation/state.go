package annotation

import (
	"fmt"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/session"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// State is what the parts of a session share, and what its screen reads. The
// screen sets Mode, Picture and Refusal.
type State struct {
	keymap.Spelling
	deps          Deps
	page          func() *Page                     // the item in front
	moved         func() tea.Cmd                   // follows a change of the item in front
	prepare       func() tea.Cmd                   // fetches what comes next
	said          func(annotate.Reading) string    // names a reading
	room          func() (cols, rows int, ok bool) // of the picture in front, when it does not fill the screen
	Theme         *widget.Theme
	Width, Height int
	Session       *session.Session // nil until the queue is open
	Growing       bool
	Err           error // why the queue cannot be opened
	Mode          Mode
	Picture       int    // which of the item's pictures
	Refusal       string // why the last key did nothing
	Acts          int    // acts made here that change what stands
	Turns         int    // how often the frame of an item has shown other options
	submitted     int    // acts made here, looks among them
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
func (s *State) Exact(width, height int) bool { return s.Width == width && s.Height == height }

// Main is how many lines stand between header and status.
func (s *State) Main() int { return max(1, s.Height-HeaderLines-StatusLines) }

// trouble is a problem in the place of what it keeps from being shown.
func (s *State) trouble(text string) []string {
	lines := []string{""}
	for _, l := range widget.Wrap(text, max(1, s.Width-2)) {
		lines = append(lines, " "+s.Theme.Bad.Render(l))
	}
	return lines
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
func (s *State) Ranked(b key.Binding, foot Rank) Rank {
	_, own := s.Own()
	onward := slices.Contains(b.Keys(), " ")
	switch answered := own || s.Front() < 0; {
	case onward && s.Mode == Reading && !answered:
		return Fifth
	case onward && s.Front() < 0:
		return First
	case answered && slices.Contains(b.Keys(), "ctrl+n"):
		return Fifth
	}
	return foot
}
