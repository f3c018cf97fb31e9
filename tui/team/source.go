package team

import (
	"context"
	"time"

	"concord/annotate"
	"concord/tui/widget"
)

// Open asks for the page.
type Open struct{}

// Source tells of the team and changes it. Its methods are called beside the
// screen.
type Source interface {
	// Team gives everybody, by name.
	Team(ctx context.Context) ([]Member, error)
	// Change changes who may come in, and returns once that is stored.
	Change(ctx context.Context, by annotate.Annotator, c Change) (Done, error)
	// End ends a session, and says so to whoever sits at it. What they did is
	// saved first.
	End(ctx context.Context, session uint64) error
}

// Member is somebody who may come in, who is here, or who has worked on the
// project.
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

// Speed holds how fast one person works. Labels and Timed count what the figures
// rest on; time without work is left out.
type Speed struct {
	Labels int           // given in the last minutes
	Over   time.Duration // how many of these
	Median time.Duration // at work on an item, of this session's
	Timed  int           // the labels that it is of
}

// Minute is labels a minute; false without any.
func (p Speed) Minute() (float64, bool) {
	if p.Labels == 0 || p.Over <= 0 {
		return 0, false
	}
	return float64(p.Labels) / p.Over.Minutes(), true
}

// Here reports whether they have a session.
func (m *Member) Here() bool { return len(m.Sessions) > 0 }

// Queue is the first of the queues that they sit at; "" at none.
func (m *Member) Queue() annotate.QueueName {
	for i := range m.Queues {
		if m.Queues[i].Here {
			return m.Queues[i].Queue
		}
	}
	return ""
}

// typed is when they last typed; zero when that is not known.
func (m *Member) typed() (last time.Time) {
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

// Deps is what the page is made of. Now may be nil.
type Deps struct {
	Theme  *widget.Theme
	Source Source
	Who    annotate.Annotator // who changes what is changed here
	Now    func() time.Time   // nil is time.Now
}
