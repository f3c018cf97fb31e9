package ssh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

func TestSessionIsTheApp(t *testing.T) {
	t.Parallel()
	ann := newKey()
	seen := make(chan string, 10)
	r := serve(t, Config{Enter: func(ctx context.Context, at *Terminal) (string, error) {
		tell := func() {
			c, rows := at.Size()
			seen <- fmt.Sprint(c, "x", rows, " ", at.Environ(), " ", at.Guest().Name)
		}
		tell()
		<-at.ResizeMarks()
		tell()
		return echo(ctx, at)
	}}, map[string]ssh.Signer{"ann": ann})

	c := r.must(ann)
	s, _ := c.NewSession()
	for _, kv := range []string{"LANG=de_DE.UTF-8", "LC_ALL=C", "LC_=x", "PATH=/bin", "TERM=evil", "NO_COLOR=1\x1b", "COLORTERM=truecolor", "COLORTERM=24bit"} {
		name, value, _ := strings.Cut(kv, "=")
		granted := s.Setenv(name, value) == nil
		if want := slices.Contains([]string{"LANG", "LC_ALL", "COLORTERM"}, name); granted != want {
			t.Errorf("env %q granted: %v", kv, granted)
		}
	}
	if err := s.RequestPty("xterm-kitty", 0, 0, nil); err != nil {
		t.Fatal(err)
	}
	in, _ := s.StdinPipe()
	at := &seat{Session: s, t: t, in: in, out: &bytes.Buffer{}, got: make(chan string, 100)}
	s.Stdout, s.Stderr = at, at
	if err := s.Shell(); err != nil {
		t.Fatal(err)
	}
	if got, want := <-seen, "80x24 [COLORTERM=24bit LANG=de_DE.UTF-8 LC_ALL=C TERM=xterm-kitty] ann"; got != want {
		t.Errorf("begins as %s, want %s", got, want)
	}
	_ = s.WindowChange(70000, 132)
	if got := <-seen; !strings.HasPrefix(got, "132x500 ") {
		t.Errorf("resized: %s", got)
	}
	at.sees("ready")
	at.key("abc")
	at.sees("abc")
	guests := r.Guests()
	if len(guests) != 1 || guests[0].In != 3 || guests[0].Key != FingerprintHostKey(ann) || guests[0].Address == "" || guests[0].Client == "" {
		t.Errorf("guests: %+v", guests)
	}
	at.key("q")
	if status, all := at.end(); status != 0 || !strings.HasSuffix(all, screenOff+"until next time\r\n") {
		t.Errorf("ended with %d, %q", status, all)
	}
	r.logged("session ended")
}

func TestOnlyAKnownKeyComesIn(t *testing.T) {
	t.Parallel()
	ann, stranger := newKey(), newKey()
	r := serve(t, Config{}, map[string]ssh.Signer{"ann": ann})
	check := func(name, log string, auth ...ssh.AuthMethod) {
		t.Helper()
		conf := as()
		conf.Auth = auth
		if c, err := ssh.Dial("tcp", r.addr, conf); err == nil {
			_ = c.Close()
			t.Errorf("%s: let in", name)
		}
		r.logged(log)
	}
	check("unknown key", FingerprintHostKey(stranger), ssh.PublicKeys(stranger))
	check("no key", "did not get in")
	password := func() (string, error) { return "ann", nil }
	check("password", "did not get in", ssh.PasswordCallback(password))
	check("questions", "did not get in", ssh.KeyboardInteractive(func(_, _ string, q []string, _ []bool) ([]string, error) { return make([]string, len(q)), nil }))
	cert := &ssh.Certificate{Key: ann.PublicKey(), CertType: ssh.UserCert, ValidBefore: ssh.CertTimeInfinity}
	if err := cert.SignCert(zeros{}, ann); err != nil {
		t.Fatal(err)
	}
	signed, err := ssh.NewCertSigner(cert, ann)
	if err != nil {
		t.Fatal(err)
	}
	check("certificate", "did not get in", ssh.PublicKeys(signed))
	r.must(ann)
}

