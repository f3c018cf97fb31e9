package main

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"sync"
	"time"

	"concord/annotate"
	"concord/cmd/concord/gate"
	"concord/eval"
	"concord/store"
	"concord/tui"
)

// host is where the process that holds a project lets others in: into the hall
// of its own screen, or into one that it opens for them.
//
//	socket --attach--> gate --Terminal--> reception --visit--> hall
//	ssh ---------------^
type host struct {
	app    *app
	st     *store.Store
	ctx    context.Context
	guests annotate.Role // of who is let in and has no role in the project; unset: nobody is
	look   time.Duration // how often it is looked whether a guest's role has changed

	mu   sync.Mutex
	hall *hall
	gate *gate.Gate
	over bool
}

// attach is what another process on this machine asks for: a session of its
// own.
type attach struct {
	As      annotate.Annotator `json:"as,omitempty"`
	Tab     tui.Tab            `json:"tab,omitempty"`
	Queue   annotate.QueueName `json:"queue,omitempty"`
	Pairs   bool               `json:"pairs,omitempty"`
	Dataset eval.DatasetName   `json:"dataset,omitempty"`
}

// listen lets others into a project that this process has opened.
func listen(ctx context.Context, a *app, st *store.Store) guests { return newHost(ctx, a, st) }

// hostOf is where others are let into the project; nil where this process does
// not hold it.
func hostOf(a *app) *host {
	h, _ := a.guests.(*host)
	return h
}

func newHost(ctx context.Context, a *app, st *store.Store) *host {
	return &host{app: a, st: st, ctx: ctx, look: roleLook}
}

// open opens the hall for this process's own screen, which closes it.
func (h *host) open(b *lab, begin func(*starter) error) (*hall, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return nil, errClosing
	}
	if h.hall != nil { // somebody was quicker
		if begin != nil {
			return h.hall, begin(h.hall.starter)
		}
		return h.hall, nil
	}
	one, err := openHall(h.ctx, h.app, h.st, b, begin)
	if err != nil {
		return nil, err
	}
	one.guests, one.look = h.guests, h.look
	h.hall = one
	return one, nil
}

// enter is the hall, opened where there is none yet.
func (h *host) enter() (*hall, error) { return h.open(nil, nil) }

// errClosing is said to who comes in while the process ends.
var errClosing = errors.New("the project is being closed")

// keep makes a gate the one that others of this machine come in by, too.
func (h *host) keep(g *gate.Gate) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gate = g
}

// doors is the gate, made where nobody has come in yet.
func (h *host) doors() (*gate.Gate, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.gate == nil {
		g, err := gate.New(gate.Config{Enter: h.receive, Idle: -1, Log: h.app.log})
		if err != nil {
			return nil, err
		}
		h.gate = g
	}
	return h.gate, nil
}

// Admit lets another process of this user in.
func (h *host) Admit(conn net.Conn, what json.RawMessage) error {
	g, err := h.doors()
	if err != nil {
		return err
	}
	if _, err := conn.Write([]byte{frameReady}); err != nil {
		return err
	}
	g.Admit(conn, string(what))
	return nil
}

// inside is where people are at work; nil while nobody has come.
func (h *host) inside() *hall {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.hall
}

// Changed tells those who are at work of what a command has changed.
func (h *host) Changed() error {
	one := h.inside()
	if one == nil {
		return nil
	}
	for _, q := range one.floor.Queues() {
		away, err := h.st.Packets().Away(q)
		if err != nil {
			return err
		}
		one.floor.Away(q, away)
	}
	one.facts.mark()
	return nil
}

// leaving is how long sessions have to end when the process does.
const leaving = 15 * time.Second

// closed is the line that sessions are left with when the process ends that
// they were in.
const closed = "the process that held the project has ended; everything saved is there: the same command goes on"

// Close ends all other sessions, and the hall.
func (h *host) Close() error {
	h.mu.Lock()
	g, one := h.gate, h.hall
	h.over = true
	h.mu.Unlock()
	var err error
	if g != nil {
		ctx, cancel := context.WithTimeout(context.Background(), leaving)
		defer cancel()
		err = g.Close(ctx, closed)
	}
	if one != nil {
		err = errors.Join(err, one.close())
	}
	h.mu.Lock()
	h.hall = nil
	h.mu.Unlock()
	return err
}
