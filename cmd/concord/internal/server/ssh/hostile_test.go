package ssh

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// other is a session that must notice nothing: it is looked at before and after.
func (r *rig) other(key ssh.Signer) func() {
	s := r.sit(r.must(key))
	s.sees("ready")
	return func() {
		r.t.Helper()
		begun := time.Now()
		s.key("unmoved")
		s.sees("unmoved")
		if d := time.Since(begun); d > 2*time.Second {
			r.t.Errorf("another session waited for %v", d)
		}
	}
}

// tap is a client's connection that can be stopped and broken into.
type tap struct {
	net.Conn
	deaf atomic.Bool
	shut chan struct{}
}

func (p *tap) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	if p.deaf.Load() {
		<-p.shut
		return 0, io.EOF
	}
	return n, err
}

// tapped comes in over a tap.
func (r *rig) tapped(key ssh.Signer) (*ssh.Client, *tap) {
	r.t.Helper()
	conn, err := net.Dial("tcp", r.addr)
	if err != nil {
		r.t.Fatal(err)
	}
	p := &tap{Conn: conn, shut: make(chan struct{})}
	c, chans, reqs, err := ssh.NewClientConn(p, r.addr, as(key))
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { close(p.shut); _ = conn.Close() })
	return ssh.NewClient(c, chans, reqs), p
}

// paints writes without an end, and says when it had to stop, and why.
func paints(stopped chan<- string) func(context.Context, *Terminal) (string, error) {
	return func(ctx context.Context, t *Terminal) (string, error) {
		if t.Guest().Name != "bad" {
			return echo(ctx, t)
		}
		frame := []byte(strings.Repeat("frame ", 2000))
		for {
			if _, err := t.Write(frame); err != nil {
				<-ctx.Done()
				stopped <- context.Cause(ctx).Error()
				return "", err
			}
		}
	}
}