// forged shows one key and signs with another.
type forged struct{ ssh.Signer }

func (f forged) Sign(_ io.Reader, data []byte) (*ssh.Signature, error) {
	return newKey().Sign(zeros{}, data)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestAPersonIsTheKeyThatSigned(t *testing.T) {
	t.Parallel()
	ann, bob := newKey(), newKey()
	r := serve(t, Config{}, map[string]ssh.Signer{"ann": ann, "bob": bob})
	r.sit(r.must(newKey(), bob, ann)).sees("ready")
	if g := r.Guests(); len(g) != 1 || g[0].Name != "bob" {
		t.Errorf("guests: %+v", g)
	}
	if c, err := r.dial(forged{ann}); err == nil {
		_ = c.Close()
		t.Error("let in with another's signature")
	}
}

func TestNothingButTheApp(t *testing.T) {
	t.Parallel()
	ann := newKey()
	r := serve(t, Config{PerPerson: 8}, map[string]ssh.Signer{"ann": ann})
	c := r.must(ann)
	session := func() *ssh.Session {
		t.Helper()
		s, err := c.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	var told strings.Builder
	s := session()
	s.Stderr = &told
	var exit *ssh.ExitError
	if err := s.Run("cat /etc/passwd"); !errors.As(err, &exit) || exit.ExitStatus() != 1 || told.String() != lineCommand+"\r\n" {
		t.Errorf("command: %v, told %q", err, told.String())
	}
	told.Reset()
	s = session()
	s.Stderr = &told
	_ = s.Shell()
	if err := s.Wait(); !errors.As(err, &exit) || exit.ExitStatus() != 1 || told.String() != lineTerminal+"\r\n" {
		t.Errorf("no terminal: %v, told %q", err, told.String())
	}
	if err := session().RequestSubsystem("sftp"); err == nil {
		t.Error("sftp granted")
	}
	for _, name := range []string{"auth-agent-req@openssh.com", "x11-req", "unheard-of", "window-change", "pty-req"} {
		if ok, err := session().SendRequest(name, true, []byte("junk")); ok || err != nil {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
	}
	for _, kind := range []string{"direct-tcpip", "direct-streamlocal@openssh.com", "tun@openssh.com", "x11"} {
		var refused *ssh.OpenChannelError
		if _, _, err := c.OpenChannel(kind, nil); !errors.As(err, &refused) || refused.Reason != ssh.Prohibited {
			t.Errorf("channel %s: %v", kind, err)
		}
	}
	if conn, err := c.Dial("tcp", r.addr); err == nil {
		_ = conn.Close()
		t.Error("forwards to a port")
	}
	if ln, err := c.Listen("tcp", "127.0.0.1:0"); err == nil {
		_ = ln.Close()
		t.Error("forwards from a port")
	}
	if ln, err := c.ListenUnix(t.TempDir() + "/s"); err == nil {
		_ = ln.Close()
		t.Error("forwards from a socket")
	}
	r.logged("request=tcpip-forward")
}

func TestPanicEndsOneSession(t *testing.T) {
	t.Parallel()
	ann, bob := newKey(), newKey()
	r := serve(t, Config{Enter: func(ctx context.Context, at *Terminal) (string, error) {
		if at.Guest().Name == "ann" {
			return echo(ctx, at)
		}
		_, _ = io.WriteString(at, screenOn)
		if at.Guest().ID == 2 {
			panic("at the app")
		}
		at.Go(func() { panic("beside the app") })
		<-ctx.Done()
		return "", nil
	}}, map[string]ssh.Signer{"ann": ann, "bob": bob})
	other := r.sit(r.must(ann))
	other.sees("ready")
	c := r.must(bob)
	for _, where := range []string{"at the app", "beside the app"} {
		if status, all := r.sit(c).end(); status != 1 || !strings.HasSuffix(all, restore+linePanic+"\r\n") {
			t.Errorf("%s: %d, %q", where, status, all)
		}
		r.logged(where)
	}
	other.key("still here")
	other.sees("still here")
}

func TestAsManySessionsAsThereMayBe(t *testing.T) {
	t.Parallel()
	ann, bob, cid := newKey(), newKey(), newKey()
	r := serve(t, Config{Sessions: 3, PerPerson: 2}, map[string]ssh.Signer{"ann": ann, "bob": bob, "cid": cid})
	a := r.must(ann)
	first, second := r.sit(a), r.sit(r.must(ann))
	first.sees("ready")
	second.sees("ready")
	if status, all := r.sit(r.must(ann)).end(); status != 1 || !strings.Contains(all, "you are in 2 times already") {
		t.Errorf("third of one person: %d, %q", status, all)
	}
	third := r.sit(r.must(bob))
	third.sees("ready")
	if status, all := r.sit(r.must(cid)).end(); status != 1 || !strings.Contains(all, "all 3 places are taken") {
		t.Errorf("one too many: %d, %q", status, all)
	}
	first.key("q")
	first.end()
	r.sit(r.must(cid)).sees("ready")
}

func TestIdleSessionEnds(t *testing.T) {
	t.Parallel()
	ann := newKey()
	r := serve(t, Config{Idle: 300 * time.Millisecond}, map[string]ssh.Signer{"ann": ann})
	s := r.sit(r.must(ann))
	for range 2 { // typing keeps it
		s.key("x")
		s.sees("x")
		time.Sleep(120 * time.Millisecond)
	}
	if _, all := s.end(); !strings.Contains(all, restore+"nothing was typed for 300ms") {
		t.Errorf("%q", all)
	}
}

func TestRemovedPersonBeginsNoSession(t *testing.T) {
	t.Parallel()
	ann := newKey()
	r := serve(t, Config{}, map[string]ssh.Signer{"ann": ann})
	c := r.must(ann)
	r.sit(c).sees("ready")
	r.mu.Lock()
	clear(r.people)
	r.mu.Unlock()
	if status, all := r.sit(c).end(); status != 1 || all != lineRemoved+"\r\n" {
		t.Errorf("%d, %q", status, all)
	}
}

func TestAttemptsAreBounded(t *testing.T) {
	t.Parallel()
	ann := newKey()
	r := serve(t, Config{Attempts: 2}, map[string]ssh.Signer{"ann": ann})
	if _, err := r.dial(newKey(), newKey(), ann); err == nil {
		t.Error("a third key was looked at")
	}
	wrong := newKey()
	for range lineBurst + 5 {
		_, _ = r.dial(wrong)
	}
	r.sit(r.must(ann)).sees("ready") // from the same address
	r.logged("permission denied")
	if n := strings.Count(r.log.String(), "key refused"); n > lineBurst {
		t.Errorf("the log has %d lines about one address", n)
	}
}

func TestCloseLeavesALine(t *testing.T) {
	t.Parallel()
	ann := newKey()
	r := serve(t, Config{Grace: 150 * time.Millisecond, Enter: func(ctx context.Context, at *Terminal) (string, error) {
		if at.Guest().ID == 1 {
			return echo(ctx, at)
		}
		_, _ = io.WriteString(at, "ready")
		<-ctx.Done()
		time.Sleep(300 * time.Millisecond) // longer than it may
		return "", nil
	}}, map[string]ssh.Signer{"ann": ann})
	c := r.must(ann)
	willing := r.sit(c)
	willing.sees("ready")
	deaf := r.sit(c)
	deaf.sees("ready")
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	begun := time.Now()
	if err := r.Close(ctx, "closed for today"); err != nil {
		t.Error(err)
	}
	if d := time.Since(begun); d < 290*time.Millisecond {
		t.Errorf("did not wait for the session: %v", d)
	}
	for _, s := range []*seat{willing, deaf} {
		if _, all := s.end(); !strings.HasSuffix(all, "closed for today\r\n") {
			t.Errorf("left with %q", all)
		}
	}
	if c, err := net.Dial("tcp", r.addr); err == nil {
		_ = c.Close()
		t.Error("still listens")
	}
}
