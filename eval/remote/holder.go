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
//	Answer --publish--> queue ... result --takeResultOnce--> Answer
//	Record --commit--> settle --> acknowledgement and word
type Holder struct {
	nc      *nats.Conn
	js      jetstream.JetStream
	now     func() time.Time
	project string // the hash of a name that no other one of the cluster has
	session string
	number  atomic.Uint64 // of the last call
	subs    []*nats.Subscription
	closed  <-chan struct{}
	stop    context.CancelFunc
	watched sync.WaitGroup

	mu       sync.Mutex
	models   []string // that runs ask
	out      map[string]*unit
	answered map[eval.Key]*unit // not yet committed
	lent     map[string]*lent   // by hash
	peers    map[string]*peer
	told     int // capacity, as resize knows it
	resize   func(capacity int)
	said     []string
	stuck    string // why the queue takes no call
	waits    bool   // it was said that no worker's endpoint answers
}

// unit is a call that is out.
type unit struct {
	id     string
	key    eval.Key
	data   []byte
	images []Image
	answer chan Result
	waits  []waiting
}

// waiting is who waits for the commit: the queue's message, and the worker.
type waiting struct {
	ack    string
	worker *nats.Msg
}

// NewHolder makes the queue of a session, and removes those that killed holders left. The
// connection stays the caller's.
func NewHolder(ctx context.Context, nc *nats.Conn, project string, now func() time.Time) (*Holder, error) {
	h := &Holder{
		nc: nc, project: hashBytes([]byte(project)), now: now, session: randomID(), out: make(map[string]*unit), answered: make(map[eval.Key]*unit),
		lent: make(map[string]*lent), peers: make(map[string]*peer), resize: func(int) {},
	}
	var err error
	if h.js, err = jetstream.New(nc); err == nil {
		h.removeAbandonedQueues(ctx)
		err = h.createCallQueue(ctx)
	}
	for at, do := range map[string]nats.MsgHandler{
		subSeek: h.admitOrRefuseWorker, formatSubject(h.session, "hello"): h.admitOrRefuseWorker, formatSubject(h.session, "result"): h.takeResultOnce, formatSubject(h.session, "image"): h.sendImagePiece,
	} {
		if err == nil {
			var s *nats.Subscription
			s, err = nc.Subscribe(at, do)
			h.subs = append(h.subs, s)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("make queue for workers: %w", err)
	}
	_ = nc.FlushTimeout(beat) // else another holder could refuse a worker before this one hears of it
	ctx, h.stop = context.WithCancel(context.WithoutCancel(ctx))
	h.closed = ctx.Done()
	h.watched.Go(func() { h.followCapacity(ctx) })
	return h, nil
}

// removeAbandonedQueues removes the queues whose holders are gone. One that is only away makes its queue anew.
func (h *Holder) removeAbandonedQueues(ctx context.Context) {
	for name := range h.js.StreamNames(ctx).Name() {
		if session, ours := strings.CutPrefix(name, streamPrefix); ours {
			if _, err := h.nc.Request(formatSubject(session, "image"), nil, time.Second); errors.Is(err, nats.ErrNoResponders) {
				_ = h.js.DeleteStream(ctx, name)
			}
		}
	}
}

func (h *Holder) createCallQueue(ctx context.Context) error {
	_, err := h.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: streamPrefix + h.session, Subjects: []string{formatSubject(h.session, "call")}, Retention: jetstream.WorkQueuePolicy,
		Storage: jetstream.MemoryStorage, Duplicates: time.Minute,
	})
	h.mu.Lock()
	told := h.told
	h.mu.Unlock()
	if err == nil {
		err = h.boundUnacknowledged(ctx, told)
	}
	return err
}

// keepQueueAlive makes the queue anew, with the calls that are out, where the cluster lost it by a restart.
func (h *Holder) keepQueueAlive(ctx context.Context) {
	if _, err := h.js.Stream(ctx, streamPrefix+h.session); !errors.Is(err, jetstream.ErrStreamNotFound) || h.createCallQueue(ctx) != nil {
		return
	}
	h.mu.Lock()
	var again []*unit
	for _, u := range h.out {
		if h.answered[u.key] != u {
			again = append(again, u)
		}
	}
	h.noteLine("the cluster has lost the queue: it is made anew, with %d calls", len(again))
	h.mu.Unlock()
	for _, u := range again {
		h.watched.Go(func() { _ = h.publishCall(ctx, u) }) // until ctx ends
	}
}

