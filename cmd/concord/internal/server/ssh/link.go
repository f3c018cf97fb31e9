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

// sshLink is one connection, from its first byte to its last.
type sshLink struct {
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

func (g *Gate) newLink(conn net.Conn) *sshLink {
	l := &sshLink{Conn: conn, gate: g, place: groupOfAddress(conn.RemoteAddr().String()), pace: rate.NewLimiter(wireRate, wireBurst)}
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	l.late = time.AfterFunc(time.Hour, func() {
		switch {
		case !l.in.Load():
			l.closeWithReason(fmt.Sprintf("not done after %v", g.cfg.Handshake))
		case l.channels.Load() == 0:
			l.closeWithReason("it had no session")
		default:
			l.late.Reset(g.cfg.Handshake)
		}
	})
	l.late.Reset(g.cfg.Handshake)
	return l
}

// linkKey is where a context of the library has its link.
type linkKey struct{}

func linkOfContext(ctx gliderlabs.Context) *sshLink { return ctx.Value(linkKey{}).(*sshLink) }

// beginLink takes a connection, before its handshake.
func (g *Gate) beginLink(ctx gliderlabs.Context, conn net.Conn) net.Conn {
	l, own := conn.(*sshLink)
	if !own {
		l = g.newLink(conn)
		g.startups.delayAndCountStartup(l)
	}
	l.asked = ctx
	ctx.SetValue(linkKey{}, l)
	return l
}

// Read takes no more than its pace allows.
func (l *sshLink) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p[:min(len(p), wireBurst)])
	if n > 0 {
		_ = l.pace.WaitN(l.ctx, n)
	}
	if err != nil && l.ctx.Err() != nil {
		err = context.Cause(l.ctx)
	}
	return n, err
}

// Write ends the connection when it is not taken in time: half a packet is none, and nothing can follow it.
func (l *sshLink) Write(p []byte) (int, error) {
	if err := l.SetWriteDeadline(time.Now().Add(l.gate.cfg.Stall)); err != nil {
		return 0, err
	}
	n, err := l.Conn.Write(p)
	if err != nil {
		l.closeWithReason(cleanText(err.Error()))
	}
	return n, err
}

// SetDeadline does nothing: the library takes back, at each Read, the deadline of a Write that waits.
func (*sshLink) SetDeadline(time.Time) error { return nil }

// Close ends the connection, whatever the client does.
func (l *sshLink) Close() error {
	l.cancel(&endError{why: "the connection ended"})
	l.late.Stop()
	l.gate.startups.uncountStartup(l)
	if l.gate.removeLink(l) {
		l.newLinkLogger().Info("ssh: left", "why", context.Cause(l.ctx))
	}
	return l.Conn.Close()
}

// closeWithReason closes the connection for a reason; the first one counts.
func (l *sshLink) closeWithReason(why string) {
	l.cancel(&endError{why: why})
	_ = l.Close()
}

func (l *sshLink) newLinkLogger() *slog.Logger {
	return l.gate.cfg.Log.With("name", l.visitor.name, "address", l.RemoteAddr().String(), "key", l.visitor.key.Fingerprint)
}

// closeWhenClientSilent asks the client whether it is there.
func (l *sshLink) closeWhenClientSilent() {
	for every := l.gate.cfg.Keepalive; ; {
		select {
		case <-l.ctx.Done():
			return
		case <-time.After(every):
		}
		if !l.clientAnswersKeepalive(missed * every) {
			l.closeWithReason("it gave no sign of life")
		}
	}
}

// clientAnswersKeepalive reports whether the client answers in time, unless the connection ends.
func (l *sshLink) clientAnswersKeepalive(within time.Duration) bool {
	conn, is := l.asked.Value(gliderlabs.ContextKeyConn).(*ssh.ServerConn)
	return !is || answersKeepalive(conn, l.ctx.Done(), within)
}

// refuseForwarding refuses what is asked of the connection as a whole: forwarding.
func refuseForwarding(ctx gliderlabs.Context, _ *gliderlabs.Server, r *ssh.Request) (bool, []byte) {
	if r.Type != "keepalive@openssh.com" && r.Type != "no-more-sessions@openssh.com" {
		linkOfContext(ctx).logRefusal(r.Type)
	}
	return false, nil
}

func rejectChannel(_ *gliderlabs.Server, _ *ssh.ServerConn, nc ssh.NewChannel, ctx gliderlabs.Context) {
	linkOfContext(ctx).logRefusal(nc.ChannelType())
	_ = nc.Reject(ssh.Prohibited, "here is concord and nothing else: nothing is forwarded")
}

// logRefusal logs what was asked for in vain.
func (l *sshLink) logRefusal(what string) {
	if l.refused.Add(1) <= refusals {
		l.newLinkLogger().Info("ssh: request refused", "request", cleanText(what))
	}
}

// checkKeyStillValid asks once more who it is that came in.
func (l *sshLink) checkKeyStillValid() error {
	if l.visitor.local {
		return nil
	}
	v, err := l.gate.findVisitorOfKey(l.visitor.key)
	if err == nil && v.name != l.visitor.name {
		err = fmt.Errorf("it is now the key of %s: %w", v.name, ErrNobody)
	}
	return err
}

// longest is how much of a client's text is logged, in characters.
const longest = 100

// cleanText makes a client's text harmless where it is read, and short.
func cleanText(s string) string { return text.Outside(s).Shorten(longest) }

// formatLastLine is a text as it is left on a terminal, below what is there.
func formatLastLine(line string) string {
	line = strings.Trim(text.Outside(line).ForTerminal(), "\n")
	if line == "" {
		return ""
	}
	return strings.ReplaceAll(line, "\n", "\r\n") + "\r\n"
}
