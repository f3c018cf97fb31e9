package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/store"
	"concord/tui/widget"
)

// hall is what everybody shares who works on an open project: the runs, who
// sits at which queue, what may be seen. Each session (visit) comes in, and
// leaves before the hall is closed.
//
//	visit --deps--> hall --> starter, floor, veils, store
//	      <--facts, moves-- (one-slot marks)
type hall struct {
	app     *app
	st      *store.Store
	starter *starter
	cancel  context.CancelFunc // of the runs
	floor   *annotate.Pool
	veils   *annotate.VisibilityPolicies
	judges  *arbiter
	guests  annotate.Role // of who has none in the project
	look    time.Duration // how often it is looked whether a guest's role has changed
	album   *widget.Album
	turns   chan struct{} // of reading ahead
	facts   hub           // facts have changed
	moves   hub           // somebody has sat down, moved on or left
	watched sync.WaitGroup

	mu     sync.Mutex
	visits []*visit
	came   uint64                           // sessions so far
	left   map[annotate.Annotator]time.Time // when somebody's last session ended
}

// openHall opens it on a project, and starts what is to run already.
func openHall(ctx context.Context, a *app, st *store.Store, b *lab, begin func(*starter) error) (*hall, error) {
	runs, cancel := context.WithCancel(ctx)
	s := newStarter(runs, a, st, b)
	if begin != nil {
		if err := begin(s); err != nil {
			cancel()
			return nil, errors.Join(err, s.stop()) // those that were started before it failed
		}
	}
	h := &hall{app: a, st: st, starter: s, cancel: cancel, veils: newVeils(st), judges: newArbiter(s), album: widget.NewAlbum(), turns: make(chan struct{}, 1)}
	h.left = make(map[annotate.Annotator]time.Time)
	h.floor = annotate.NewPool(st.Leases(), a.now, h.moved)
	h.watched.Go(func() { h.watch(runs) })
	s.onTrouble(func(err error) { h.tellOwners(trouble(err)) })
	return h, nil
}

// leaseLook is how often it is looked whether a lease has run out.
const leaseLook = 10 * time.Second

// watch passes on what the runs and the clock bring.
func (h *hall) watch(ctx context.Context) {
	tick := time.NewTicker(leaseLook)
	defer tick.Stop()
	for {
		select {
		case <-h.starter.Changed():
			h.facts.mark()
		case <-tick.C:
			h.starter.adopt() // queue create may have been done for another process
			if len(h.here()) > 1 {
				h.moves.mark()
			}
		case <-ctx.Done():
			return
		}
	}
}

// moved passes on what somebody did in a queue.
func (h *hall) moved(said bool) {
	if said {
		h.facts.mark()
		return
	}
	h.moves.mark()
}

// close ends the runs and waits for them. Nobody is in the hall any more.
func (h *hall) close() error {
	h.cancel()
	h.watched.Wait()
	return errors.Join(h.starter.stop(), h.floor.Close())
}

// trouble is what the screen says of a queue that cannot grow.
func trouble(err error) widget.Notify {
	if err == nil {
		return widget.Notify{Level: widget.Info, Text: "the queue grows again"}
	}
	return widget.Notify{Level: widget.Problem, Text: err.Error() + " (tried again every few seconds)"}
}

// enter takes a session in.
func (h *hall) enter(v *visit) {
	h.mu.Lock()
	h.came++
	v.id = h.came
	h.visits = append(h.visits, v)
	h.mu.Unlock()
	h.moves.mark()
}

// leave lets one go.
func (h *hall) leave(v *visit) {
	h.mu.Lock()
	h.visits = slices.DeleteFunc(h.visits, func(o *visit) bool { return o == v })
	h.left[v.worker()] = h.app.now()
	h.mu.Unlock()
	h.moves.mark()
}

// here are the sessions of now.
func (h *hall) here() []*visit {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.visits)
}

// tellOwners has the sessions take a message of those who can do something
// about it, and may know what the runs do.
func (h *hall) tellOwners(msg tea.Msg) {
	for _, v := range h.here() {
		if v.owns() {
			v.send(msg)
		}
	}
}

// sync waits until what somebody did in a queue is stored, in whichever of
// their sessions.
func (h *hall) sync(ctx context.Context, q annotate.QueueName, who annotate.Annotator) error {
	var all error
	for _, v := range h.here() {
		all = errors.Join(all, v.saved.journal.Sync(ctx, q, who))
	}
	return all
}