// boundUnacknowledged has the queue give out as many calls as the workers take together,
// and as many again that wait for their commit.
func (h *Holder) boundUnacknowledged(ctx context.Context, capacity int) error {
	_, err := h.js.CreateOrUpdateConsumer(ctx, streamPrefix+h.session, jetstream.ConsumerConfig{
		Durable: h.session, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: -1,
		MaxAckPending: 2 * max(capacity, 1), MaxWaiting: 1 << 16,
	})
	return err
}

// noteLine keeps a line for whoever shows them. The caller holds mu.
func (h *Holder) noteLine(format string, args ...any) {
	h.said = append(h.said, fmt.Sprintf(format, args...))
}

// NoteLine keeps a line for whoever shows them.
func (h *Holder) NoteLine(line string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.noteLine("%s", line)
}

// TakeLines takes what was said since: who came, who left, what was refused.
func (h *Holder) TakeLines() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := h.said
	h.said = nil
	return out
}

// SetResize has resize told what the workers take together whenever that changes.
func (h *Holder) SetResize(resize func(capacity int)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.resize, h.told = resize, 0
}

// Close says goodbye, and removes the queue. Nothing is out any more: whoever was asked drops what it has.
func (h *Holder) Close(why string, done bool) {
	select {
	case <-h.closed:
		return
	default:
	}
	h.stop()
	h.watched.Wait()
	for _, s := range h.subs {
		_ = s.Unsubscribe()
	}
	_ = h.nc.Publish(subEnd, encodeMessage(Word{Protocol: Protocol, Session: h.session, Project: h.project, Refused: why, Done: done}))
	ctx, cancel := context.WithTimeout(context.Background(), beat)
	defer cancel()
	_ = h.js.DeleteStream(ctx, streamPrefix+h.session) // else the next holder does
}

// Closed is closed with the holder.
func (h *Holder) Closed() <-chan struct{} { return h.closed }

