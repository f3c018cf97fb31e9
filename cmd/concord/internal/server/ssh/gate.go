package ssh

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// ErrClosed is what Serve gives of a gate that is closed.
var ErrClosed = errors.New("the SSH server is closed")

// Gate is a server; any number of Serve and Admit may run at once.
type Gate struct {
	cfg   Config
	hosts []ssh.Signer
	door  *door
	count atomic.Uint64

	mu        sync.Mutex
	links     map[*link]struct{}
	sessions  map[*session]struct{} // those that have the app, until Enter returned
	listeners map[net.Listener]struct{}
	closing   *ending        // nil while it is open
	at        sync.WaitGroup // channels; nothing is added once closing is set
}

// Guest is one session as others see it.
type Guest struct {
	ID      uint64 // of the session, from 1
	Name    string
	Local   bool   // from this machine, without a key
	Address string // "" for Local
	Key     string // fingerprint; "" for Local
	Client  string // the program at the other end, as it calls itself
	Since   time.Time
	Typed   time.Time // when the last byte was
	In, Out int64     // bytes typed, and painted
}

// Guests are the sessions there are, the oldest first.
func (g *Gate) Guests() []Guest {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := make([]Guest, 0, len(g.sessions))
	for s := range g.sessions {
		all = append(all, s.term.Guest())
	}
	slices.SortFunc(all, func(a, b Guest) int { return int(a.ID) - int(b.ID) })
	return all
}

// Serve lets in who comes by a listener, until the context ends or the gate is
// closed, and closes it. Sessions outlive it: Close ends them.
func (g *Gate) Serve(ctx context.Context, ln net.Listener) error {
	defer ln.Close() //nolint:errcheck // nobody comes by it anymore
	if len(g.cfg.HostKeys) == 0 {
		return errors.New("serve: no host key")
	}
	if !g.listen(ln) {
		return fmt.Errorf("serve: %w", ErrClosed)
	}
	defer g.deafen(ln)
	stop := context.AfterFunc(ctx, func() { _ = ln.Close() })
	defer stop()
	for wait := time.Millisecond; ; {
		conn, err := ln.Accept()
		switch {
		case err == nil:
			wait = time.Millisecond
			go g.receive(conn)
		case ctx.Err() != nil || g.closed():
			return nil
		case errors.Is(err, net.ErrClosed):
			return fmt.Errorf("serve: %w", err)
		default: // such as no file handle left: those that are in keep working
			g.cfg.Log.Warn("ssh: accept", "error", err)
			wait = min(2*wait, time.Second)
			select {
			case <-ctx.Done():
			case <-time.After(wait):
			}
		}
	}
}

func (g *Gate) listen(ln net.Listener) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closing != nil {
		return false
	}
	g.listeners[ln] = struct{}{}
	return true
}

func (g *Gate) deafen(ln net.Listener) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.listeners, ln)
}

func (g *Gate) closed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closing != nil
}

// receive is a connection from elsewhere, from its first byte to its last.
func (g *Gate) receive(conn net.Conn) {
	defer conn.Close() //nolint:errcheck // it is over
	address := conn.RemoteAddr().String()
	c := g.door.knock(placeOf(address), func() { _ = conn.Close() }, g.cfg.Now())
	l, err := g.greet(conn, g.byKey(c), c)
	if why := g.door.through(c, g.cfg.Now(), err); why != nil {
		g.cfg.Log.Info("ssh: did not get in", "address", address, "why", unmet(why))
	}
	if err == nil {
		l.serve()
	}
}

// unmet is why a handshake came to nothing, as the log says it.
func unmet(err error) string {
	var auth *ssh.ServerAuthError
	if !errors.As(err, &auth) {
		return clean(err.Error())
	}
	tried := 0
	for _, e := range auth.Errors {
		if !errors.Is(e, ssh.ErrNoAuth) {
			tried++
		}
	}
	return fmt.Sprintf("%d attempts, none of them good", tried)
}

// Admit serves a connection of this machine's own user, who needs no key, until
// it ends. as is who they are, as far as that is known. That nobody else can
// have made the connection is for the caller to see to.
func (g *Gate) Admit(conn net.Conn, as string) {
	defer conn.Close() //nolint:errcheck // it is over
	l, err := g.greet(conn, besides(g.hosts), nil)
	if err != nil {
		g.cfg.Log.Info("ssh: own terminal did not get in", "why", clean(err.Error()))
		return
	}
	l.visitor = visitor{name: as, local: true}
	l.serve()
}

