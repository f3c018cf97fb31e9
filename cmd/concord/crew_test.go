package main

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"concord/annotate"
	"concord/cmd/concord/internal/server"
	"concord/tui/team"
)

// The owner sees who is on, where and how fast, and changes it while they work.
func TestTheOwnerSeesAndChangesTheTeam(t *testing.T) {
	p := serveTeam(t, 12, 2)
	p.person("ann", annotate.RoleAnnotator)
	p.person("own", annotate.RoleOwner)
	ann, own := p.come("ann", 80, 24), p.come("own", 80, 24)
	defer own.leave()
	ann.open(0)
	for range 3 {
		ann.label("1")
	}
	if !own.paints("Runs") {
		return
	}
	own.write("P")
	if !own.paints("q1") {
		return
	}
	shared := p.host.State
	i := slices.IndexFunc(shared.Connections(), func(v *server.Connection) bool { return v.Options.As == "own" })
	c := server.Team{State: shared, Me: shared.Connections()[i]}
	one := func(who annotate.Annotator) (m team.Member) {
		all, err := c.ListMembers(t.Context())
		p.must(err)
		for _, m := range all {
			if m.Name == who {
				return m
			}
		}
		return m
	}
	p.must(shared.AwaitActsStored(t.Context(), "q1", "ann"))
	m := one("ann")
	if !m.IsHere() || m.FirstQueue() != "q1" || m.Labels != 3 || m.Speed.Labels != 3 || m.Speed.Timed != 3 || m.Queues[0].Done != 3 || m.Sessions[0].From == "" {
		t.Errorf("ann is %+v", m)
	}
	do := func(what team.Change) team.Change {
		done, err := c.ChangeAccess(t.Context(), "own", what)
		p.must(err)
		return done.Back
	}
	back := do(team.Change{What: team.GiveRole, Who: "ann", Role: annotate.RoleAdjudicator, Was: annotate.RoleAnnotator})
	if !ann.paints("your role is now adjudicator") || one("ann").Role != annotate.RoleAdjudicator {
		t.Errorf("ann is %+v", one("ann"))
	}
	do(back)
	for what, want := range map[team.Change]string{
		back: "annotator by now",
		{What: team.GiveRole, Who: "own", Role: annotate.RoleNone}:                                                                   "another owner",
		{What: team.Admit, Who: "eve", Key: "-----BEGIN OPENSSH PRIVATE KEY-----"}:                                                   "private key",
		{What: team.Admit, Who: "eve", Role: annotate.RoleCurator, Key: string(ssh.MarshalAuthorizedKey(p.keys["ann"].PublicKey()))}: "ann's",
	} {
		if _, err := c.ChangeAccess(t.Context(), "own", what); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", what, err, want)
		}
	}
	sessions := one("ann").Sessions
	if err := c.EndSession(t.Context(), one("own").Sessions[0].ID); err == nil {
		t.Error("an owner ends their own session")
	}
	p.must(c.EndSession(t.Context(), sessions[0].ID))
	ann.paints(server.EndedByOwner)
	_ = ann.client.Close()
}
