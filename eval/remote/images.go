package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go"

	"concord/eval"
)

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
