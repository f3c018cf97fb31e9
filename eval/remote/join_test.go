package remote

import (
	"bytes"
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
		id, err := LoadIdentity(path, at, revoke)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first := load(now, false)
	if again := load(now, false); again.JoinURL("x") != first.JoinURL("x") {
		t.Error("another identity after a restart")
	}
	next := load(now.Add(TokenFor), false)
	if next.Token == first.Token || !bytes.Equal(next.Cert, first.Cert) {
		t.Error("an expired token stays, or the certificate goes")
	}
	if id := load(now, true); id.Admits(next.Token, now) || !id.Admits(id.Token, now) || id.Admits(id.Token, now.Add(TokenFor)) {
		t.Error("a revoked token stays, or one that has expired")
	}
}

func TestWhoMayJoin(t *testing.T) {
	t.Parallel()
	id, err := LoadIdentity(filepath.Join(t.TempDir(), "workers.json"), time.Now(), false)
	if err != nil {
		t.Fatal(err)
	}
	s, nc := serve(t, "127.0.0.1:0", id)
	hold(t, nc, "m")
	said := func(id Identity) string {
		w := join(t, id.JoinURL(s.Addr().String()), "w", echo)
		defer w.stop()
		for line := range w.lines {
			for _, part := range []string{"joined", "uthorization", "fingerprint"} {
				if strings.Contains(line, part) {
					return line
				}
			}
		}
		return ""
	}
	if got := said(*id); !strings.Contains(got, "joined") {
		t.Error(got)
	}
	guessed, other := *id, *id
	guessed.Token, other.Cert = "guessed", []byte("another")
	for _, id := range []Identity{guessed, other} {
		if got := said(id); strings.Contains(got, "joined") {
			t.Error(got)
		}
	}
}
