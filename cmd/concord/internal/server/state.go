package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/assign"
	"concord/annotate/blind"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/jobs/judging"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/unsaved"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/store"
	"concord/tui/widget"
)

// State is what everybody shares who works on an open project: the runs, who sits at which queue, what
// may be seen. Each session (Connection) comes in, and leaves before the state is closed.
//
//	Connection --deps--> State --> Scheduler, Pool, policies, store
//	      <--facts, moves-- (one-slot marks)
type State struct {
	app       *project.Project
	st        *store.Store
	scheduler *jobs.Scheduler
	cancel    context.CancelFunc // of the runs
	Pool      *assign.Pool
	rulings   *assign.Pool // of those who adjudicate
	policies  *blind.Policies
	judges    *judging.Control
	guests    annotate.Role // of who has none in the project
	look      time.Duration // how often it is looked whether a guest's role has changed
	warn      func(string)  // nil: a screen is before it
	cache     *widget.ImageCache
	turns     chan struct{} // of reading ahead
	recounts  *view.Recounts
	facts     markHub // facts have changed
	moves     markHub // somebody has sat down, moved on or left
	watched   sync.WaitGroup

	mu     sync.Mutex
	visits []*Connection
	came   uint64                           // sessions so far
	left   map[annotate.Annotator]time.Time // when somebody's last session ended
	kept   []error                          // guests' acts that were not saved
}

// OpenState opens it on a project, and starts what is to run already.
func OpenState(ctx context.Context, a *project.Project, st *store.Store, b *jobs.Factory, begin func(*jobs.Scheduler) error) (*State, error) {
	runs, cancel := context.WithCancel(ctx)
	s := jobs.NewScheduler(runs, a, st, b)
	if begin != nil {
		if err := begin(s); err != nil {
			cancel()
			return nil, errors.Join(err, s.WaitForRuns()) // those that were started before it failed
		}
	}
	h := &State{app: a, st: st, scheduler: s, cancel: cancel, policies: view.NewPolicies(st), judges: judging.NewControl(s), cache: widget.NewImageCache(), turns: make(chan struct{}, 1)}
	h.left = make(map[annotate.Annotator]time.Time)
	h.Pool = assign.NewPool(st.Leases(), a.Now, h.notifyQueueWork)
	h.rulings = assign.NewPool(nil, a.Now, h.notifyQueueWork)
	h.watched.Go(func() { h.markChangesUntilDone(runs) })
	h.recounts = &view.Recounts{Store: st, Start: func(count func(context.Context)) { h.watched.Go(func() { count(runs) }) }, Done: h.facts.notifyListeners}
	s.SetErrorDisplay(func(err error) { h.sendToOwners(newTroubleNotice(err)) })
	return h, nil
}

// leaseLook is how often it is looked whether a lease has run out.
const leaseLook = 10 * time.Second

// markChangesUntilDone passes on what the runs and the clock bring.
func (h *State) markChangesUntilDone(ctx context.Context) {
	tick := time.NewTicker(leaseLook)
	defer tick.Stop()
	for {
		select {
		case <-h.scheduler.ChangeMarks():
			h.facts.notifyListeners()
		case <-tick.C:
			h.scheduler.AdoptNewQueues() // queue create may have been done for another process
			if len(h.Connections()) > 1 {
				h.moves.notifyListeners()
			}
		case <-ctx.Done():
			return
		}
	}
}

// notifyQueueWork passes on what somebody did in a queue.
func (h *State) notifyQueueWork(said bool) {
	if said {
		h.facts.notifyListeners()
		return
	}
	h.moves.notifyListeners()
}

// Close ends the runs and waits for them. Nobody is connected any more.
func (h *State) Close() error {
	h.cancel()
	h.watched.Wait()
	h.mu.Lock()
	kept := errors.Join(h.kept...)
	h.mu.Unlock()
	return errors.Join(kept, h.scheduler.WaitForRuns(), h.Pool.Close(), h.rulings.Close())
}

