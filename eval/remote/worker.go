package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"concord/eval"
)

// WorkerOptions are who a worker is, and whom it asks.
type WorkerOptions struct {
	Name     string
	Endpoint string        // the address that it asks, for facts and messages
	Capacity int           // concurrency
	Once     bool          // it leaves with the run
	Patience time.Duration // with Once: for how long the holder that it had may be away
	Say      func(string)

	Models  func(ctx context.Context) []string // that the endpoint has; nothing where it does not say
	Chatter func(c *Call) (eval.Chatter, error)
}

type worker struct {
	WorkerOptions
	id      string
	shelf   shelf
	nc      *nats.Conn
	js      jetstream.JetStream
	leave   context.CancelCauseFunc
	working sync.WaitGroup

	mu      sync.Mutex
	session string
	project string             // whose run it is
	over    bool               // a run of that project is done, and the session's holder has not answered since
	end     context.CancelFunc // of the session
	held    map[string]jetstream.Msg
	health  health
}

var errDone = errors.New("the run is done")

// ServeCallsUntilEnd asks until ctx ends, or the run does where Once is set. A holder that is away is
// waited for; one that refuses the worker ends it.
func ServeCallsUntilEnd(ctx context.Context, nc *nats.Conn, o WorkerOptions) error {
	w := &worker{WorkerOptions: o, id: randomID(), shelf: shelf{most: 256 << 20}, nc: nc, held: make(map[string]jetstream.Msg), end: func() {}}
	w.health.taking, w.health.stop = context.WithCancel(context.Background())
	ctx, w.leave = context.WithCancelCause(ctx)
	defer w.leave(nil)
	var err error
	if w.js, err = jetstream.New(nc); err == nil {
		_, err = nc.Subscribe(subEnd, w.handleRunEnd)
	}
	if err != nil {
		return fmt.Errorf("join: %w", cmp.Or(context.Cause(ctx), err)) // a holder that refuses it closes the connection
	}
	w.sendHeartbeats(ctx)
	session := w.currentSession()
	w.switchSession(ctx, "")
	w.working.Wait()
	if err = context.Cause(ctx); errors.Is(err, errDone) {
		err = nil
	}
	if session != "" {
		bye := w.makeHello(session, nil)
		bye.Leaving, bye.Last = true, errorText(err)
		_, _ = nc.Request(formatSubject(session, "hello"), encodeMessage(bye), time.Second) // it is missed without, too
	}
	return err
}

// sendHeartbeats says hello every beat, and now and then that the calls are still under way.
func (w *worker) sendHeartbeats(ctx context.Context) {
	var models []string
	waits := false    // it was said that there is no holder
	var had time.Time // a holder, last
	for n := 0; ctx.Err() == nil; n++ {
		if n%30 == 0 { // its endpoint may have others by now
			models = w.Models(ctx)
		}
		if w.sayHello(ctx, w.currentSession(), models) {
			waits, had = false, time.Now()
		} else {
			found := w.findSession(ctx, models)
			switch {
			case found.Refused != "":
				w.leave(errors.New("the holder refuses this worker: " + found.Refused))
			case found.Session != "":
				had = time.Now()
				w.takeUpSession(ctx, found)
				w.sayHello(ctx, found.Session, models)
			case w.Once && w.hasRunEnded():
				w.leave(errDone)
			case w.Once && !had.IsZero() && time.Since(had) > w.Patience:
				w.leave(fmt.Errorf("no holder answers for %v", w.Patience))
			case !waits && ctx.Err() == nil:
				w.Say("no holder answers: waiting for one (Ctrl-C stops)")
			}
			waits = found.Session == ""
		}
		w.mu.Lock()
		for _, held := range w.held {
			if n%3 == 0 {
				_ = held.InProgress() // said again
			}
		}
		w.mu.Unlock()
		soon, cancel := context.WithTimeout(ctx, beat)
		if w.nc.IsConnected() {
			<-soon.Done()
		} else {
			_ = AwaitConnection(soon, w.nc) // a holder that comes is greeted at once
		}
		cancel()
	}
}

