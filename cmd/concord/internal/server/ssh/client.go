package ssh

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/muesli/cancelreader"
	"golang.org/x/crypto/ssh"
	xterm "golang.org/x/term"

	"concord/eval/text"
)

// answerTime is how long the other process may take to give its terminal.
const answerTime = 10 * time.Second

// ErrGone is of a client whose host went without a word, as one does that is
// killed.
var ErrGone = errors.New("the process that holds the project is gone")

// ErrSilent is of a client whose host gave no sign of life, as one does that is
// stopped.
var ErrSilent = errors.New("the process that holds the project has stopped answering")

// signTime is how often the host is asked for a sign of life, and how long it has
// to give one; the longest that a client stands still without a word is twice that.
const signTime = 5 * time.Second

// Attach gives the terminal of in and out to a gate of this user, over a
// connection that Admit serves there, until the session ends. last is the line
// that it leaves, which is not printed. Whatever happens, the terminal is as it
// was before.
func Attach(ctx context.Context, conn net.Conn, in, out *os.File, environ []string) (status int, last string, err error) {
	defer conn.Close() //nolint:errcheck // it is over
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	v := &client{in: in, out: out}
	if err := v.call(conn, environ); err != nil {
		return 1, "", v.excuse(ctx, fmt.Errorf("open session: %w", err))
	}
	was, err := xterm.MakeRaw(int(in.Fd()))
	if err != nil {
		return 1, "", fmt.Errorf("open session: %w", err)
	}
	defer xterm.Restore(int(in.Fd()), was) //nolint:errcheck // there is nobody to tell
	if err := v.begin(); err != nil {
		return 1, "", v.excuse(ctx, fmt.Errorf("open session: %w", err))
	}
	err = v.stay()
	return v.status, strings.TrimSpace(text.Outside(v.last.String()).Terminal()), v.excuse(ctx, err)
}

// client is one session at a gate of this user.
type client struct {
	in, out *os.File
	client  ssh.Conn
	ch      ssh.Channel
	reqs    <-chan *ssh.Request
	screen  watch
	last    bytes.Buffer
	status  int
	done    bool // a status came
	silent  atomic.Bool
}

// call opens a session; there is no key to check on a user's own socket.
func (v *client) call(conn net.Conn, environ []string) error {
	late := time.AfterFunc(answerTime, func() { _ = conn.Close() })
	defer late.Stop()
	client, chans, reqs, err := ssh.NewClientConn(conn, "", &ssh.ClientConfig{
		ClientVersion:   version,
		HostKeyCallback: ssh.InsecureIgnoreHostKey(), //nolint:gosec // see above
	})
	if err != nil {
		return err
	}
	go ssh.DiscardRequests(reqs)
	go func() {
		for nc := range chans {
			_ = nc.Reject(ssh.Prohibited, "")
		}
	}()
	v.client = client
	if v.ch, v.reqs, err = openSession(client); err != nil {
		return err
	}
	for _, kv := range environ {
		if name, value, _ := strings.Cut(kv, "="); name != "TERM" && passes(name, value, true) {
			if _, err := v.ch.SendRequest("env", false, ssh.Marshal(struct{ Name, Value string }{name, value})); err != nil {
				return err
			}
		}
	}
	size := v.size()
	return v.ask("pty-req", ssh.Marshal(struct {
		Term       string
		Cols, Rows uint32
		W, H       uint32
		Modes      string
	}{getenv(environ, "TERM"), size.Cols, size.Rows, 0, 0, ""}))
}

// openSession opens a session, or says how the connection ended: who asks for a
// channel just when the connection is closed is never answered.
func openSession(client ssh.Conn) (ssh.Channel, <-chan *ssh.Request, error) {
	type opened struct {
		ch   ssh.Channel
		reqs <-chan *ssh.Request
		err  error
	}
	done := make(chan opened, 2)
	go func() {
		ch, reqs, err := client.OpenChannel("session", nil)
		done <- opened{ch, reqs, err}
	}()
	go func() { done <- opened{err: cmp.Or(client.Wait(), io.EOF)} }()
	o := <-done
	return o.ch, o.reqs, o.err
}

func (v *client) begin() error { return v.ask("shell", nil) }

func (v *client) ask(what string, payload []byte) error {
	ok, err := v.ch.SendRequest(what, true, payload)
	if err == nil && !ok {
		err = fmt.Errorf("%s refused", what)
	}
	return err
}

