package team

import (
	"context"
	"fmt"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/form"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Open asks for the page.
type Open struct{}

// Source tells of the team and changes it. Its methods are called beside the screen.
type Source interface {
	// ListMembers gives everybody, by name.
	ListMembers(ctx context.Context) ([]Member, error)
	// ChangeAccess changes who may come in, and returns once that is stored.
	ChangeAccess(ctx context.Context, by annotate.Annotator, c Change) (Done, error)
	// EndSession ends a session, and says so to whoever sits at it. What they did is saved first.
	EndSession(ctx context.Context, session uint64) error
}

// Member is somebody who may come in, who is here, or who has worked on the project.
type Member struct {
	Name        annotate.Annotator
	Role        annotate.Role      // unset: they were never added
	FromKeyFile bool               // the role is that of all whose key stands in the file that is served with
	Since       time.Time          // when they got it; zero: it is not known
	By          annotate.Annotator // who gave it

	Keys     []Key
	Sessions []Session // those of now, the oldest first
	Seen     time.Time // when they did something or left, as far as that is known; zero: it is not

	Labels, Votes int // that stand, over all queues
	Queues        []QueueWork
	Speed         Speed
}

// Key is one by which somebody comes in.
type Key struct{ Fingerprint, Type string }

// Session is one that somebody has open.
type Session struct {
	ID     uint64
	From   string // an address; "": this machine
	Client string // the program at the other end, as it calls itself
	Since  time.Time
	Typed  time.Time // zero: that is not known
	Fixed  string    // why it cannot be ended from here; "" when it can
}

// QueueWork tells how far one person is in a queue.
type QueueWork struct {
	Queue   annotate.QueueName
	Done    int // items with a label of theirs that stands
	Items   int
	Growing bool // there may be more
	Here    bool // they sit at it
}

// Speed holds how fast one person works. Labels and Timed count what figures rest on, without idle time.
type Speed struct {
	Labels int           // given in the last minutes
	Over   time.Duration // how many of these
	Median time.Duration // at work on an item, of this session's
	Timed  int           // the labels that it is of
}

// LabelsPerMinute is labels a minute; false without any.
func (p Speed) LabelsPerMinute() (float64, bool) {
	if p.Labels == 0 || p.Over <= 0 {
		return 0, false
	}
	return float64(p.Labels) / p.Over.Minutes(), true
}

// IsHere reports whether they have a session.
func (m *Member) IsHere() bool { return len(m.Sessions) > 0 }

// FirstQueue is the first of the queues that they sit at; "" at none.
func (m *Member) FirstQueue() annotate.QueueName {
	first, _ := eval.FirstWanted(m.Queues, func(q QueueWork) bool { return q.Here })
	return first.Queue
}

// lastTyped is when they last typed; zero when that is not known.
func (m *Member) lastTyped() (last time.Time) {
	for i := range m.Sessions {
		if t := m.Sessions[i].Typed; t.After(last) {
			last = t
		}
	}
	return last
}

// Change is one change of who may come in. The zero value changes nothing.
type Change struct {
	What ChangeKind
	Who  annotate.Annotator
	Role annotate.Role // Admit, GiveRole
	Was  annotate.Role // GiveRole: refused when it is another one now; unset: whatever it is
	Key  string        // Admit, AddKey: as OpenSSH writes it; DropKey: its fingerprint
}

// ChangeKind is what a change does.
type ChangeKind uint8

// The kinds.
const (
	ChangeUnset ChangeKind = iota
	Admit                  // lets somebody in
	GiveRole               // gives them a role; annotate.RoleNone: they come in no more
	AddKey                 // gives them a further key
	DropKey                // takes one away
)

// Done is what a change came to.
type Done struct {
	Said string
	Back Change // takes it back
}

// Deps is what the page is made of.
type Deps struct {
	Theme  *widget.Theme
	Source Source
	Who    annotate.Annotator // who changes what is changed here
	Now    func() time.Time
}

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.ending != nil:
		return action.PassKeyToQuestion(&m.ending, msg)
	case m.form != nil:
		return m.handleFormKey(msg)
	case m.people.filter.IsTyping():
		if m.people.filter.HandleKey(msg) {
			m.people.applyFilter()
		}
		return nil
	}
	if m.people.moveCursor(msg) {
		return nil
	}
	return m.newBoundActions().PressKey(msg.String())
}

// toggleDetail goes to the detail of who is under the cursor, or back to the people.
func (m *Model) toggleDetail(string) tea.Cmd {
	if m.people.detail {
		m.people.detail = false
	} else {
		m.people.enterDetail()
	}
	return nil
}

func (m *Model) startFilter(string) tea.Cmd {
	m.people.detail = false
	m.people.filter.StartTyping()
	return nil
}

