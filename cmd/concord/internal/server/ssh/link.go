package ssh

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"time"

	gliderlabs "github.com/gliderlabs/ssh"
	"golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"concord/eval/text"
)

// missed is how many questions' time a client has to answer one.
const missed = 3

// refusals is how many refused requests of one connection are logged.
const refusals = 20

// How fast a connection is read, in bytes, whatever is in them: a client that
// floods the protocol itself costs no more time than this.
const (
	wireRate  = 128 << 10 // a second
	wireBurst = 256 << 10
)

// link is one connection, from its first byte to its last.
type link struct {
	net.Conn
	gate    *Gate
	place   string
	visitor visitor // once it is in, or of this machine
	client  string  // the program at the other end, as it calls itself
	pace    *rate.Limiter
	late    *time.Timer        // ends it when it does not come in, or has no channel when it is looked at again
	asked   gliderlabs.Context // the library's; nil before it has the connection

	in                atomic.Bool // its handshake is done
	refused, channels atomic.Int64

	ctx    context.Context // ends with the connection; its cause is an ending
	cancel context.CancelCauseFunc
}

func (g *Gate) newLink(conn net.Conn) *link {
	l := &link{Conn: conn, gate: g, place: placeOf(conn.RemoteAddr().String()), pace: rate.NewLimiter(wireRate, wireBurst)}
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	l.late = time.AfterFunc(time.Hour, func() {
		switch {
		case !l.in.Load():
			l.end(fmt.Sprintf("not done after %v", g.cfg.Handshake))
		case l.channels.Load() == 0:
			l.end("it had no session")
		default:
			l.late.Reset(g.cfg.Handshake)
		}
	})
	l.late.Reset(g.cfg.Handshake)
	return l
}

// linkKey is where a context of the library has its link.
type linkKey struct{}

func linkOf(ctx gliderlabs.Context) *link { return ctx.Value(linkKey{}).(*link) }

// receive takes a connection, before its handshake.
func (g *Gate) receive(ctx gliderlabs.Context, conn net.Conn) net.Conn {
	l, own := conn.(*link)
	if !own {
		l = g.newLink(conn)
		g.startups.begin(l)
	}
	l.asked = ctx
	ctx.SetValue(linkKey{}, l)
	return l
}

// Read takes no more than its pace allows.
func (l *link) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p[:min(len(p), wireBurst)])
	if n > 0 {
		_ = l.pace.WaitN(l.ctx, n)
	}
	if err != nil && l.ctx.Err() != nil {
		err = context.Cause(l.ctx)
	}
	return n, err
}

// Write ends the connection when it is not taken in time: half a packet is none,
// and nothing can follow it.
func (l *link) Write(p []byte) (int, error) {
	if err := l.SetWriteDeadline(time.Now().Add(l.gate.cfg.Stall)); err != nil {
		return 0, err
	}
	n, err := l.Conn.Write(p)
	if err != nil {
		l.end(clean(err.Error()))
	}
	return n, err
}

// SetDeadline does nothing: the library takes back, at each Read, the deadline of
// a Write that waits.
func (*link) SetDeadline(time.Time) error { return nil }

// Close ends the connection, whatever the client does.
func (l *link) Close() error {
	l.cancel(&ending{why: "the connection ended"})
	l.late.Stop()
	l.gate.startups.end(l)
	if l.gate.part(l) {
		l.log().Info("ssh: left", "why", context.Cause(l.ctx))
	}
	return l.Conn.Close()
}

// end closes the connection for a reason; the first one counts.
func (l *link) end(why string) {
	l.cancel(&ending{why: why})
	_ = l.Close()
}

func (l *link) log() *slog.Logger {
	return l.gate.cfg.Log.With("name", l.visitor.name, "address", l.RemoteAddr().String(), "key", l.visitor.key.Fingerprint)
}

// keepalive asks the client whether it is there.
func (l *link) keepalive() {
	for every := l.gate.cfg.Keepalive; ; {
		select {
		case <-l.ctx.Done():
			return
		case <-time.After(every):
		}
		if !l.answers(missed * every) {
			l.end("it gave no sign of life")
		}
	}
}

// answers reports whether the client answers in time, unless the connection ends.
func (l *link) answers(within time.Duration) bool {
	conn, is := l.asked.Value(gliderlabs.ContextKeyConn).(*ssh.ServerConn)
	return !is || answers(conn, l.ctx.Done(), within)
}

// refuseRequest refuses what is asked of the connection as a whole: forwarding.
func refuseRequest(ctx gliderlabs.Context, _ *gliderlabs.Server, r *ssh.Request) (bool, []byte) {
	if r.Type != "keepalive@openssh.com" && r.Type != "no-more-sessions@openssh.com" {
		linkOf(ctx).refuse(r.Type)
	}
	return false, nil
}

// refuseChannel refuses a channel that is no session.
func refuseChannel(_ *gliderlabs.Server, _ *ssh.ServerConn, nc ssh.NewChannel, ctx gliderlabs.Context) {
	linkOf(ctx).refuse(nc.ChannelType())
	_ = nc.Reject(ssh.Prohibited, "here is concord and nothing else: nothing is forwarded")
}

// refuse logs what was asked for in vain.
func (l *link) refuse(what string) {
	if l.refused.Add(1) <= refusals {
		l.log().Info("ssh: request refused", "request", clean(what))
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
