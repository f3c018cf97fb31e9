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
