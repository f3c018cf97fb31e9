package ssh

import (
	"context"
	"fmt"
	"net"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"concord/eval/text"
)

// missed is how many questions a client may leave without an answer.
const missed = 3

// refusals is how many refused requests of one connection are logged.
const refusals = 20

// link is one connection whose handshake is done.
type link struct {
	gate    *Gate
	visitor visitor
	address string
	wire    *wire
	conn    *ssh.ServerConn
	chans   <-chan ssh.NewChannel
	reqs    <-chan *ssh.Request

	ctx     context.Context // ends with the connection
	cancel  context.CancelCauseFunc
	refused atomic.Int64
	silent  atomic.Int64 // questions since the last answer

	mu       sync.Mutex
	channels int
	unused   *time.Timer // closes it when it has had no channel for a while
	why      string      // it was closed; "" as long as nobody here did
}

// greet does the handshake, in bounded time; c is nil for who comes from this
// machine.
func (g *Gate) greet(conn net.Conn, config *ssh.ServerConfig, c *caller) (l *link, err error) {
	defer func() {
		if v := recover(); v != nil {
			l, err = nil, fmt.Errorf("panic: %v", v)
		}
	}()
	w := newWire(conn, g.cfg.Stall)
	if c != nil {
		w.first = func() {
			pause(g.door.speaks(c, g.cfg.Now()), w.shut)
			g.door.starts(c)
		}
	}
	late := time.AfterFunc(g.cfg.Handshake, func() { _ = w.Close() })
	in, chans, reqs, err := ssh.NewServerConn(w, config)
	switch inTime := late.Stop(); {
	case !inTime:
		return nil, fmt.Errorf("not done after %v", g.cfg.Handshake)
	case err != nil:
		return nil, err
	}
	l = &link{gate: g, address: conn.RemoteAddr().String(), wire: w, conn: in, chans: chans, reqs: reqs}
	if in.Permissions != nil {
		l.visitor, _ = in.Permissions.ExtraData[visitorKey{}].(visitor)
	}
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	return l, nil
}

// serve takes what the client asks for until the connection ends.
func (l *link) serve() {
	defer l.cancel(&ending{why: "the connection ended"})
	log := l.gate.cfg.Log.With("name", l.visitor.name, "address", l.address, "key", l.visitor.key.Fingerprint)
	if err := l.gate.join(l); err != nil {
		log.Info("ssh: connection refused", "why", err)
		_ = l.wire.Close()
		l.drain()
		return
	}
	defer l.gate.part(l)
	log.Info("ssh: came in", "as", clean(l.conn.User()), "client", clean(string(l.conn.ClientVersion())))
	l.unused = time.AfterFunc(l.gate.cfg.Handshake, func() { l.close("it had no session") })
	defer l.unused.Stop()
	go l.keepalive()
	go l.refuseAll()
	for nc := range l.chans {
		l.open(nc)
	}
	err := l.conn.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why == "" && err != nil {
		l.why = clean(err.Error())
	}
	log.Info("ssh: left", "why", l.why)
}

// drain answers what comes until the connection has ended.
func (l *link) drain() {
	go ssh.DiscardRequests(l.reqs)
	for nc := range l.chans {
		_ = nc.Reject(ssh.Prohibited, "")
	}
}

// close ends the connection, whatever the client does.
func (l *link) close(why string) {
	l.mu.Lock()
	if l.why == "" {
		l.why = why
	}
	l.mu.Unlock()
	l.cancel(&ending{why: why})
	_ = l.wire.Close()
}

// keepalive asks the client whether it is there.
func (l *link) keepalive() {
	tick := time.NewTicker(l.gate.cfg.Keepalive)
	defer tick.Stop()
	var waiting atomic.Bool
	for {
		select {
		case <-l.ctx.Done():
			return
		case <-tick.C:
		}
		if !waiting.Load() {
			l.silent.Store(0)
			waiting.Store(true)
			go func() {
				if _, _, err := l.conn.SendRequest("keepalive@openssh.com", true, nil); err == nil {
					waiting.Store(false)
				}
			}()
			continue
		}
		if l.silent.Add(1) >= missed {
			l.close("it gave no sign of life")
			return
		}
	}
}

// refuseAll refuses what is asked of the connection as a whole: forwarding.
func (l *link) refuseAll() {
	for r := range l.reqs {
		_ = r.Reply(false, nil)
		if r.Type != "keepalive@openssh.com" && r.Type != "no-more-sessions@openssh.com" {
			l.refuse(r.Type)
		}
	}
}

// refuse logs what was asked for in vain.
func (l *link) refuse(what string) {
	if l.refused.Add(1) <= refusals {
		l.gate.cfg.Log.Info("ssh: request refused", "name", l.visitor.name, "address", l.address, "request", clean(what))
	}
}

// open answers the request for a channel.
func (l *link) open(nc ssh.NewChannel) {
	if nc.ChannelType() != "session" {
		l.refuse(nc.ChannelType())
		_ = nc.Reject(ssh.Prohibited, "here is concord and nothing else: nothing is forwarded")
		return
	}
	if !l.take() {
		_ = nc.Reject(ssh.ResourceShortage, "too many sessions on one connection")
		return
	}
	if !l.gate.open() {
		l.give()
		_ = nc.Reject(ssh.ResourceShortage, "the server is closing")
		return
	}
	ch, reqs, err := nc.Accept()
	if err != nil {
		l.give()
		l.gate.at.Done()
		return
	}
	s := &session{link: l, ch: ch, window: newWindow(), gone: make(chan struct{})}
	go func() {
		defer l.gate.at.Done()
		defer l.give()
		defer func() {
			if v := recover(); v != nil {
				l.gate.cfg.Log.Error("ssh: panic", "panic", v, "stack", string(debug.Stack()))
				l.close("panic")
			}
		}()
		s.serve(reqs)
	}()
}

// take counts a channel of this connection.
func (l *link) take() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.channels >= l.gate.cfg.PerPerson {
		return false
	}
	l.channels++
	l.unused.Stop()
	return true
}

func (l *link) give() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.channels--; l.channels == 0 {
		l.unused.Reset(l.gate.cfg.Handshake)
	}
}

// still asks once more who it is that came in.
func (l *link) still() error {
	if l.visitor.local {
		return nil
	}
	v, err := l.gate.known(l.visitor.key)
	if err == nil && v.name != l.visitor.name {
		err = fmt.Errorf("it is now the key of %s: %w", v.name, ErrNobody)
	}
	return err
}

// longest is how much of a client's text is logged, in characters.
const longest = 100

// clean makes a client's text harmless where it is read, and short.
func clean(s string) string { return text.Outside(s).Short(longest) }

// left is a text as it is left on a terminal, below what is there.
func left(line string) string {
	line = strings.Trim(text.Outside(line).Terminal(), "\n")
	if line == "" {
		return ""
	}
	return strings.ReplaceAll(line, "\n", "\r\n") + "\r\n"
}

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