func TestClientThatNeverReads(t *testing.T) {
	t.Parallel()
	good, bad := newKey(), newKey()
	stopped := make(chan string, 1)
	r := serve(t, Config{Stall: 150 * time.Millisecond, Enter: paints(stopped)}, map[string]ssh.Signer{"good": good, "bad": bad})
	unmoved := r.other(good)
	ask := func(c *ssh.Client) {
		t.Helper()
		ch, reqs, err := c.OpenChannel("session", nil) // whose output nobody takes: its window closes
		if err != nil {
			t.Fatal(err)
		}
		go ssh.DiscardRequests(reqs)
		size := ssh.Marshal(struct {
			Term       string
			C, R, W, H uint32
			Modes      string
		}{"xterm", 80, 24, 0, 0, ""})
		if ok, err := ch.SendRequest("pty-req", true, size); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if ok, err := ch.SendRequest("shell", true, nil); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	ended := func(how string) {
		t.Helper()
		unmoved()
		select {
		case why := <-stopped:
			t.Log(how, "ended:", why)
		case <-time.After(10 * time.Second):
			t.Errorf("%s: the session continues: %+v\n%s", how, r.Guests(), r.log)
		}
		unmoved()
	}
	ask(r.must(bad))
	ended("window")
	c, p := r.tapped(bad)
	ask(c)
	p.deaf.Store(true)
	ended("connection")
	r.logged("it took no output")
}

func TestGarbageBeforeTheHandshake(t *testing.T) {
	t.Parallel()
	ann := newKey()
	r := serve(t, Config{Handshake: 700 * time.Millisecond}, map[string]ssh.Signer{"ann": ann})
	unmoved := r.other(ann)
	var all sync.WaitGroup
	check := func(begin string) {
		conn, err := net.Dial("tcp", r.addr)
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(conn, begin)
		if begin != "" && !strings.HasSuffix(begin, "x") { // or silence
			_, _ = io.CopyN(conn, rand.Reader, 64<<10)
		}
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, err := io.Copy(io.Discard, conn); isTimeout(err) {
			t.Errorf("%q: the connection is kept", begin)
		}
		_ = conn.Close()
	}
	for _, begin := range []string{"", "SSH-2.0-x\r\n", "GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x", "\x16\x03\x01"} {
		all.Go(func() { check(begin) })
	}
	all.Wait()
	unmoved()
	r.logged("not done after 700ms")
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

func TestGarbageInASession(t *testing.T) {
	t.Parallel()
	good, bad := newKey(), newKey()
	ended := make(chan string, 1)
	r := serve(t, Config{Enter: func(ctx context.Context, at *Terminal) (string, error) {
		last, err := echo(ctx, at)
		if at.Guest().Name == "bad" {
			ended <- context.Cause(ctx).Error()
		}
		return last, err
	}}, map[string]ssh.Signer{"good": good, "bad": bad})
	unmoved := r.other(good)
	c, p := r.tapped(bad)
	s := r.sit(c)
	s.sees("ready")
	s.key("\x00\xff\x1b[999999;1H\x1b]0;\xc3\x28\a\x9b") // typed, it is as good as any
	s.sees("\x00\xff\x1b[999999;1H\x1b]0;\xc3\x28\a\x9b")
	if _, err := io.CopyN(p.Conn, rand.Reader, 4<<10); err != nil { // within the protocol it is none
		t.Fatal(err)
	}
	select {
	case why := <-ended:
		t.Log(why)
	case <-time.After(10 * time.Second):
		t.Error("the session continues")
	}
	unmoved()
}

func TestFloodOfKeysIsSlowedDown(t *testing.T) {
	t.Parallel()
	good, bad := newKey(), newKey()
	var taken atomic.Int64
	r := serve(t, Config{Enter: func(ctx context.Context, at *Terminal) (string, error) {
		if at.Guest().Name == "good" {
			return echo(ctx, at)
		}
		_, _ = io.WriteString(at, "ready")
		buf := make([]byte, 4096)
		for {
			n, err := at.Read(buf)
			taken.Add(int64(n))
			if err != nil {
				return "", err
			}
		}
	}}, map[string]ssh.Signer{"good": good, "bad": bad})
	unmoved := r.other(good)
	c := r.must(bad)
	s := r.sit(c)
	s.sees("ready")
	pasted := strings.Repeat("word ", 60<<10/5)
	s.key(pasted)
	if !r.waitFor(func() bool { return taken.Load() == int64(len(pasted)) }) {
		t.Errorf("of a paste of %d bytes %d came", len(pasted), taken.Load())
	}
	begun := time.Now()
	go func() {
		for { // for as long as it is taken
			if _, err := io.WriteString(s.in, strings.Repeat("1", 32<<10)); err != nil {
				return
			}
		}
	}()
	time.Sleep(200 * time.Millisecond)
	unmoved()
	passed, most := taken.Load()-int64(len(pasted)), typeBurst+typeRate*int64(time.Since(begun)+time.Second)/int64(time.Second)
	if passed == 0 || passed > most {
		t.Errorf("of a flood %d bytes came in %v, want at most %d", passed, time.Since(begun), most)
	}
	_ = c.Close()
}

func TestDroppedConnectionEndsItsSessions(t *testing.T) {
	t.Parallel()
	drops := map[string]func(*ssh.Client, *tap){
		"closed": func(c *ssh.Client, _ *tap) { _ = c.Close() },
		"torn":   func(_ *ssh.Client, p *tap) { _ = p.Close() },
		"silent": func(_ *ssh.Client, p *tap) { p.deaf.Store(true) },
	}
	people := make(map[string]ssh.Signer)
	for how := range drops {
		people[how] = newKey()
	}
	ended := make(chan string, len(drops))
	r := serve(t, Config{Keepalive: 80 * time.Millisecond, Enter: func(ctx context.Context, at *Terminal) (string, error) {
		_, _ = io.WriteString(at, "ready")
		<-ctx.Done()
		ended <- at.Guest().Name + " ended: " + context.Cause(ctx).Error()
		return "", nil
	}}, people)
	var drop []func()
	for how, with := range drops {
		c, p := r.tapped(people[how])
		r.sit(c).sees("ready")
		drop = append(drop, func() { with(c, p) })
	}
	time.Sleep(300 * time.Millisecond) // more than three questions, all answered
	if n := len(r.Guests()); n != len(drops) {
		t.Errorf("%d sessions before: %s", n, r.log)
	}
	for _, now := range drop {
		now()
	}
	for range drops {
		select {
		case how := <-ended:
			t.Log(how)
		case <-time.After(10 * time.Second):
			t.Error("a session continues")
		}
	}
	if !r.waitFor(func() bool { return len(r.Guests()) == 0 }) {
		t.Errorf("guests %+v", r.Guests())
	}
	r.logged("it gave no sign of life")
}

func TestHalfOpenConnectionsKeepNobodyOut(t *testing.T) {
	t.Parallel()
	ann := newKey()
	r := serve(t, Config{Sessions: 4}, map[string]ssh.Signer{"ann": ann})
	for range 100 {
		conn, err := net.Dial("tcp", r.addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
	}
	r.sit(r.must(ann)).sees("ready")
	r.logged(roomMade)
}

func TestDroppedLinesKeepTheirPersonNotOut(t *testing.T) {
	t.Parallel()
	ann := newKey()
	r := serve(t, Config{PerPerson: 1, Grace: time.Second}, map[string]ssh.Signer{"ann": ann})
	c, p := r.tapped(ann)
	r.sit(c).sees("ready")
	p.deaf.Store(true)               // nobody tells that she is gone
	r.sit(r.must(ann)).sees("ready") // she comes in again
	r.logged("and another one came")
	if status, all := r.sit(r.must(ann)).end(); status != 1 || !strings.Contains(all, "you are in 1 times already") {
		t.Errorf("beside one that answers: %d, %q", status, all)
	}
}

func TestConnectionWithoutASession(t *testing.T) {
	t.Parallel()
	ann := newKey()
	r := serve(t, Config{Handshake: 700 * time.Millisecond}, map[string]ssh.Signer{"ann": ann})
	unmoved := r.other(ann)
	bare := r.must(ann)                                 // ssh -N
	if _, err := r.must(ann).NewSession(); err != nil { // which asks for nothing
		t.Fatal(err)
	}
	if err := bare.Wait(); err == nil {
		t.Error("ended without a reason")
	}
	unmoved()
	r.logged("it had no session")
	r.logged("a channel without a session")
}

func TestManyChannels(t *testing.T) {
	t.Parallel()
	ann := newKey()
	r := serve(t, Config{PerPerson: 2}, map[string]ssh.Signer{"ann": ann})
	c := r.must(ann)
	for n := range 4 {
		_, err := c.NewSession()
		if (err == nil) != (n < 2) {
			t.Errorf("channel %d: %v", n, err)
		}
	}
	var err error
	for n := range 6 {
		var more *ssh.Client
		if more, err = r.dial(ann); err == nil {
			err = opened(more)
			t.Cleanup(func() { _ = more.Close() })
		}
		if (err == nil) != (n < 3) {
			t.Errorf("connection %d: %v", n, err)
		}
	}
	r.logged("too many connections of one person")
}

// opened opens a session, or says how the connection ended: a client that asks
// for a channel just when its connection is closed waits for ever.
func opened(c *ssh.Client) error {
	done := make(chan error, 2)
	go func() { _, err := c.NewSession(); done <- err }()
	go func() { done <- cmp.Or(c.Wait(), io.EOF) }()
	return <-done
}
