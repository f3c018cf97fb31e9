package ssh

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	gliderlabs "github.com/gliderlabs/ssh"
	"golang.org/x/crypto/ssh"
)

// Gate is a server; any number of Serve and Admit may run at once.
type Gate struct {
	cfg       Config
	far, near *gliderlabs.Server // for who comes by a key, and for who comes from this machine
	startups  *startups
	ctx       context.Context // ends when it is closed
	stop      context.CancelFunc

	mu       sync.Mutex
	links    map[*link]struct{}     // that are in
	sessions map[*Terminal]struct{} // those that have the app, until Enter returned
	count    uint64                 // of sessions so far
	closing  *ending                // nil while it is open
	at       sync.WaitGroup         // sessions, and their Enter; nothing is added once closing is set
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
		all = append(all, s.Guest())
	}
	slices.SortFunc(all, func(a, b Guest) int { return int(a.ID) - int(b.ID) })
	return all
}

// Serve lets in who comes by a listener, until the context ends or the gate is
// closed, and closes it. Sessions outlive it: Close ends them.
func (g *Gate) Serve(ctx context.Context, ln net.Listener) error {
	if len(g.cfg.HostKeys) == 0 {
		return errors.Join(errors.New("serve: no host key"), ln.Close())
	}
	for _, over := range []context.Context{ctx, g.ctx} {
		defer context.AfterFunc(over, func() { _ = ln.Close() })()
	}
	err := g.far.Serve(ln)
	if ctx.Err() != nil || g.ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("serve: %w", err)
}

// Admit serves a connection of this machine's own user, who needs no key, until
// it ends. as is who they are, as far as that is known. That nobody else can
// have made the connection is for the caller to see to.
func (g *Gate) Admit(conn net.Conn, as string) {
	l := g.newLink(conn)
	l.visitor = visitor{name: as, local: true}
	g.near.HandleConn(l)
}

// Close ends the gate: nobody comes in, everybody there is asked to end and
// left with the line. It waits for them; when ctx ends first, connections are
// cut, and its error is returned.
func (g *Gate) Close(ctx context.Context, line string) error {
	g.stop()
	g.mu.Lock()
	if g.closing == nil {
		g.closing = &ending{why: "the server was closed", line: line}
	}
	for t := range g.sessions {
		t.end(g.closing)
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
	_, _ = g.far.Close(), g.near.Close() // of listeners that are closed
	return err
}

// join counts a connection that has come in, or says why it cannot stay.
func (g *Gate) join(l *link, conn ssh.ConnMetadata) error {
	if err := g.stay(l); err != nil {
		l.log().Info("ssh: connection refused", "why", err)
		return err
	}
	g.startups.end(l)
	l.in.Store(true)
	l.late.Reset(g.cfg.Handshake)
	l.client = clean(string(conn.ClientVersion()))
	l.log().Info("ssh: came in", "as", clean(conn.User()), "client", l.client)
	go l.keepalive()
	return nil
}

// stay counts a connection if there is room for one.
func (g *Gate) stay(l *link) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	mine := 0
	for o := range g.links {
		if l.mine(o) {
			mine++
		}
	}
	switch {
	case g.closing != nil:
		return g.closing
	case len(g.links) >= 2*g.cfg.Sessions:
		return errors.New("too many connections")
	case mine >= 2*g.cfg.PerPerson:
		return errors.New("too many connections of one person")
	}
	g.links[l] = struct{}{}
	return nil
}

// part forgets a connection, and reports whether it was in.
func (g *Gate) part(l *link) (was bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, was = g.links[l]
	delete(g.links, l)
	return was
}

// wait is how long a connection that is in somebody's way has to show that there
// is somebody at its other end.
const wait = 3 * time.Second

// enter gives a session its place, or says why there is none. Connections of the
// same person that give no sign of life do not keep them out: a line that dropped
// is told by nothing else.
func (g *Gate) enter(t *Terminal) *ending {
	why, own := g.place(t)
	if own && g.clear(t.link) {
		why, _ = g.place(t)
	}
	return why
}

// place gives a session its place if there is one; own is that its person has
// all that they may have.
func (g *Gate) place(t *Terminal) (why *ending, own bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	mine := 0
	for o := range g.sessions {
		if t.link.mine(o.link) {
			mine++
		}
	}
	switch {
	case g.closing != nil:
		return g.closing, false
	case len(g.sessions) >= g.cfg.Sessions:
		return &ending{why: "no place", line: fmt.Sprintf("all %d places are taken: come back later", g.cfg.Sessions)}, false
	case mine >= g.cfg.PerPerson:
		return &ending{why: "no place for one more of them", line: fmt.Sprintf("you are in %d times already, which is all that one person may be: leave one", mine)}, true
	}
	g.count++
	t.id = g.count
	g.sessions[t] = struct{}{}
	g.at.Add(2)
	return nil, false
}

// leave is a session whose Enter has returned.
func (g *Gate) leave(t *Terminal) {
	g.vacate(func(o *Terminal) bool { return o == t })
	g.at.Done()
}

// vacate takes sessions their places.
func (g *Gate) vacate(which func(*Terminal) bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	maps.DeleteFunc(g.sessions, func(t *Terminal, _ struct{}) bool { return which(t) })
}

// mine reports whether a connection is of the same person, who came from elsewhere.
func (l *link) mine(o *link) bool {
	return !l.visitor.local && !o.visitor.local && o.visitor.name == l.visitor.name
}

// clear ends those other connections of a person at whose end nobody is any more,
// and reports whether there were some. Their places are free at once.
func (g *Gate) clear(l *link) bool {
	g.mu.Lock()
	var others []*link
	for t := range g.sessions {
		if t.link != l && l.mine(t.link) {
			others = append(others, t.link)
		}
	}
	g.mu.Unlock()
	var asking sync.WaitGroup
	var gone atomic.Bool
	for _, o := range others {
		asking.Go(func() {
			if !o.answers(wait) || o.ctx.Err() != nil {
				o.end("it gave no sign of life, and another one came")
				g.vacate(func(t *Terminal) bool { return t.link == o })
				gone.Store(true)
			}
		})
	}
	asking.Wait()
	return gone.Load()
}
