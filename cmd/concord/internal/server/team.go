package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/keys"
	"concord/cmd/concord/internal/roster"
	"concord/eval"
	"concord/tui"
	"concord/tui/keymap"
	"concord/tui/team"
)

// Team is the team as an owner's session shows and changes it.
//
//	store (people, tallies, last acts) --+
//	state (sessions), pool (claims) -----+--Team--> people
type Team struct {
	State *State
	Me    *Connection
}

func newTeamPage(source team.Source) tui.Page {
	return tui.Page{
		Message: team.Open{}, Key: keymap.Runs.BindAction("people"), May: annotate.MayManagePeople, Whose: "the owner",
		Name: "People", Words: "team roles keys sessions who is on", Hint: "who is on, and as what",
		New: func(ctx context.Context, v tui.Opening) tui.Screen {
			return team.New(ctx, team.Deps{Theme: v.Theme, Source: source, Who: v.Who, Now: v.Now})
		},
	}
}

// ChangeAccess changes who may come in, by what the commands do.
func (c Team) ChangeAccess(ctx context.Context, by annotate.Annotator, what team.Change) (team.Done, error) {
	if own := c.Me.Options; own.role != annotate.RoleUnset && string(what.Who) == own.As && what.What == team.GiveRole {
		return team.Done{}, errors.New("your own role is for another owner to change")
	}
	var done team.Done
	one, changed, err := roster.StorePersonVersion(ctx, c.State.app, c.State.st, what.Who, string(by), func(p *annotate.Person) (err error) {
		done, err = c.applyAccessChange(p, &what)
		return err
	})
	switch {
	case err != nil:
		return team.Done{}, err
	case !changed:
		return team.Done{}, fmt.Errorf("%s: that is so already", one.Name)
	}
	c.State.moves.notifyListeners()
	for _, v := range c.State.Connections() {
		select {
		case v.recast <- struct{}{}:
		default:
		}
	}
	return done, nil
}

func (c Team) applyAccessChange(p *annotate.Person, what *team.Change) (team.Done, error) {
	switch what.What {
	case team.Admit:
		return giveRoleAndKey(p, what)
	case team.GiveRole:
		return c.changeRoleIfUnchanged(p, what)
	case team.AddKey:
		given, err := parseOnlyKey(what.Key)
		if err != nil {
			return team.Done{}, err
		}
		if p.Role == annotate.RoleUnset {
			return team.Done{}, roster.NewNotAddedError(p.Name)
		}
		roster.AddKeys(p, []keys.Key{given})
		return team.Done{
			Said: fmt.Sprintf("%s comes in by %s, too", p.Name, given.Fingerprint),
			Back: team.Change{What: team.DropKey, Who: p.Name, Key: given.Fingerprint},
		}, nil
	case team.DropKey:
		i := slices.IndexFunc(p.Keys, func(line string) bool { return keys.Fingerprint(line) == what.Key })
		if i < 0 {
			return team.Done{}, roster.DropKey(p, what.Key)
		}
		back := team.Change{What: team.AddKey, Who: p.Name, Key: p.Keys[i]}
		return team.Done{Said: fmt.Sprintf("nobody comes in by %s; a session that it opened continues", what.Key), Back: back}, roster.DropKey(p, what.Key)
	case team.ChangeUnset:
	}
	return team.Done{}, errors.New("no change")
}

// giveRoleAndKey lets somebody in.
func giveRoleAndKey(p *annotate.Person, what *team.Change) (team.Done, error) {
	if _, err := roster.ParsePersonName(string(p.Name)); err != nil {
		return team.Done{}, err
	}
	given, err := parseOnlyKey(what.Key)
	switch {
	case err != nil:
		return team.Done{}, err
	case p.Role > annotate.RoleNone:
		return team.Done{}, fmt.Errorf("%s is there already, as %s", p.Name, p.Role)
	}
	p.Role, p.Keys = what.Role, []string{given.Line}
	return team.Done{
		Said: fmt.Sprintf("%s has access as %s, by %s", p.Name, p.Role, given.Fingerprint),
		Back: team.Change{What: team.GiveRole, Who: p.Name, Role: annotate.RoleNone, Was: what.Role},
	}, nil
}