// newTroubleNotice gives what the screen says of a queue that cannot grow.
func newTroubleNotice(err error) widget.Notify {
	if err == nil {
		return widget.Notify{Level: widget.Info, Text: "the queue grows again"}
	}
	return widget.Notify{Level: widget.Problem, Text: err.Error() + " (tried again every few seconds)"}
}

func (h *State) addConnection(v *Connection) {
	h.mu.Lock()
	h.came++
	v.id = h.came
	h.visits = append(h.visits, v)
	h.mu.Unlock()
	h.moves.notifyListeners()
}

// removeConnection lets one go.
func (h *State) removeConnection(v *Connection) {
	h.mu.Lock()
	h.visits = slices.DeleteFunc(h.visits, func(o *Connection) bool { return o == v })
	h.left[v.annotator()] = h.app.Now()
	h.mu.Unlock()
	h.moves.notifyListeners()
}

// Connections are the sessions of now.
func (h *State) Connections() []*Connection {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.visits)
}

// sendToOwners has the sessions take a message of those who can act on it, and may know what runs do.
func (h *State) sendToOwners(msg tea.Msg) {
	for _, v := range h.Connections() {
		if v.isOwner() {
			v.sendToScreen(msg)
		}
	}
}

// AwaitActsStored waits until what somebody did in a queue is stored, in whichever of their sessions.
func (h *State) AwaitActsStored(ctx context.Context, q annotate.QueueName, who annotate.Annotator) error {
	var all error
	for _, v := range h.Connections() {
		all = errors.Join(all, v.Saved.Journal.SyncStream(ctx, q, who))
	}
	return all
}

// markHub passes marks on to everybody who listens, each by a slot of their own: a
// slow one holds nobody up, and sees the newest state.
type markHub struct {
	mu    sync.Mutex
	slots map[chan struct{}]struct{}
}

func (h *markHub) addMarkListener() (<-chan struct{}, func()) {
	slot := make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	eval.EnsureMap(&h.slots)[slot] = struct{}{}
	return slot, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.slots, slot)
	}
}

func (h *markHub) notifyListeners() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for slot := range h.slots {
		select {
		case slot <- struct{}{}:
		default:
		}
	}
}

// writeUnsavedActs keeps what the session's writers could not store, once they have
// ended, and says where; nil when all is stored.
func (v *Connection) writeUnsavedActs() error {
	left := unsaved.Acts{Queues: v.Saved.Journal.WaitingActs(), Criteria: v.Saved.Criteria.WaitingActs(), Curation: v.Saved.Curation.WaitingActs()}
	if left.Len() == 0 {
		return nil
	}
	a := v.shared.app
	further, err := cli.StateFolder()
	if err != nil {
		further = ""
	}
	path, err := unsaved.WriteActsBeside(a.Path, further, &left, a.Now())
	if err != nil {
		return err
	}
	a.Log.Warn("acts not saved", "acts", left.Len(), "kept", path)
	kept := keptError{left.Len(), path}
	if v.guest != nil {
		v.shared.warnOfUnsaved(fmt.Errorf("of %s, who has left, %w", cmp.Or(v.annotator(), "somebody without a name"), kept))
	}
	return kept
}

// warnOfUnsaved is told of a guest's acts that were not saved: whoever ends the process
// learns of them, or whoever serves, at once. The guest may be gone already.
func (h *State) warnOfUnsaved(err error) {
	if h.warn != nil {
		h.warn(err.Error())
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kept = append(h.kept, err)
}

// keptError says where acts are that were not saved.
type keptError struct {
	acts int
	path string
}

func (e keptError) Error() string {
	return fmt.Sprintf("%s not saved, and kept in %s: concord import unsaved %s takes them in once the project is there again",
		cli.FormatCountOf(e.acts, "act was", "acts were"), e.path, cli.QuoteForShell(e.path))
}
