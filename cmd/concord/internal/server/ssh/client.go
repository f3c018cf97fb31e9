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

// ErrGone is of a client whose host went without a word, as one does that is killed.
var ErrGone = errors.New("the process that holds the project is gone")

// ErrSilent is of a client whose host gave no sign of life, as one does that is stopped.
var ErrSilent = errors.New("the process that holds the project has stopped answering")

// signTime is how often the host is asked for a sign of life, and how long it has
// to give one; the longest that a client stands still without a word is twice that.
const signTime = 5 * time.Second

// AttachTerminal gives the terminal of in and out to a gate of this user, over a connection that Admit
// serves there, until the session ends. last is the line that it leaves, which is not printed.
// Whatever happens, the terminal is as it was before.
func AttachTerminal(ctx context.Context, conn net.Conn, in, out *os.File, environ []string) (status int, last string, err error) {
	defer conn.Close() //nolint:errcheck // it is over
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	c := &client{in: in, out: out}
	if err := c.connectToGate(conn, environ); err != nil {
		return 1, "", replaceByContextError(ctx, fmt.Errorf("open session: %w", err))
	}
	was, err := xterm.MakeRaw(int(in.Fd()))
	if err != nil {
		return 1, "", fmt.Errorf("open session: %w", err)
	}
	defer xterm.Restore(int(in.Fd()), was) //nolint:errcheck // there is nobody to tell
	status, err = c.copyTerminalUntilEnd()
	return status, strings.TrimSpace(text.Outside(c.last.String()).ForTerminal()), replaceByContextError(ctx, err)
}

// client is one session at a gate of this user.
type client struct {
	in, out *os.File
	conn    *ssh.Client
	session *ssh.Session
	screen  screenWatch
	last    bytes.Buffer
	silent  atomic.Bool
}

// connectToGate opens a session on a terminal; there is no key to check on a user's own
// socket. Who asks for a channel just when the connection is closed is never
// answered by the library: that it ended is waited for, too.
func (c *client) connectToGate(conn net.Conn, environ []string) error {
	late := time.AfterFunc(answerTime, func() { _ = conn.Close() })
	defer late.Stop()
	over, chans, reqs, err := ssh.NewClientConn(conn, "", &ssh.ClientConfig{
		ClientVersion:   "SSH-2.0-concord",
		HostKeyCallback: ssh.InsecureIgnoreHostKey(), //nolint:gosec // see above
	})
	if err != nil {
		return err
	}
	c.conn = ssh.NewClient(over, chans, reqs)
	opened := make(chan error, 2)
	go func() { opened <- c.requestSession(environ) }()
	go func() { opened <- cmp.Or(over.Wait(), io.EOF) }()
	return <-opened
}

// requestSession asks for a session, and for a terminal as this one is.
func (c *client) requestSession(environ []string) (err error) {
	if c.session, err = c.conn.NewSession(); err != nil {
		return err
	}
	term := ""
	for _, kv := range environ {
		switch name, value, _ := strings.Cut(kv, "="); {
		case name == "TERM":
			term = value
		case isPassedOn(name, value, true):
			_ = c.session.Setenv(name, value) // refused, it is not needed
		}
	}
	cols, rows := c.windowSize()
	return c.session.RequestPty(term, rows, cols, nil)
}

func (c *client) windowSize() (cols, rows int) {
	cols, rows, err := xterm.GetSize(int(c.out.Fd()))
	if err != nil {
		return 0, 0
	}
	return cols, rows
}

// copyTerminalUntilEnd passes on what is typed and what is painted until the session ends.
func (c *client) copyTerminalUntilEnd() (status int, err error) {
	typed, err := cancelreader.NewReader(c.in)
	if err != nil {
		return 1, err
	}
	to, err := c.session.StdinPipe()
	if err != nil {
		return 1, err
	}
	c.session.Stdout, c.session.Stderr = io.MultiWriter(&c.screen, c.out), &c.last
	if err := c.session.Shell(); err != nil {
		return 1, fmt.Errorf("open session: %w", err)
	}
	resized, quiet := notifyWindowResize()
	over := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		_, _ = io.Copy(to, typed)
		_ = to.Close() // the terminal hung up, if the session did not end
	})
	running.Go(func() {
		for {
			select {
			case <-over:
				return
			case <-resized:
				cols, rows := c.windowSize()
				_ = c.session.WindowChange(rows, cols)
			}
		}
	})
	running.Go(func() { c.closeWhenHostSilent(over) })
	err = c.session.Wait()
	quiet()
	close(over)
	_ = c.conn.Close()
	if typed.Cancel() { // otherwise it waits for one more key, and nobody for it
		running.Wait()
		_ = typed.Close()
	}
	_, _ = io.WriteString(c.out, c.screen.closingSequence())
	var exit *ssh.ExitError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &exit):
		return exit.ExitStatus(), nil
	case c.silent.Load():
		return 1, ErrSilent
	}
	return 1, ErrGone
}

// closeWhenHostSilent ends the client when its host gives no sign of life.
func (c *client) closeWhenHostSilent(over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		case <-time.After(signTime):
		}
		if !answersKeepalive(c.conn, over, signTime) {
			c.silent.Store(true)
			_ = c.conn.Close()
			return
		}
	}
}

// answersKeepalive reports whether the other end answers in time, unless it is over.
func answersKeepalive(conn ssh.Conn, over <-chan struct{}, within time.Duration) bool {
	answered := make(chan struct{})
	go func() {
		if _, _, err := conn.SendRequest("keepalive@openssh.com", true, nil); err == nil {
			close(answered)
		}
	}()
	select {
	case <-answered:
	case <-over:
	case <-time.After(within):
		return false
	}
	return true
}

// replaceByContextError gives an error as it is told: of a context that ended, that it did.
func replaceByContextError(ctx context.Context, err error) error {
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

// restore undoes what a program that draws on the whole of a terminal leaves behind when it is
// cut short: mouse, bracketed paste, a hidden cursor, colours and its own screen.
const restore = "\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?1006l\x1b[?2004l\x1b[?1004l\x1b[0m\x1b[?25h" + screenOff

// screenWatch follows whether a program draws on a screen of its own.
type screenWatch struct {
	mu   sync.Mutex
	on   bool
	tail []byte // what may be the beginning of a sequence that was cut
}

func (w *screenWatch) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := append(w.tail, p...)
	if on, off := bytes.LastIndex(all, []byte(screenOn)), bytes.LastIndex(all, []byte(screenOff)); on != off {
		w.on = on > off
	}
	w.tail = bytes.Clone(all[max(0, len(all)-len(screenOn)+1):])
	return len(p), nil
}

// closingSequence is what to write to a terminal whose program has ended.
func (w *screenWatch) closingSequence() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.on {
		return ""
	}
	w.on = false
	return restore
}