// removeUnderCursor takes away what is under the cursor: a person, a key or a session.
func (m *Model) removeUnderCursor() tea.Cmd {
	one := m.people.currentMember()
	if !m.people.detail {
		return m.storeChange(Change{What: GiveRole, Who: one.Name, Role: annotate.RoleNone}, forth)
	}
	p := m.people.currentDetailPart()
	if p.key != "" {
		return m.storeChange(Change{What: DropKey, Who: one.Name, Key: p.key}, forth)
	}
	m.ending = m.newEndQuestion(one.Name, p.session)
	return nil
}

// HandleClick chooses who is drawn at a line.
func (m *Model) HandleClick(x, y int) tea.Cmd {
	if m.form != nil || m.ending != nil || m.people.isWide() && x >= m.people.listWidth() {
		return nil
	}
	if m.people.at.SelectAt(y-2, len(m.people.rows), m.people.listHeight()) { // the title, the headings
		m.people.detail, m.people.part = false, widget.Cursor{}
	}
	return nil
}

// KeymapPlace is where the page's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place { return keymap.People }

// Bindings are what can be done now, the most important first.
func (m *Model) Bindings() []key.Binding {
	switch {
	case m.ending != nil:
		return m.ending.Bindings()
	case m.form != nil:
		return m.form.formKeys()
	case m.people.filter.IsTyping():
		return widget.FilterKeys()
	case m.people.detail:
		return append(m.newBoundActions().Bindings("take_away", "give_key", "edit", "undo", "other"), widget.NewBinding("↑↓", "choose", "up", "down"))
	}
	return m.newBoundActions().Bindings("let_in", "edit", "take_away", "give_key", "undo", "other", "filter", "redo")
}

// HelpGroups is the page of all keys.
func (m *Model) HelpGroups() []widget.Group {
	return []widget.Group{
		{Title: "The team", Keys: m.newBoundActions().Bindings("let_in", "edit", "give_key", "take_away", "undo", "redo", "other", "filter")},
		{Title: "Move", Keys: widget.NewMoves().Bindings()},
		{Title: "While a form is open", Keys: form.NewKeys().HelpKeys()},
	}
}

// newBoundActions gives all that keys do on the page now.
func (m *Model) newBoundActions() *action.Bounds {
	open := func(c ChangeKind) func(string) tea.Cmd { return func(string) tea.Cmd { return m.openForm(c) } }
	l, one, role, take, other := m.people, m.people.currentMember(), "", "remove user", "keys and sessions"
	if one != nil && one.Role == annotate.RoleNone {
		role = "restore user"
	}
	if l.detail {
		other = "people"
		switch p := l.currentDetailPart(); {
		case p == nil, p.key == "" && p.session == nil:
			take = "take the key away, end the session"
		case p.key != "":
			take = "take the key away"
		default:
			take = "end the session"
		}
	}
	return &action.Bounds{Place: keymap.People, Own: action.PartKeys, Spell: &m.Spelling, All: map[string]action.Bound{
		"let_in":    {Do: open(Admit)},
		"edit":      {Says: role, Why: l.whyNoRole(), Do: open(GiveRole)},
		"give_key":  {Why: l.whyNoGive(), Do: open(AddKey)}, // k moves
		"take_away": {Says: take, Why: l.whyNoTake(), Do: func(string) tea.Cmd { return m.removeUnderCursor() }},
		"other":     {Says: other, Why: action.WhyUnless(one != nil, nobodyHere), Do: m.toggleDetail},
		"filter":    {Do: m.startFilter},
		"undo":      {Why: action.WhyUnless(len(m.history.past) > 0, nothingChanged), Do: func(string) tea.Cmd { return m.undoOrRedoChange(&m.history.past, back) }},
		"redo":      {Why: action.WhyUnless(len(m.history.undone) > 0, nothingUndone), Do: func(string) tea.Cmd { return m.undoOrRedoChange(&m.history.undone, again) }},
	}}
}

const (
	nothingChanged = "nothing was changed here yet"
	nothingUndone  = "nothing was taken back"
	nobodyHere     = "nobody is under the cursor"
)

const notAdded = "they work on this machine and have no access from elsewhere: {n} adds them"

// detailPart is a line of the detail. A key or a session can be taken away.
type detailPart struct {
	id      string // by which it is found again
	text    string
	key     string // a fingerprint
	session *Session
}

// nameOnFirst names the first of several lines.
func nameOnFirst(i int, name string) string { return eval.Either(i > 0, "", name) }

// formatSpeed gives how fast they work, with what that is made of.
func formatSpeed(p *Speed) string {
	if f, ok := p.LabelsPerMinute(); ok {
		return fmt.Sprintf("%.1f a minute: %s in the last %s", f, widget.FormatPlural(p.Labels, "label"), widget.FormatDuration(p.Over))
	}
	return "nothing in the last ten minutes"
}

// formatSince gives when a session began.
func formatSince(now, at time.Time) string {
	return eval.Either(now.Sub(at) < 20*time.Hour, "since "+at.In(now.Location()).Format("15:04"),
		"since "+at.In(now.Location()).Format("2006-01-02 15:04"))
}
