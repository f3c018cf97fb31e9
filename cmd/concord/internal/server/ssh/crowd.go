package ssh

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

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
