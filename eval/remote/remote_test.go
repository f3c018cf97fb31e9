package remote

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"concord/eval"
)

// rig is a holder with a server of its own.
type rig struct {
	t      testing.TB
	server *Server
	nc     *nats.Conn
	holder *Holder
	model  eval.Model
}

// builder asks for a sample's text, with its pictures.
type builder struct{}

func (builder) BuildChat(r eval.Request) (eval.Chat, error) {
	c := eval.Chat{Turns: []eval.Turn{{Role: eval.User, Text: r.Sample.Question}}}
	for _, p := range r.Sample.Pictures {
		data, err := r.Pictures(p.Hash)
		if err != nil {
			return c, err
		}
		c.Pictures = append(c.Pictures, data)
	}
	return c, nil
}

func (builder) DescribeSent(*eval.Request) eval.Sent { return eval.Sent{Known: true} }

// stored is a recorder in memory.
type stored struct {
	mu    sync.Mutex
	facts map[eval.Key]int
	err   error
}

func (s *stored) Record(_ context.Context, f eval.Fact) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.facts[f.Prediction.Key]++
	}
	return s.err
}

// serve starts a server, and connects to it within the process.
func serve(t testing.TB, addr string, id *Identity) (*Server, *nats.Conn) {
	t.Helper()
	s, err := StartServer(addr, t.TempDir(), id, time.Now, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	nc, err := s.ConnectInProcess()
	if err != nil {
		t.Fatal(err)
	}
	return s, nc
}

// hold has a holder of one model on a connection.
func hold(t testing.TB, nc *nats.Conn, model string) *rig {
	t.Helper()
	h, err := NewHolder(t.Context(), nc, model, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close("the test is over", true) })
	return &rig{t: t, nc: nc, holder: h, model: h.NewSharedModel(builder{}, Call{Model: model}, Local{})}
}

func newRig(t testing.TB, addr string) *rig {
	t.Helper()
	s, nc := serve(t, addr, nil)
	r := hold(t, nc, "m")
	r.server = s
	return r
}

func (r *rig) subject(what string) string { return formatSubject(r.holder.session, what) }

func (r *rig) url() string { return "nats://" + r.server.Addr().String() }

func ask(sample eval.Ordinal, text string) eval.Request {
	return eval.Request{Run: eval.Run{ID: 1}, Sample: eval.Sample{Ordinal: sample, Question: text}}
}

// answer has a question asked.
func (r *rig) answer(q eval.Request) (eval.Reply, error) {
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	return r.model.Answer(ctx, q)
}

// chatter says what it is told.
type chatter func(ctx context.Context, c eval.Chat) (eval.Reply, error)

func (f chatter) Chat(ctx context.Context, c eval.Chat) (eval.Reply, error) { return f(ctx, c) }

func echo(_ context.Context, c eval.Chat) (eval.Reply, error) {
	return eval.Reply{Text: "re: " + c.Turns[0].Text, Usage: eval.Usage{Prompt: 1}}, nil
}

// work has a worker join; its connection ends it without a word, stop has it leave.
type atWork struct {
	nc    *nats.Conn
	stop  context.CancelFunc
	ended chan error
	lines chan string
}

func join(t testing.TB, url, name string, f chatter) *atWork {
	t.Helper()
	return joinBy(t, url, Access{}, name, "m", f)
}

func joinBy(t testing.TB, url string, a Access, name, model string, f chatter) *atWork {
	t.Helper()
	w := &atWork{ended: make(chan error, 1), lines: make(chan string, 1000)}
	say := func(s string) { w.lines <- s }
	var err error
	ctx, refuse := context.WithCancelCause(t.Context())
	if w.nc, err = Join(url, a, name, say, refuse); err != nil {
		t.Fatal(err)
	}
	stop := func() { refuse(nil) }
	w.stop = stop
	go func() {
		w.ended <- ServeCallsUntilEnd(ctx, w.nc, WorkerOptions{
			Name: name, Endpoint: "http://" + name, Capacity: 4, Once: true, Patience: 4 * time.Second, Say: say,
			Models:  func(context.Context) []string { return []string{model} },
			Chatter: func(*Call) (eval.Chatter, error) { return f, nil },
		})
	}()
	t.Cleanup(func() { stop(); w.nc.Close() })
	return w
}

func (r *rig) waiting() int {
	r.t.Helper()
	c, err := r.holder.js.Consumer(r.t.Context(), streamPrefix+r.holder.session, r.holder.session)
	if err != nil {
		r.t.Fatal(err)
	}
	info, err := c.Info(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	return info.NumAckPending + int(info.NumPending)
}

func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not within a minute: " + what)
		}
	}
}

func TestMessageIsAcknowledgedAfterTheCommit(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	join(t, r.url(), "w", echo)
	reply, err := r.answer(ask(1, "one"))
	if err != nil || reply.Text != "re: one" {
		t.Fatal(reply, err)
	}
	if s := reply.Sent; s.Worker != "w" || s.Endpoint != "http://w" || !s.Known {
		t.Error("sent", s)
	}
	if n := r.waiting(); n != 1 {
		t.Errorf("%d messages before the commit", n)
	}
	store := &stored{facts: make(map[eval.Key]int), err: errors.New("no space left on device")}
	rec := Recorder{store, r.holder}
	f := eval.Fact{Prediction: eval.Prediction{Key: eval.Key{Run: 1, Sample: 1}}}
	if rec.Record(t.Context(), f) == nil || r.waiting() != 1 {
		t.Error("acknowledged, and not committed")
	}
	store.err = nil
	if err := rec.Record(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the message is acknowledged", func() bool { return r.waiting() == 0 })
}

func TestFailureThatMayPassIsOverAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	join(t, r.url(), "w", func(context.Context, eval.Chat) (eval.Reply, error) {
		return eval.Reply{}, &eval.Failure{Kind: eval.FailureTransient, Message: "busy", Status: 429}
	})
	_, err := r.answer(ask(1, "one"))
	if f := eval.FailureOfError(err); f == nil || f.Kind != eval.FailureTransient {
		t.Fatal(err)
	}
	eventually(t, "the message is acknowledged", func() bool { return r.waiting() == 0 })
}

