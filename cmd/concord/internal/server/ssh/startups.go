package ssh

import (
	"net"
	"net/netip"
	"slices"
	"sync"

	"golang.org/x/time/rate"
)

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

func newStartups(most int) *startupLimit {
	return &startupLimit{most: most, lines: rate.NewLimiter(lineRate, lineBurst), places: make(map[string]*rate.Limiter)}
}

// beginStartup counts a connection, and holds it back when its place comes too often.
func (s *startupLimit) beginStartup(l *sshLink) {
	s.mu.Lock()
	out := s.chooseEvicted(l.place)
	s.waiting = append(s.waitingWithout(out), l)
	s.mu.Unlock()
	if out != nil {
		out.closeFor(roomMade)
	}
	_ = s.limiterOf(l.place).Wait(l.ctx) // of a connection that ended, the handshake says so
}

// endStartup gives a connection that is in, or over.
func (s *startupLimit) endStartup(l *sshLink) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = s.waitingWithout(l)
}

// waitingWithout is who waits without one of them.
func (s *startupLimit) waitingWithout(l *sshLink) []*sshLink {
	return slices.DeleteFunc(s.waiting, func(o *sshLink) bool { return o == l })
}

// chooseEvicted chooses who makes room for one more of a place; nil when there is room.
func (s *startupLimit) chooseEvicted(at string) *sshLink {
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

// limiterOf is the pace of a place. Should very many come, all are forgotten.
func (s *startupLimit) limiterOf(at string) *rate.Limiter {
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

// logStartup logs what became of a connection that is not in, unless such lines have
// filled the log already.
func (g *Gate) logStartup(what string, conn net.Conn, more ...any) {
	if g.startups.lines.Allow() {
		g.cfg.Log.Info(what, append([]any{"address", conn.RemoteAddr().String()}, more...)...)
	}
}

// addressGroup is what an address is counted as: itself without its port, and of
// IPv6 the network of 64 bits that one customer has.
func addressGroup(address string) string {
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
