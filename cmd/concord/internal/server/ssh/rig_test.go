package ssh

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"concord/cmd/concord/internal/keys"
)

// rig is a gate that serves on this machine.
type rig struct {
	*Gate
	t    *testing.T
	addr string
	log  *journal

	mu     sync.Mutex
	people map[string]string // fingerprint -> name
}

// journal is a log that tests read while it is written.
type journal struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.String()
}

// serve starts a gate for the people; what c leaves open is short.
func serve(t *testing.T, c Config, people map[string]ssh.Signer) *rig {
	t.Helper()
	r := &rig{t: t, log: &journal{}, people: make(map[string]string)}
	for name, key := range people {
		r.people[FingerprintHostKey(key)] = name
	}
	c.HostKeys = []ssh.Signer{host()}
	c.Who = r.who
	c.Log = slog.New(slog.NewTextHandler(r.log, nil))
	if c.Grace == 0 {
		c.Grace = 100 * time.Millisecond
	}
	if c.Enter == nil {
		c.Enter = echo
	}
	g, err := NewGate(c)
	if err != nil {
		t.Fatal(err)
	}
	r.Gate = g
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.addr = ln.Addr().String()
	served := make(chan error, 1)
	go func() { served <- g.Serve(context.Background(), ln) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if err := g.Close(ctx, ""); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *rig) who(key keys.Key) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if name := r.people[key.Fingerprint]; name != "" {
		return name, nil
	}
	return "", errors.New("unknown key")
}

// dial comes in with the keys.
func (r *rig) dial(with ...ssh.Signer) (*ssh.Client, error) {
	return ssh.Dial("tcp", r.addr, as(with...))
}

func (r *rig) must(with ...ssh.Signer) *ssh.Client {
	r.t.Helper()
	c, err := r.dial(with...)
	for range 2 { // on a machine with much to do it may take longer than it has here
		if err != nil {
			c, err = r.dial(with...)
		}
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = c.Close() })
	return c
}

func as(with ...ssh.Signer) *ssh.ClientConfig {
	return &ssh.ClientConfig{
		User: "x", Timeout: 5 * time.Second,
		Auth:            []ssh.AuthMethod{ssh.PublicKeys(with...)},
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	}
}

// logged waits until the log has a text.
func (r *rig) logged(text string) {
	r.t.Helper()
	if !r.waitFor(func() bool { return strings.Contains(r.log.String(), text) }) {
		r.t.Errorf("the log has no %q:\n%s", text, r.log.String())
	}
}

func (r *rig) waitFor(ok func() bool) bool {
	for range 5000 {
		if ok() {
			return true
		}
		time.Sleep(2 * time.Millisecond)
	}
	return false
}

// seat is one session of a client.
type seat struct {
	*ssh.Session
	t   *testing.T
	in  io.WriteCloser
	out *bytes.Buffer // to be read after end
	got chan string   // what is painted, as it comes
}

// sit opens a session with the app.
func (r *rig) sit(c *ssh.Client) *seat {
	r.t.Helper()
	s, err := c.NewSession()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := s.RequestPty("xterm-256color", 24, 80, nil); err != nil {
		r.t.Fatal(err)
	}
	in, _ := s.StdinPipe()
	at := &seat{Session: s, t: r.t, in: in, out: &bytes.Buffer{}, got: make(chan string, 1000)}
	s.Stdout, s.Stderr = at, at
	if err := s.Shell(); err != nil {
		r.t.Fatal(err)
	}
	return at
}

func (s *seat) Write(p []byte) (int, error) {
	s.out.Write(p)
	s.got <- string(p)
	return len(p), nil
}

func (s *seat) key(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, text); err != nil {
		s.t.Fatal(err)
	}
}

// sees waits for a text, all of which may come in parts.
func (s *seat) sees(text string) {
	s.t.Helper()
	all := ""
	for late := time.After(10 * time.Second); !strings.Contains(all, text); {
		select {
		case part := <-s.got:
			all += part
		case <-late:
			s.t.Fatalf("painted %q, want %q", all, text)
		}
	}
}

// end waits for the session's end: its status, and all that was painted.
func (s *seat) end() (status int, painted string) {
	s.t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.Wait() }()
	select {
	case err := <-done:
		var exit *ssh.ExitError
		switch {
		case errors.As(err, &exit):
			return exit.ExitStatus(), s.out.String()
		case err != nil:
			return -1, s.out.String() + err.Error()
		}
		return 0, s.out.String()
	case <-time.After(10 * time.Second):
		s.t.Fatalf("the session did not end; painted %q", s.out.String())
		return -1, ""
	}
}

// echo paints what is typed; q leaves.
func echo(ctx context.Context, t *Terminal) (string, error) {
	go func() { <-ctx.Done(); _ = t.SetReadDeadline(time.Unix(1, 0)) }()
	_, _ = io.WriteString(t, screenOn+"ready\r\n")
	buf := make([]byte, 256)
	for {
		n, err := t.Read(buf)
		if err != nil {
			return "", context.Cause(ctx)
		}
		if bytes.ContainsRune(buf[:n], 'q') {
			_, _ = io.WriteString(t, screenOff)
			return "until next time", nil
		}
		_, _ = t.Write(buf[:n])
	}
}

var host = sync.OnceValue(newKey)

func newKey() ssh.Signer {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	s, err := ssh.NewSignerFromSigner(key)
	if err != nil {
		panic(err)
	}
	return s
}
