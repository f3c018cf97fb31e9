package ssh

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

// elsewhere is a connection of some address, which sends nothing.
type elsewhere struct {
	net.Conn
	from netip.AddrPort
}

func (e elsewhere) RemoteAddr() net.Addr { return net.TCPAddrFromAddrPort(e.from) }

func TestHalfOpenConnectionsMakeRoom(t *testing.T) {
	t.Parallel()
	g, err := NewGate(Config{Sessions: 2, Enter: echo})
	if err != nil {
		t.Fatal(err)
	}
	come := func(from string) *sshLink {
		near, far := net.Pipe()
		t.Cleanup(func() { _, _ = near.Close(), far.Close() })
		l := g.newLink(elsewhere{near, netip.MustParseAddrPort(from)})
		g.startups.delayAndCountStartup(l)
		return l
	}
	check := func(want bool, all ...*sshLink) {
		t.Helper()
		for _, l := range all {
			if slices.Contains(g.startups.waiting, l) != want || (l.ctx.Err() == nil) != want {
				t.Errorf("%s waits: %v, want %t", l.RemoteAddr(), context.Cause(l.ctx), want)
			}
		}
	}
	a, b := come("10.0.0.1:1"), come("10.0.0.1:2") // a quarter of 8 may wait at one place
	check(true, a, b)
	c := come("10.0.0.1:3")
	check(false, a)
	six, same, net6 := come("[2001:db8::1]:1"), come("[2001:db8::ff]:1"), come("[2001:db8:0:1::1]:1")
	check(true, b, c, six, same, net6)
	check(true, come("[2001:db8::2]:2")) // of the same 64 bits
	check(false, six)
	for n := range 4 {
		come(fmt.Sprintf("10.0.1.%d:1", n))
	}
	check(false, b) // the oldest of all
	check(true, c)
	g.startups.uncountStartup(c)
	check(false, a, b)
	for n := range 2 * remembered {
		g.startups.limiterOfPlace(fmt.Sprint(n))
	}
	if n := len(g.startups.places); n > remembered {
		t.Errorf("%d places are kept in mind", n)
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	check := func(want bool, parts ...string) {
		t.Helper()
		var w screenWatch
		for _, p := range parts {
			_, _ = w.Write([]byte(p))
		}
		if got := w.closingSequence() != ""; got != want {
			t.Errorf("%q: %v", parts, got)
		}
	}
	check(false, "text")
	check(true, "a"+screenOn+"b", strings.Repeat("x", 100))
	check(false, screenOn+"x"+screenOff)
	check(true, screenOff+screenOn)
	for cut := range screenOn {
		check(true, screenOn[:cut], screenOn[cut:])
		check(false, screenOn, "frame"+screenOff[:cut], screenOff[cut:]+"prompt")
	}
	check(true, strings.Split(screenOn, "")...)
}

func TestText(t *testing.T) {
	t.Parallel()
	check := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check(cleanText("a\x1b[2Jb\nc\u202ed"), "a␛[2Jb c<U+202E>d")
	check(cleanText(strings.Repeat("é", longest)), strings.Repeat("é", longest))
	check(cleanText("\xff"+strings.Repeat("x", 2)), "\ufffdxx")
	check(formatLastLine("one\ntwo\x1b\n"), "one\r\ntwo␛\r\n")
	check(formatLastLine(""), "")
	check(spelled.Replace((30 * time.Minute).String()), "30m")
	check(spelled.Replace((2 * time.Hour).String()), "2h")
	check(spelled.Replace((90 * time.Second).String()), "1m30s")
}