// Close ends the gate: nobody comes in, everybody there is asked to end and
// left with the line. It waits for them; when ctx ends first, connections are
// cut, and its error is returned.
func (g *Gate) Close(ctx context.Context, line string) error {
	g.mu.Lock()
	if g.closing == nil {
		g.closing = &ending{why: "the server was closed", line: line}
	}
	for ln := range g.listeners {
		_ = ln.Close()
	}
	for s := range g.sessions {
		s.term.end(g.closing)
	}
	g.mu.Unlock()
	gone := make(chan struct{})
	go func() { g.at.Wait(); close(gone) }()
	var err error
	select {
	case <-gone:
	case <-ctx.Done():
		err = fmt.Errorf("close SSH server: %w", ctx.Err())
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for l := range g.links {
		l.close("the server was closed")
	}
	return err
}

func (g *Gate) part(l *link) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.links, l)
}

// open counts a channel, which Close waits for.
func (g *Gate) open() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closing != nil {
		return false
	}
	g.at.Add(1)
	return true
}

// wait is how long a connection that is in somebody's way has to show that there
// is somebody at its other end.
const wait = 3 * time.Second

// enter gives a session its place, or says why there is none. Connections that
// give no sign of life keep nobody out.
func (g *Gate) enter(s *session) *ending {
	why := g.place(s)
	if why == nil || why.full == nil || !g.clear(why.full) {
		return why
	}
	for late := time.Now().Add(g.cfg.Grace + wait); why != nil && time.Now().Before(late); why = g.place(s) {
		time.Sleep(wait / 100) // until they have left
	}
	return why
}

// place gives a session its place if there is one.
func (g *Gate) place(s *session) *ending {
	g.mu.Lock()
	defer g.mu.Unlock()
	mine := 0
	for o := range g.sessions {
		if v := o.link.visitor; !v.local && v.name == s.link.visitor.name {
			mine++
		}
	}
	switch {
	case g.closing != nil:
		return g.closing
	case len(g.sessions) >= g.cfg.Sessions:
		return &ending{why: "no place", line: fmt.Sprintf("all %d places are taken: come back later", g.cfg.Sessions), full: unheard}
	case !s.link.visitor.local && mine >= g.cfg.PerPerson:
		return &ending{why: "no place for one more of them", line: fmt.Sprintf("you are in %d times already, which is all that one person may be: leave one", mine), full: s.link.mine}
	}
	g.sessions[s] = struct{}{}
	return nil
}

func (g *Gate) leave(s *session) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.sessions, s)
}

// join counts a connection that has come in, or says why it cannot stay.
func (g *Gate) join(l *link) error {
	full, err := g.stay(l)
	if full != nil && g.clear(full) {
		_, err = g.stay(l)
	}
	return err
}

// stay counts a connection if there is room for one.
func (g *Gate) stay(l *link) (full func(*link) bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	mine := 0
	for o := range g.links {
		if !o.visitor.local && o.visitor.name == l.visitor.name {
			mine++
		}
	}
	switch {
	case g.closing != nil:
		return nil, ErrClosed
	case len(g.links) >= 2*g.cfg.Sessions:
		return unheard, errors.New("too many connections")
	case !l.visitor.local && mine >= 2*g.cfg.PerPerson:
		return l.mine, errors.New("too many connections of one person")
	}
	g.links[l] = struct{}{}
	return nil, nil
}

// unheard is a connection that has left a question without an answer.
func unheard(l *link) bool { return l.silent.Load() > 0 }

// mine is another connection of the same person.
func (l *link) mine(o *link) bool {
	return o != l && !o.visitor.local && o.visitor.name == l.visitor.name
}

// clear closes those of the connections at whose other end nobody is any more,
// and reports whether there were some: a line that dropped is told by nothing
// else, and whoever had it comes in again before it is found out.
func (g *Gate) clear(which func(*link) bool) bool {
	g.mu.Lock()
	var all []*link
	for l := range g.links {
		if which(l) {
			all = append(all, l)
		}
	}
	g.mu.Unlock()
	var asking sync.WaitGroup
	var gone atomic.Bool
	for _, l := range all {
		asking.Go(func() {
			if !l.there(wait) {
				l.close("it gave no sign of life, and another one came")
				gone.Store(true)
				g.part(l)
			}
		})
	}
	asking.Wait()
	return gone.Load()
}

// there asks the client whether it is there.
func (l *link) there(within time.Duration) bool {
	answered := make(chan struct{})
	go func() {
		if _, _, err := l.conn.SendRequest("keepalive@openssh.com", true, nil); err == nil {
			close(answered)
		}
	}()
	select {
	case <-answered:
		return true
	case <-l.ctx.Done():
		return false
	case <-time.After(within):
		return false
	}
}