// askWorker has a worker make a call, and waits for what comes of it.
func (h *Holder) askWorker(ctx context.Context, c Call, k eval.Key, attempt int) (r Result, err error) {
	u := &unit{id: fmt.Sprintf("%s/%v#%d.%d", h.session, k, attempt, h.number.Add(1)), key: k, answer: make(chan Result, 1)}
	c.ID, c.Session = u.id, h.session
	h.mu.Lock()
	h.lendImages(&c)
	u.data, u.images = encodeMessage(c), c.Images
	h.out[u.id] = u
	h.mu.Unlock()
	if err = h.publishCall(ctx, u); err == nil {
		select {
		case r = <-u.answer:
			return r, nil
		case <-ctx.Done():
			err = fmt.Errorf("wait for a worker: %w", ctx.Err())
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dropCallAndImages(u)
	return r, err
}

// publishCall puts a call into the queue, and says what it waits for while that takes none. A
// message of an ID is there once, however often it is put.
func (h *Holder) publishCall(ctx context.Context, u *unit) error {
	for {
		try, cancel := context.WithTimeout(ctx, 5*time.Second)
		_, err := h.js.Publish(try, formatSubject(h.session, "call"), u.data, jetstream.WithMsgID(u.id))
		cancel()
		if errors.Is(err, nats.ErrMaxPayload) {
			f := newTooLargeFailure("the call", len(u.data), int(h.nc.MaxPayload()))
			f.Unasked = true
			h.NoteLine(fmt.Sprintf("call %s: %s", u.id, f.Message))
			return f
		}
		h.mu.Lock()
		if why := errorText(err); why != h.stuck && ctx.Err() == nil {
			h.stuck = why
			h.noteLine(eval.Either(err == nil, "the queue takes calls again%s", "the queue takes no call: %s; trying again until it does"), why)
		}
		h.mu.Unlock()
		if err == nil {
			return nil
		}
		if sleep(ctx, time.Second); ctx.Err() != nil {
			return fmt.Errorf("give a call to workers: %w", ctx.Err())
		}
	}
}

// takeResultOnce takes what came of a call, once. Whoever sends it waits for the commit: an
// answer counts by its fact, a failure that may pass by none.
func (h *Holder) takeResultOnce(m *nats.Msg) {
	var r Result
	err := decodeMessage(m.Data, &r)
	h.mu.Lock()
	if err != nil {
		h.noteLine("a worker's result is refused: %v", err)
		r = Result{} // not even its place in the queue
	}
	u := h.out[r.ID]
	if u == nil {
		h.mu.Unlock()
		h.acknowledgeMessage(r.Ack)
		h.respondWithWord(m, Word{Refused: errorText(err), Unknown: true})
		return
	}
	u.waits = append(u.waits, waiting{r.Ack, m})
	if h.answered[u.key] != u {
		h.answered[u.key] = u
		h.countResult(&r)
		u.answer <- r
	}
	h.mu.Unlock()
	if r.Failure != nil && r.Failure.Kind != eval.FailureSample {
		h.finishCommittedCall(u.key)
	}
}

// finishCommittedCall says that a call is over: its fact is committed, or there is none to be.
func (h *Holder) finishCommittedCall(k eval.Key) {
	h.mu.Lock()
	u := h.answered[k]
	delete(h.answered, k)
	if u != nil {
		h.dropCallAndImages(u)
	}
	h.mu.Unlock()
	if u == nil {
		return // this process asked it
	}
	for _, w := range u.waits {
		h.acknowledgeMessage(w.ack)
		h.respondWithWord(w.worker, Word{})
	}
}

// acknowledgeMessage has the queue forget a message. The subject is a worker's word.
func (h *Holder) acknowledgeMessage(subject string) {
	if strings.HasPrefix(subject, "$JS.ACK.") {
		_ = h.nc.Publish(subject, []byte("+ACK"))
	}
}

func (h *Holder) respondWithWord(m *nats.Msg, w Word) {
	w.Protocol, w.Session, w.Project = Protocol, h.session, h.project
	_ = m.Respond(encodeMessage(w)) // whoever hears nothing asks again
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
		r.Holder.finishCommittedCall(f.Prediction.Key)
	}
	return err
}

// Builder says what a run asks.
type Builder interface {
	BuildChat(r eval.Request) (eval.Chat, error)
	DescribeSent(r *eval.Request) eval.Sent
}

// Local is the part that the holder asks itself.
type Local struct {
	Model    eval.Model
	Endpoint string
	Calls    int // concurrency; 0: it asks nothing
}

type model struct {
	holder *Holder
	from   Builder
	call   Call // without what one question adds
	local  Local
	busy   chan struct{} // a slot for each call of the holder's own
}

// NewSharedModel gives a model that workers are asked for, with the parameters of call, and the
// holder itself for as many calls as it takes.
func (h *Holder) NewSharedModel(from Builder, call Call, local Local) eval.Model {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.models = append(h.models, call.Model)
	return &model{h, from, call, local, make(chan struct{}, local.Calls)}
}

// Answer has a question asked where there is room.
func (m *model) Answer(ctx context.Context, r eval.Request) (eval.Reply, error) {
	select {
	case m.busy <- struct{}{}:
		defer func() { <-m.busy }()
		reply, err := m.local.Model.Answer(ctx, r)
		reply.Sent.Endpoint = m.local.Endpoint
		return reply, err
	default:
	}
	chat, err := m.from.BuildChat(r)
	if err != nil {
		return eval.Reply{}, err
	}
	c := m.call
	c.Chat = chat
	result, err := m.holder.askWorker(ctx, c, r.Key(), r.Attempt)
	if err != nil {
		return eval.Reply{}, err
	}
	reply := result.Reply
	reply.Sent = m.from.DescribeSent(&r)
	reply.Sent.Worker, reply.Sent.Endpoint = result.Name, result.Endpoint
	if f := result.Failure; f != nil {
		if f.Sign != eval.SignUncarried {
			f.Sign = eval.SignUnset // it says something of one worker's endpoint alone
		}
		return reply, f
	}
	return reply, nil
}
