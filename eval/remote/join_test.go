package remote

import (
	"bytes"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTokenExpiresAndIsRevoked(t *testing.T) {
	t.Parallel()
	path, now := filepath.Join(t.TempDir(), "workers.json"), time.Now()
	load := func(at time.Time, revoke bool) *Identity {
		t.Helper()
		id, err := LoadOrMakeIdentity(path, at, revoke)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first := load(now, false)
	if again := load(now, false); again.WorkerURL("x") != first.WorkerURL("x") {
		t.Error("another identity after a restart")
	}
	next := load(now.Add(TokenFor), false)
	if next.Token == first.Token || !bytes.Equal(next.Cert, first.Cert) {
		t.Error("an expired token stays, or the certificate goes")
	}
	if fresh := load(now.Add(TokenFor), true); next.AdmitsToken(next.Token, now) || !next.AdmitsToken(fresh.Token, now) {
		t.Error("a process that runs lets in by the token that another one revoked")
	}
	if id := load(now, true); id.AdmitsToken(next.Token, now) || !id.AdmitsToken(id.Token, now) || id.AdmitsToken(id.Token, now.Add(TokenFor)) {
		t.Error("a revoked token stays, or one that has expired")
	}
}

func TestWhoMayJoin(t *testing.T) {
	t.Parallel()
	id, err := LoadOrMakeIdentity(filepath.Join(t.TempDir(), "workers.json"), time.Now(), false)
	if err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 10)
	s, err := StartServer("127.0.0.1:0", t.TempDir(), id, time.Now, func(line string) { said <- line })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	nc, err := s.ConnectInProcess()
	if err != nil {
		t.Fatal(err)
	}
	hold(t, nc, "m")
	at := func(id Identity) *atWork { return join(t, id.WorkerURL(s.Addr().String()), "w", echo) }
	w := at(*id)
	for !strings.Contains(<-w.lines, "joined") {
		continue
	}
	if len(said) != 0 {
		t.Error(<-said)
	}
	guessed, other := *id, *id
	guessed.Token, other.Cert = "guessed", []byte("another")
	for range 2 { // which is said once
		if err := <-at(guessed).ended; err == nil || !strings.Contains(err.Error(), "ask the holder for its line again") {
			t.Error(err)
		}
	}
	if line := <-said; !strings.Contains(line, "not let in") || len(said) != 0 {
		t.Error(line)
	}
	for w := at(other); !strings.Contains(<-w.lines, "fingerprint"); {
		continue
	}
	// A worker that was in is refused when it comes back, once its token is revoked.
	if _, err := LoadOrMakeIdentity(id.path, time.Now(), true); err != nil {
		t.Fatal(err)
	}
	if err := s.DisconnectClientByID(clientID(t, w)); err != nil {
		t.Fatal(err)
	}
	if err := <-w.ended; err == nil || !strings.Contains(err.Error(), "revoked") {
		t.Error(err)
	}
}

func clientID(t *testing.T, w *atWork) uint64 {
	t.Helper()
	id, err := w.nc.GetClientID()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// A worker that was there first joins as soon as its connection stands, and does not wait
// for its next hello.
func TestWorkerJoinsOnceItIsConnected(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_ = l.Close()
	w := join(t, "nats://"+addr, "w", echo)
	heard := func(what string) time.Time {
		for end := time.After(20 * time.Second); ; {
			select {
			case line := <-w.lines:
				if strings.Contains(line, what) {
					return time.Now()
				}
			case <-end:
				t.Fatal("nobody said " + what)
			}
		}
	}
	heard("no holder answers")
	newRig(t, addr)
	connected := heard("connected")
	if took := heard("joined").Sub(connected); took > beat/4 {
		t.Errorf("it joined %v after it was connected", took)
	}
}