// changeRoleIfUnchanged gives somebody another role, if they still have the one that was seen.
func (c Team) changeRoleIfUnchanged(p *annotate.Person, what *team.Change) (team.Done, error) {
	was := eval.Either(p.Role == annotate.RoleUnset, c.State.guests, p.Role) // guests: by the file that is served with
	switch {
	case was == annotate.RoleUnset:
		return team.Done{}, roster.NewNotAddedError(p.Name)
	case what.Was != annotate.RoleUnset && what.Was != was:
		return team.Done{}, fmt.Errorf("%s is %s by now: nothing was changed", p.Name, was)
	}
	p.Role = what.Role
	said := string(p.Name) + eval.Either(what.Role == annotate.RoleNone, " comes in no more; what they did stays", fmt.Sprintf(" is %s now", what.Role))
	return team.Done{Said: said, Back: team.Change{What: team.GiveRole, Who: p.Name, Role: was, Was: what.Role}}, nil
}

// parseOnlyKey reads the one public key that was pasted.
func parseOnlyKey(text string) (keys.Key, error) {
	all, err := keys.ParseKeys([]byte(text))
	switch {
	case err != nil:
		return keys.Key{}, err
	case len(all) != 1:
		return keys.Key{}, errors.New("give one key at a time")
	}
	return all[0], nil
}

// EndedByOwner is the line that a session is left with which an owner ended.
const EndedByOwner = "an owner of the project has ended this session; what you did is saved"

// EndSession ends a session.
func (c Team) EndSession(_ context.Context, id uint64) error {
	for _, v := range c.State.Connections() {
		if v.id == id {
			if why := c.whyNotEndable(v); why != "" {
				return errors.New(why)
			}
			return v.endSession()
		}
	}
	return errors.New("the session has ended already")
}

// whyNotEndable is why a session cannot be ended from here.
func (c Team) whyNotEndable(v *Connection) string {
	switch {
	case v == c.Me:
		return "this is your own session"
	case v.guest == nil:
		return "this is the process that holds the project: all sessions would end with it"
	}
	return ""
}

// annotator is who works in the session.
func (v *Connection) annotator() annotate.Annotator {
	v.mu.Lock()
	defer v.mu.Unlock()
	return cmp.Or(v.who, annotate.Annotator(v.Options.As))
}

// setCancel says what ends the session.
func (v *Connection) setCancel(cancel context.CancelFunc) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.cancel = cancel
}

func (v *Connection) endSession() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.cancel == nil {
		return errors.New("the session is just beginning")
	}
	v.ended = true
	v.cancel()
	return nil
}

func (v *Connection) wasEnded() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.ended
}

func newTeamKey(line string) team.Key {
	kind, _, _ := strings.Cut(line, " ")
	return team.Key{Fingerprint: keys.Fingerprint(line), Type: kind}
}

// paceOver is what a pace is told of, and mostActs how many acts of a queue are read for it: one a second.
const (
	paceOver = 10 * time.Minute
	mostActs = 600
)

// ListMembers gives everybody, by name.
func (c Team) ListMembers(ctx context.Context) ([]team.Member, error) {
	h := c.State
	known, err := roster.ListMembers(h.st)
	if err != nil {
		return nil, err
	}
	all := make(map[annotate.Annotator]*team.Member)
	for i := range known {
		m := &known[i]
		all[m.Name] = &team.Member{Name: m.Name, Role: m.Role, Since: m.Since, By: m.GaveRole, Labels: m.Labels, Votes: m.Votes, Keys: eval.Map(m.Keys, newTeamKey)}
	}
	h.mu.Lock()
	left := maps.Clone(h.left)
	h.mu.Unlock()
	for who, at := range left {
		if m := all[who]; m != nil {
			m.Seen = at
		}
	}
	for _, v := range h.Connections() {
		c.addSessionToMember(all, v)
	}
	err = c.addQueueProgress(ctx, all)
	return eval.Map(slices.Sorted(maps.Keys(all)), func(who annotate.Annotator) team.Member { return *all[who] }), err
}