func (r *rig) request(subject string, data []byte) Word {
	r.t.Helper()
	var w Word
	m, err := r.nc.Request(subject, data, 5*time.Second)
	if err == nil {
		err = decodeMessage(m.Data, &w)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return w
}

func TestWhoIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	for why, h := range map[string]Hello{
		"speaks version 1": {Protocol: 1, ID: "a", Name: "old", Capacity: 1},
		"no model \"m\"":   {Protocol: Protocol, ID: "b", Name: "other", Capacity: 1, Models: []string{"x"}},
		"takes no calls":   {Protocol: Protocol, ID: "c", Name: "lame"},
	} {
		if w := r.request(subSeek, encodeMessage(h)); !strings.Contains(w.Refused, why) {
			t.Errorf("%s: %+v", why, w)
		}
		if lines := strings.Join(r.holder.TakeLines(), "\n"); !strings.Contains(lines, why) {
			t.Errorf("the holder says %q", lines)
		}
	}
	for subject, want := range map[string]string{subSeek: "does not decode", r.subject("hello"): "does not decode", r.subject("result"): "does not decode"} {
		if w := r.request(subject, []byte("{junk")); !strings.Contains(w.Refused, want) {
			t.Errorf("%s: %+v", subject, w)
		}
	}
	if w := r.request(r.subject("result"), encodeMessage(Result{ID: "1/1.0#0.9"})); !w.Unknown {
		t.Errorf("a result for nothing: %+v", w)
	}
	if len(r.holder.peers) != 0 {
		t.Error(r.holder.peers)
	}
}

func TestWorkerLeavesWhoSpeaksOtherwise(t *testing.T) {
	t.Parallel()
	s, nc := serve(t, "127.0.0.1:0", nil)
	if _, err := nc.Subscribe(subSeek, func(m *nats.Msg) { _ = m.Respond(encodeMessage(Word{Protocol: 7})) }); err != nil {
		t.Fatal(err)
	}
	w := join(t, "nats://"+s.Addr().String(), "w", echo)
	if err := <-w.ended; err == nil || !strings.Contains(err.Error(), "version 7") {
		t.Error(err)
	}
}

func TestJunkInTheQueueIsDropped(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	if _, err := r.holder.js.Publish(t.Context(), r.subject("call"), []byte("{junk")); err != nil {
		t.Fatal(err)
	}
	w := join(t, r.url(), "w", echo)
	if _, err := r.answer(ask(1, "one")); err != nil {
		t.Fatal(err)
	}
	for line := range w.lines {
		if strings.Contains(line, "does not decode") {
			break
		}
	}
}

func TestReplyThatIsTooLarge(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	join(t, r.url(), "w", func(context.Context, eval.Chat) (eval.Reply, error) {
		return eval.Reply{Text: strings.Repeat("long ", 2<<20), Usage: eval.Usage{Completion: 5}}, nil
	})
	reply, err := r.answer(ask(1, "one"))
	if f := eval.FailureOfError(err); f == nil || f.Kind != eval.FailureTransient || f.Sign != eval.SignUncarried || !strings.Contains(f.Message, "at most") || reply.Usage.Completion != 5 {
		t.Error(reply.Usage, err)
	}
	_, err = r.answer(ask(2, strings.Repeat("long ", 2<<20)))
	if f := eval.FailureOfError(err); f == nil || !f.Unasked || f.Kind != eval.FailureTransient {
		t.Error(err)
	}
	if said := strings.Join(r.holder.TakeLines(), "\n"); !strings.Contains(said, "the reply has") || !strings.Contains(said, "the call has") {
		t.Error(said)
	}
}

func TestSecondResultCountsForNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	ids := make(chan string, 1)
	sub, err := r.nc.SubscribeSync(r.subject("call"))
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		m, err := sub.NextMsg(10 * time.Second)
		var c Call
		if err == nil {
			err = decodeMessage(m.Data, &c)
		}
		if err != nil {
			t.Error(err)
		}
		ids <- c.ID
	}()
	replies := make(chan eval.Reply, 1)
	go func() {
		reply, _ := r.answer(ask(1, "one"))
		replies <- reply
	}()
	id := <-ids
	words := make(chan Word, 2)
	for i := range 2 {
		go func() {
			words <- r.request(r.subject("result"), encodeMessage(Result{ID: id, Reply: eval.Reply{Text: fmt.Sprint(i)}}))
		}()
	}
	<-replies
	rec := Recorder{&stored{facts: make(map[eval.Key]int)}, r.holder}
	time.Sleep(100 * time.Millisecond) // both are there
	if err := rec.Record(t.Context(), eval.Fact{Prediction: eval.Prediction{Key: eval.Key{Run: 1, Sample: 1}}}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if w := <-words; w.Refused != "" || w.Unknown {
			t.Errorf("%+v", w)
		}
	}
	if w := r.request(r.subject("result"), encodeMessage(Result{ID: id})); !w.Unknown {
		t.Errorf("a third one: %+v", w)
	}
}
