package ssh

import (
	"net"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How fast a connection is read, in bytes, whatever is in them: a client that
// floods the protocol itself costs no more time than this.
const (
	wireRate  = 128 << 10 // a second
	wireBurst = 256 << 10
)

// wire is a connection that is read at a bounded speed, and ends when what is
// written is not taken in time.
type wire struct {
	net.Conn
	stall time.Duration
	pace  *rate.Limiter
	first func() // called when the first bytes have come, before they are handed on; nil: nothing is
	shut  chan struct{}
	once  sync.Once
}

func newWire(c net.Conn, stall time.Duration) *wire {
	return &wire{Conn: c, stall: stall, pace: rate.NewLimiter(wireRate, wireBurst), shut: make(chan struct{})}
}

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p[:min(len(p), wireBurst)])
	if n > 0 && w.first != nil {
		w.first()
		w.first = nil
	}
	if n > 0 {
		pause(w.pace.ReserveN(time.Now(), n).Delay(), w.shut)
	}
	return n, err
}

func (w *wire) Write(p []byte) (int, error) {
	if err := w.SetWriteDeadline(time.Now().Add(w.stall)); err != nil {
		return 0, err
	}
	n, err := w.Conn.Write(p)
	if err != nil { // half a packet is none: nothing can follow it
		_ = w.Close()
	}
	return n, err
}

func (w *wire) Close() error {
	w.once.Do(func() { close(w.shut) })
	return w.Conn.Close()
}

// pause waits, unless it is over before.
func pause(d time.Duration, over <-chan struct{}) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-over:
	}
}
