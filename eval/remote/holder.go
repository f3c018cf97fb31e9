package remote

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"concord/eval"
)

// Holder gives calls to workers, and takes what came of them.
//
//	Answer --publish--> queue ... result --onResult--> Answer
//	Record --commit--> settle --> acknowledgement and word
type Holder struct {
	nc      *nats.Conn
	js      jetstream.JetStream
	now     func() time.Time
	session string
	number  atomic.Uint64 // of the last call
	stop    context.CancelFunc
	watched sync.WaitGroup

	mu       sync.Mutex
	models   []string // that runs ask
	out      map[string]*unit
	answered map[eval.Key]*unit // not yet committed
	peers    map[string]*peer
	told     int // capacity, as resize knows it
	resize   func(capacity int)
	said     []string
}

// unit is a call that is out.
type unit struct {
	id     string
	key    eval.Key
	answer chan Result
	waits  []waiting
}

// waiting is who waits for the commit: the queue's message, and the worker.
type waiting struct {
	ack    string
	worker *nats.Msg
}

// NewHolder makes the queue, anew where an earlier holder left one: what it had out is
// planned again. The connection stays the caller's.
func NewHolder(ctx context.Context, nc *nats.Conn, now func() time.Time) (*Holder, error) {
	h := &Holder{
		nc: nc, now: now, session: newID(), out: make(map[string]*unit), answered: make(map[eval.Key]*unit),
		peers: make(map[string]*peer), resize: func(int) {},
	}
	var err error
	if h.js, err = jetstream.New(nc); err == nil {
		err = h.js.DeleteStream(ctx, stream)
	}
	if err == nil || errors.Is(err, jetstream.ErrStreamNotFound) {
		_, err = h.js.CreateStream(ctx, jetstream.StreamConfig{
			Name: stream, Subjects: []string{subCall}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage, Duplicates: time.Minute,
		})
	}
	if err == nil {
		err = h.boundUnacknowledged(ctx, 1)
	}
	for subject, do := range map[string]nats.MsgHandler{subHello: h.onHello, subResult: h.onResult} {
		if err == nil {
			_, err = nc.Subscribe(subject, do)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("make queue for workers: %w", err)
	}
	ctx, h.stop = context.WithCancel(context.WithoutCancel(ctx))
	h.watched.Go(func() { h.watchPeers(ctx) })
	return h, nil
}

// boundUnacknowledged has the queue give out as many calls as the workers take together,
// and as many again that wait for their commit.
func (h *Holder) boundUnacknowledged(ctx context.Context, capacity int) error {
	_, err := h.js.CreateOrUpdateConsumer(ctx, stream, jetstream.ConsumerConfig{
		Durable: h.session, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: -1,
		MaxAckPending: 2 * max(capacity, 1), MaxWaiting: 1 << 16,
	})
	return err
}

// say keeps a line for whoever shows them. The caller holds mu.
func (h *Holder) say(format string, args ...any) {
	h.said = append(h.said, fmt.Sprintf(format, args...))
}

// TakeLines takes what was said since: who came, who left, what was refused.
func (h *Holder) TakeLines() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := h.said
	h.said = nil
	return out
}

// OnCapacity has resize told what the workers take together whenever that changes.
func (h *Holder) OnCapacity(resize func(capacity int)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.resize, h.told = resize, 0
}

// Close says goodbye. Nothing is out any more: whoever was asked drops what it has.
func (h *Holder) Close(why string, done bool) {
	h.stop()
	h.watched.Wait()
	_ = h.nc.Publish(subEnd, encode(Word{Protocol: Protocol, Session: h.session, Refused: why, Done: done}))
	_ = h.nc.FlushTimeout(2 * time.Second)
}

// ask has a worker make a call, and waits for what comes of it.
func (h *Holder) ask(ctx context.Context, c Call, k eval.Key, attempt int) (r Result, err error) {
	u := &unit{id: fmt.Sprintf("%s/%v#%d.%d", h.session, k, attempt, h.number.Add(1)), key: k, answer: make(chan Result, 1)}
	c.ID, c.Session = u.id, h.session
	h.mu.Lock()
	h.out[u.id] = u
	h.mu.Unlock()
	if err = h.publish(ctx, u.id, encode(c)); err == nil {
		select {
		case r = <-u.answer:
			return r, nil
		case <-ctx.Done():
			err = fmt.Errorf("wait for a worker: %w", ctx.Err())
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.out, u.id)
	return r, err
}

// publish puts a call into the queue, and waits while that takes none. A message of an ID
// is there once, however often it is put.
func (h *Holder) publish(ctx context.Context, id string, data []byte) error {
	for {
		try, cancel := context.WithTimeout(ctx, 5*time.Second)
		_, err := h.js.Publish(try, subCall, data, jetstream.WithMsgID(id))
		cancel()
		if err == nil {
			return nil
		}
		if errors.Is(err, nats.ErrMaxPayload) {
			return &eval.Failure{Kind: eval.FailureSample, Unasked: true, Message: fmt.Sprintf("the call has %d bytes, and a message to workers %d at most", len(data), h.nc.MaxPayload())}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("give a call to workers: %w", ctx.Err())
		case <-time.After(time.Second):
		}
	}
}

// onResult takes what came of a call, once. Whoever sends it waits for the commit: an
// answer counts by its fact, a failure that may pass by none.
func (h *Holder) onResult(m *nats.Msg) {
	var r Result
	err := decode(m.Data, &r)
	h.mu.Lock()
	if err != nil {
		h.say("a worker's result is refused: %v", err)
		r = Result{} // not even its place in the queue
	}
	u := h.out[r.ID]
	if u == nil {
		h.mu.Unlock()
		h.acknowledge(r.Ack)
		h.answer(m, Word{Refused: errorText(err), Unknown: true})
		return
	}
	u.waits = append(u.waits, waiting{r.Ack, m})
	if h.answered[u.key] != u {
		h.answered[u.key] = u
		u.answer <- r
	}
	h.mu.Unlock()
	if r.Failure != nil && r.Failure.Kind != eval.FailureSample {
		h.settle(u.key)
	}
}

// settle says that a call is over: its fact is committed, or there is none to be.
func (h *Holder) settle(k eval.Key) {
	h.mu.Lock()
	u := h.answered[k]
	delete(h.answered, k)
	if u != nil {
		delete(h.out, u.id)
	}
	h.mu.Unlock()
	if u == nil {
		return // this process asked it
	}
	for _, w := range u.waits {
		h.acknowledge(w.ack)
		h.answer(w.worker, Word{})
	}
}

// acknowledge has the queue forget a message. The subject is a worker's word.
func (h *Holder) acknowledge(subject string) {
	if strings.HasPrefix(subject, "$JS.ACK.") {
		_ = h.nc.Publish(subject, []byte("+ACK"))
	}
}

func (h *Holder) answer(m *nats.Msg, w Word) {
	w.Protocol, w.Session = Protocol, h.session
	_ = m.Respond(encode(w)) // whoever hears nothing asks again
}

// Recorder records facts, and then has whoever answered drop what it kept.
type Recorder struct {
	eval.Recorder
	Holder *Holder
}

// Record records a fact.
func (r Recorder) Record(ctx context.Context, f eval.Fact) error {
	err := r.Recorder.Record(ctx, f)
	if err == nil || errors.Is(err, eval.ErrRecorded) {
		r.Holder.settle(f.Prediction.Key)
	}
	return err
}
