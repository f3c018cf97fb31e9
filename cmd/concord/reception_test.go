package main

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"concord/annotate"
	"concord/cmd/concord/internal/keys"
	"concord/cmd/concord/internal/server"
)

// give gives somebody a role and keys while the project is served.
func (t *teamRig) give(name string, role annotate.Role, key ...ssh.Signer) {
	t.tb.Helper()
	all, err := t.st.People().List()
	t.must(err)
	for _, p := range all {
		if string(p.Name) == name {
			var lines []string
			for _, k := range key {
				lines = append(lines, keys.KeyOfPublicKey(k.PublicKey()).Line)
			}
			next, err := p.NextVersion(role, lines, "own", time.Now())
			t.must(err)
			t.must(t.st.People().Put(t.tb.Context(), next))
		}
	}
}

// A role that changes opens the app anew as the new one; a key that is taken
// away, and somebody's removal, end the sessions that there are. What a session
// took is given back.
func TestRolesAndKeysChangeWhileTheirSessionsAreOn(t *testing.T) {
	team := serveTeam(t, 6, 1)
	team.host.Look = 10 * time.Millisecond
	for _, name := range []string{"ann", "bob", "cem"} {
		team.person(name, annotate.RoleAnnotator)
	}
	first := team.come("cem", 80, 24)
	first.open(0)
	first.leave()
	before := runtime.NumGoroutine()

	ann, bob, cem := team.come("ann", 80, 24), team.come("bob", 80, 24), team.come("cem", 80, 24)
	for _, m := range []*mate{ann, bob, cem} {
		if !m.open(0) {
			t.FailNow()
		}
	}
	team.give("ann", annotate.RoleAdjudicator, team.keys["ann"])
	if !ann.paints("your role is now adjudicator") || !ann.paints("Report") {
		t.Error("ann's app was not opened anew")
	}
	team.give("bob", annotate.RoleAnnotator)
	team.give("cem", annotate.RoleNone, team.keys["cem"])
	for _, m := range []*mate{bob, cem} {
		if !m.paints(server.ErrNotAmong.Error()) {
			t.Errorf("%s stays", m.name)
		}
		_ = m.session.Wait()
		_ = m.client.Close()
	}
	ann.leave()
	for range 300 {
		if runtime.NumGoroutine() <= before {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		buf := make([]byte, 1<<20)
		t.Errorf("%d goroutines, %d before\n%s", n, before, strings.TrimSpace(string(buf[:runtime.Stack(buf, true)])))
	}
}

// Who works in prompts is shut out as everybody is, and leaves nothing behind of
// what they typed ahead.
func TestPromptsEndForWhoComesInNoMore(t *testing.T) {
	team := serveTeam(t, 3, 1)
	team.host.Look = 10 * time.Millisecond
	team.person("ann", annotate.RoleAnnotator)
	client, err := ssh.Dial("tcp", team.addr, &ssh.ClientConfig{
		User: "ann", Auth: []ssh.AuthMethod{ssh.PublicKeys(team.keys["ann"])}, HostKeyCallback: ssh.InsecureIgnoreHostKey(), //nolint:gosec // its own server
	})
	team.must(err)
	defer func() { _ = client.Close() }()
	session, err := client.NewSession()
	team.must(err)
	var out strings.Builder
	session.Stdout = &out
	_, err = session.StdinPipe() // stays open
	team.must(err)
	team.must(session.Setenv("ACCESSIBLE", "1"))
	team.must(session.RequestPty("dumb", 24, 80, ssh.TerminalModes{}))
	team.must(session.Shell())
	for range 1000 {
		if len(team.gate.Guests()) > 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	team.give("ann", annotate.RoleAnnotator)
	if err := session.Wait(); err != nil || !strings.Contains(out.String(), server.ErrNotAmong.Error()) {
		t.Errorf("%v: %q", err, out.String())
	}
}
