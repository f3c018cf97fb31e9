package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/screen"
	"concord/cmd/concord/internal/server/ssh"
	"concord/store"
	"concord/tui"
)

// Listener is where the process that holds a project lets others in: into the state
// of its own screen, or into one that it opens for them.
//
//	socket --attach--> ssh.Gate --Terminal--> Listener --Connection--> State
//	ssh ---------------^
type Listener struct {
	Project *project.Project
	st      *store.Store
	ctx     context.Context
	Known   *AuthorizedKeys // who comes in by key; nil: nobody does
	guests  annotate.Role   // of who is let in and has no role in the project; unset: nobody is
	Look    time.Duration   // how often it is looked whether a guest's role has changed
	Share   jobs.Share      // has workers asked for the runs that people start; nil: none is
	warn    func(string)    // says a line at once; nil: a screen is in the way

	mu    sync.Mutex
	State *State
	gate  *ssh.Gate
	over  bool
}

// attach is what another process on this machine asks for: a session of its own.
type attach struct {
	As annotate.Annotator `json:"as,omitempty"`
	tui.Start
}

// NewGuests lets others into a project that this process has opened.
func NewGuests(ctx context.Context, a *project.Project, st *store.Store) project.Guests {
	return NewListener(ctx, a, st)
}

// FindListener finds where others are let into the project; nil where this process does not hold it.
func FindListener(a *project.Project) *Listener {
	h, _ := a.Guests.(*Listener)
	return h
}

// NewListener makes a listener on an open project. Nobody is let in before it is asked to.
func NewListener(ctx context.Context, a *project.Project, st *store.Store) *Listener {
	return &Listener{Project: a, st: st, ctx: ctx, Look: roleLook}
}

// openStateForScreen opens the state for this process's own screen, which closes it.
func (h *Listener) openStateForScreen(b *jobs.Factory, begin func(*jobs.Scheduler) error) (*State, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return nil, errClosing
	}
	if h.State != nil { // somebody was quicker
		if begin != nil {
			return h.State, begin(h.State.scheduler)
		}
		return h.State, nil
	}
	one, err := OpenState(h.ctx, h.Project, h.st, b, begin)
	if err != nil {
		return nil, err
	}
	one.guests, one.look, one.warn = h.guests, h.Look, h.warn
	one.scheduler.Share = h.Share
	h.State = one
	return one, nil
}

// errClosing is said to who comes in while the process ends.
var errClosing = errors.New("the project is being closed")

// SetGate makes a gate the one that others of this machine come in by, too.
func (h *Listener) SetGate(g *ssh.Gate) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gate = g
}

// gateOrNew is the gate, made where nobody has come in yet.
func (h *Listener) gateOrNew() (*ssh.Gate, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.gate == nil {
		g, err := ssh.NewGate(ssh.Config{Enter: h.ServeGuest, Idle: -1, Log: h.Project.Log})
		if err != nil {
			return nil, err
		}
		h.gate = g
	}
	return h.gate, nil
}

// Admit lets another process of this user in.
func (h *Listener) Admit(conn net.Conn, what json.RawMessage) error {
	g, err := h.gateOrNew()
	if err != nil {
		return err
	}
	if _, err := conn.Write([]byte{project.FrameReady}); err != nil {
		return err
	}
	g.ServeLocalConnection(conn, string(what))
	return nil
}

// CurrentState is where people are at work; nil while nobody has come, and where there is no listener.
func (h *Listener) CurrentState() *State {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.State
}

// RefreshConnections tells those who are at work of what a command has changed.
func (h *Listener) RefreshConnections() error {
	one := h.CurrentState()
	if one == nil {
		return nil
	}
	for _, q := range one.Pool.Queues() {
		away, err := h.st.Packets().ItemsAway(q)
		if err != nil {
			return err
		}
		one.Pool.SetAwayItems(q, away)
	}
	one.facts.notifyListeners()
	return nil
}

// leaving is how long sessions have to end when the process does.
const leaving = 15 * time.Second

// closed is the line that sessions are left with when the process ends that they were in.
const closed = "the process that held the project has ended; everything saved is there: the same command continues"

// Close ends all other sessions, and the state.
func (h *Listener) Close() error {
	h.mu.Lock()
	g, one := h.gate, h.State
	h.over = true
	h.mu.Unlock()
	var err error
	if g != nil {
		ctx, cancel := context.WithTimeout(context.Background(), leaving)
		defer cancel()
		err = g.Close(ctx, closed)
	}
	if one != nil {
		err = errors.Join(err, one.Close())
	}
	h.mu.Lock()
	h.State = nil
	h.mu.Unlock()
	return err
}

