package ssh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"
)

// How fast typed bytes go on. A key held down makes about a hundred a second; pasted text comes at once.
const (
	typeRate  = 2 << 10 // bytes a second
	typeBurst = 64 << 10
)

// Of what is painted, how much is sent at once: less shows sooner that a slow line still moves.
const piece = 16 << 10

// Terminal is one session, and the terminal at its other end. Many goroutines may call its methods.
type Terminal struct {
	link    *sshLink
	ch      ssh.Channel
	id      uint64 // 0: it has no place
	since   time.Time
	environ map[string]string
	command bool        // one was asked for, and not the app
	begun   atomic.Bool // the one thing was asked for that a channel is good for

	ctx    context.Context // its cause is an ending
	cancel context.CancelCauseFunc
	idle   *time.Timer   // nil: a session may be idle
	gone   chan struct{} // the client has closed it, too

	in, feed net.Conn // the two ends of what is typed

	painting sync.Mutex
	screen   screenWatch
	shut     bool // nothing is painted anymore

	size    atomic.Uint64 // columns << 32 | rows
	resized chan struct{} // has a mark when it has changed

	typed         atomic.Int64 // when the last byte was, in nanoseconds
	taken, passed atomic.Int64 // bytes typed, and painted
}

func newTerminal(l *sshLink) *Terminal {
	t := &Terminal{link: l, since: l.gate.cfg.Now(), environ: make(map[string]string), resized: make(chan struct{}, 1), gone: make(chan struct{})}
	t.ctx, t.cancel = context.WithCancelCause(l.ctx)
	t.in, t.feed = net.Pipe()
	t.typed.Store(t.since.UnixNano())
	t.setSize(0, 0)
	return t
}

// startInputCopying begins to pass on what is typed.
func (t *Terminal) startInputCopying() {
	select {
	case <-t.resized: // before anybody looked
	default:
	}
	if idle := t.link.gate.cfg.Idle; idle > 0 {
		t.idle = time.AfterFunc(idle, func() {
			t.cancelSession(&endError{why: "idle", line: fmt.Sprintf("nothing was typed for %s, so the session was ended; the same command brings you back", spelled.Replace(idle.String()))})
		})
	}
	go t.copyInputThrottled()
}

// copyInputThrottled passes on what is typed, no faster than it is to be.
func (t *Terminal) copyInputThrottled() {
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
			t.cancelSession(&endError{why: "the terminal hung up"})
			return
		}
	}
}

// cancelSession asks the session to end; the first reason counts.
func (t *Terminal) cancelSession(why *endError) { t.cancel(why) }

// stopAndPaintTail ends what start began, and paints tail below what was painted.
func (t *Terminal) stopAndPaintTail(tail string) {
	if t.idle != nil {
		t.idle.Stop()
	}
	_ = t.feed.Close()
	_ = t.in.Close()
	t.painting.Lock()
	defer t.painting.Unlock()
	_, _ = t.writeOutputInTime([]byte(t.screen.closingSequence() + tail))
	t.shut = true
}

// recoverPanic is for a defer: a panic ends this session and no other.
func (t *Terminal) recoverPanic() {
	if v := recover(); v != nil {
		t.link.gate.cfg.Log.Error("ssh: panic in a session", "session", t.id, "panic", v, "stack", string(debug.Stack()))
		t.cancelSession(&endError{why: "panic", line: linePanic, failed: true})
	}
}

// Go runs f in a goroutine whose panic ends this session and no other.
func (t *Terminal) Go(f func()) {
	go func() {
		defer t.recoverPanic()
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

// SetReadDeadline is until when Read waits, then it gives os.ErrDeadlineExceeded; a zero time: for ever.
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
	return t.writeOutputInTime(p)
}

// writeOutputInTime sends p in pieces, each in time.
func (t *Terminal) writeOutputInTime(p []byte) (sent int, err error) {
	stall := t.link.gate.cfg.Stall
	stalled := time.AfterFunc(stall, func() { t.link.closeWithReason("it took no output") })
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
func (t *Terminal) Size() (cols, rows int) {
	size := t.size.Load()
	return int(size >> 32), int(size & math.MaxUint32) //nolint:gosec // both are small
}

// The sizes that a terminal can have, in cells; beyond them a screen would cost more than anybody can read.
const (
	mostCols, mostRows   = 1000, 500
	usualCols, usualRows = 80, 24
)

// setSize takes what a client says; 0 is for not known.
func (t *Terminal) setSize(cols, rows uint32) {
	if cols == 0 || rows == 0 {
		cols, rows = usualCols, usualRows
	}
	size := uint64(min(cols, mostCols))<<32 | uint64(min(rows, mostRows))
	if t.size.Swap(size) == size {
		return
	}
	select {
	case t.resized <- struct{}{}:
	default:
	}
}

// ResizeMarks holds a mark when the size has changed since the session began, or since the last mark was taken.
func (t *Terminal) ResizeMarks() <-chan struct{} { return t.resized }

// Environ is what the client says about its terminal: TERM and a few more, in the form of os.Environ.
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

// CheckStillAllowed gives ErrNobody once the key that the session was opened with opens it no more.
func (t *Terminal) CheckStillAllowed() error { return t.link.checkKeyStillValid() }

// spelled writes a duration as people say it: 30m, not 30m0s.
var spelled = strings.NewReplacer("h0m0s", "h", "m0s", "m")
