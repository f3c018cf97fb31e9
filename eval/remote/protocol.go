package remote

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"concord/eval"
)

// Protocol is the version of the messages: holder and worker need the same one.
const Protocol = 2

// A worker says every beat that it is there, and every third one that it is still at its
// calls: those of one that does not are out again after ackWait.
const (
	beat     = 2 * time.Second
	ackWait  = 20 * time.Second
	goneFrom = 30 * time.Second // until others have taken over what it had
)

// What all holders of a cluster hear, and say.
const (
	subSeek = "concord.hello" // Hello -> Word: whoever takes the worker
	subEnd  = "concord.end"   // Word: a holder leaves
)

// subject is one of a session's own, so that holders share a cluster: call (Call, in the
// stream), hello (Hello -> Word), result (Result -> Word, after the commit), and image
// (Piece -> so many of its bytes; none: the holder has no such image).
func subject(session, what string) string { return "concord." + session + "." + what }

const streamPrefix = "CONCORD-"

// Hello is what a worker says of itself, when it joins and every beat.
type Hello struct {
	Protocol           int
	Session            string // that it works for; "" while it seeks one
	ID, Name, Endpoint string
	Capacity           int      // concurrency
	Models             []string // of its endpoint; none: it does not list them
	Last               string   // why it leaves
	Leaving            bool
}

// Word is what the holder says: to a hello, of a result, and when it leaves.
type Word struct {
	Protocol int
	Session  string // another one is another holder, or one that was started anew
	Project  string // whose runs these are, also after that
	Refused  string // why; "": it was not
	Unknown  bool   // nobody waits for the result
	Done     bool   // of the end: nothing is left to ask
}

// Call is one message of the queue: what one call says to a model.
type Call struct {
	ID, Session   string // the ID is session/run/sample.pass#attempt.number
	Model, Params string // as endpoints call it; canonical JSON
	Edge          int
	LogProbs      bool      // see eval.Reply
	Chat          eval.Chat // without its pictures
	Images        []Image   // which these are
}

// Image is a picture that the holder is asked for.
type Image struct {
	Hash string
	Size int
}

// Piece is the part of an image that is asked for. A message of a cluster has 1 MB at most
// where nothing else is said, so that an image comes in several.
type Piece struct {
	Hash string
	From int
}

const pieceBytes = 512 << 10

// Result is what came of a call. It is acknowledged at Ack.
type Result struct {
	ID, Worker, Name, Endpoint, Ack string
	Reply                           eval.Reply
	Failure                         *eval.Failure
}

// decode reads a message; whoever sent it may be anybody.
func decode(data []byte, into any) error {
	return eval.WrapError(json.Unmarshal(data, into), "the message does not decode")
}

func encode(v any) []byte {
	out, _ := json.Marshal(v) // a message holds nothing that JSON has no form for
	return out
}

// whyOther says why a side that speaks another protocol is refused; "" for the same one.
func whyOther(side string, version int) string {
	other := fmt.Sprintf("%s speaks version %d of the workers' protocol, this one %d: both need the same version of concord", side, version, Protocol)
	return eval.Either(version == Protocol, "", other)
}

func errorText(err error) string { return eval.Either(err == nil, "", fmt.Sprint(err)) }

func newID() string { return rand.Text() }

// lent is an image of calls that are out.
type lent struct {
	data  []byte
	calls int
}

// lendImages takes the pictures out of a call: workers ask for them by hash. The caller
// holds mu.
func (h *Holder) lendImages(c *Call) {
	for _, data := range c.Chat.Pictures {
		i := Image{hashOf(data), len(data)}
		c.Images = append(c.Images, i)
		eval.GetOrAdd(h.lent, i.Hash, func() *lent { return &lent{data: data} }).calls++
	}
	c.Chat.Pictures = nil
}

// forget ends a call, and keeps its images no longer than others need them. The caller
// holds mu.
func (h *Holder) forget(u *unit) {
	if h.out[u.id] != u {
		return
	}
	delete(h.out, u.id)
	for _, i := range u.images {
		if h.lent[i.Hash].calls--; h.lent[i.Hash].calls == 0 {
			delete(h.lent, i.Hash)
		}
	}
}

// onImage gives a piece of an image; nothing of one that no call needs.
func (h *Holder) onImage(m *nats.Msg) {
	var p Piece
	var data []byte
	if decode(m.Data, &p) == nil {
		h.mu.Lock()
		if i := h.lent[p.Hash]; i != nil && p.From >= 0 && p.From < len(i.data) {
			data = i.data[p.From:min(p.From+pieceBytes, len(i.data))]
		}
		h.mu.Unlock()
	}
	_ = m.Respond(data) // whoever hears nothing asks again
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// shelf keeps the images that came last, up to so many bytes.
type shelf struct {
	most  int
	mu    sync.Mutex
	bytes int
	have  map[string][]byte
	order []string
}

func (s *shelf) find(hash string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.have[hash]
}

func (s *shelf) keep(hash string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.have[hash] != nil || len(data) > s.most {
		return
	}
	eval.MakeMap(&s.have)[hash] = data
	s.order, s.bytes = append(s.order, hash), s.bytes+len(data)
	for s.bytes > s.most {
		s.bytes -= len(s.have[s.order[0]])
		delete(s.have, s.order[0])
		s.order = s.order[1:]
	}
}

// fetchImages gives a call its pictures: those of the shelf, and what the holder gives of
// the others. A connection that is away is waited for.
func (w *worker) fetchImages(ctx context.Context, c *Call) error {
	for _, i := range c.Images {
		data := w.shelf.find(i.Hash)
		for len(data) < i.Size {
			m, err := w.request(ctx, ackWait/2, subject(c.Session, "image"), encode(Piece{i.Hash, len(data)}))
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				pause(ctx, beat/4)
			case len(m.Data) == 0:
				return w.refuseImage(i, "the holder has it no more")
			default:
				data = append(data, m.Data...)
			}
		}
		if hashOf(data) != i.Hash {
			return w.refuseImage(i, "what the holder gives has another hash")
		}
		w.shelf.keep(i.Hash, data)
		c.Chat.Pictures = append(c.Chat.Pictures, data)
	}
	return nil
}

// refuseImage says at both ends that a call is not made, since one of its images is amiss.
func (w *worker) refuseImage(i Image, why string) error {
	f := &eval.Failure{Kind: eval.FailureTransient, Unasked: true, Message: fmt.Sprintf("image %.16s of %d bytes: %s", i.Hash, i.Size, why)}
	w.Say("a call is not made: " + f.Message)
	return f
}