// ShowOrAttachScreen shows the app on a project that is there: in this process, or, when
// another one holds the project, as a session of that one. prepare may refuse.
func ShowOrAttachScreen(ctx context.Context, a *project.Project, o ScreenOptions, prepare func(st *store.Store) error) error {
	for {
		err := a.WriteExistingStore(ctx, func(st *store.Store) error {
			if prepare != nil {
				if err := prepare(st); err != nil {
					return err
				}
			}
			return ShowScreen(ctx, a, st, o)
		})
		if !errors.Is(err, store.ErrLocked) || a.Held != nil {
			return err
		}
		again, aerr := showInHolder(ctx, a, o)
		switch {
		case errors.Is(aerr, errNoHolder):
			return err
		case aerr != nil || !again:
			return aerr
		}
		if err := waitForHolder(ctx, a); err != nil {
			return err
		}
	}
}

// readyTime is how long the process that holds the project has to take a session.
const readyTime = 5 * time.Second

// errNoHolder says that nobody answers for the project.
var errNoHolder = errors.New("nobody answers")

// showInHolder is a session of the process that holds the project. again is true when
// that one ended while the session was on: the project can be opened here.
func showInHolder(ctx context.Context, a *project.Project, o ScreenOptions) (again bool, err error) {
	if !cli.IsTerminal(a.In) { // nothing of it is read: it may be the only copy
		return false, fmt.Errorf("%w; labels that come from a file or a pipe need the project for themselves, and none was read", a.ExplainLocked(store.ErrLocked))
	}
	conn, err := project.DialHolder(ctx, a.Path)
	if err != nil {
		return false, errNoHolder
	}
	defer func() { _ = conn.Close() }()
	if err := requestHolderSession(conn, o); err != nil {
		return false, fmt.Errorf("ask for a session: %w", err)
	}
	environ := os.Environ()
	if screen.UsesPrompts(a) {
		environ = append(environ, "ACCESSIBLE=1")
	}
	status, last, err := ssh.AttachTerminal(ctx, conn, os.Stdin, os.Stdout, environ)
	switch {
	case err != nil && ctx.Err() != nil:
		return false, cli.ErrInterrupted
	case errors.Is(err, ssh.ErrSilent):
		return false, fmt.Errorf("%w; what it called saved is saved", a.ExplainLocked(store.ErrLocked))
	case err != nil:
		return true, nil // it is gone: what was saved is there
	case last == closed:
		return true, nil
	case status != cli.ExitDone:
		return false, cli.StatusError{Code: status, Quiet: true}
	}
	if last != "" {
		_, _ = fmt.Fprintln(a.Err, "concord: "+last)
	}
	return false, nil
}

// requestHolderSession asks the process that holds the project for a session.
func requestHolderSession(conn net.Conn, o ScreenOptions) error {
	what, err := json.Marshal(attach{annotate.Annotator(o.As), o.Start})
	if err != nil {
		return err
	}
	line, err := json.Marshal(project.Request{Attach: what})
	if err != nil {
		return err
	}
	if _, err := conn.Write(append(line, '\n')); err != nil {
		return err
	}
	if err := conn.SetReadDeadline(time.Now().Add(readyTime)); err != nil {
		return err
	}
	var ready [1]byte
	if _, err := io.ReadFull(conn, ready[:]); err != nil || ready[0] != project.FrameReady {
		return fmt.Errorf("the process that holds the project takes none: %w", errNoHolder)
	}
	return conn.SetReadDeadline(time.Time{})
}

// waitForHolder waits until the process that held the project has let go of it.
func waitForHolder(ctx context.Context, a *project.Project) error {
	_, _ = fmt.Fprintln(a.Err, "concord: the process that held the project has ended; it is opened here")
	for range int(leaving / (100 * time.Millisecond)) {
		st, err := store.Open(a.Path, store.Options{ReadOnly: true, Now: a.Now, Logger: a.Log})
		if err == nil {
			return st.Close()
		}
		if !errors.Is(err, store.ErrLocked) {
			return err
		}
		select {
		case <-ctx.Done():
			return cli.ErrInterrupted
		case <-time.After(100 * time.Millisecond):
		}
	}
	return a.ExplainLocked(store.ErrLocked)
}
