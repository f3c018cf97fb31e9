package ssh

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	gliderlabs "github.com/gliderlabs/ssh"
	"golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"
)

// Gate is a server; any number of Serve and Admit may run at once.
type Gate struct {
	cfg       Config
	far, near *gliderlabs.Server // for who comes by a key, and for who comes from this machine
	startups  *startupLimit
	ctx       context.Context // ends when it is closed
	stop      context.CancelFunc

	mu       sync.Mutex
	links    map[*sshLink]struct{}  // that are in
	sessions map[*Terminal]struct{} // those that have the app, until Enter returned
	count    uint64                 // of sessions so far
	closing  *endError              // nil while it is open
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

// ServeLocalConnection serves a connection of this machine's own user, who needs no key, until it ends. as is who they
// are, as far as that is known. That nobody else can have made the connection is for the caller to see to.
func (g *Gate) ServeLocalConnection(conn net.Conn, as string) {
	l := g.newLink(conn)
	l.visitor = visitor{name: as, local: true}
	g.near.HandleConn(l)
}

// Close ends the gate: nobody comes in, everybody there is asked to end and left with the line.
// It waits for them; when ctx ends first, connections are cut, and its error is returned.
func (g *Gate) Close(ctx context.Context, line string) error {
	g.stop()
	g.mu.Lock()
	if g.closing == nil {
		g.closing = &endError{why: "the server was closed", line: line}
	}
	for t := range g.sessions {
		t.cancelSession(g.closing)
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

// admitLink counts a connection that has come in, or says why it cannot stay.
func (g *Gate) admitLink(l *sshLink, conn ssh.ConnMetadata) error {
	if err := g.addLinkIfRoom(l); err != nil {
		l.newLinkLogger().Info("ssh: connection refused", "why", err)
		return err
	}
	g.startups.uncountStartup(l)
	l.in.Store(true)
	l.late.Reset(g.cfg.Handshake)
	l.client = cleanText(string(conn.ClientVersion()))
	l.newLinkLogger().Info("ssh: came in", "as", cleanText(conn.User()), "client", l.client)
	go l.closeWhenClientSilent()
	return nil
}

// addLinkIfRoom counts a connection if there is room for one.
func (g *Gate) addLinkIfRoom(l *sshLink) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	mine := 0
	for o := range g.links {
		if l.isSamePerson(o) {
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

// removeLink forgets a connection, and reports whether it was in.
func (g *Gate) removeLink(l *sshLink) (was bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, was = g.links[l]
	delete(g.links, l)
	return was
}

// wait is how long a connection that is in somebody's way has to show that somebody is at its other end.
const wait = 3 * time.Second

// admitSession gives a session its place, or says why there is none. Connections of the same person
// that give no sign of life do not keep them out: a line that dropped is told by nothing else.
func (g *Gate) admitSession(t *Terminal) *endError {
	why, own := g.takeSessionPlace(t)
	if own && g.closeDeadLinks(t.link) {
		why, _ = g.takeSessionPlace(t)
	}
	return why
}

// takeSessionPlace gives a session its place if there is one; own: its person has all that they may have.
func (g *Gate) takeSessionPlace(t *Terminal) (why *endError, own bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	mine := 0
	for o := range g.sessions {
		if t.link.isSamePerson(o.link) {
			mine++
		}
	}
	switch {
	case g.closing != nil:
		return g.closing, false
	case len(g.sessions) >= g.cfg.Sessions:
		return &endError{why: "no place", line: fmt.Sprintf("all %d places are taken: come back later", g.cfg.Sessions)}, false
	case mine >= g.cfg.PerPerson:
		return &endError{why: "no place for one more of them", line: fmt.Sprintf("you are in %d times already, which is all that one person may be: leave one", mine)}, true
	}
	g.count++
	t.id = g.count
	g.sessions[t] = struct{}{}
	g.at.Add(2)
	return nil, false
}

// freeSessionPlace gives a session whose Enter has returned.
func (g *Gate) freeSessionPlace(t *Terminal) {
	g.freePlacesOf(func(o *Terminal) bool { return o == t })
	g.at.Done()
}

// freePlacesOf takes sessions their places.
func (g *Gate) freePlacesOf(which func(*Terminal) bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	maps.DeleteFunc(g.sessions, func(t *Terminal, _ struct{}) bool { return which(t) })
}

// isSamePerson reports whether a connection is of the same person, who came from elsewhere.
func (l *sshLink) isSamePerson(o *sshLink) bool {
	return !l.visitor.local && !o.visitor.local && o.visitor.name == l.visitor.name
}

// closeDeadLinks ends those other connections of a person at whose end nobody is any more,
// and reports whether there were some. Their places are free at once.
func (g *Gate) closeDeadLinks(l *sshLink) bool {
	g.mu.Lock()
	var others []*sshLink
	for t := range g.sessions {
		if t.link != l && l.isSamePerson(t.link) {
			others = append(others, t.link)
		}
	}
	g.mu.Unlock()
	var asking sync.WaitGroup
	var gone atomic.Bool
	for _, o := range others {
		asking.Go(func() {
			if !o.clientAnswersKeepalive(wait) || o.ctx.Err() != nil {
				o.closeWithReason("it gave no sign of life, and another one came")
				g.freePlacesOf(func(t *Terminal) bool { return t.link == o })
				gone.Store(true)
			}
		})
	}
	asking.Wait()
	return gone.Load()
}

// roomMade is why a connection ends that was given up for another one.
const roomMade = "it made room for another one, since too many connections are not in yet"

// What one place may do before its handshakes wait, and how many lines the log
// takes of those that are not in. A handshake takes some milliseconds of a processor.
const (
	remembered     = 4096 // places of which this is kept in mind
	handshakeRate  = 20   // a second
	handshakeBurst = 300
	lineRate       = 40. / 60 // a second
	lineBurst      = 40
)

// startupLimit bounds the connections that are not in yet, as MaxStartups of OpenSSH
// does: in all, and of one place a quarter of that. Where there are too many the
// oldest makes room, so that silent ones keep nobody out.
type startupLimit struct {
	most  int
	lines *rate.Limiter // of the log

	mu      sync.Mutex
	waiting []*sshLink               // the oldest first
	places  map[string]*rate.Limiter // of handshakes
}

// delayAndCountStartup counts a connection, and holds it back when its place comes too often.
func (s *startupLimit) delayAndCountStartup(l *sshLink) {
	s.mu.Lock()
	out := s.chooseEvictedLink(l.place)
	s.waiting = append(s.waitingLinksWithout(out), l)
	s.mu.Unlock()
	if out != nil {
		out.closeWithReason(roomMade)
	}
	_ = s.limiterOfPlace(l.place).Wait(l.ctx) // of a connection that ended, the handshake says so
}

// uncountStartup gives a connection that is in, or over.
func (s *startupLimit) uncountStartup(l *sshLink) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = s.waitingLinksWithout(l)
}

// waitingLinksWithout is who waits without one of them.
func (s *startupLimit) waitingLinksWithout(l *sshLink) []*sshLink {
	return slices.DeleteFunc(s.waiting, func(o *sshLink) bool { return o == l })
}

// chooseEvictedLink chooses who makes room for one more of a place; nil when there is room.
func (s *startupLimit) chooseEvictedLink(at string) *sshLink {
	var here []*sshLink
	for _, l := range s.waiting {
		if l.place == at {
			here = append(here, l)
		}
	}
	switch {
	case len(here) >= max(1, s.most/4):
		return here[0]
	case len(s.waiting) >= s.most:
		return s.waiting[0]
	}
	return nil
}

// limiterOfPlace is the pace of a place. Should very many come, all are forgotten.
func (s *startupLimit) limiterOfPlace(at string) *rate.Limiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.places[at]
	if p == nil {
		if len(s.places) >= remembered {
			clear(s.places)
		}
		p = rate.NewLimiter(handshakeRate, handshakeBurst)
		s.places[at] = p
	}
	return p
}

// logStartup logs what became of a connection that is not in, unless such lines have filled the log.
func (g *Gate) logStartup(what string, conn net.Conn, more ...any) {
	if g.startups.lines.Allow() {
		g.cfg.Log.Info(what, append([]any{"address", conn.RemoteAddr().String()}, more...)...)
	}
}

// groupOfAddress is what an address is counted as: itself without its port, and of
// IPv6 the network of 64 bits that one customer has.
func groupOfAddress(address string) string {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return address
	}
	a := ap.Addr().Unmap()
	if a.Is6() {
		if p, err := a.WithZone("").Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}
