package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"concord/eval"
)

// Protocol is the version of the messages: holder and worker need the same one.
const Protocol = 3

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

// formatSubject is one of a session's own, so that holders share a cluster: call (Call, in the
// stream), hello (Hello -> Word), result (Result -> Word, after the commit), and image
// (Piece -> so many of its bytes; none: the holder has no such image).
func formatSubject(session, what string) string { return "concord." + session + "." + what }

const streamPrefix = "CONCORD-"

// Hello is what a worker says of itself, when it joins and every beat.
type Hello struct {
	Protocol           int
	Session            string // that it works for; "" while it seeks one
	ID, Name, Endpoint string
	Capacity           int      // concurrency
	Models             []string // of its endpoint; none: it does not list them
	Last               string   // why it leaves
	Away               string   // why no call is taken: its endpoint does not answer; "" while it does
	Back               int      // calls that were given back since it does not
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

// decodeMessage reads a message; whoever sent it may be anybody.
func decodeMessage(data []byte, into any) error {
	return eval.WrapError(json.Unmarshal(data, into), "the message does not decode")
}

func encodeMessage(v any) []byte {
	out, _ := json.Marshal(v) // a message holds nothing that JSON has no form for
	return out
}

// explainOtherProtocol says why a side that speaks another protocol is refused; "" for the same one.
func explainOtherProtocol(side string, version int) string {
	other := fmt.Sprintf("%s speaks version %d of the workers' protocol, this one %d: both need the same version of concord", side, version, Protocol)
	return eval.Either(version == Protocol, "", other)
}

// newTooLargeFailure is the failure of what no message can carry.
func newTooLargeFailure(what string, size, most int) *eval.Failure {
	return &eval.Failure{Kind: eval.FailureTransient, Sign: eval.SignUncarried, Message: fmt.Sprintf("%s has %d bytes, and a message of workers %d at most: --local N has the holder ask this, too", what, size, most)}
}

func errorText(err error) string { return eval.Either(err == nil, "", fmt.Sprint(err)) }

func randomID() string { return rand.Text() }

// lent is an image of calls that are out.
type lent struct {
	data  []byte
	calls int
}

// lendImages takes the pictures out of a call: workers ask for them by hash. The caller holds mu.
func (h *Holder) lendImages(c *Call) {
	for _, data := range c.Chat.Pictures {
		i := Image{hashBytes(data), len(data)}
		c.Images = append(c.Images, i)
		eval.GetOrAdd(h.lent, i.Hash, func() *lent { return &lent{data: data} }).calls++
	}
	c.Chat.Pictures = nil
}

// dropCallAndImages ends a call, and keeps its images no longer than others need them. The caller holds mu.
func (h *Holder) dropCallAndImages(u *unit) {
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

// sendImagePiece gives a piece of an image; nothing of one that no call needs.
func (h *Holder) sendImagePiece(m *nats.Msg) {
	var p Piece
	var data []byte
	if decodeMessage(m.Data, &p) == nil {
		h.mu.Lock()
		if i := h.lent[p.Hash]; i != nil && p.From >= 0 && p.From < len(i.data) {
			data = i.data[p.From:min(p.From+pieceBytes, len(i.data))]
		}
		h.mu.Unlock()
	}
	_ = m.Respond(data) // whoever hears nothing asks again
}

func hashBytes(data []byte) string {
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

func (s *shelf) getImage(hash string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.have[hash]
}

func (s *shelf) shelveImage(hash string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.have[hash] != nil || len(data) > s.most {
		return
	}
	eval.EnsureMap(&s.have)[hash] = data
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
		data := w.shelf.getImage(i.Hash)
		for len(data) < i.Size {
			m, err := w.requestReply(ctx, ackWait/2, formatSubject(c.Session, "image"), encodeMessage(Piece{i.Hash, len(data)}))
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				sleep(ctx, beat/4)
			case len(m.Data) == 0:
				return w.refuseImage(i, "the holder has it no more")
			default:
				data = append(data, m.Data...)
			}
		}
		if hashBytes(data) != i.Hash {
			return w.refuseImage(i, "what the holder gives has another hash")
		}
		w.shelf.shelveImage(i.Hash, data)
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

// peer is a worker as the holder knows it, or knew it.
type peer struct {
	eval.WorkerProgress
	heard time.Time
	had   int    // answers, when it was heard of
	away  string // why its endpoint does not answer
	back  int    // calls that it gave back for that
}

// Of a WorkerProgress, why a worker takes no calls.
const (
	silent  = "silent"
	gone    = "gone"
	left    = "left"
	unheard = "no answers" // of its endpoint
)

// isAway reports whether a worker is not expected back.
func (p *peer) isAway() bool { return p.State == gone || p.State == left }

// admitOrRefuseWorker lets a worker in, or says why not. To one that seeks a holder it only says whether it would.
func (h *Holder) admitOrRefuseWorker(m *nats.Msg) {
	var w Hello
	err := decodeMessage(m.Data, &w)
	h.mu.Lock()
	p := h.peers[w.ID]
	why := cmp.Or(errorText(err), explainOtherProtocol("the worker", w.Protocol), h.explainUnfit(&w))
	switch {
	case w.Leaving:
		if p != nil {
			p.State, p.Last = left, cmp.Or(w.Last, p.Last)
		}
		h.noteLine("worker %s has left%s", w.Name, eval.Either(w.Last == "", "", ": "+w.Last))
	case why != "":
		h.noteLine("worker %s is refused: %s", w.Name, why)
	case w.Session != "":
		h.noteWorker(p, &w)
	}
	h.mu.Unlock()
	h.respondWithWord(m, Word{Refused: why})
}

// noteWorker takes note of a worker that is there. A new one replaces one that was killed under its name.
func (h *Holder) noteWorker(p *peer, w *Hello) {
	now := h.now()
	switch {
	case p == nil:
		maps.DeleteFunc(h.peers, func(_ string, old *peer) bool { return old.Name == w.Name && old.isAway() })
		p = &peer{WorkerProgress: eval.WorkerProgress{Name: w.Name, Endpoint: w.Endpoint, Capacity: w.Capacity}}
		h.peers[w.ID] = p
		h.noteLine("worker %s has joined: it asks %s, concurrency %d", w.Name, w.Endpoint, w.Capacity)
	case p.State != "" && p.State != unheard:
		h.noteLine("worker %s is back", w.Name)
	}
	if (w.Away == "") != (p.away == "") {
		h.noteLine(eval.Either(w.Away != "", "worker %s: its endpoint does not answer (%s); its calls go to others", "worker %s: its endpoint answers again%s"), w.Name, w.Away)
	}
	p.Failed, p.Last = p.Failed+w.Back-p.back, cmp.Or(w.Away, p.Last)
	p.away, p.back = w.Away, w.Back
	if past := now.Sub(p.heard).Seconds(); !p.heard.IsZero() && past > 0 {
		recent := eval.Either(p.Rate == 0, 1, 0.2) // of the rate, what the last beat says of it
		p.Rate += recent * (float64(p.Answered-p.had)/past - p.Rate)
	}
	p.State, p.heard, p.had = eval.Either(p.away == "", "", unheard), now, p.Answered
}

// countResult counts a result for the worker that gave it. The caller holds mu.
func (h *Holder) countResult(r *Result) {
	p := h.peers[r.Worker]
	if p == nil {
		return
	}
	switch f := r.Failure; {
	case f == nil:
		p.Answered++
	case f.Sign == eval.SignUncarried:
		h.noteLine("worker %s, call %s: %s", p.Name, r.ID, f.Message)
		fallthrough
	default:
		p.Failed, p.Last = p.Failed+1, f.Message
	}
}

// Workers are those that are or were there, by name.
func (h *Holder) Workers() []eval.WorkerProgress {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := eval.Map(slices.Collect(maps.Values(h.peers)), func(p *peer) eval.WorkerProgress { return p.WorkerProgress })
	slices.SortFunc(out, func(a, b eval.WorkerProgress) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func (h *Holder) explainUnfit(w *Hello) string {
	for _, model := range h.models {
		if len(w.Models) > 0 && !slices.Contains(w.Models, model) {
			return fmt.Sprintf("its endpoint %s has no model %q, but %s", w.Endpoint, model, strings.Join(w.Models[:min(len(w.Models), 5)], ", "))
		}
	}
	return eval.Either(w.Capacity < 1, "it takes no calls", "")
}

// followCapacity has the queue and the run follow what the workers take together.
func (h *Holder) followCapacity(ctx context.Context) {
	const often = beat / 4
	tick := time.Tick(often)
	for n := time.Duration(1); ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		h.mu.Lock()
		sum, told, resize := h.updateAndSumCapacity(), h.told, h.resize
		h.mu.Unlock()
		if sum != told && h.boundUnacknowledged(ctx, sum) == nil { // else at the next tick
			h.mu.Lock()
			h.told = sum
			h.mu.Unlock()
			resize(sum)
		}
		if n%(beat/often) == 0 {
			h.keepQueueAlive(ctx)
		}
	}
}

// updateAndSumCapacity gives what the workers take together, without those that have gone. Where all that
// are there wait for their endpoints it says so.
func (h *Holder) updateAndSumCapacity() (sum int) {
	there, well := false, false
	for _, p := range h.peers {
		if p.isAway() {
			continue
		}
		switch quiet := h.now().Sub(p.heard); {
		case quiet > goneFrom:
			p.State = gone
			h.noteLine("worker %s is gone: its calls are out again", p.Name)
			continue
		case quiet > 3*beat && p.State != silent:
			p.State = silent
			h.noteLine("worker %s is silent: its calls are out again within %v", p.Name, ackWait)
		}
		there, well = true, well || p.away == ""
		sum += eval.Either(p.away == "", p.Capacity, 1) // with which its endpoint is tried
	}
	waited := h.waits
	if h.waits = there && !well; h.waits && !waited {
		h.noteLine("no worker's endpoint answers: calls wait until one does, or until another worker joins")
	}
	return sum
}
