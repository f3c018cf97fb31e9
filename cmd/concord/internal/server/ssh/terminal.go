package ssh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// errPanic is of a session that ended in a panic.
var errPanic = errors.New("panic")

// Terminal is the terminal at the other end of a session. Its methods may be
// called from many goroutines.
type Terminal struct {
	id      uint64
	session *session
	environ []string
	since   time.Time

	ctx    context.Context
	cancel context.CancelCauseFunc
	idle   *time.Timer // nil: a session may be idle

	in, feed net.Conn // the two ends of what is typed
	out      *outbox
	screen   watch

	typed         atomic.Int64 // when the last byte was, in nanoseconds
	taken, passed atomic.Int64 // bytes typed, and painted
}

func newTerminal(s *session) *Terminal {
	g := s.link.gate
	t := &Terminal{id: g.count.Add(1), session: s, environ: slices.Clone(s.environ), since: g.cfg.Now(), out: newOutbox()}
	t.ctx, t.cancel = context.WithCancelCause(s.link.ctx)
	t.in, t.feed = net.Pipe()
	t.typed.Store(t.since.UnixNano())
	select {
	case <-s.window.changed: // before anybody looked
	default:
	}
	return t
}

// start begins to pass bytes on, both ways.
func (t *Terminal) start() {
	g, s := t.session.link.gate, t.session
	if g.cfg.Idle > 0 {
		t.idle = time.AfterFunc(g.cfg.Idle, func() {
			t.end(&ending{why: "idle", line: fmt.Sprintf("nothing was typed for %s, so the session was ended; the same command brings you back", spell(g.cfg.Idle))})
		})
	}
	go t.pump(s.ch)
	go t.out.send(s.ch, g.cfg.Stall, func() {
		t.end(&ending{why: "it took no output"})
		s.link.close("it took no output")
	})
}

// pump passes on what is typed, no faster than it is to be.
func (t *Terminal) pump(from io.Reader) {
	pace := newInputLimit()
	buf := make([]byte, keyBurst)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			t.taken.Add(int64(n))
			t.typed.Store(t.session.link.gate.cfg.Now().UnixNano())
			if t.idle != nil {
				t.idle.Reset(t.session.link.gate.cfg.Idle)
			}
			pause(pace.wait(time.Now(), buf[:n]), t.ctx.Done())
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

// stop ends what start began, once what was painted is sent, and tail.
func (t *Terminal) stop(tail string) {
	if t.idle != nil {
		t.idle.Stop()
	}
	_ = t.feed.Close()
	_ = t.in.Close()
	t.out.finish(t.screen.end() + tail)
}

// broke is a panic in this session.
func (t *Terminal) broke(v any) {
	t.session.link.gate.cfg.Log.Error("ssh: panic in a session", "session", t.id, "panic", v, "stack", string(debug.Stack()))
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
// for too long loses its session, and Write gives an error.
func (t *Terminal) Write(p []byte) (int, error) {
	t.screen.see(p)
	n, err := t.out.Write(p)
	t.passed.Add(int64(n))
	return n, err
}

// Size is how large the terminal is, in cells.
func (t *Terminal) Size() (cols, rows int) { return t.session.window.size() }

// Resized holds a mark when the size has changed since the session began, or
// since the last mark was taken.
func (t *Terminal) Resized() <-chan struct{} { return t.session.window.changed }

// Environ is what the client says about its terminal: TERM and a few more, in
// the form of os.Environ.
func (t *Terminal) Environ() []string { return slices.Clone(t.environ) }

// Guest is whose session it is, as of now.
func (t *Terminal) Guest() Guest {
	l := t.session.link
	g := Guest{
		ID: t.id, Name: l.visitor.name, Local: l.visitor.local, Key: l.visitor.key.Fingerprint,
		Client: clean(string(l.conn.ClientVersion())), Since: t.since, Typed: time.Unix(0, t.typed.Load()),
		In: t.taken.Load(), Out: t.passed.Load(),
	}
	if !g.Local {
		g.Address = l.address
	}
	return g
}

// Still gives ErrNobody once the key that the session was opened with opens it no
// more.
func (t *Terminal) Still() error { return t.session.link.still() }

// getenv is os.Getenv for a list as of os.Environ.
func getenv(environ []string, name string) string {
	for _, kv := range environ {
		if k, v, _ := strings.Cut(kv, "="); k == name {
			return v
		}
	}
	return ""
}

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

// How fast typed bytes are passed on. A key held down makes about a hundred a
// second; what is pasted may come at once.
const (
	keyRate    = 400 // bytes a second
	keyBurst   = 512
	pasteRate  = 8 << 10
	pasteBurst = 64 << 10
)

// The marks around what is pasted (bracketed paste, xterm's mode 2004).
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// inputLimit tells how long typed bytes wait, so that a flood of them takes no
// time from other sessions. It drops none.
type inputLimit struct {
	keys, paste *rate.Limiter
	within      bool // a paste
	seen        int  // bytes of the mark that would end this
}

func newInputLimit() *inputLimit {
	return &inputLimit{keys: rate.NewLimiter(keyRate, keyBurst), paste: rate.NewLimiter(pasteRate, pasteBurst)}
}

// wait is for how long to keep b, which has at most keyBurst bytes.
func (p *inputLimit) wait(now time.Time, b []byte) time.Duration {
	keys, pasted := 0, 0
	for _, c := range b {
		if p.within {
			pasted++
		} else {
			keys++
		}
		p.step(c)
	}
	return max(p.keys.ReserveN(now, keys).DelayFrom(now), p.paste.ReserveN(now, pasted).DelayFrom(now))
}

// step looks for the mark. Neither has its first byte twice, so that after a
// byte that does not fit only that byte can begin another.
func (p *inputLimit) step(c byte) {
	mark := pasteStart
	if p.within {
		mark = pasteEnd
	}
	switch c {
	case mark[p.seen]:
		p.seen++
	case mark[0]:
		p.seen = 1
	default:
		p.seen = 0
	}
	if p.seen == len(mark) {
		p.within, p.seen = !p.within, 0
	}
}