// sayHello says hello to the holder of a session, and reports whether that answers.
func (w *worker) sayHello(ctx context.Context, session string, models []string) bool {
	if session == "" {
		return false
	}
	was := w.hasRunEnded()
	m, err := w.requestReply(ctx, beat, formatSubject(session, "hello"), encodeMessage(w.makeHello(session, models)))
	if err != nil {
		return false
	}
	if in := readWord(m.Data); in.Refused != "" {
		w.leave(errors.New("the holder refuses this worker: " + in.Refused))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = w.over && !was // what came meanwhile is newer than the answer
	return true
}

// findSession finds the session of a holder that takes this worker; "" for none, with why where
// all that answer refuse it.
func (w *worker) findSession(ctx context.Context, models []string) (found Word) {
	inbox := w.nc.NewRespInbox()
	words, err := w.nc.SubscribeSync(inbox)
	if err != nil {
		return found
	}
	defer func() { _ = words.Unsubscribe() }()
	ctx, cancel := context.WithTimeout(ctx, beat)
	defer cancel()
	err = w.nc.PublishRequest(subSeek, inbox, encodeMessage(w.makeHello("", models)))
	for err == nil {
		var m *nats.Msg
		if m, err = words.NextMsgWithContext(ctx); err == nil {
			if found = readWord(m.Data); found.Refused == "" {
				return found
			}
		}
	}
	found.Session = ""
	return found
}

// readWord reads what a holder says of a worker.
func readWord(data []byte) (in Word) {
	err := decodeMessage(data, &in)
	in.Refused = cmp.Or(errorText(err), explainOtherProtocol("the holder", in.Protocol), in.Refused)
	return in
}

func (w *worker) requestReply(ctx context.Context, patience time.Duration, subject string, data []byte) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return w.nc.RequestWithContext(ctx, subject, data)
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func (w *worker) makeHello(session string, models []string) Hello {
	w.health.mu.Lock()
	defer w.health.mu.Unlock()
	w.health.listed = w.health.listed || len(models) > 0
	return Hello{
		Protocol: Protocol, Session: session, ID: w.id, Name: w.Name, Endpoint: w.Endpoint, Capacity: w.Capacity, Models: models,
		Away: w.health.why, Back: w.health.back,
	}
}

// takeUpSession takes calls of a session, unless it does already.
func (w *worker) takeUpSession(ctx context.Context, found Word) {
	if w.currentSession() == found.Session {
		return
	}
	w.Say(fmt.Sprintf("joined: asking %s, concurrency %d", w.Endpoint, w.Capacity))
	ctx = w.switchSession(ctx, found.Session)
	w.mu.Lock()
	w.project, w.over = found.Project, false
	w.mu.Unlock()
	s := &sitting{worker: w, in: found.Session}
	for range w.Capacity {
		w.working.Go(func() { s.takeCallsOrTry(ctx) })
	}
}

func (w *worker) hasRunEnded() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.over
}

func (w *worker) currentSession() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.session
}

// switchSession takes up a session, "" for none; the calls of the one before go back.
func (w *worker) switchSession(ctx context.Context, session string) context.Context {
	ctx, end := context.WithCancel(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end()
	w.session, w.end = session, end
	return ctx
}

func (w *worker) handleRunEnd(m *nats.Msg) {
	var in Word
	if decodeMessage(m.Data, &in) != nil || in.Session == "" {
		return
	}
	if w.currentSession() != in.Session { // its holder may have been killed, and this is the next one
		w.mu.Lock()
		defer w.mu.Unlock()
		w.over = w.over || in.Done && in.Project == w.project && w.project != ""
		return
	}
	w.Say("the holder has left: " + in.Refused)
	w.switchSession(context.Background(), "")
	if w.Once {
		w.leave(eval.Either(in.Done, errDone, errors.New("the holder stops before the run is done: "+in.Refused)))
	}
}

// makeCallAndDeliver makes a call. What came of it is kept until its fact is committed, while the next one is taken.
func (w *sitting) makeCallAndDeliver(ctx context.Context, m jetstream.Msg) {
	var c Call
	err := decodeMessage(m.Data(), &c)
	if err != nil || c.Session != w.in {
		w.Say(fmt.Sprintf("a call is dropped that is none of this session: %v", err))
		_ = m.Term()
		return
	}
	w.mu.Lock()
	w.held[c.ID] = m
	w.mu.Unlock()
	r := Result{ID: c.ID, Worker: w.id, Name: w.Name, Endpoint: w.Endpoint, Ack: m.Reply()}
	chatter, err := w.Chatter(&c)
	if err == nil {
		err = w.fetchImages(ctx, &c)
	}
	if err == nil {
		began := time.Now()
		r.Reply, err = chatter.Chat(ctx, c.Chat)
		r.Reply.Latency = time.Since(began)
	}
	if r.Failure = eval.FailureOfError(err); r.Failure != nil && ctx.Err() != nil || w.noteCallOutcome(&r, m) {
		w.forgetOrReturnCall(ctx, c.ID, true)
	} else {
		w.working.Go(func() { w.forgetOrReturnCall(ctx, c.ID, !w.deliverResult(ctx, &r)) })
	}
}

// forgetOrReturnCall forgets a call; one that goes back is out again soon. From a worker that leaves it goes
// back once that takes no calls any more: it would be given the same one.
func (w *sitting) forgetOrReturnCall(ctx context.Context, id string, back bool) {
	soon := tryFirst
	if ctx.Err() != nil {
		w.pulls.Lock()
		defer w.pulls.Unlock()
		soon = 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if m := w.held[id]; m != nil && back {
		_ = m.NakWithDelay(soon) // else it is out again once nobody says that it is under way
	}
	delete(w.held, id)
}

// deliverResult gives a result to the holder until that has committed it, or wants it no more. It
// reports false where the call is to be made again.
func (w *sitting) deliverResult(ctx context.Context, r *Result) bool {
	data := encodeMessage(r)
	if most := int(w.nc.MaxPayload()); len(data) > most {
		r.Failure = newTooLargeFailure("the reply", len(data), most)
		r.Reply = eval.Reply{Usage: r.Reply.Usage, Latency: r.Reply.Latency}
		w.Say(r.Failure.Message)
		data = encodeMessage(r)
	}
	until, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(beat, cancel) })()
	for ; until.Err() == nil; sleep(until, beat/4) {
		var in Word
		m, err := w.requestReply(until, ackWait/2, formatSubject(w.in, "result"), data)
		if err != nil || decodeMessage(m.Data, &in) != nil {
			continue
		}
		if in.Refused != "" {
			w.Say("the holder refuses a result, and the call is made again: " + in.Refused)
		} else if in.Unknown {
			w.Say("a result is dropped: the holder does not wait for it any more")
		}
		return in.Refused == ""
	}
	return false
}
