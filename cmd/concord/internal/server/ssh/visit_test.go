//go:build unix

package ssh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	xterm "golang.org/x/term"
)

// call is a client from a terminal of this machine.
type call struct {
	t         *testing.T
	tty, host *os.File // the terminal, and what sits in front of it
	far       net.Conn // the gate's end of the connection
	painted   *journal
	was       *xterm.State
	ended     chan struct{}

	status int
	last   string
	err    error
}

func visitFor(t *testing.T, ctx context.Context, enter func(context.Context, *Terminal) (string, error)) *call {
	t.Helper()
	g, err := NewGate(Config{Enter: enter, Grace: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	c := &call{t: t, painted: &journal{}, ended: make(chan struct{})}
	if c.host, c.tty, err = pty.Open(); err != nil {
		t.Fatal(err)
	}
	_ = pty.Setsize(c.tty, &pty.Winsize{Cols: 100, Rows: 30})
	if c.was, err = xterm.GetState(int(c.tty.Fd())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.tty.Close(); _ = c.host.Close() })
	go func() { _, _ = io.Copy(c.painted, c.host) }()
	near, far := pair(t)
	c.far = far
	go g.ServeLocalConnection(far, "ann")
	go func() {
		defer close(c.ended)
		c.status, c.last, c.err = AttachTerminal(ctx, near, c.tty, c.tty, []string{"TERM=xterm", "TMUX=/tmp/x,1,0", "HOME=/home/x", "LANG=C"})
	}()
	return c
}

// pair is a connection over a socket, as two processes have one.
func pair(t *testing.T) (near, far net.Conn) {
	t.Helper()
	ln, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	if near, err = net.Dial("unix", ln.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if far, err = ln.Accept(); err != nil {
		t.Fatal(err)
	}
	return near, far
}

func (c *call) sees(text string) {
	c.t.Helper()
	for range 5000 {
		if strings.Contains(c.painted.String(), text) {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
	c.t.Fatalf("painted %q, want %q", c.painted.String(), text)
}

// end waits for the end, and looks whether the terminal is as it was.
func (c *call) end() {
	c.t.Helper()
	select {
	case <-c.ended:
	case <-time.After(10 * time.Second):
		c.t.Fatal("the visit did not end")
	}
	if now, err := xterm.GetState(int(c.tty.Fd())); err != nil || *now != *c.was {
		c.t.Errorf("the terminal is not as it was: %v", err)
	}
}

func TestVisit(t *testing.T) {
	t.Parallel()
	c := visitFor(t, context.Background(), func(ctx context.Context, at *Terminal) (string, error) {
		cols, rows := at.Size()
		g := at.Guest()
		_, _ = fmt.Fprintln(at, cols, rows, at.Environ(), g.Name, g.Local, g.Address == "")
		<-at.ResizeMarks()
		cols, rows = at.Size()
		_, _ = fmt.Fprintln(at, cols, rows)
		return echo(ctx, at)
	})
	c.sees("100 30 [LANG=C TERM=xterm TMUX=/tmp/x,1,0] ann true true\n")
	_ = pty.Setsize(c.tty, &pty.Winsize{Cols: 90, Rows: 20})
	_ = syscall.Kill(os.Getpid(), syscall.SIGWINCH)
	c.sees("90 20\n")
	c.sees("ready")
	_, _ = io.WriteString(c.host, "typed\x03")
	c.sees("typed\x03")
	_, _ = io.WriteString(c.host, "q")
	c.end()
	c.sees(screenOff)
	if c.status != 0 || c.last != "until next time" || c.err != nil {
		t.Errorf("ended with %d, %q, %v", c.status, c.last, c.err)
	}
}

func TestVisitThatIsCutShort(t *testing.T) {
	t.Parallel()
	check := func(how string, want error, cut func(*call, context.CancelFunc)) {
		t.Helper()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		c := visitFor(t, ctx, echo)
		c.sees("ready")
		cut(c, cancel)
		c.end()
		c.sees(restore)
		if c.status != 1 || !errors.Is(c.err, want) {
			t.Errorf("%s: ended with %d, %v", how, c.status, c.err)
		}
	}
	check("killed", ErrGone, func(c *call, _ context.CancelFunc) { _ = c.far.Close() })
	check("cancelled", context.Canceled, func(_ *call, cancel context.CancelFunc) { cancel() })
}

func TestVisitOfADeadSocket(t *testing.T) {
	t.Parallel()
	near, far := pair(t)
	_ = far.Close()
	if _, _, err := AttachTerminal(context.Background(), near, os.Stdin, os.Stdout, nil); err == nil {
		t.Error("no error")
	}
}
