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
	"sync/atomic"
	"time"
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
