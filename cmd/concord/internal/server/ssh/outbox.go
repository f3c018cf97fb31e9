package ssh

import (
	"io"
	"sync"
	"time"
)

// What waits for a client, in bytes, and how much of it is sent at once: less
// shows sooner that a slow line still moves.
const (
	outboxRoom  = 256 << 10
	outboxPiece = 16 << 10
)

// outbox is what waits to be read by a client. Who writes more than there is
// room for waits, and nobody else does.
type outbox struct {
	order sync.Mutex // of writes: one is never within another

	mu    sync.Mutex
	moved *sync.Cond
	buf   []byte
	busy  bool  // a part of it is being sent
	shut  bool  // nothing is written anymore
	err   error // nothing is sent anymore
}

func newOutbox() *outbox {
	o := &outbox{}
	o.moved = sync.NewCond(&o.mu)
	return o
}

func (o *outbox) Write(p []byte) (n int, err error) {
	o.order.Lock()
	defer o.order.Unlock()
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		for len(o.buf) >= outboxRoom && o.err == nil && !o.shut {
			o.moved.Wait()
		}
		switch {
		case o.err != nil:
			return n, o.err
		case o.shut:
			return n, io.ErrClosedPipe
		}
		part := p[n:min(len(p), n+outboxRoom-len(o.buf))]
		o.buf = append(o.buf, part...)
		n += len(part)
		o.moved.Broadcast()
		if n == len(p) {
			return n, nil
		}
	}
}

// fail ends it: what waits is given up.
func (o *outbox) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
	}
	o.buf = nil
	o.moved.Broadcast()
}

// send sends what is written, until it fails. stalled is called when one piece
// takes longer than it may.
func (o *outbox) send(w io.Writer, stall time.Duration, stalled func()) {
	timer := time.AfterFunc(stall, stalled)
	timer.Stop()
	defer timer.Stop()
	var spare []byte
	for {
		taken := o.take(spare)
		if taken == nil {
			return
		}
		for at := 0; at < len(taken); at += outboxPiece {
			timer.Reset(stall)
			_, err := w.Write(taken[at:min(len(taken), at+outboxPiece)])
			timer.Stop()
			if err != nil {
				o.fail(err)
				return
			}
		}
		spare = taken[:0]
	}
}

// take waits for something to send and leaves spare to be written to; nil when
// nothing will come.
func (o *outbox) take(spare []byte) []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.busy = false
	o.moved.Broadcast()
	for len(o.buf) == 0 && o.err == nil && !o.shut {
		o.moved.Wait()
	}
	if o.err != nil || len(o.buf) == 0 {
		return nil
	}
	taken := o.buf
	o.buf, o.busy = spare, true
	o.moved.Broadcast()
	return taken
}

// finish takes nothing more but tail, and waits until all of it is sent, or
// will not be.
func (o *outbox) finish(tail string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.shut && o.err == nil {
		o.buf = append(o.buf, tail...)
	}
	o.shut = true
	o.moved.Broadcast()
	for o.err == nil && (o.busy || len(o.buf) > 0) {
		o.moved.Wait()
	}
}