// cells is a size as the protocol has it.
type cells struct{ Cols, Rows, Width, Height uint32 }

func (v *client) size() cells {
	cols, rows, err := xterm.GetSize(int(v.out.Fd()))
	if err != nil || cols < 0 || rows < 0 {
		return cells{}
	}
	return cells{Cols: uint32(min(cols, mostCols)), Rows: uint32(min(rows, mostRows))} //nolint:gosec // both are small
}

// stay passes on what is typed and what is painted until the session ends.
func (v *client) stay() error {
	typed, err := cancelreader.NewReader(v.in)
	if err != nil {
		return err
	}
	resized, quiet := notifyResize()
	over := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		_, _ = io.Copy(v.ch, typed)
		_ = v.ch.CloseWrite() // the terminal hung up, if the session did not end
	})
	running.Go(func() {
		for {
			select {
			case <-over:
				return
			case <-resized:
				_, _ = v.ch.SendRequest("window-change", false, ssh.Marshal(v.size()))
			}
		}
	})
	running.Go(func() { v.attend(over) })
	v.paint()
	quiet()
	close(over)
	_ = v.client.Close()
	if typed.Cancel() { // otherwise it waits for one more key, and nobody for it
		running.Wait()
		_ = typed.Close()
	}
	if end := v.screen.end(); end != "" {
		_, _ = io.WriteString(v.out, end)
	}
	switch {
	case v.done:
		return nil
	case v.silent.Load():
		v.status = 1
		return ErrSilent
	}
	v.status = 1
	return ErrGone
}

// attend ends the client when its host gives no sign of life.
func (v *client) attend(over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		case <-time.After(signTime):
		}
		answered := make(chan struct{})
		go func() {
			defer close(answered)
			_, _, _ = v.client.SendRequest("keepalive@openssh.com", true, nil)
		}()
		select {
		case <-over:
			return
		case <-answered:
		case <-time.After(signTime):
			v.silent.Store(true)
			_ = v.client.Close()
			return
		}
	}
}

// paint returns when the session has ended.
func (v *client) paint() {
	var reading sync.WaitGroup
	reading.Go(func() {
		_, _ = io.Copy(io.MultiWriter(watching{&v.screen}, v.out), v.ch)
		_ = v.client.Close() // also when nobody reads it anymore
	})
	reading.Go(func() {
		_, _ = io.Copy(&v.last, io.LimitReader(v.ch.Stderr(), 4<<10))
	})
	for r := range v.reqs {
		var said struct{ Status uint32 }
		if r.Type == "exit-status" && ssh.Unmarshal(r.Payload, &said) == nil {
			v.status, v.done = int(said.Status), true
		}
		if r.WantReply {
			_ = r.Reply(false, nil)
		}
	}
	reading.Wait()
}

// watching hands what is painted to a watch.
type watching struct{ *watch }

func (w watching) Write(p []byte) (int, error) { w.see(p); return len(p), nil }

// excuse is an error as it is told: of a context that ended, that it did.
func (*client) excuse(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// What a program writes to draw on a screen of its own, and to leave it.
const (
	screenOn  = "\x1b[?1049h"
	screenOff = "\x1b[?1049l"
)

// restore undoes what a program that draws on the whole of a terminal leaves
// behind when it is cut short: mouse, bracketed paste, a hidden cursor, colours
// and its own screen.
const restore = "\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?1006l\x1b[?2004l\x1b[?1004l\x1b[0m\x1b[?25h" + screenOff

// watch follows whether a program draws on a screen of its own.
type watch struct {
	mu   sync.Mutex
	on   bool
	tail []byte // what may be the beginning of a sequence that was cut
}

func (w *watch) see(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	most := len(screenOn) - 1
	joint := append(w.tail, p[:min(len(p), most)]...)
	w.decide(joint)
	w.decide(p)
	if len(p) < most {
		w.tail = joint[max(0, len(joint)-most):]
		return
	}
	w.tail = append(w.tail[:0], p[len(p)-most:]...)
}

func (w *watch) decide(p []byte) {
	on, off := bytes.LastIndex(p, []byte(screenOn)), bytes.LastIndex(p, []byte(screenOff))
	if on != off {
		w.on = on > off
	}
}

// end is what to write to a terminal whose program has ended.
func (w *watch) end() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.on {
		return ""
	}
	w.on = false
	return restore
}
