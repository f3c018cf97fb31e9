package ssh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// How fast typed bytes are passed on. A key held down makes about a hundred a
// second; what is pasted may come at once.
const (
	typeRate  = 2 << 10 // bytes a second
	typeBurst = 64 << 10
)

// Of what is painted, how much is sent at once: less shows sooner that a slow line
// still moves.
const piece = 16 << 10

// Terminal is the terminal at the other end of a session. Its methods may be
// called from many goroutines.
type Terminal struct {
	*session
	id    uint64
	since time.Time

	ctx    context.Context
	cancel context.CancelCauseFunc
	idle   *time.Timer // nil: a session may be idle

	in, feed net.Conn // the two ends of what is typed

	painting sync.Mutex
	screen   watch
	shut     bool // nothing is painted anymore

	typed         atomic.Int64 // when the last byte was, in nanoseconds
	taken, passed atomic.Int64 // bytes typed, and painted
}

func newTerminal(s *session) *Terminal {
	g := s.link.gate
	t := &Terminal{session: s, id: g.count.Add(1), since: g.cfg.Now()}
	t.ctx, t.cancel = context.WithCancelCause(s.link.ctx)
	t.in, t.feed = net.Pipe()
	t.typed.Store(t.since.UnixNano())
	select {
	case <-s.window.changed: // before anybody looked
	default:
	}
	return t
}

// start begins to pass on what is typed.
func (t *Terminal) start() {
	if idle := t.link.gate.cfg.Idle; idle > 0 {
		t.idle = time.AfterFunc(idle, func() {
			t.end(&ending{why: "idle", line: fmt.Sprintf("nothing was typed for %s, so the session was ended; the same command brings you back", spell(idle))})
		})
	}
	go t.pump()
}

// pump passes on what is typed, no faster than it is to be.
func (t *Terminal) pump() {
	pace := rate.NewLimiter(typeRate, typeBurst)
	buf := make([]byte, 512)
	for {
		n, err := t.ch.Read(buf)
		if n > 0 {
			t.taken.Add(int64(n))
			t.typed.Store(t.link.gate.cfg.Now().UnixNano())
			if t.idle != nil {
				t.idle.Reset(t.link.gate.cfg.Idle)
			}
			_ = pace.WaitN(t.ctx, n)
			if _, err := t.feed.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			_ = t.feed.Close()
			t.end(&ending{why: "the terminal hung up"})
			return
		}
	}
}

// end asks the session to end; the first reason counts.
func (t *Terminal) end(why *ending) { t.cancel(why) }

// ended is why the session ends.
func (t *Terminal) ended() *ending {
	var e *ending
	if errors.As(context.Cause(t.ctx), &e) {
		return e
	}
	return &ending{why: "it continues"}
}

// stop ends what start began, and paints tail below what was painted.
func (t *Terminal) stop(tail string) {
	if t.idle != nil {
		t.idle.Stop()
	}
	_ = t.feed.Close()
	_ = t.in.Close()
	t.painting.Lock()
	defer t.painting.Unlock()
	_, _ = t.paint([]byte(t.screen.end() + tail))
	t.shut = true
}

// broke is a panic in this session.
func (t *Terminal) broke(v any) {
	t.link.gate.cfg.Log.Error("ssh: panic in a session", "session", t.id, "panic", v, "stack", string(debug.Stack()))
	t.end(&ending{why: "panic", line: linePanic, failed: true})
}

// Go runs f in a goroutine whose panic ends this session and no other.
func (t *Terminal) Go(f func()) {
	go func() {
		defer func() {
			if v := recover(); v != nil {
				t.broke(v)
			}
		}()
		f()
	}()
}

// Read gives what is typed; io.EOF when nothing will be anymore.
func (t *Terminal) Read(p []byte) (int, error) {
	n, err := t.in.Read(p)
	if errors.Is(err, io.ErrClosedPipe) {
		err = io.EOF
	}
	return n, err
}

// SetReadDeadline is until when Read waits, after which it gives
// os.ErrDeadlineExceeded; a zero time: for ever.
func (t *Terminal) SetReadDeadline(at time.Time) error { return t.in.SetReadDeadline(at) }

// Write paints. It waits when the client is behind; a client that takes nothing
// for too long loses its connection, and Write gives an error.
func (t *Terminal) Write(p []byte) (int, error) {
	t.painting.Lock()
	defer t.painting.Unlock()
	if t.shut {
		return 0, io.ErrClosedPipe
	}
	_, _ = t.screen.Write(p)
	return t.paint(p)
}

// paint sends p in pieces, each in time.
func (t *Terminal) paint(p []byte) (sent int, err error) {
	stall := t.link.gate.cfg.Stall
	stalled := time.AfterFunc(stall, func() { t.link.end("it took no output") })
	defer stalled.Stop()
	for part := range slices.Chunk(p, piece) {
		stalled.Reset(stall)
		n, err := t.ch.Write(part)
		sent += n
		t.passed.Add(int64(n))
		if err != nil {
			return sent, err
		}
	}
	return sent, nil
}

// Size is how large the terminal is, in cells.
func (t *Terminal) Size() (cols, rows int) { return t.window.size() }

// Resized holds a mark when the size has changed since the session began, or
// since the last mark was taken.
func (t *Terminal) Resized() <-chan struct{} { return t.window.changed }

// Environ is what the client says about its terminal: TERM and a few more, in
// the form of os.Environ.
func (t *Terminal) Environ() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(t.environ)) {
		all = append(all, name+"="+t.environ[name])
	}
	return all
}

// Guest is whose session it is, as of now.
func (t *Terminal) Guest() Guest {
	l := t.link
	g := Guest{
		ID: t.id, Name: l.visitor.name, Local: l.visitor.local, Key: l.visitor.key.Fingerprint,
		Client: l.client, Since: t.since, Typed: time.Unix(0, t.typed.Load()),
		In: t.taken.Load(), Out: t.passed.Load(),
	}
	if !g.Local {
		g.Address = l.RemoteAddr().String()
	}
	return g
}

// Still gives ErrNobody once the key that the session was opened with opens it no
// more.
func (t *Terminal) Still() error { return t.link.still() }

// spell writes a duration as people say it: 30m, not 30m0s.
func spell(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(s, zero) {
			s = s[:len(s)-2]
		}
	}
	return s
}

// The sizes that a terminal can have, in cells; beyond them a screen would cost
// more than anybody can read.
const (
	mostCols, mostRows   = 1000, 500
	usualCols, usualRows = 80, 24
)

// window is the size of a terminal, and a mark that it changed.
type window struct {
	changed chan struct{}

	mu         sync.Mutex
	cols, rows int
}

func newWindow() *window {
	return &window{changed: make(chan struct{}, 1), cols: usualCols, rows: usualRows}
}

// set takes what a client says; 0 is for not known.
func (w *window) set(cols, rows uint32) {
	c, r := int(min(cols, mostCols)), int(min(rows, mostRows))
	if c == 0 || r == 0 {
		c, r = usualCols, usualRows
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if c == w.cols && r == w.rows {
		return
	}
	w.cols, w.rows = c, r
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

func (w *window) size() (cols, rows int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cols, w.rows
}