// addSessionToMember adds a session to whoever works in it.
func (c Team) addSessionToMember(all map[annotate.Annotator]*team.Member, v *Connection) {
	who := v.annotator()
	if who == "" {
		return // they have not said who they are, and see no item before
	}
	m := eval.GetOrAdd(all, who, func() *team.Member { return &team.Member{Name: who} })
	if m.Role == annotate.RoleUnset && v.Options.role != annotate.RoleUnset {
		m.Role, m.FromKeyFile = v.Options.role, true
	}
	s := team.Session{ID: v.id, Since: v.since, Fixed: c.whyNotEndable(v)}
	if v.guest != nil {
		g := v.guest.Guest()
		s.From, s.Client, s.Since, s.Typed = g.Address, g.Client, g.Since, g.Typed
	}
	m.Sessions = append(m.Sessions, s)
}

// addQueueProgress adds where people stand in the queues, and how fast they are.
func (c Team) addQueueProgress(ctx context.Context, all map[annotate.Annotator]*team.Member) error {
	h := c.State
	queues, err := h.st.Queues().List()
	if err != nil {
		return err
	}
	spent := make(map[annotate.Annotator][]time.Duration)
	for i := range queues {
		q := &queues[i]
		tally, err := h.st.Acts().Tallies(q.Name)
		if err != nil {
			return err
		}
		here := h.Pool.Annotators(q.Name)
		for who, m := range all {
			t, some := tally[who]
			sits := m.IsHere() && slices.Contains(here, who)
			if !some && !sits || ctx.Err() != nil {
				continue
			}
			m.Queues = append(m.Queues, team.QueueWork{Queue: q.Name, Done: t.Labelled, Items: q.Items, Growing: q.Growing, Here: sits})
			if t.Acts == 0 {
				continue
			}
			more, err := c.addRecentWork(m, q.Name, int(t.Acts))
			if err != nil {
				return err
			}
			spent[who] = append(spent[who], more...)
		}
	}
	for who, each := range spent {
		if n := len(each); n > 0 {
			slices.Sort(each)
			all[who].Speed.Timed, all[who].Speed.Median = n, (each[(n-1)/2]+each[n/2])/2
		}
	}
	return context.Cause(ctx)
}

// addRecentWork adds what somebody labelled in a queue of late, and gives how long they
// were at work on each item of this session's.
func (c Team) addRecentWork(m *team.Member, q annotate.QueueName, n int) ([]time.Duration, error) {
	acts, now := c.State.st.Acts(), c.State.app.Now()
	last, err := acts.Act(q, m.Name, uint32(n))
	if err != nil || last.Imported {
		return nil, err
	}
	if last.At.After(m.Seen) {
		m.Seen = last.At
	}
	began, over := now, paceOver
	if m.IsHere() {
		began = slices.MinFunc(m.Sessions, func(a, b team.Session) int { return cmp.Compare(a.Since.UnixNano(), b.Since.UnixNano()) }).Since
		over = min(paceOver, max(time.Minute, now.Sub(began)))
	}
	since := now.Add(-over)
	from := eval.Either(began.Before(since), began, since)
	if m.Speed.Over = over; last.At.Before(from) {
		return nil, nil
	}
	recent, err := acts.RecentActs(q, m.Name, from, mostActs)
	if n := len(recent); n == mostActs && recent[n-1].At.After(since) { // older ones were not read
		m.Speed.Over = max(time.Second, now.Sub(recent[n-1].At))
	}
	var spent []time.Duration
	for i := range recent {
		a := &recent[i]
		if a.Kind != annotate.Labelled || a.Imported {
			continue
		}
		if !a.At.Before(since) {
			m.Speed.Labels++
		}
		if a.Spent > 0 && !a.At.Before(began) {
			spent = append(spent, a.Spent)
		}
	}
	return spent, err
}
